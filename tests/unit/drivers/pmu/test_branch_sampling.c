/* SPDX-License-Identifier: BSD-2-Clause */
/* Branch Sampling of Zen 3: beside which samples it runs, the records in order and no others, and that everything is
 * restored. */
#include "tests/unit/drivers/run_fixture.h"

#include <string.h>

#include "core/family/branch_regs.h"
#include "core/family/pmc_regs.h"
#include "drivers/pmu/branches.h"

/* C000_010F as the firmware has left it: on, with five records, and a reserved bit. */
#define BEFORE 0x80000000003Cull
#define OFF    0x800000000018ull
#define ON     0x80000000001Cull
enum { FIRMWARE_NEXT = 5 << 16, CONTROL0 = 0xC0010200, COUNTER0, PERIOD = 1000, EMPTY = 0x5A };

static struct sample_branches samples[CAPACITY + 1];
static uint64_t control;  /* the control at the NMI */
static bool overflow;     /* counter 0 has overflowed */
static unsigned armed_at; /* the counter's value before */

static void work(void *argument, uint64_t arena)
{
    body(argument, arena);
    armed_at = (unsigned)-(int64_t)(fake_msr(COUNTER0)->value | 0xFFFFull << 48);
    for (uint32_t i = 0; i < 2 * 16; i++)
        fake_msr(MSR_BRANCH_FROM0 + i)->value = 0x402000 + i;
    assert_int_equal(fake_msr(MSR_DBG_EXTN_CFG)->value, plan.place.branches ? ON : BEFORE | FIRMWARE_NEXT);
    fake_clear_log();
    if (overflow)
        fake_msr(COUNTER0)->value = 20;
    fake_msr(MSR_DBG_EXTN_CFG)->value = control;
    fake_nmi();
    assert_int_equal(fake_msr(MSR_DBG_EXTN_CFG)->value, plan.place.branches ? ON : control);
}

static void arrange(void)
{
    set_up(0, 1);
    fake_machine_later(&machine, FAKE_ZEN3);
    memset(samples, EMPTY, sizeof samples);
    control = OFF | DBG_EXTN_VALID;
    overflow = true;
    plan.calls.body = work;
    plan.place.branches = samples;
    plan.program.ibs.fetch = plan.program.ibs.op = false;
    plan.program.pmc = (struct pmc_plan){
        .mode = PMC_SAMPLING,
        .events = 2,
        .event = {{.select = 0x0C4, .user = true, .os = true, .period = PERIOD}, {.select = 0x076, .os = true}},
        .groups = 1,
        .group = {{2, {0, 1}}}};
}

/* Checks the records: the latest is the one before the next to be written; those from there on are empty. */
static void expect_records(const struct sample_branches *sample, unsigned recorded)
{
    for (unsigned i = 0; i < 16; i++) {
        unsigned n = recorded - 1 - i;

        assert_int_equal(sample->entry[i].from, i < recorded ? 0x402000 + 2 * n : 0);
        assert_int_equal(sample->entry[i].to, i < recorded ? 0x402001 + 2 * n : 0);
    }
}

TEST(beside_the_sample)
{
    static const struct {
        uint64_t control;
        unsigned recorded;
    } rows[] = {{OFF | DBG_EXTN_VALID, 16},
                {ON | DBG_EXTN_VALID | 3 << 16, 3},
                {ON | DBG_EXTN_VALID | 15 << 16, 15},
                {ON, 0},
                {ON | 3 << 16, 0}};

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        arrange();
        control = rows[i].control;
        run();
        assert_int_equal(result.error, SESSION_OK);
        assert_true(fake.branch_sampling_gate);
        assert_int_equal(result.samples, 1);
        expect_records(&samples[0], rows[i].recorded);
        assert_int_equal(samples[1].entry[0].to, 0x5A5A5A5A5A5A5A5A);
        assert_ptr_equal(strstr(fake.log, "rdmsr c000010f"), fake.log);
        assert_non_null(strstr(fake.log, "wrmsr c000010f 800000000018\n"));
        assert_int_equal(fake_msr(MSR_DBG_EXTN_CFG)->value, BEFORE | FIRMWARE_NEXT);
        assert_true(same_as_before());
    }
}

/* The interrupt comes 16 branches after the overflow: each interval is shorter by 16, and its sample stands for all. */
TEST(shorter_by_the_wait)
{
    arrange();
    run();
    assert_int_equal(armed_at, PERIOD - 16);
    arrange();
    plan.place.branches = NULL;
    run();
    assert_int_equal(armed_at, PERIOD);
    assert_true(fake.later_gate);
    assert_null(strstr(fake.log, "c000010f"));
    for (unsigned seed = 1; seed < 20; seed++) {
        arrange();
        plan.program.pmc.random = true;
        plan.program.pmc.seed = seed;
        run();
        assert_in_range(armed_at, PERIOD - 16 - 32, PERIOD - 16 + 32);
    }
}

TEST(plans_that_do_not_fit)
{
    struct pmc_plan *pmc = &plan.program.pmc;

    for (unsigned row = 0; row < 10; row++) {
        arrange();
        pmc->event[0].period = row == 0 ? 16 : PERIOD;
        pmc->event[0].select = row == 1 ? 0x0C2 : 0x0C4;
        pmc->event[0].count_mask = row == 2;
        pmc->event[0].edge = row == 3;
        pmc->event[0].invert = row == 4;
        pmc->event[1].period = row == 5 ? PERIOD : 0;
        plan.program.ibs.op = row == 6;
        if (row == 7)
            pmc->group[0] = (struct pmc_group){2, {1, 0}};
        if (row == 8)
            *pmc = (struct pmc_plan){.mode = PMC_SAMPLING,
                                     .events = 1,
                                     .event = {pmc->event[0]},
                                     .groups = 2,
                                     .group = {{1, {0}}, {1, {0}}},
                                     .slice = 1u << 22};
        if (row == 9) {
            *pmc = (struct pmc_plan){.mode = PMC_OFF};
            plan.program.timer.period = 1000;
        }
        run();
        assert_int_equal(result.error, SESSION_BRANCH_EVENT);
        assert_int_equal(fake.accesses, 0);
    }
    arrange();
    pmc->event[0].period = 17;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(armed_at, 1);
}

static void count_from(void *argument, uint64_t arena)
{
    body(argument, arena);
    armed_at = (unsigned)fake_msr(COUNTER0)->value;
}

/* Where nothing samples, none are wanted, and no counter is shorter. */
TEST(while_counting)
{
    arrange();
    plan.program.pmc.mode = PMC_COUNTING;
    plan.calls.body = count_from;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(armed_at, 0);
    assert_int_equal(fake_msr(MSR_DBG_EXTN_CFG)->value, BEFORE | FIRMWARE_NEXT);
}

/* Records are left alone if there is no room, and by NMIs outside a run. */
TEST(no_record)
{
    arrange();
    plan.place.capacity = 1;
    run();
    struct nmi_context *nmi = session_nmi(workspace);
    assert_int_equal(nmi->branches.msr, 0);
    fake_clear_log();
    nmi_handler_branch_sampling(nmi, 0);
    nmi->state = NMI_RUNNING_ALL;
    nmi_handler_branch_sampling(nmi, 0);
    assert_null(strstr(fake.log, " c001030"));
    assert_int_equal(samples[1].entry[0].to, 0x5A5A5A5A5A5A5A5A);
}

TEST(a_register_that_does_not_hold)
{
    arrange();
    fake_msr(MSR_DBG_EXTN_CFG)->writable = 0;
    run();
    assert_int_equal(result.error, SESSION_BRANCHES);
    assert_int_equal(result.error_detail, MSR_DBG_EXTN_CFG);
    assert_true(same_as_before());
    arrange();
    fake_remove_msr(MSR_DBG_EXTN_CFG);
    run();
    assert_int_equal(result.error, SESSION_MSR_FAULT);
    assert_true(same_as_before());
}

/* CPUID alone tells, on processors whose row has Branch Sampling. */
TEST(who_has_it)
{
    arrange();
    assert_true(machine.branch_sampling);
    assert_int_equal(machine.branches, 16);
    fake_set_leaf(0x80000008, 0x3030, ~(1u << 31), 0x2003, 0);
    machine_probe(&machine);
    assert_false(machine.branch_sampling || machine.branches);
    fake_reset_later(FAKE_ZEN2);
    fake_set_leaf(0x80000008, 0x3030, 1u << 31, 0x2003, 0);
    machine_probe(&machine);
    assert_false(machine.branch_sampling || machine.branches);
}

TEST(fault_in_a_run)
{
    fault_at_each_access(arrange);
}

RUN_TESTS(run_allocate, run_release)
