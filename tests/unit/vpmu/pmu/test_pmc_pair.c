/* SPDX-License-Identifier: BSD-2-Clause */
/* Floating-point operations from Zen on: which bits of the mask count which operations, and the pair of counters that
 * the event needs. */

#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"

#define XMM(n)   (1ull << (CODEMAP_DEP_XMM0 + (n)))
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MERGE    (0xF004000FFull) /* event FFFh, enabled, and no other bit */
#define UPPER    0xFFFFull

enum { ROUNDS = 100, CTL = 0xC0010200, CTR = 0xC0010201 };

static struct program program;

static int end(void **state)
{
    program_end(&program);
    return 0;
}

/* A round has 4 + 2 additions, 1 multiplication, 1 + 2 divisions and roots, and an instruction without operations. */
static const char *const texts[] = {"addps xmm0, xmm1",
                                    "subpd xmm0, xmm1",
                                    "mulss xmm0, xmm1",
                                    "divsd xmm0, xmm1",
                                    "sqrtpd xmm0, xmm1",
                                    "pxor xmm0, xmm1",
                                    "jmp"};
enum { ADDS = 4 + 2, MULS = 1, DIVS = 1 + 2, ALL = ADDS + MULS + DIVS };

static void load(const char *name)
{
    static const struct codemap_insn code[] = {
        {.writes = XMM(0), .unit = CODEMAP_UNIT_FADD},
        {.writes = XMM(0), .unit = CODEMAP_UNIT_FADD},
        {.writes = XMM(0), .unit = CODEMAP_UNIT_FMUL},
        {.writes = XMM(0), .unit = CODEMAP_UNIT_FADD},
        {.writes = XMM(0), .unit = CODEMAP_UNIT_FADD},
        {.writes = XMM(0), .unit = CODEMAP_UNIT_FADD},
        {.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = PROGRAM_FIRST},
    };
    struct vpmu_config config = {.seed = 1};

    assert_true(vpmu_revision_parse(name, &config.revision));
    program_load_as(&program, config, code, COUNT(code), texts);
    program_run(&program, ROUNDS);
}

static uint64_t read(unsigned n)
{
    return machine_rdmsr(&program.machine, CTR + 2 * n);
}

static void write(uint32_t msr, unsigned n, uint64_t value)
{
    machine_wrmsr(&program.machine, msr + 2 * n, value);
}

/* Counts with a pair from 'first' on, and returns what was added. */
static uint64_t paired(unsigned first, uint64_t ctl)
{
    uint64_t count;

    write(CTR, first + 1, 0);
    write(CTR, first, 0);
    write(CTL, first + 1, MERGE);
    write(CTL, first, ctl | PERF_EN);
    program_run(&program, ROUNDS);
    write(CTL, first, ctl);
    count = read(first);
    write(CTL, first + 1, 0);
    return count;
}

TEST_WITH(test_masks, NULL, end)
{
    static const struct {
        const char *name;
        uint8_t mask;
        unsigned each; /* operations of a round */
    } rows[] = {
        {"zen", 0x01, 4},     {"zen", 0x02, 1},    {"zen", 0x04, 0},     {"zen", 0x10, 2},     {"zen", 0x20, 0},
        {"zen", 0x40, 3},     {"zen", 0xFF, ALL},  {"zen2", 0x01, ADDS}, {"zen2", 0x02, MULS}, {"zen2", 0x04, DIVS},
        {"zen2", 0x0F, ALL},  {"zen3", 0x0F, ALL}, {"zen4", 0x01, ADDS}, {"zen4", 0x0F, ALL},  {"zen5", 0x0F, ALL},
        {"zen6", 0x02, MULS}, {"zen5", 0x61, 0}, /* types of operations are not modelled */
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        load(rows[i].name);
        if (paired(0, EVENT(0x003, rows[i].mask)) != ROUNDS * rows[i].each)
            fail_msg("%s:%02x", rows[i].name, rows[i].mask);
    }
}

/* An even counter and the next one are a pair; an odd counter, or one whose next has another event, counts nothing. */
TEST_WITH(test_what_is_a_pair, NULL, end)
{
    load("zen3");
    for (unsigned first = 0; first < 6; first += 2)
        assert_int_equal(paired(first, EVENT(0x003, 0x0F)), ROUNDS * ALL);
    assert_int_equal(paired(1, EVENT(0x003, 0x0F)), 0);
    for (unsigned n = 0; n < 3; n++) {
        static const uint64_t next[] = {0, MERGE ^ PERF_EN, EVENT(0x0C0, 0) | PERF_EN};

        write(CTL, 1, next[n]);
        write(CTR, 0, 0);
        write(CTL, 0, EVENT(0x003, 0x0F) | PERF_EN);
        program_run(&program, 1);
        write(CTL, 0, 0);
        assert_int_equal(read(0), 0);
    }
    assert_int_equal(read(1),
                     6); /* and the next one counts its own event: 7 instructions, the last of which is announced */
}

/* The next counter may be enabled, and stopped, while the first counts. */
TEST_WITH(test_the_partner_comes_and_goes, NULL, end)
{
    load("zen2");
    write(CTL, 0, EVENT(0x003, 0x0F) | PERF_EN);
    program_run(&program, ROUNDS);
    assert_int_equal(read(0), 0);
    write(CTL, 1, MERGE);
    program_run(&program, ROUNDS);
    write(CTL, 1, 0);
    program_run(&program, ROUNDS);
    assert_int_equal(read(0), ROUNDS * ALL);
}

/* The pair is read as 64 bits, and keeps its carry when it is stopped. */
TEST_WITH(test_upper_bits, NULL, end)
{
    load("zen2");
    write(CTL, 1, MERGE);
    write(CTR, 1, 0x12);
    write(CTR, 0, (1ull << 48) - ALL);
    write(CTL, 0, EVENT(0x003, 0x0F) | PERF_EN);
    assert_int_equal(read(0) >> 48, 0x12);
    program_run(&program, ROUNDS);
    assert_int_equal(read(0), 0x13ull << 48 | (ROUNDS - 1) * ALL);
    write(CTL, 0, EVENT(0x003, 0x0F));
    assert_int_equal(read(0), 0x13ull << 48 | (ROUNDS - 1) * ALL);
    assert_int_equal(read(1), 0x13);
}

/* An interrupt comes when all 64 bits wrap: with the upper bits set, after as many events as with any other counter. */
TEST_WITH(test_overflow, NULL, end)
{
    static const struct {
        uint64_t upper;
        unsigned nmis;
    } rows[] = {{UPPER, 1}, {UPPER - 1, 0}, {0, 0}};

    for (size_t i = 0; i < COUNT(rows); i++) {
        load("zen2");
        assert_int_equal(vpmu_apic_write(program.machine.vpmu, 0x340, 0x400), VPMU_OK); /* LVTPC: NMI */
        write(CTL, 1, MERGE);
        write(CTR, 1, rows[i].upper);
        write(CTR, 0, (1ull << 48) - 3 * ALL);
        write(CTL, 0, EVENT(0x003, 0x0F) | PERF_INT | PERF_EN);
        program_run(&program, 2);
        assert_int_equal(program.machine.nmis, 0);
        program_run(&program, ROUNDS);
        assert_int_equal(program.machine.nmis, rows[i].nmis);
        assert_int_equal(read(0) >> 48, (rows[i].upper + 1) & UPPER);
    }
}

RUN_TESTS(NULL, NULL)
