/* SPDX-License-Identifier: BSD-2-Clause */
/* Dispatch slots of processors from Zen 4 on, over the model's pipeline of three: the counts add up to all cycles and
 * slots, and for programs of a few instructions they have the values worked out by hand. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"

enum { AX, CX, DX, BX, SP, BP };
#define R(reg)   (1ull << (reg))
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define BACK                                                                                                           \
    {                                                                                                                  \
        .unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = PROGRAM_FIRST                                \
    }
#define LOAD .mems = 1, .mem = {{.base = BP, .index = CODEMAP_REG_NONE, .scale = 1, .size = 8, .flags = CODEMAP_LOAD}}

enum { CTL = 0xC0010200, CTR = 0xC0010201, GLOBAL_CTL = 0xC0000301, COUNTERS = 6, ROUNDS = 200 };

static struct program program;

static int end(void **state)
{
    program_end(&program);
    return 0;
}

static void load(const char *name, const struct codemap_insn *code, unsigned count)
{
    struct vpmu_config config = {.seed = 1};

    assert_true(vpmu_revision_parse(name, &config.revision));
    program_load_as(&program, config, code, count, NULL);
    program_run(&program, ROUNDS);
}

/* Starts all counters at the same time, by the global control. The first counter is read before the pipeline drains. */
static void start(const uint64_t events[COUNTERS])
{
    machine_wrmsr(&program.machine, GLOBAL_CTL, 0);
    for (unsigned n = 0; n < COUNTERS; n++) {
        machine_wrmsr(&program.machine, CTR + 2 * n, 0);
        machine_wrmsr(&program.machine, CTL + 2 * n, events[n] | PERF_EN);
    }
    machine_wrmsr(&program.machine, GLOBAL_CTL, (1 << COUNTERS) - 1);
}

static void stop(uint64_t counts[COUNTERS])
{
    machine_wrmsr(&program.machine, GLOBAL_CTL, 0);
    for (unsigned n = 0; n < COUNTERS; n++)
        counts[n] = machine_rdmsr(&program.machine, CTR + 2 * n);
}

static void count(const uint64_t events[COUNTERS], uint64_t counts[COUNTERS])
{
    start(events);
    program_run(&program, ROUNDS);
    stop(counts);
}

#define FRONT      EVENT(0x1A0, 0x01)
#define BACK_END   EVENT(0x1A0, 0x1E)
#define DISPATCHED EVENT(0x0AA, 0x07)
#define NOTHING(n) (FRONT | (uint64_t)(n) << 24) /* cycles with at least so many empty slots */

/* The program mixes loads in a chain, a division, a branch, a serialising instruction, and VectorPath. */
static const struct codemap_insn mixed[] = {
    {.reads = R(BP), .writes = R(AX), LOAD},
    {.reads = R(AX), .writes = R(CX), .unit = CODEMAP_UNIT_IDIV, .op_size = 4},
    {.writes = R(DX)},
    {.writes = R(DX)},
    {.reads = R(CX), .unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_COND, .target = PROGRAM_FIRST + 28},
    {.writes = R(BX), .path = CODEMAP_PATH_VECTOR, .ops = 4},
    {.writes = R(BX)},
    {.writes = R(BX)},
    {.flags = CODEMAP_INSN_SERIAL, .unit = CODEMAP_UNIT_OTHER},
    BACK,
};

/* Runs the mixture; the branch goes either way at random, so that there are wrong paths of 50 cycles. If 'breaks' says
 * so, the pipeline drains now and then, as for code that is not announced. */
static void run_mixed(bool breaks)
{
    struct rng rng;

    rng_seed(&rng, 3);
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned i = 0, taken = rng_below(&rng, 2); i < COUNT(mixed); i++) {
            if (taken && (i == 5 || i == 6))
                continue;
            machine_step(&program.machine, PAPER_BASE + program.insns[i].rva);
            if (breaks && i == 3 && round % 8 == 7) /* while the division executes */
                vpmu_break(program.machine.vpmu);
        }
}

/* Each slot of each cycle is in one of the counts, and each cycle is in one of the counts of retirement. */
TEST(test_all_slots)
{
    static const struct {
        const char *name;
        unsigned slots;
    } of[] = {{"zen4", 6}, {"zen5", 8}, {"zen6", 8}};

    for (unsigned k = 0; k < 2 * COUNT(of); k++) {
        const unsigned i = k / 2;
        const uint64_t slots[COUNTERS] = {EVENT(0x076, 0),     FRONT, BACK_END, DISPATCHED, EVENT(0x1A0, 0x60),
                                          NOTHING(of[i].slots)};
        const uint64_t cycles[COUNTERS] = {EVENT(0x076, 0),    EVENT(0x0D6, 0x01), EVENT(0x0D6, 0x02),
                                           EVENT(0x0D6, 0xA2), AT_LEAST(0x0C1, 1), EVENT(0x0D6, 0x03)};
        uint64_t v[COUNTERS];

        load(of[i].name, mixed, COUNT(mixed));
        start(slots);
        run_mixed(k % 2);
        stop(v);
        assert_true(v[0] > ROUNDS * 50 && v[1] > ROUNDS && v[2] > ROUNDS && v[3] > ROUNDS);
        assert_int_equal(v[1] + v[2] + v[3], of[i].slots * v[0]);
        assert_int_equal(v[4], 0);
        assert_true(v[5] * of[i].slots < v[1] && v[5] > ROUNDS);

        start(cycles);
        run_mixed(k % 2);
        stop(v);
        assert_int_equal(v[1] + v[2] + v[4], v[0]);
        assert_int_equal(v[5], v[1] + v[2]);
        assert_true(v[1] > ROUNDS && v[3] > 0 && v[3] < v[2] && v[2] > ROUNDS * 40); /* divisions of 51 cycles */
    }
}

/* A counter that the global control has stopped counts nothing, even when the privilege level changes, until it is
 * started again. */
TEST(test_stopped)
{
    static const uint64_t events[COUNTERS] = {EVENT(0x076, 0),    EVENT(0x0C0, 0), EVENT(0x0C1, 0) | VPMC_USR,
                                              AT_LEAST(0x0C1, 1), FRONT,           DISPATCHED};
    uint64_t before[COUNTERS], after[COUNTERS];

    load("zen4", mixed, COUNT(mixed));
    count(events, before);
    assert_int_equal(before[1], ROUNDS * COUNT(mixed) - 1);
    for (unsigned user = 2; user-- > 0;) {
        pmc_set_user(program.machine.vpmu, user);
        program_run(&program, ROUNDS);
    }
    stop(after);
    assert_memory_equal(after, before, sizeof(after));
    for (unsigned n = 0; n < COUNTERS; n++)
        assert_false(program.machine.vpmu->pmc.counter[n].able || program.machine.vpmu->pmc.counter[n].counts);
    machine_wrmsr(&program.machine, GLOBAL_CTL, 1 << 1);
    program_run(&program, ROUNDS);
    stop(after);
    assert_int_equal(after[1], 2 * before[1]);
    assert_int_equal(after[0], before[0]);
}

/* A counter of cycles wraps within an instruction that takes many: the interrupt is requested together with the
 * instruction, at any period. */
TEST(test_wraps)
{
    static const uint64_t events[] = {NOTHING(6), NOTHING(3), BACK_END | 6 << 24, BACK_END, NOTHING(6) | PERF_INV};

    for (unsigned n = 0; n < COUNT(events); n++)
        for (unsigned period = 1; period < 200; period += 22) {
            struct machine *machine = &program.machine;
            uint64_t requests;

            load("zen4", mixed, COUNT(mixed));
            requests = machine->vpmu->apic.requests;
            machine_wrmsr(machine, CTR, 0 - (uint64_t)period);
            machine_wrmsr(machine, CTL, events[n] | PERF_EN | PERF_INT);
            for (unsigned i = 0; i < 20 * COUNT(mixed); i++) {
                machine_step(machine, PAPER_BASE + program.insns[i % COUNT(mixed)].rva);
                assert_int_equal(machine->vpmu->apic.requests - requests, machine_rdmsr(machine, CTR) >> 47 == 0);
            }
        }
}

/* If lines of three ops come without an end, three of six slots have no op in each cycle. Each count mask counts the
 * cycles with that many. */
TEST(test_full_lines)
{
    static const struct codemap_insn code[] = {{.writes = R(AX)}, {.writes = R(CX)}, {.writes = R(DX)},
                                               {.writes = R(AX)}, {.writes = R(CX)}, {.writes = R(DX)},
                                               {.writes = R(AX)}, {.writes = R(CX)}, BACK};
    static const uint64_t events[COUNTERS] = {EVENT(0x076, 0), NOTHING(0), NOTHING(3),
                                              NOTHING(4),      DISPATCHED, BACK_END};
    static const uint64_t inverse[COUNTERS] = {EVENT(0x076, 0),    NOTHING(4), NOTHING(4) | PERF_INV,
                                               NOTHING(4) | EDGES, NOTHING(7), EVENT(0x0C1, 0)};
    static const uint64_t never[COUNTERS] = {NOTHING(1) | PERF_INV};
    uint64_t v[COUNTERS];

    load("zen4", code, COUNT(code));
    count(never, v);
    assert_in_range(v[0], 0, 30); /* at the two ends */
    count(events, v);
    /* A round has three lines, and the bubble of the jump, in which no op comes. */
    assert_in_range(v[0], ROUNDS * 4, ROUNDS * 4 + 60);
    assert_in_range(v[4], ROUNDS * 9 - 1, ROUNDS * 9 + 3);
    assert_in_range(v[1], ROUNDS * (3 * 3 + 6), ROUNDS * (3 * 3 + 6) + 200);
    assert_in_range(v[2], ROUNDS * 4, ROUNDS * 4 + 30);
    assert_in_range(v[3], ROUNDS, ROUNDS + 30);
    assert_in_range(v[5], 0, 200);
    count(inverse, v);
    assert_int_equal(v[1] + v[2], v[0]);
    assert_int_equal(v[3], 0); /* edges are not modelled */
    assert_int_equal(v[4], 0);
    assert_in_range(v[5], ROUNDS * 9 - 1, ROUNDS * 9 + 3);
}

/* A wrong path consists of full lines of three from the branch to its execution: some 50 after a division; if there are
 * more cycles than lines in the reorder buffer, the rest waits in the back end. */
TEST(test_wrong_path)
{
    static const struct codemap_insn code[] = {
        {.reads = R(BP), .writes = R(AX), .unit = CODEMAP_UNIT_IDIV, .op_size = 4},
        {.reads = R(AX), .unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_COND, .target = PROGRAM_FIRST + 12},
        {.writes = R(CX)},
        {.writes = R(CX)},
        BACK,
    };
    static const uint64_t events[COUNTERS] = {EVENT(0x076, 0), DISPATCHED,      BACK_END,
                                              EVENT(0x0C1, 0), EVENT(0x0C3, 0), FRONT};
    uint64_t right[COUNTERS], wrong[COUNTERS];

    load("zen4", code, COUNT(code));
    count(events, right);
    assert_in_range(right[1] - right[3], 0, 3);
    start(events);
    for (unsigned i = 0; i < COUNT(code); i++)
        if (i != 2)
            machine_step(&program.machine, PAPER_BASE + program.insns[i].rva);
    program_run(&program, ROUNDS - 1);
    stop(wrong);
    assert_int_equal(wrong[4], right[4] + 1);
    assert_in_range(wrong[1] - wrong[3], 3 * ROB_LINES, 3 * ROB_LINES + 3);
    assert_int_equal(wrong[5] + wrong[2] + wrong[1], 6 * wrong[0]);
}

/* Tags on wrong paths are flushed: when ops are counted, one in each period of the wrong path's ops; when cycles are
 * counted, those whose time comes before the branch is executed. All other tags retire, and samples are the same as
 * without the counters. */
TEST(test_flushed_tags)
{
    static const uint64_t events[COUNTERS] = {EVENT(0x1CF, 0x01), EVENT(0x1CF, 0x02), DISPATCHED,
                                              EVENT(0x0C1, 0),    EVENT(0x1CF, 0x03), FRONT};
    enum { PERIOD = 160 };

    for (int by_ops = 0; by_ops < 2; by_ops++) {
        struct histogram histogram = {.period = PERIOD, .count_ops = by_ops};
        uint64_t v[COUNTERS], flushed, skipped;

        load("zen4", mixed, COUNT(mixed));
        assert_int_equal(vpmu_apic_write(program.machine.vpmu, 0x500, 0x400), VPMU_OK);
        start(events);
        histogram_start(&program.machine, &histogram);
        run_mixed(false);
        histogram_stop(&program.machine);
        stop(v);
        flushed = v[0] - v[1];
        skipped = program.machine.vpmu->ibs.skipped_tags;
        assert_int_equal(v[1], histogram.samples);
        assert_int_equal(v[4], v[0] + v[1]);
        assert_true(histogram.samples > 10 && flushed > 10);
        if (by_ops)
            assert_int_equal(flushed, 3 * program.machine.vpmu->signals.wrong_lines / PERIOD);
        else
            assert_in_range(flushed, 1, skipped - 1);
        assert_int_equal(skipped == 0, by_ops);
    }
}

/* Tags that retired are counted, whether or not a filter then drops their samples. */
TEST(test_filtered_tags)
{
    static const uint64_t events[COUNTERS] = {EVENT(0x1CF, 0x01), EVENT(0x1CF, 0x02), DISPATCHED,
                                              EVENT(0x0C1, 0),    EVENT(0x1CF, 0x03), FRONT};
    struct histogram histogram = {.period = 160, .count_ops = true};
    uint64_t v[COUNTERS], op_ctl, filtered;

    load("zen4", mixed, COUNT(mixed));
    assert_int_equal(vpmu_apic_write(program.machine.vpmu, 0x500, 0x400), VPMU_OK);
    start(events);
    histogram_start(&program.machine, &histogram);
    assert_int_equal(vpmu_rdmsr(program.machine.vpmu, 0xC0011033, &op_ctl), VPMU_OK);
    machine_wrmsr(&program.machine, 0xC0011033, op_ctl | VOP_L3_ONLY);
    run_mixed(false);
    histogram_stop(&program.machine);
    stop(v);
    filtered = program.machine.vpmu->ibs.op_filtered;
    assert_true(filtered > 10);
    assert_int_equal(v[1], histogram.samples + filtered);
    assert_int_equal(v[4], v[0] + v[1]);
}

/* Loads and other ops are counted separately; microcode and restarts are counted by instructions. */
TEST(test_reasons)
{
    static const struct codemap_insn code[] = {
        {.reads = R(BP), .writes = R(BP), LOAD},
        {.writes = R(BX), .path = CODEMAP_PATH_VECTOR, .ops = 4},
        {.flags = CODEMAP_INSN_SERIAL, .unit = CODEMAP_UNIT_OTHER},
        BACK,
    };
    static const uint64_t of_six[COUNTERS] = {EVENT(0x0D6, 0x02), EVENT(0x0D6, 0xA2), EVENT(0x1C2, 0),
                                              EVENT(0x096, 0),    EVENT(0x09F, 0x01), EVENT(0x0C0, 0)};
    static const uint64_t of_eight[COUNTERS] = {EVENT(0x09F, 0x03), EVENT(0x09F, 0x01), EVENT(0x1C2, 0),
                                                EVENT(0x096, 0),    EVENT(0x09F, 0x02), EVENT(0x0C3, 0)};
    static const uint64_t rises[COUNTERS] = {EVENT(0x0D6, 0xA2) | EDGES, EVENT(0x0D6, 0x02) | EDGES,
                                             EVENT(0x0D6, 0x01) | EDGES, EVENT(0x0D6, 0x02),
                                             EVENT(0x0D6, 0x01),         EVENT(0x076, 0)};
    uint64_t v[COUNTERS];

    load("zen4", code, COUNT(code));
    count(of_six, v);
    assert_in_range(v[1], ROUNDS * 2, v[0] - 1); /* three cycles, in two or more of which the op is there */
    assert_int_equal(v[2], ROUNDS * 4);
    assert_int_equal(v[3], ROUNDS);
    assert_int_equal(v[4], 0); /* the other ops */
    count(rises, v);
    assert_int_equal(v[0], ROUNDS);
    assert_in_range(v[1], 2 * ROUNDS - 1, 2 * ROUNDS); /* the load, and the first op of the microcode */
    assert_int_equal(v[2], ROUNDS); /* after the serialising instruction: the ten cycles from a fetch to its dispatch */
    assert_int_equal(v[4], 10 * ROUNDS);
    load("zen5", code, COUNT(code));
    count(of_eight, v);
    assert_int_equal(v[0], v[1] + v[4]);
    assert_int_equal(v[1], ROUNDS);
    assert_int_equal(v[2], ROUNDS * 4);
    assert_int_equal(v[3], 0);
    assert_int_equal(v[4], v[5]);
}

/* An instruction waits for a load whichever of its two operands the load is. */
TEST(test_second_operand)
{
    static const uint64_t events[COUNTERS] = {EVENT(0x0D6, 0x02), EVENT(0x0D6, 0xA2)};
    uint64_t waits[3][COUNTERS];

    for (unsigned loads = 0; loads < 3; loads++) {
        struct codemap_insn code[] = {
            {.reads = R(BP) | R(SP), .writes = R(BP), .mems = 2, .unit = CODEMAP_UNIT_IMUL},
            {.flags = CODEMAP_INSN_SERIAL, .unit = CODEMAP_UNIT_OTHER},
            BACK,
        };

        for (unsigned i = 0; i < 2; i++)
            code[0].mem[i] = (struct codemap_mem){.base = i ? SP : BP,
                                                  .index = CODEMAP_REG_NONE,
                                                  .scale = 1,
                                                  .size = 8,
                                                  .flags = loads >> i & 1 ? CODEMAP_LOAD : CODEMAP_STORE};
        load("zen4", code, COUNT(code));
        count(events, waits[loads]);
        assert_true(waits[loads][0] > ROUNDS);
        assert_int_equal(waits[loads][1] > ROUNDS, loads > 0);
    }
}

/* Before Zen 4 only ops of the decoder are counted. */
TEST(test_who_has_them)
{
    static const struct {
        uint16_t select;
        uint8_t mask;
        bool zen3, zen4, zen5;
    } rows[] = {
        {0x1A0, 0x01, false, true, true},   {0x1A0, 0x1E, false, true, true},   {0x1A0, 0x60, false, true, true},
        {0x1A0, 0x7F, false, true, true},   {0x1A0, 0x02, false, false, false}, {0x1A0, 0x20, false, false, false},
        {0x0AA, 0x07, false, true, true},   {0x0AA, 0x01, true, true, true},    {0x0AA, 0x02, false, false, false},
        {0x0AA, 0x04, false, false, false}, {0x0D6, 0xA2, false, true, true},   {0x0D6, 0x02, false, true, true},
        {0x0D6, 0x03, false, true, true},   {0x0D6, 0x22, false, false, false}, {0x0D6, 0x1B, false, false, false},
        {0x096, 0x00, false, true, false},  {0x09F, 0x01, false, false, true},  {0x1C2, 0x00, false, true, true},
    };
    static const struct codemap_insn code[] = {BACK};

    for (unsigned i = 0; i < COUNT(rows); i++) {
        load("zen3", code, 1);
        assert_int_equal(pmc_models(program.machine.vpmu, rows[i].select, rows[i].mask), rows[i].zen3);
        load("zen4", code, 1);
        assert_int_equal(pmc_models(program.machine.vpmu, rows[i].select, rows[i].mask), rows[i].zen4);
        load("zen5", code, 1);
        assert_int_equal(pmc_models(program.machine.vpmu, rows[i].select, rows[i].mask), rows[i].zen5);
    }
}

/* ---------------------------------------------------------------- misses under way */

/* Loads lines that no cache holds; BP moves on with each round, SP does not. */
#define FROM(register, line)                                                                                           \
    {                                                                                                                  \
        .reads = R(register), .writes = R(AX), .mems = 1, .mem = {                                                     \
            {.disp = (line)*64, .base = register, .index = CODEMAP_REG_NONE, .size = 8, .flags = CODEMAP_LOAD}         \
        }                                                                                                              \
    }
enum { OP_CTL = 0xC0011033, OP_RIP = 0xC0011034, OP_DATA3 = 0xC0011037, OP_COUNT_16 = 1 << 19 | 1 << 17 | 1 };

/* A miss tells how many other misses are under way: those before it, without itself; an access to a line in flight
 * tells the number of that line's miss; a hit tells none. */
TEST(test_misses_under_way)
{
    const struct codemap_insn code[] = {FROM(BP, 0),
                                        FROM(BP, 5),
                                        FROM(BP, 11),
                                        FROM(BP, 18),
                                        FROM(BP, 0),
                                        FROM(SP, 0),
                                        {.flags = CODEMAP_INSN_SERIAL, .unit = CODEMAP_UNIT_OTHER},
                                        BACK};
    static const unsigned open[] = {0, 1, 2, 3, 4, 0};
    unsigned seen[COUNT(open)] = {0};
    struct rng rng;

    rng_seed(&rng, 4);
    load("zen", code, COUNT(code));
    program.machine.gpr[SP] = 0x9000;
    machine_wrmsr(&program.machine, OP_CTL, OP_COUNT_16);
    for (unsigned i = 0; i < 400 * COUNT(code); i++) {
        uint64_t data3, at;

        program.machine.gpr[BP] = 0x100000 + 0x10000 * (uint64_t)(i / COUNT(code));
        machine_step(&program.machine, PAPER_BASE + program.insns[i % COUNT(code)].rva);
        if (!(machine_rdmsr(&program.machine, OP_CTL) >> 18 & 1))
            continue;
        at = (machine_rdmsr(&program.machine, OP_RIP) - PAPER_BASE - PROGRAM_FIRST) / 4;
        data3 = machine_rdmsr(&program.machine, OP_DATA3);
        machine_wrmsr(&program.machine, OP_CTL, OP_COUNT_16 | rng_bits(&rng, 4) << 32); /* the count begins there */
        if (at >= COUNT(open) || i < 2 * COUNT(code))
            continue;
        assert_int_equal(data3 >> 26 & 0x3F, open[at]);
        assert_int_equal(data3 >> 7 & 1, at < 5);
        assert_int_equal(data3 >> 16 & 1, at == 4);
        if (at == 0)
            assert_in_range(data3 >> 48, 18,
                            400); /* each round has a new page: a walk through lines in the L2 or in memory */
        else
            assert_int_equal(data3 >> 48, 0);
        seen[at]++;
    }
    for (unsigned i = 0; i < COUNT(open); i++)
        assert_true(seen[i] > 5);
}

RUN_TESTS(NULL, end)
