/* SPDX-License-Identifier: BSD-2-Clause */
/* Time by state of commit: small programs whose cycles are worked out by hand, and the sum over random programs. An op
 * that is dispatched in cycle d and waits for nothing completes in d + 2 (latency 1) and retires in d + 3. After a
 * drain in cycle r the next op is dispatched in r + 10 (FRONT_DEPTH). */
#include <stdlib.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"
#include "tests/unit/vpmu/random_driver.h"
#include "tests/unit/vpmu/random_walk.h"
#include "vpmu/model/pipeline/commit.h"

enum { AX, CX, DX, BX, SP, BP };
#define R(reg)   (1ull << (reg))
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define PLAIN                                                                                                          \
    {                                                                                                                  \
        .unit = CODEMAP_UNIT_NOP                                                                                       \
    }
/* Takes 83 cycles. */
#define DIVISION                                                                                                       \
    {                                                                                                                  \
        .reads = R(AX), .writes = R(AX), .unit = CODEMAP_UNIT_IDIV                                                     \
    }
#define USES_AX                                                                                                        \
    {                                                                                                                  \
        .reads = R(AX), .writes = R(CX), .unit = CODEMAP_UNIT_ALU                                                      \
    }
#define SERIAL                                                                                                         \
    {                                                                                                                  \
        .flags = CODEMAP_INSN_SERIAL, .unit = CODEMAP_UNIT_OTHER                                                       \
    }
/* Returns to the first instruction; the return stack is empty, so each return is mispredicted. */
#define RETURN(registers)                                                                                              \
    {                                                                                                                  \
        .reads = (registers), .unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_RETURN                                 \
    }

enum { WARM_UP = 20, ROUNDS = 100, STEPS = 100000 };

static struct program program;

static int end(void **state)
{
    program_end(&program);
    return 0;
}

static const struct truth *truth(void)
{
    return &program.machine.vpmu->truth;
}

static void step(unsigned n)
{
    machine_step(&program.machine, PAPER_BASE + program.insns[n].rva);
}

enum { MOST = 8 };

/* The time of an instruction in a round, and its cycles with an empty reorder buffer. */
struct part {
    uint64_t sixths, empty;
};

static void copy(struct part parts[MOST])
{
    for (unsigned n = 0; n < program.map.insn_count; n++)
        parts[n] = (struct part){commit_sixths(program.machine.vpmu, n), truth()->rare[n].empty_cycles};
}

static void assert_part(const char *name, unsigned n, struct part before, struct part expected, unsigned rounds)
{
    uint64_t sixths = commit_sixths(program.machine.vpmu, n) - before.sixths,
             empty = truth()->rare[n].empty_cycles - before.empty;

    if (sixths != expected.sixths * rounds || empty != expected.empty * rounds)
        fail_msg("%s, instruction %u: %llu sixths, %llu empty", name, n, (unsigned long long)sixths,
                 (unsigned long long)empty);
}

struct row {
    const char *name;
    enum vpmu_revision revision;
    unsigned count;
    struct codemap_insn code[MOST];
    struct part part[MOST];
};

static const struct row rows[] = {
    /* The division is dispatched in r + 10 with an empty reorder buffer, which lasted from r + 1 to r + 10. It
     * completes in r + 94 and retires in r + 95: 84 cycles are the division's, and also the one in which it retires
     * alone. The next three retire in r + 96, and the serialising instruction in r + 97, after which the pipeline is
     * drained. */
    {"a division, what waits for it, and two that do not",
     VPMU_REV_C,
     5,
     {DIVISION, USES_AX, PLAIN, PLAIN, SERIAL},
     {{510, 10}, {2, 0}, {2, 0}, {2, 0}, {6, 0}}},
    {"two in the cycle after it", VPMU_REV_C, 3, {DIVISION, USES_AX, SERIAL}, {{510, 10}, {3, 0}, {3, 0}}},
    /* Three of the first four instructions are a line, the fourth another, the last two a third, and no line retires
     * together with another. */
    {"revision B: lines within 16 bytes",
     VPMU_REV_B,
     6,
     {DIVISION, USES_AX, PLAIN, PLAIN, PLAIN, SERIAL},
     {{510, 10}, {3, 0}, {3, 0}, {6, 0}, {3, 0}, {3, 0}}},
    /* The branch is executed in d + 1; the first op of the right path is dispatched in d + 12 and retires in d + 15.
     * The ops before retire in d + 3: d + 4 to d + 12 are the branch's, d + 13 and d + 14 the first op's. */
    {"a mispredicted branch", VPMU_REV_C, 3, {PLAIN, PLAIN, RETURN(0)}, {{14, 0}, {2, 0}, {56, 0}}},
    /* Until the division is complete it is the oldest op: d + 1 to d + 84. It retires in d + 85 together with ops that
     * wait for nothing. The branch is executed in d + 84 and retires in d + 86; the right path comes in d + 95: d + 87
     * to d + 95 are the branch's. */
    {"one that waits", VPMU_REV_C, 2, {DIVISION, RETURN(R(AX))}, {{510, 0}, {60, 0}}},
};

TEST(test_programs)
{
    for (unsigned i = 0; i < COUNT(rows); i++) {
        struct part before[MOST];

        program_load(&program, rows[i].revision, rows[i].code, rows[i].count, NULL);
        program_run(&program, WARM_UP);
        step(0);
        copy(before);
        for (unsigned n = 1; n <= rows[i].count * ROUNDS; n++)
            step(n % rows[i].count);
        for (unsigned n = 0; n < rows[i].count; n++)
            assert_part(rows[i].name, n, before[n], rows[i].part[n], ROUNDS);
    }
}

/* An interrupt comes after a mispredicted branch has retired: the reorder buffer is empty because of the branch until
 * the next op is dispatched. The ops that retired last have their cycle, two sixths each, when the pipeline drains. */
TEST(test_drained)
{
    static const struct codemap_insn code[] = {PLAIN, PLAIN, RETURN(0)};
    struct part before[MOST];

    program_load(&program, VPMU_REV_C, code, COUNT(code), NULL);
    program_run(&program, WARM_UP);
    step(0);
    copy(before);
    vpmu_break(program.machine.vpmu);
    for (unsigned n = 0; n <= COUNT(code); n++)
        step(n % COUNT(code));
    vpmu_break(program.machine.vpmu);
    assert_part("drained", 0, before[0], (struct part){2 + 14, 10}, 1);
    assert_part("drained", 1, before[1], (struct part){2 + 2, 0}, 1);
    assert_part("drained", 2, before[2], (struct part){2 + 2, 0}, 1);
}

/* ---------------------------------------------------------------- all cycles */

static uint64_t all(void)
{
    uint64_t sixths = 0;

    for (unsigned n = 0; n <= program.map.insn_count; n++)
        sixths += commit_sixths(program.machine.vpmu, n) + CYCLE_SIXTHS * truth()->rare[n].empty_cycles;
    return sixths;
}

/* Ops that retired in the latest cycle have that cycle when counts are read, and leave nothing of it to later ops. */
TEST(test_settled)
{
    static const struct codemap_insn code[] = {PLAIN, DIVISION, USES_AX};
    struct vpmu *vpmu;
    char text[4000];
    struct out_memory out;

    program_load(&program, VPMU_REV_C, code, COUNT(code), NULL);
    vpmu = program.machine.vpmu;
    program_run(&program, ROUNDS);
    out_memory_init(&out, text, sizeof(text));
    vpmu_write_truth(vpmu, &out.out);
    assert_int_equal(all(), CYCLE_SIXTHS * vpmu->pipe.retire_cycle);
    program_run(&program, 1);
    vpmu_reset_truth(vpmu);
    vpmu_break(vpmu);
    assert_int_equal(all(), 0);
    program_run(&program, ROUNDS);
    assert_true(vpmu_truth_part(vpmu, VPMU_PART_REFERENCE));
    vpmu_break(vpmu);
    assert_int_equal(all(), 0);
}

static struct random_program walked;

/* The rows together have all cycles: with samples, interrupts, jumps, and on each path of usual.c. */
TEST(test_sum)
{
    static const enum vpmu_revision revisions[] = {VPMU_REV_B, VPMU_REV_C, VPMU_REV_E};

    for (unsigned i = 0; i < COUNT(revisions); i++) {
        struct vpmu_config config = {
            .revision = revisions[i], .seed = i, .map = &walked.map, .translate = random_translate};
        size_t size;
        struct random_driver driver;
        struct digest digest;
        uint64_t sixths = 0, empty = 0;
        struct walk walk;
        struct vpmu *vpmu;

        random_program_make(&walked, 0x400000, i + 1);
        config.image_base = walked.base;
        size = vpmu_size(&walked.map);
        vpmu = vpmu_init(malloc(size), size, &config);
        digest_init(&digest);
        driver_begin(&driver, vpmu, &digest, i + 1);
        walk_begin(&walk, &walked, 300, i + 1);
        for (unsigned n = 0; n < STEPS; n++) {
            if (vpmu_step(vpmu, walk.rip, walk.gpr)) {
                driver_nmi(&driver);
                vpmu_break(vpmu);
            }
            walk_step(&walk);
        }
        vpmu_break(vpmu);
        for (unsigned n = 0; n <= RANDOM_INSNS; n++) {
            sixths += commit_sixths(vpmu, n);
            empty += vpmu->truth.rare[n].empty_cycles;
        }
        assert_true(empty > 1000 && sixths > 6 * STEPS / 3);
        assert_int_equal(sixths + CYCLE_SIXTHS * empty, CYCLE_SIXTHS * (vpmu->pipe.cycle - vpmu->truth.begin));
        free(vpmu);
    }
}

RUN_TESTS(NULL, end)
