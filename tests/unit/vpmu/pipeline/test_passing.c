/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads that pass stores whose address is not known, from Zen on: when the pipeline restarts, and what that costs. */
#include <stdlib.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"

enum { AX, CX, DX, BP = 5 };
#define R(reg)   (1ull << (reg))
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MEM(reg, offset, access)                                                                                       \
    .unit = CODEMAP_UNIT_ALU, .mems = 1,                                                                               \
    .mem = {{.disp = (offset), .base = (reg), .index = CODEMAP_REG_NONE, .scale = 1, .size = 8, .flags = (access)}}
#define SERIAL                                                                                                         \
    {                                                                                                                  \
        .flags = CODEMAP_INSN_SERIAL, .unit = CODEMAP_UNIT_OTHER                                                       \
    }
#define BACK                                                                                                           \
    {                                                                                                                  \
        .unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = PROGRAM_FIRST                                \
    }
#define IMUL                                                                                                           \
    {                                                                                                                  \
        .reads = R(AX), .writes = R(AX), .unit = CODEMAP_UNIT_IMUL, .op_size = 4                                       \
    }

enum { ROUNDS = 200, CTL = 0xC0010200, CTR = 0xC0010201, GLOBAL_CTL = 0xC0000301 };

/* The address of a store is the product of a chain; a load of [BP] comes after it. */
static const struct codemap_insn code[] = {
    IMUL,
    IMUL,
    IMUL,
    IMUL,
    {.reads = R(AX) | R(DX), MEM(AX, 0, CODEMAP_STORE)},
    {.reads = R(BP), .writes = R(CX), MEM(BP, 0, CODEMAP_LOAD)},
    {.reads = R(CX), .writes = R(CX)},
    SERIAL,
    BACK,
};

static struct program program;

static int end(void **state)
{
    program_end(&program);
    return 0;
}

static void load(const char *name, uint32_t free, bool general)
{
    struct vpmu_config config = {.seed = 1, .free = free};

    assert_true(vpmu_revision_parse(name, &config.revision));
    program_load_as(&program, config, code, COUNT(code), NULL);
    for (unsigned i = 4; general && i < 7; i++) {
        program.machine.vpmu->info[i].kind = KIND_OTHER;
        program.machine.vpmu->info[i].simple = false;
    }
}

/* Runs rounds in each of which the store is to the load's bytes if the next bit of 'same' is set, else above or below.
 */
static void run(unsigned rounds, unsigned same)
{
    for (unsigned round = 0; round < rounds; round++) {
        uint64_t other = round % 8 < 4 ? 64 : 0 - 64ull;

        program.machine.gpr[AX] = program.machine.gpr[BP] + (same >> round % 4 & 1 ? 0 : other);
        for (unsigned i = 0; i < COUNT(code); i++)
            machine_step(&program.machine, PAPER_BASE + program.insns[i].rva);
    }
}

struct counts {
    uint64_t events[4];
};

/* Starts or stops counters at the same time, where that is possible. */
static void switch_all(uint64_t counters)
{
    if (program.machine.vpmu->params->pmc_version >= 2)
        machine_wrmsr(&program.machine, GLOBAL_CTL, counters);
}

static struct counts counted(const uint64_t events[4], unsigned rounds, unsigned same)
{
    struct counts counts;

    switch_all(0);
    for (unsigned n = 0; n < 4; n++) {
        machine_wrmsr(&program.machine, CTR + 2 * n, 0);
        machine_wrmsr(&program.machine, CTL + 2 * n, events[n] | PERF_EN);
    }
    switch_all(0xF);
    run(rounds, same);
    switch_all(0);
    for (unsigned n = 0; n < 4; n++) {
        machine_wrmsr(&program.machine, CTL + 2 * n, 0);
        counts.events[n] = machine_rdmsr(&program.machine, CTR + 2 * n);
    }
    return counts;
}

/* A load does what would have been right the last time: the first of many that need the store restarts the pipeline, or
 * each second one if they need it by turns. Each serialising instruction counts, too. Only Zen's loads pass stores. */
TEST_WITH(test_which_restart, NULL, end)
{
    static const struct {
        const char *name;
        unsigned same, restarts;
        uint16_t select;
        uint8_t mask;
        uint32_t free;
    } rows[] = {
        {"zen4", 0x0, 0, 0x096, 0, 0},
        {"zen4", 0xF, 1, 0x096, 0, 0},
        {"zen4", 0x5, ROUNDS / 2, 0x096, 0, 0},
        {"zen4", 0x3, ROUNDS / 4, 0x096, 0, 0},
        {"zen4", 0x5, 0, 0x096, 0, FREE_PREDICTION},
        {"zen5", 0x5, ROUNDS / 2, 0x09F, 1, 0},
        {"zen3", 0x5, ROUNDS / 2, 0x0C7, 0, 0},
        {"zen2", 0x5, ROUNDS / 2, 0x0C7, 0, 0},
        {"zen", 0x5, ROUNDS / 2, 0x0C7, 0, 0},
    };

    for (unsigned i = 0; i < 2 * COUNT(rows); i++) {
        const uint64_t events[4] = {EVENT(rows[i / 2].select, rows[i / 2].mask)};

        load(rows[i / 2].name, rows[i / 2].free, i % 2);
        assert_int_equal(counted(events, ROUNDS, rows[i / 2].same).events[0], ROUNDS + rows[i / 2].restarts);
    }
    load("15h-60", 0, false);
    run(ROUNDS, 5);
    assert_int_equal(program.machine.vpmu->signals.wrong_lines, 0);
}

static unsigned cycles_of(unsigned same)
{
    uint64_t before = program.machine.vpmu->pipe.retire_cycle;

    run(1, same);
    return (unsigned)(program.machine.vpmu->pipe.retire_cycle - before);
}

/* A restart throws away the lines after the load's, up to the cycle in which the store's address is known: four
 * products of three cycles, one after the other, of which the load is in the second line. Then the load is fetched, and
 * finds the store in the cache. If it waits, it takes the store's bytes, or those of the cache. */
TEST_WITH(test_what_it_costs, NULL, end)
{
    static const uint64_t events[4] = {EVENT(0x0AA, 0x07), EVENT(0x0C1, 0)};

    for (int general = 0; general < 2; general++) {
        struct counts counts;
        unsigned passes;

        load("zen4", 0, general);
        run(ROUNDS, 0);
        passes = cycles_of(0);
        assert_int_equal(cycles_of(1), passes + MISPREDICT_PENALTY + L1_LATENCY);
        assert_int_equal(cycles_of(1), passes + FORWARD_LATENCY);
        assert_int_equal(cycles_of(0), passes + L1_LATENCY);
        assert_int_equal(cycles_of(0), passes);
        counts = counted(events, 1, 0);
        assert_int_equal(counts.events[0], counts.events[1]);
        counts = counted(events, 1, 1);
        assert_int_equal(counts.events[0] - counts.events[1], 3 * (4 * 3));
    }
}

/* A locked load waits for all stores; also where this takes no time, nothing restarts. */
TEST_WITH(test_locked, NULL, end)
{
    static const uint64_t events[4] = {EVENT(0x096, 0)};

    for (unsigned i = 0; i < 2; i++) {
        load("zen4", i ? FREE_LOCKS : 0, true);
        program.machine.vpmu->info[5].mem[0].bits |= VDATA3_LOCKED;
        assert_int_equal(counted(events, ROUNDS, 5).events[0], ROUNDS);
    }
}

/* If forwarding takes no time, a load does not wait for addresses; what is thrown away is. */
TEST_WITH(test_free_forwarding, NULL, end)
{
    unsigned passes;

    load("zen4", FREE_FORWARDING, true);
    run(ROUNDS, 0);
    passes = cycles_of(0);
    assert_int_equal(cycles_of(1), passes + MISPREDICT_PENALTY + L1_LATENCY);
    assert_int_equal(cycles_of(0), passes);
}

TEST_WITH(test_all_slots, NULL, end)
{
    static const uint64_t events[4] = {EVENT(0x0AA, 0x07), EVENT(0x1A0, 0x01), EVENT(0x1A0, 0x1E), EVENT(0x076, 0)};
    struct counts counts;

    load("zen4", 0, false);
    run(ROUNDS, 5);
    counts = counted(events, ROUNDS, 5);
    assert_int_equal(counts.events[0] + counts.events[1] + counts.events[2], 6 * counts.events[3]);
}

RUN_TESTS(NULL, NULL)
