/* SPDX-License-Identifier: BSD-2-Clause */
/* Causes that can be made free: programs in which one cause alone takes time, a table of what each word saves in each
 * program, and the counts, which stay the same. A round ends with a serialising instruction, so that an op's time is
 * visible without another op that waits for it. */
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"

enum { AX, BP = 5, NONE = CODEMAP_REG_NONE, WARM = 200, ROUNDS = 240, LOCKED_MORE = 18 - 3 - 3, APART = 0x10040 };

#define R(reg) (1ull << (reg))
#define FLAGS  (1ull << CODEMAP_DEP_FLAGS)
#define ACCESS(offset, bytes, access)                                                                                  \
    .mems = 1, .mem = {{.disp = (offset), .base = BP, .index = NONE, .scale = 1, .size = (bytes), .flags = (access)}}
/* Adds the loaded value to nothing: the load completes with the serialising instruction if its data is there at
 * once. */
#define LOAD(offset)                                                                                                   \
    {                                                                                                                  \
        .unit = CODEMAP_UNIT_ALU, .reads = R(BP), .writes = FLAGS, ACCESS(offset, 8, CODEMAP_LOAD)                     \
    }
#define STORE(bytes)                                                                                                   \
    {                                                                                                                  \
        .unit = CODEMAP_UNIT_ALU, .reads = R(BP), ACCESS(0, bytes, CODEMAP_STORE)                                      \
    }
#define LOCKED(offset)                                                                                                 \
    {                                                                                                                  \
        .unit = CODEMAP_UNIT_ALU, .flags = CODEMAP_INSN_LOCK, .reads = R(BP),                                          \
        ACCESS(offset, 8, CODEMAP_LOAD | CODEMAP_STORE)                                                                \
    }
#define LINK                                                                                                           \
    {                                                                                                                  \
        .unit = CODEMAP_UNIT_ALU, .reads = R(AX), .writes = R(AX)                                                      \
    }
#define SERIAL                                                                                                         \
    {                                                                                                                  \
        .unit = CODEMAP_UNIT_OTHER, .flags = CODEMAP_INSN_SERIAL                                                       \
    }

static struct machine machine, other;
static struct codemap_insn insns[PROGRAM_MAX];
static struct codemap map;

/* ---------------------------------------------------------------- programs */

static unsigned lay_out(const struct codemap_insn *code, unsigned count)
{
    memcpy(insns, code, count * sizeof(*code));
    for (unsigned i = 0; i < count; i++)
        insns[i].rva = PROGRAM_FIRST + 4 * i;
    return count;
}

static unsigned one_load(void)
{
    static const struct codemap_insn code[] = {LOAD(0), SERIAL};

    return lay_out(code, 2);
}

static unsigned misaligned_load(void)
{
    static const struct codemap_insn code[] = {LOAD(12), SERIAL};

    return lay_out(code, 2);
}

static unsigned bank_conflict(void)
{
    static const struct codemap_insn code[] = {LOAD(0), LOAD(64), SERIAL};

    return lay_out(code, 3);
}

static unsigned forwarded(void)
{
    static const struct codemap_insn code[] = {STORE(8), LOAD(0), SERIAL};

    return lay_out(code, 3);
}

static unsigned cancelled(void)
{
    static const struct codemap_insn code[] = {STORE(4), LOAD(0), SERIAL};

    return lay_out(code, 3);
}

static unsigned locked(void)
{
    static const struct codemap_insn code[] = {LOCKED(0), SERIAL};

    return lay_out(code, 2);
}

static unsigned locked_after_store(void)
{
    static const struct codemap_insn code[] = {STORE(8), LOCKED(0), SERIAL};

    return lay_out(code, 3);
}

/* The locked operation uses the line of eight rounds before, which has arrived. */
static unsigned locked_after_miss(void)
{
    static const struct codemap_insn code[] = {STORE(8), LOCKED(-8 * APART), SERIAL};

    return lay_out(code, 3);
}

static unsigned load_after_locked(void)
{
    static const struct codemap_insn code[] = {LOCKED(0), LOAD(8), SERIAL};

    return lay_out(code, 3);
}

static unsigned chain(void)
{
    static const struct codemap_insn code[] = {LINK, LINK, LINK, LINK, LINK, LINK, SERIAL};

    return lay_out(code, 7);
}

static unsigned five_ops(void)
{
    static const struct codemap_insn code[] = {{.unit = CODEMAP_UNIT_ALU, .ops = 5, .path = CODEMAP_PATH_VECTOR},
                                               SERIAL};

    return lay_out(code, 2);
}

/* A return that the return stack does not know leads past an instruction. */
static unsigned mispredicted(void)
{
    static const struct codemap_insn code[] = {
        {.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_RETURN}, {.unit = CODEMAP_UNIT_NOP}, SERIAL};

    return lay_out(code, 3);
}

/* Makes ops of one kind between two divisions, or before one. */
static unsigned divisions(bool first, unsigned count, uint8_t unit)
{
    static const struct codemap_insn divide = {.unit = CODEMAP_UNIT_IDIV}, serial = SERIAL;
    struct codemap_insn code[PROGRAM_MAX];
    unsigned n = 0;

    if (first)
        code[n++] = divide;
    while (count-- > 0)
        code[n++] = (struct codemap_insn){.unit = unit};
    code[n++] = divide;
    code[n++] = serial;
    return lay_out(code, n);
}

static unsigned long_window(void)
{
    return divisions(true, 75, CODEMAP_UNIT_NOP);
}

static unsigned full_scheduler(void)
{
    return divisions(false, 60, CODEMAP_UNIT_FADD);
}

/* Makes jumps from one line to another, 'apart' bytes on. */
static unsigned jumps(unsigned count, uint32_t apart)
{
    for (unsigned i = 0; i < count; i++)
        insns[i] = (struct codemap_insn){.unit = CODEMAP_UNIT_BRANCH,
                                         .branch = CODEMAP_BR_JUMP,
                                         .rva = 0x10000 + i * apart,
                                         .target = 0x10000 + (i + 1) % count * apart};
    return count;
}

static unsigned three_lines_of_a_set(void)
{
    return jumps(3, 0x8000);
}

static unsigned forty_pages(void)
{
    return jumps(40, 0x1040);
}

/* ---------------------------------------------------------------- addresses of a round */

static uint64_t same(unsigned round)
{
    (void)round;
    return 0x10000;
}

static uint64_t in_l2(unsigned round)
{
    return 0x100000 + round % 3 * 0x8000;
}

static uint64_t in_l3(unsigned round)
{
    return 0x100000 + round % 24 * 0x8000;
}

static uint64_t in_memory(unsigned round)
{
    return 0x1000000 + round * (uint64_t)APART;
}

static uint64_t in_sixty_pages(unsigned round)
{
    return 0x100000 + round % 60 * 0x1040;
}

/* Returns the address of a line that the other core has just modified. */
static uint64_t at_the_other(unsigned round)
{
    uint64_t now = machine.vpmu->pipe.cycle;
    struct dc_result result;

    caches_data(&other.vpmu->caches, same(round), now > 2000 ? now - 1000 : 0, true, &result);
    return same(round);
}

static const struct row {
    const char *name;
    unsigned (*code)(void);
    uint64_t (*address)(unsigned round);
    uint32_t cause, cycles; /* a cause, and what it saves in a round by itself */
    uint32_t l1;            /* what it saves with FREE_L1 */
    unsigned shift;         /* log2 of the pages' size */
    unsigned skip;          /* this instruction is jumped over */
    uint32_t execution; /* what FREE_EXECUTION saves: a cycle of the serialising instruction, and cycles of others */
    uint32_t taken;     /* what FREE_TAKEN saves: a cycle for each jump */
} rows[] = {
    {"L1D", one_load, same, FREE_L1, 3, 3, 30, 0, 1, 0},
    {"L2", one_load, in_l2, FREE_L2, 15 - 3, 0, 30, 0, 1, 0},
    {"L3", one_load, in_l3, FREE_L3, 55 - 3, 0, 30, 0, 1, 0},
    {"memory", one_load, in_memory, FREE_DRAM, 165 - 3, 0, 30, 0, 1, 0},
    {"another core's line", one_load, at_the_other, FREE_SHARING, 110 - 3, 0, 30, 0, 1, 0},
    {"L2 DTLB", one_load, in_sixty_pages, FREE_DTLB, 3, 3, 12, 0, 1, 0},
    {"L2 ITLB", forty_pages, same, FREE_ITLB, 40 * 3, 0, 12, 0, 0, 40},
    {"L1I", three_lines_of_a_set, same, FREE_IC, 3 * (15 - 3), 0, 30, 0, 0, 3},
    {"misprediction", mispredicted, same, FREE_PREDICTION, 12 - 2, 0, 30, 1, 1, 0}, /* 2 are a taken branch's */
    {"forwarded load", forwarded, same, FREE_FORWARDING, 2 + 6 - 3, 0, 30, 0, 2 + 1, 0},
    {"cancelled load", cancelled, same, FREE_FORWARDING, 2 + 1 + 1 + 6 - 3, 3, 30, 0, 2 + 1, 0},
    {"bank conflict", bank_conflict, same, FREE_BANKS, 1, 3, 30, 0, 1, 0},
    {"misaligned load", misaligned_load, same, FREE_BANKS, 1, 3, 30, 0, 1, 0},
    {"chain", chain, same, FREE_DEPENDENCES, 6 - 3, 0, 30, 0, 6 - 3 + 1,
     0}, /* six ops in two lines, and one in the third */
    {"ops of an instruction", five_ops, same, FREE_DEPENDENCES, 2, 0, 30, 0, 2 + 1, 0},
    /* The second division is in line 25, in the place of line 1: it is dispatched two cycles after the first has
     * retired, not 25 cycles after its dispatch. */
    {"reorder buffer", long_window, same, FREE_WINDOW, 85 + 2 - 25, 0, 30, 0, 83 + 85 + 2 - 25, 0},
    /* An addition issues each cycle, those of line n in 3n + 1 to 3n + 3, so line 19 gets the place of line 7 in cycle
     * 24, and the division follows it. */
    {"locked operation", locked, same, FREE_LOCKS, LOCKED_MORE, 0, 30, 0, 0, 0},
    /* The store retires first, so the access begins in the fifth cycle after dispatch, not in the first. */
    {"locked after a store", locked_after_store, same, FREE_LOCKS, LOCKED_MORE + 4, 0, 30, 0, 2, 0},
    /* The load begins when the store leaves, and retires three cycles and one later, not with it. */
    {"load after a locked one", load_after_locked, same, FREE_LOCKS, LOCKED_MORE + 3 + 1, 3, 30, 0, 1, 0},
    {"scheduler", full_scheduler, same, FREE_SCHEDULERS, 24 - 19, 0, 30, 0, 83 + 24 - 19, 0},
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static void load(const struct row *row, uint32_t causes)
{
    unsigned count;

    memset(insns, 0, sizeof(insns));
    count = row->code();
    for (unsigned i = 0; i < count; i++) {
        insns[i].length = 4;
        insns[i].ops = insns[i].ops ? insns[i].ops : 1;
        insns[i].op_size = 8;
    }
    map = (struct codemap){.insns = insns, .insn_count = count};
    machine_init_as(&machine, &map, (struct vpmu_config){.revision = VPMU_REV_C, .seed = 1, .free = causes});
    machine_init_as(&other, &map,
                    (struct vpmu_config){.revision = VPMU_REV_C, .seed = 1, .free = causes, .with = machine.vpmu});
    space_init(&machine.space, row->shift, FRAMES_CONTIGUOUS);
}

static void run(const struct row *row, unsigned first, unsigned rounds)
{
    for (unsigned round = first; round < first + rounds; round++) {
        machine.gpr[BP] = row->address(round);
        for (unsigned i = 0; i < map.insn_count; i++)
            if (!row->skip || i != row->skip)
                machine_step(&machine, PAPER_BASE + insns[i].rva);
    }
}

static struct truth_row counted[PROGRAM_MAX];

/* Returns the cycles of all rounds; counted: what the model counts for each instruction, without times. */
static uint64_t cycles(const struct row *row, uint32_t causes)
{
    uint64_t before;

    load(row, causes);
    run(row, 0, WARM);
    memset(machine.vpmu->truth.rows, 0, map.insn_count * sizeof(counted[0]));
    before = machine.vpmu->pipe.cycle;
    run(row, WARM, ROUNDS);
    before = machine.vpmu->pipe.cycle - before;
    memcpy(counted, machine.vpmu->truth.rows, map.insn_count * sizeof(counted[0]));
    for (unsigned i = 0; i < map.insn_count; i++)
        counted[i].miss_cycles = counted[i].dispatch_sixths = counted[i].time_beyond = 0;
    machine_free(&other);
    machine_free(&machine);
    return before;
}

TEST(test_what_each_word_saves)
{
    static struct truth_row usual[PROGRAM_MAX];
    unsigned wrong = 0;

    for (unsigned i = 0; i < ROWS; i++) {
        uint64_t all = cycles(&rows[i], 0);

        memcpy(usual, counted, sizeof(usual));
        for (unsigned word = 0; word < FREE_WORDS; word++) {
            uint32_t causes = free_table[word].causes, saves = 0;
            int64_t saved;

            saves += causes & rows[i].cause ? rows[i].cycles : 0;
            saves += causes & FREE_L1 & ~rows[i].cause ? rows[i].l1 : 0;
            /* An access that is served as by the L1D takes no time when the L1D is free, too. */
            saves += causes & FREE_L1 && causes & rows[i].cause & ~FREE_L1 ? 3 : 0;
            saves += causes & FREE_EXECUTION ? rows[i].execution : 0;
            saves += causes & FREE_TAKEN ? rows[i].taken : 0;
            saved = (int64_t)(all - cycles(&rows[i], causes));
            if (saved != (int64_t)saves * ROUNDS) {
                print_error("%s, free %s: %lld/%u cycles saved, expected %u\n", rows[i].name, free_table[word].word,
                            (long long)saved, ROUNDS, saves);
                wrong++;
            }
            if (memcmp(usual, counted, sizeof(usual)) != 0) {
                print_error("%s, free %s: counts differ\n", rows[i].name, free_table[word].word);
                wrong++;
            }
        }
    }
    assert_int_equal(wrong, 0);
}

/* FREE_STORES removes only the store's wait for its line: a locked operation waits until the store has left its
 * queue. */
TEST(test_what_stores_wait_for)
{
    static const struct row row = {"store that misses", locked_after_miss, in_memory, 0, 0, 0, 30, 0, 0, 0};
    static struct truth_row usual[PROGRAM_MAX];
    uint64_t all = cycles(&row, 0);

    memcpy(usual, counted, sizeof(usual));
    assert_int_equal(all - cycles(&row, FREE_STORES), (165 - 3) * ROUNDS);
    assert_memory_equal(counted, usual, sizeof(usual));
    assert_int_equal(all - cycles(&row, FREE_DRAM), (165 - 3) * ROUNDS);
    assert_int_equal(cycles(&row, FREE_DRAM | FREE_STORES), cycles(&row, FREE_STORES));
}

/* ---------------------------------------------------------------- words */

static const char *printed(uint32_t causes)
{
    static char text[128];
    struct out_memory memory;

    text[0] = 0;
    out_memory_init(&memory, text, sizeof(text));
    free_print(causes, &memory.out);
    return text;
}

TEST(test_words)
{
    static const char *const bad[] = {"l",     "l11",   ",",  ",l1",    "l1,", "l1,,l2",
                                      "l1 l2", "l1+l2", "L1", "dcache", "none"};
    uint32_t set = 0, seen = 0;

    for (unsigned i = 0; i < FREE_WORDS; i++) {
        assert_true(free_parse(free_table[i].word, &set));
        assert_int_equal(set, free_table[i].causes);
        if (i < FREE_WORDS - 1) {
            assert_int_equal(seen & set, 0);
            assert_string_equal(printed(set), free_table[i].word);
        }
        seen |= set;
    }
    assert_int_equal(seen, 0x3FFFF);
    assert_true(free_parse("dram,dtlb,l1,l1", &set));
    assert_int_equal(set, FREE_DRAM | FREE_DTLB | FREE_L1);
    assert_string_equal(printed(set), "l1,dram,dtlb");
    assert_true(free_parse("dc", &set));
    assert_string_equal(printed(set), "l1,l2,l3,dram");
    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_false(free_parse(bad[i], &set));
        assert_int_equal(set, FREE_L1 | FREE_L2 | FREE_L3 | FREE_DRAM);
    }
    assert_true(free_parse("", &set));
    assert_int_equal(set, 0);
    assert_string_equal(printed(0), "");
}

TEST(test_truth_says_what_was_free)
{
    static char text[4000];
    struct out_memory memory;

    for (unsigned i = 0; i < 2; i++) {
        load(&rows[0], i ? FREE_WINDOW | FREE_L2 : 0);
        out_memory_init(&memory, text, sizeof(text));
        vpmu_write_truth(machine.vpmu, &memory.out);
        assert_int_equal(strstr(text, "\n# free,l2,window\n# steps,") != NULL, i);
        assert_int_equal(strstr(text, "free") != NULL, i);
        machine_free(&other);
        machine_free(&machine);
    }
}

static unsigned streaming_store(void)
{
    static const struct codemap_insn code[] = {
        {.unit = CODEMAP_UNIT_ALU, .flags = CODEMAP_INSN_NONTEMPORAL, ACCESS(0, 8, CODEMAP_STORE)},
        {.unit = CODEMAP_UNIT_NOP}};

    return lay_out(code, 2);
}

/* Each store opens another line, and waits for a buffer until memory has taken one. */
TEST(test_streaming_stores)
{
    static const struct row row = {"", streaming_store, in_memory, 0, 0, 0, 30, 0, 0, 0};
    static const uint32_t causes[] = {0, FREE_DRAM, FREE_STORES};
    uint64_t gone[3];

    for (unsigned free = 0; free < 3; free++) {
        load(&row, causes[free]);
        run(&row, 0, ROUNDS);
        gone[free] = machine.vpmu->pipe.stores_gone;
        machine_free(&other);
        machine_free(&machine);
    }
    assert_true(gone[0] > 200 * 30); /* one line every 30 cycles */
    assert_true(gone[1] < ROUNDS + 1000);
    assert_int_equal(gone[2], gone[1]);
}

static unsigned misaligned_store(void)
{
    static const struct codemap_insn code[] = {{.unit = CODEMAP_UNIT_ALU, ACCESS(12, 8, CODEMAP_STORE)},
                                               {.unit = CODEMAP_UNIT_NOP}};

    return lay_out(code, 2);
}

/* Three rounds are dispatched in two cycles; one misaligned store leaves each cycle. */
TEST(test_misaligned_stores)
{
    static const struct row row = {"", misaligned_store, same, 0, 0, 0, 30, 0, 0, 0};

    for (unsigned free = 0; free < 2; free++) {
        uint64_t before;

        load(&row, free ? FREE_BANKS : 0);
        run(&row, 0, WARM);
        before = machine.vpmu->pipe.stores_gone;
        run(&row, 0, ROUNDS);
        before = machine.vpmu->pipe.stores_gone - before;
        assert_in_range(before, free ? ROUNDS * 2 / 3 - 2 : ROUNDS, free ? ROUNDS * 2 / 3 + 2 : ROUNDS);
        machine_free(&other);
        machine_free(&machine);
    }
}

/* ---------------------------------------------------------------- lines */

static struct dc_result data(uint64_t address, uint64_t cycle, bool store)
{
    struct dc_result result = {0};

    caches_data(&machine.vpmu->caches, address, cycle, store, &result);
    return result;
}

static void end(void)
{
    machine_free(&other);
    machine_free(&machine);
}

/* Lines that take no time wait neither for a buffer nor for their turn, and leave the buffers to other lines. */
TEST(test_lines_that_take_no_time)
{
    struct caches *caches;

    load(&rows[0], FREE_DRAM);
    caches = &machine.vpmu->caches;
    for (unsigned i = 0; i < 20; i++) {
        struct dc_result result = data(0x1000000 + i * 0x10040, 1000, i & 1);

        assert_int_equal(result.ready, 1000 + 3);
        assert_int_equal(result.latency, 0);
        assert_int_equal(result.source, SOURCE_DRAM);
        assert_true(result.miss);
    }
    for (unsigned i = 0; i < MAB_COUNT; i++)
        caches->mab[i] = 5000;
    assert_int_equal(data(0x2000000, 2000, false).ready, 2000 + 3);
    for (unsigned i = 0; i < MAB_COUNT; i++)
        assert_int_equal(caches->mab[i], 5000);
    assert_int_equal(data(0x3000000, 6000, false).ready, 6000 + 3);
    assert_int_equal(data(0x3000040, 6010, false).ready, 6010 + 3); /* begins a stream */
    assert_int_equal(caches->prefetches, 1);
    assert_int_equal(data(0x3000000 + 64 * (1 + PREFETCH_AHEAD), 6010, false).ready, 6010 + 3);
    assert_false(data(0x3000000 + 64 * (1 + PREFETCH_AHEAD), 6011, false).miss);
    end();
}

/* A store to a line that other cores may have, and which is in the L1D or in the L2. */
TEST(test_ownership_at_once)
{
    for (unsigned free = 0; free < 2; free++) {
        uint64_t held = free ? 0 : 55;
        struct caches *caches;
        int64_t at;

        load(&rows[0], free ? FREE_SHARING : 0);
        caches = &machine.vpmu->caches;
        (void)data(0x10000, 1000, false);
        l1_peek(&caches->l1d, 0x10000 >> LINE_SHIFT)->modified = LINE_SHARED;
        assert_int_equal(data(0x10000, 2000, true).ready, 2000 + 3 + held);
        (void)data(0x18000, 3000, false);
        (void)data(0x20000, 4000, false);
        at = outer_find(&caches->l2, 0x10000 >> LINE_SHIFT);
        assert_true(at >= 0);
        caches->l2.modified[at] = LINE_SHARED;
        assert_int_equal(data(0x10000, 5000, true).ready, 5000 + 15 + held);
        assert_int_equal(caches->upgrades, 2);
        end();
    }
}

/* A jump that the BTB does not know takes as long as a known one. */
TEST(test_unknown_jumps)
{
    static const struct row row = {"", three_lines_of_a_set, same, 0, 0, 0, 30, 0, 0, 0};
    uint64_t taken[2];

    for (unsigned free = 0; free < 2; free++) {
        load(&row, free ? FREE_PREDICTION | FREE_IC | FREE_ITLB : FREE_IC | FREE_ITLB);
        run(&row, 0, 2);
        taken[free] = machine.vpmu->front.cycle;
        end();
    }
    assert_int_equal(taken[0] - taken[1], 3 * (DECODE_REDIRECT - TAKEN_BUBBLE));
}

RUN_TESTS(NULL, NULL)
