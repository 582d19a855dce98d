/* SPDX-License-Identifier: BSD-2-Clause */
/* Branch records beside samples: which registers are used, when, for whose sample, and that everything is restored. */
#include "tests/unit/drivers/run_fixture.h"

#include <string.h>

#include "core/family/branch_regs.h"
#include "core/family/ibs_regs.h"
#include "drivers/pmu/branches.h"

enum { ON = 0x70, OFF = 0x30 }; /* C000_010F is 30h before; the bit is bit 6 */

static struct sample_branches samples[CAPACITY + 1];

static void work(void *argument, uint64_t arena)
{
    body(argument, arena);
    for (uint32_t i = 0; i < 2 * FAKE_BRANCHES; i++)
        fake_msr(MSR_BRANCH_FROM0 + i)->value = 0x402000 + i;
    fake_clear_log();
    fake_msr(MSR_IBS_OP_CTL)->value |= IBS_OP_VAL;
    fake_nmi();
    assert_int_equal(fake_msr(MSR_DBG_EXTN_CFG)->value, plan.place.branches ? ON : OFF);
}

static void arrange_on(enum fake_later which)
{
    set_up(0, 1);
    fake_reset_later(which);
    machine_probe(&machine);
    machine.tsc_khz = 2500000;
    fake_clear_log();
    fake.accesses = 0;
    memset(samples, 0x5A, sizeof samples);
    plan.calls.body = work;
    plan.place.branches = samples;
}

static void arrange(void)
{
    arrange_on(FAKE_ZEN4);
}

static const struct restore_row *restored(uint32_t msr)
{
    for (uint32_t i = 0; i < result.restore.count; i++)
        if (result.restore.row[i].kind == RESTORE_MSR && result.restore.row[i].address == msr)
            return &result.restore.row[i];
    return NULL;
}

/* Returns whether a register of the records is in the log. */
static bool touched(void)
{
    return strstr(fake.log, " c000010") || strstr(fake.log, " c001030");
}

TEST(beside_the_sample)
{
    arrange();
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_true(fake.branches_gate);
    assert_int_equal(result.samples, 1);
    for (uint32_t i = 0; i < SAMPLE_BRANCHES_MAX; i++) {
        bool there = i < FAKE_BRANCHES;
        assert_int_equal(samples[0].entry[i].from, there ? 0x402000 + 2 * i : 0x5A5A5A5A5A5A5A5A);
        assert_int_equal(samples[0].entry[i].to, there ? 0x402001 + 2 * i : 0x5A5A5A5A5A5A5A5A);
    }
    assert_int_equal(samples[1].entry[0].to, 0x5A5A5A5A5A5A5A5A);
    /* the handler's first access and its last */
    assert_ptr_equal(strstr(fake.log, "wrmsr"), fake.log);
    assert_ptr_equal(strstr(fake.log, "wrmsr c000010f 30\n"), fake.log);
    const char *rearmed = strstr(fake.log, "wrmsr c0011033 ");
    assert_non_null(rearmed);
    assert_ptr_equal(strstr(rearmed, "\n") + 1, strstr(rearmed, "wrmsr c000010f 70\n"));
    assert_true(same_as_before());
    assert_true(restored(MSR_DBG_EXTN_CFG)->ok && restored(MSR_LBR_SELECT)->ok);
    assert_int_equal(restored(MSR_DBG_EXTN_CFG)->before, OFF);
    assert_int_equal(restored(MSR_LBR_SELECT)->before, 5);
}

/* Interrupts are kept out, and earlier records are cleared. */
TEST(set_before_sampling)
{
    struct nmi_branches branches = {.sample = samples, .entries = FAKE_BRANCHES};
    struct restore_log log;
    uint64_t detail;

    arrange();
    restore_init(&log);
    assert_int_equal(branches_start(&branches, &log, &detail), SESSION_OK);
    assert_int_equal(fake_msr(MSR_LBR_SELECT)->value, 0x100);
    assert_int_equal(fake_msr(MSR_DBG_EXTN_CFG)->value, ON);
    for (uint32_t i = 0; i < FAKE_BRANCHES; i++)
        assert_int_equal(fake_msr(MSR_BRANCH_FROM0 + 2 * i + 1)->value, 0);
    assert_int_equal(branches_stop(&branches, &detail), SESSION_OK);
    assert_int_equal(fake_msr(MSR_DBG_EXTN_CFG)->value, OFF);
    fake_clear_log();
    assert_int_equal(branches_stop(&branches, &detail), SESSION_OK);
    assert_false(touched());
    assert_int_equal(branches_entries(&(struct machine){.branches = 63}), SAMPLE_BRANCHES_MAX);
}

TEST(not_asked_for)
{
    arrange();
    plan.place.branches = NULL;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_true(fake.later_gate);
    assert_false(touched());
    assert_null(restored(MSR_DBG_EXTN_CFG));
    arrange_on(FAKE_ZEN2);
    run();
    assert_int_equal(result.error, SESSION_NO_BRANCHES);
    assert_int_equal(fake.accesses, 0);
}

/* Without room no record is read, and none outside a run, where the registers are left alone. */
TEST(no_record)
{
    arrange();
    plan.place.capacity = 1;
    run();
    struct nmi_context *nmi = session_nmi(workspace);
    assert_int_equal(nmi->branches.msr, 0);
    fake_clear_log();
    nmi_handler_branches(nmi, 0);
    nmi->state = NMI_RUNNING_IBS;
    nmi_handler_branches(nmi, 0);
    assert_false(touched());
    assert_int_equal(samples[1].entry[0].to, 0x5A5A5A5A5A5A5A5A);
}

TEST(registers_that_do_not_hold)
{
    static const uint32_t msrs[] = {MSR_LBR_SELECT, MSR_DBG_EXTN_CFG};

    for (unsigned i = 0; i < 2; i++) {
        arrange();
        fake_msr(msrs[i])->writable = 0;
        run();
        assert_int_equal(result.error, SESSION_BRANCHES);
        assert_int_equal(result.error_detail, msrs[i]);
        assert_int_equal(result.samples, 0);
        assert_true(same_as_before());
        arrange();
        fake_remove_msr(msrs[i]);
        run();
        assert_int_equal(result.error, SESSION_MSR_FAULT);
        assert_int_equal(result.error_detail, msrs[i]);
    }
    arrange();
    fake_remove_msr(MSR_BRANCH_FROM0 + 3);
    run();
    assert_int_equal(result.error, SESSION_MSR_FAULT);
    assert_int_equal(result.error_detail, MSR_BRANCH_FROM0 + 3);
    assert_true(same_as_before());
}

TEST(fault_in_a_run)
{
    fault_at_each_access(arrange);
}

RUN_TESTS(run_allocate, run_release)
