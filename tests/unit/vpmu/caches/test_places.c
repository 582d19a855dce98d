/* SPDX-License-Identifier: BSD-2-Clause */
/* Streams of several programs at several privilege levels: vpmu_step_at() and related functions. */
#include <stdlib.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"

enum { BP = 5, OP_CTL = 0xC0011033, CODE = 3 };
#define PERF_USR (1ull << 16)
#define KERNEL   0xFFFFFFFF81000000ull
#define OP_EN    (1ull << 17)
#define OP_VAL   (1ull << 18)

static const struct codemap_insn code[CODE] = {
    {.reads = 1ull << BP,
     .mems = 1,
     .mem = {{.base = BP, .index = CODEMAP_REG_NONE, .scale = 1, .size = 8, .flags = CODEMAP_LOAD}}},
    {.op_size = 8},
    {.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = PROGRAM_FIRST},
};
static struct program program;

static struct vpmu *model(void)
{
    return program.machine.vpmu;
}

static uint64_t map_rip(unsigned index)
{
    return PAPER_BASE + PROGRAM_FIRST + 4 * index;
}

static bool at(uint64_t rip, unsigned place)
{
    return vpmu_step_at(model(), rip, program.machine.gpr, place);
}

/* Announces consecutive instructions; the next announcement shows where the last one led. */
static void stretch(uint64_t rip, unsigned count, unsigned place)
{
    for (unsigned i = 0; i < count; i++)
        at(rip + 4 * i, place);
}

static void load(void)
{
    program_load(&program, VPMU_REV_C, code, CODE, NULL);
}

/* ---------------------------------------------------------------- privilege */

TEST(counters_count_at_their_privilege)
{
    static const struct {
        uint64_t bits;
        uint64_t expected;
    } rows[] = {{PERF_OS, 6 + 3}, {PERF_USR, 10 + 4}, {PERF_OS | PERF_USR, 6 + 3 + 10 + 4}, {0, 0}};

    for (unsigned i = 0; i < 4; i++) {
        load();
        for (unsigned n = 0; n < 4; n++)
            machine_wrmsr(&program.machine, PERF_CTL + n, (0xC0 & 0xFF) | rows[n].bits | PERF_EN);
        stretch(KERNEL, 6, VPMU_KERNEL | VPMU_FOREIGN);
        stretch(0x10000000, 10, VPMU_USER | VPMU_FOREIGN);
        stretch(KERNEL + 0x1000, 3, VPMU_KERNEL | VPMU_FOREIGN);
        stretch(0x10000000 + 40, 4, VPMU_USER | VPMU_FOREIGN);
        at(KERNEL, VPMU_KERNEL | VPMU_FOREIGN); /* now the last instruction has retired */
        assert_int_equal(machine_rdmsr(&program.machine, PERF_CTR + i), rows[i].expected);
    }
    program_end(&program);
}

TEST(interrupts_come_at_their_privilege_only)
{
    bool nmi = false;

    load();
    assert_int_equal(vpmu_apic_write(model(), 0x340, 0x400), VPMU_OK);
    machine_wrmsr(&program.machine, PERF_CTR, (1ull << 48) - 5);
    machine_wrmsr(&program.machine, PERF_CTL, 0xC0 | PERF_USR | PERF_INT | PERF_EN);
    for (unsigned i = 0; i < 200; i++)
        nmi |= at(KERNEL + 4 * i, VPMU_KERNEL | VPMU_FOREIGN);
    assert_false(nmi);
    for (unsigned i = 0; i < 200; i++)
        nmi |= at(0x10000000 + 4 * i, VPMU_USER | VPMU_FOREIGN);
    assert_true(nmi);
    program_end(&program);
}

/* A bare machine's stream has only the kernel's privilege. */
TEST(user_bit_alone_counts_nothing_at_cpl_0)
{
    load();
    counter_start(&program.machine, 0, 0xC0 | PERF_USR);
    program_run(&program, 10);
    assert_int_equal(counter_stop(&program.machine, 0), 0);
    program_end(&program);
}

/* ---------------------------------------------------------------- whose instructions */

TEST(foreign_code_is_not_the_maps)
{
    load();
    machine_wrmsr(&program.machine, OP_CTL, OP_EN | 0xFFFF);
    for (unsigned i = 0; i < 30; i++)
        at(map_rip(i % CODE), VPMU_USER | VPMU_FOREIGN);
    vpmu_break(model());
    assert_int_equal(model()->truth.rows[0].executions, 0);
    assert_int_equal(model()->truth.rows[CODE].executions, 29);
    assert_int_equal(model()->truth.rows[CODE].loads, 0);
    assert_true(model()->truth.totals.fetches_outside.completed > 0);
    assert_int_equal(model()->truth.totals.fetches_outside.completed, model()->truth.totals.fetches.completed);

    for (unsigned i = 0; i < 30; i++)
        at(map_rip(i % CODE), VPMU_USER);
    vpmu_break(model());
    assert_int_equal(model()->truth.rows[0].executions, 10);
    assert_int_equal(model()->truth.rows[0].loads, 10);
    program_end(&program);
}

/* ---------------------------------------------------------------- must a handler be stepped? */

TEST(nothing_counts_while_a_sample_waits)
{
    bool nmi = false;

    load();
    assert_false(vpmu_counts(model()));
    machine_wrmsr(&program.machine, OP_CTL, OP_EN | 1ull << 19 | 9);
    assert_true(vpmu_counts(model()));
    for (unsigned i = 0; i < 1000 && !nmi; i++)
        nmi = at(KERNEL + 4 * i, VPMU_KERNEL | VPMU_FOREIGN);
    assert_true(nmi);
    assert_true(machine_rdmsr(&program.machine, OP_CTL) & OP_VAL);
    assert_true(vpmu_armed(model()));
    assert_false(vpmu_counts(model()));

    machine_wrmsr(&program.machine, PERF_CTL, EVENT(0xC0, 0) | PERF_EN); /* a counter counts */
    assert_true(vpmu_counts(model()));
    machine_wrmsr(&program.machine, PERF_CTL, 0);
    assert_false(vpmu_counts(model()));
    machine_wrmsr(&program.machine, OP_CTL, OP_EN | 1ull << 19 | 9); /* armed again */
    assert_true(vpmu_counts(model()));
    program_end(&program);
}

/* ---------------------------------------------------------------- truth from a moment on */

TEST(truth_begins_anew)
{
    load();
    for (unsigned round = 0; round < 2; round++) {
        counter_start(&program.machine, 0, EVENT(0xC0, 0));
        program_run(&program, 10);
        assert_in_range(counter_stop(&program.machine, 0), 29, 30);
        assert_in_range(model()->truth.rows[0].executions, 9, 10);
        assert_int_equal(model()->pmc_truth.run_count, 1);
        assert_in_range(model()->pmc_truth.runs[0].counted, 29, 30);
        vpmu_break(model());
        vpmu_reset_truth(model());
        assert_int_equal(model()->truth.rows[0].executions, 0);
        assert_int_equal(model()->truth.totals.fetches.completed, 0);
        assert_int_equal(model()->pmc_truth.run_count, 0);
    }
    program_end(&program);
}

RUN_TESTS(NULL, NULL)
