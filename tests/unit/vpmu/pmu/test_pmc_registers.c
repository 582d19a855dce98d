/* SPDX-License-Identifier: BSD-2-Clause */
/* PERF_CTL and PERF_CTR as software sees them: bits, starting and stopping, count mask, edge, invert, and the modelled
 * events. */
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"

enum { AX, CX, DX, BX, SP, BP };
#define R(reg)   (1ull << (reg))
#define ROUNDS   1000
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct program program;

static int end(void **state)
{
    program_end(&program);
    return 0;
}

/* Has twelve independent additions, a chain of six, and the jump back. */
static const struct codemap_insn mixed[] = {
    {.writes = R(AX)},
    {.writes = R(CX)},
    {.writes = R(DX)},
    {.writes = R(BX)},
    {.writes = R(AX)},
    {.writes = R(CX)},
    {.writes = R(DX)},
    {.writes = R(BX)},
    {.writes = R(AX)},
    {.writes = R(CX)},
    {.writes = R(DX)},
    {.writes = R(BX)},
    {.reads = R(AX), .writes = R(AX)},
    {.reads = R(AX), .writes = R(AX)},
    {.reads = R(AX), .writes = R(AX)},
    {.reads = R(AX), .writes = R(AX)},
    {.reads = R(AX), .writes = R(AX)},
    {.reads = R(AX), .writes = R(AX)},
    {.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = PROGRAM_FIRST},
};
#define MIXED COUNT(mixed)

static void start(enum vpmu_revision revision)
{
    program_load(&program, revision, mixed, MIXED, NULL);
}

TEST(test_bits)
{
    start(VPMU_REV_C);
    for (unsigned n = 0; n < 4; n++) {
        machine_wrmsr(&program.machine, PERF_CTL + n, ~PERF_EN);
        assert_int_equal(machine_rdmsr(&program.machine, PERF_CTL + n), 0x0000030FFF9FFFFF); /* 21, 39:36, 63:42 */
        machine_wrmsr(&program.machine, PERF_CTR + n, ~0ull);
        assert_int_equal(machine_rdmsr(&program.machine, PERF_CTR + n), 0x0000FFFFFFFFFFFF);
        machine_wrmsr(&program.machine, PERF_CTR + n, 0x1000000000012345);
        assert_int_equal(machine_rdmsr(&program.machine, PERF_CTR + n), 0x12345);
    }
}

TEST(test_counts_between_enable_and_disable)
{
    start(VPMU_REV_C);
    program_run(&program, 3);
    assert_false(vpmu_armed(program.machine.vpmu));
    counter_start(&program.machine, 2, EVENT(0x0C0, 0)); /* the announced instruction is this WRMSR: not counted */
    assert_true(vpmu_armed(program.machine.vpmu));
    program_run(&program, ROUNDS);
    assert_int_equal(machine_rdmsr(&program.machine, PERF_CTR + 2),
                     ROUNDS * MIXED - 1); /* the last instruction is only announced */
    machine_wrmsr(&program.machine, PERF_CTL + 2, EVENT(0x0C0, 0));
    assert_false(vpmu_armed(program.machine.vpmu));
    program_run(&program, 3);
    assert_int_equal(machine_rdmsr(&program.machine, PERF_CTR + 2), ROUNDS * MIXED - 1);
    machine_wrmsr(&program.machine, PERF_CTL + 2, EVENT(0x0C0, 0) | PERF_EN); /* continues from that value */
    program_run(&program, 1);
    assert_int_equal(counter_stop(&program.machine, 2), (ROUNDS + 1) * MIXED - 2);
}

TEST(test_a_write_while_it_counts)
{
    start(VPMU_REV_C);
    counter_start(&program.machine, 0, EVENT(0x0C0, 0));
    program_run(&program, 5);
    machine_wrmsr(&program.machine, PERF_CTR, 1000);
    program_run(&program, 1);
    assert_int_equal(counter_stop(&program.machine, 0), 1000 + MIXED);
}

TEST(test_wraps_at_48_bits)
{
    start(VPMU_REV_C);
    machine_wrmsr(&program.machine, PERF_CTR, (1ull << 48) - 5);
    machine_wrmsr(&program.machine, PERF_CTL, EVENT(0x0C0, 0) | PERF_EN);
    program_run(&program, 1);
    assert_int_equal(counter_stop(&program.machine, 0), MIXED - 1 - 5);
    assert_int_equal(program.machine.nmis, 0); /* no Int */
}

TEST(test_only_at_cpl_0)
{
    uint64_t user = (EVENT(0x0C0, 0) & ~PERF_OS) | 1 << 16;

    start(VPMU_REV_C);
    assert_int_equal(program_count(&program, user, 10), 0);
    assert_int_equal(program_count(&program, EVENT(0x0C0, 0) & ~PERF_OS, 10), 0);
    assert_int_equal(program_count(&program, user | PERF_OS, 10), 10 * MIXED - 1);
}

TEST(test_four_at_once)
{
    start(VPMU_REV_C);
    for (unsigned n = 0; n < 4; n++)
        counter_start(&program.machine, n, n & 1 ? EVENT(0x0C2, 0) : EVENT(0x0C0, 0));
    program_run(&program, 10);
    for (unsigned n = 0; n < 4; n++)
        assert_int_equal(counter_stop(&program.machine, n), n & 1 ? 9 : 10 * MIXED - 1);
}

TEST(test_same_controls_read_back)
{
    start(VPMU_REV_B);
    machine_wrmsr(&program.machine, PERF_CTL + 1, EVENT(0x4E1, 0xF7) | PERF_EN | PERF_INT);
    assert_int_equal(machine_rdmsr(&program.machine, PERF_CTL + 1), 0x000000040052F7E1);
    assert_int_equal(machine_rdmsr(&program.machine, PERF_CTL), 0);
}

/* ---------------------------------------------------------------- count mask, edge, invert */

static uint64_t cycles(unsigned rounds)
{
    return program_count(&program, EVENT(0x076, 0), rounds);
}

TEST(test_retired_ops_per_cycle)
{
    uint64_t at_least[4], all, time;

    start(VPMU_REV_C);
    program_run(&program, 100); /* a steady state, so that all runs of equal rounds are alike */
    time = cycles(ROUNDS);
    all = program_count(&program, EVENT(0x0C1, 0), ROUNDS);
    for (unsigned n = 1; n < 4; n++) {
        at_least[n] = program_count(&program, AT_LEAST(0x0C1, n), ROUNDS);
        assert_int_equal(program_count(&program, AT_LEAST(0x0C1, n) | PERF_INV, ROUNDS), time - at_least[n]);
    }
    assert_int_equal(all, ROUNDS * MIXED - 1);
    assert_int_equal(at_least[1] + at_least[2] + at_least[3], all);
    assert_true(at_least[1] > at_least[2] && at_least[2] >= at_least[3] && at_least[3] > 0);
    assert_true(at_least[1] < time); /* the chain has cycles without a retired op */
    assert_int_equal(program_count(&program, AT_LEAST(0x0C1, 4), ROUNDS), 0);
    assert_int_equal(program_count(&program, AT_LEAST(0x0C1, 4) | PERF_INV, ROUNDS), time);
}

TEST(test_invert_needs_a_count_mask)
{
    start(VPMU_REV_C);
    assert_int_equal(program_count(&program, EVENT(0x0C2, 0) | PERF_INV, 10), 9);
    assert_int_equal(program_count(&program, EVENT(0x076, 0) | PERF_INV, 10), cycles(10));
}

TEST(test_instructions_per_cycle)
{
    start(VPMU_REV_C); /* one op each, so that the counts are those of ops */
    program_run(&program, 100);
    for (unsigned n = 1; n < 4; n++)
        assert_int_equal(program_count(&program, AT_LEAST(0x0C0, n), ROUNDS),
                         program_count(&program, AT_LEAST(0x0C1, n), ROUNDS));
}

TEST(test_edges)
{
    uint64_t branches, rises;

    start(VPMU_REV_C);
    program_run(&program, 100);
    branches = program_count(&program, AT_LEAST(0x0C2, 1), ROUNDS);
    assert_int_equal(branches, ROUNDS - 1);
    assert_int_equal(program_count(&program, EVENT(0x0C2, 0) | EDGES, ROUNDS),
                     branches); /* never in two successive cycles */
    assert_int_equal(program_count(&program, AT_LEAST(0x0C2, 1) | EDGES | PERF_INV, ROUNDS), branches - 1);
    rises = program_count(&program, AT_LEAST(0x0C1, 1) | EDGES, ROUNDS);
    assert_in_range(rises, 1, program_count(&program, AT_LEAST(0x0C1, 1), ROUNDS) - 1);
}

TEST(test_every_cycle)
{
    uint64_t time;

    start(VPMU_REV_C);
    program_run(&program, 100);
    time = cycles(ROUNDS);
    assert_true(time > 0);
    assert_int_equal(program_count(&program, AT_LEAST(0x076, 1), ROUNDS), time);
    assert_int_equal(program_count(&program, AT_LEAST(0x076, 2), ROUNDS), 0);
    assert_int_equal(program_count(&program, AT_LEAST(0x076, 1) | PERF_INV, ROUNDS), 0);
    assert_int_equal(program_count(&program, AT_LEAST(0x076, 2) | PERF_INV, ROUNDS), time);
    assert_int_equal(program_count(&program, EVENT(0x076, 0) | EDGES, ROUNDS), 0); /* the core never halts */
}

TEST(test_cycles_without_dispatch)
{
    uint64_t time, empty;

    start(VPMU_REV_C);
    program_run(&program, 100);
    time = cycles(ROUNDS);
    empty = program_count(&program, EVENT(0x0D0, 0), ROUNDS);
    assert_true(empty > 0);
    assert_int_equal(program_count(&program, AT_LEAST(0x0D0, 1), ROUNDS), empty);
    assert_int_equal(program_count(&program, AT_LEAST(0x0D0, 1) | PERF_INV, ROUNDS), time - empty);
    assert_int_equal(program_count(&program, AT_LEAST(0x0D0, 2), ROUNDS), 0);
    /* The fetch that a jump kills costs the decoder one cycle each time, and the decoder waits once for the first
     * fetch. */
    assert_in_range(program_count(&program, EVENT(0x0D0, 0) | EDGES, ROUNDS), 1, empty);
}

/* ---------------------------------------------------------------- which events there are */

static bool says_modelled(uint32_t select, uint32_t mask)
{
    uint32_t regs[4] = {7, 7, 7, 7};

    vpmu_cpuid(program.machine.vpmu, VPMU_LEAF_EVENTS, select | mask << 16, regs);
    assert_int_equal(regs[1] | regs[2] | regs[3], 0);
    assert_true(regs[0] <= 1);
    return regs[0];
}

TEST(test_modelled_events)
{
    static const struct {
        uint32_t select, mask;
        bool b, c;
    } rows[] = {
        {0x076, 0x00, 1, 1}, {0x041, 0x00, 1, 1}, {0x0D1, 0x00, 1, 1}, {0x0D5, 0x00, 1, 1}, {0x02B, 0x00, 0, 0},
        {0x0D6, 0x00, 1, 1}, {0x0D7, 0x00, 1, 1}, {0x0D8, 0x00, 1, 1}, {0x0D9, 0x00, 0, 0}, {0x0E0, 0x3F, 0, 0},
        {0xFFF, 0x00, 0, 0}, {0x0CD, 0x00, 0, 0}, {0x0C0, 0x55, 1, 1}, /* without a unit mask any mask is accepted */
        {0x042, 0x1F, 1, 1}, {0x042, 0x00, 0, 0}, {0x0D2, 0x00, 1, 1}, {0x042, 0x20, 0, 0}, /* reserved bits */
        {0x044, 0x1F, 1, 1}, {0x044, 0x40, 0, 0},                      /* PrefetchNTA is not told apart */
        {0x045, 0x03, 1, 1}, {0x045, 0x07, 0, 1}, {0x046, 0x07, 1, 1}, /* 1 GB since C */
        {0x003, 0x3F, 1, 1}, {0x003, 0x7F, 1, 1}, {0x003, 0x80, 0, 0}, /* ops or FLOPS */
        {0x068, 0x07, 1, 1}, {0x068, 0x08, 0, 0}, {0x069, 0x00, 1, 1}, /* a number */
        {0x07D, 0x2F, 1, 1}, {0x07D, 0x3F, 0, 0},                      /* cancelled requests */
        {0x1CF, 0x00, 0, 1}, {0x1C0, 0x07, 0, 1}, {0x165, 0x01, 0, 0}, /* since C */
        {0x4E0, 0xF7, 1, 1}, {0x4E0, 0x17, 0, 0}, {0x4E0, 0x07, 0, 0}, /* erratum 437 */
    };

    for (unsigned revision = 0; revision < 3; revision++) {
        start((enum vpmu_revision)revision);
        for (unsigned i = 0; i < COUNT(rows); i++) {
            bool expected = revision == VPMU_REV_B ? rows[i].b : rows[i].c;

            if (says_modelled(rows[i].select, rows[i].mask) != expected)
                fail_msg("%03x:%02x on revision %u", rows[i].select, rows[i].mask, revision);
        }
    }
}

TEST(test_not_modelled_stands_still)
{
    static const uint64_t events[] = {EVENT(0x0D9, 0), EVENT(0x042, 0x20), EVENT(0x4E0, 0x07), EVENT(0xFFF, 0xFF)};

    start(VPMU_REV_C);
    for (unsigned i = 0; i < COUNT(events); i++) {
        machine_wrmsr(&program.machine, PERF_CTR, 0x1234567);
        machine_wrmsr(&program.machine, PERF_CTL, events[i] | PERF_EN | PERF_INV | 1 << 24);
        program_run(&program, 100);
        assert_int_equal(counter_stop(&program.machine, 0), 0x1234567);
    }
}

TEST(test_hypervisor_leaves)
{
    uint32_t regs[4] = {1, 2, 3, 4};
    char signature[13] = {0};

    start(VPMU_REV_E);
    vpmu_cpuid(program.machine.vpmu, 0x40000000, 0, regs);
    memcpy(signature, &regs[1], 12);
    assert_string_equal(signature, "ibsbootvPMU");
    assert_int_equal(regs[0], 0x40000013);
    vpmu_cpuid(program.machine.vpmu, 0x40000011, 0, regs);
    assert_int_equal(regs[0], 3200000);
    assert_int_equal(regs[1], 200000);
    vpmu_cpuid(program.machine.vpmu, 0x40000013, 0, regs);
    assert_int_equal(regs[0], 0x40000080);
    assert_int_equal(regs[1], 0x40000081);
    assert_int_equal(regs[2], 0x40000082);
    assert_int_equal(regs[3], 0x40000083);
    vpmu_cpuid(program.machine.vpmu, 0x40000001, 0, regs);
    assert_int_equal(regs[0] | regs[1] | regs[2] | regs[3], 0);
}

RUN_TESTS(NULL, end)
