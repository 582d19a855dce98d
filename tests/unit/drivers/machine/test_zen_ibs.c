/* SPDX-License-Identifier: BSD-2-Clause */
/* IBS that the firmware has left off: which registers are changed, when, on which processors, and that all are
 * restored. */
#include "tests/unit/drivers/run_fixture.h"

#include <string.h>

#include "core/family/ibs_regs.h"
#include "drivers/machine/zen_ibs.h"

enum { CC6 = 0x484848, CC6_OFF = 0x080808 }; /* C001_0296: bits 22, 14 and 6, among others */

#define FOUR_READ_AS_BEFORE (fake_msr(0xC0011005)->value == 0x35C233FF178BFBFF && fake_msr(0xC0010296)->value == CC6)

static void probed(void)
{
    fake_reset_ibs_off();
    machine_probe(&machine);
    machine.tsc_khz = 2500000;
    fake_clear_log();
    fake.accesses = 0;
}

static enum session_error switched(bool on)
{
    before = fake;
    return session_switch_ibs(&machine, workspace, on);
}

TEST(detection)
{
    probed();
    assert_false(machine.ibs || machine.ibs_leaf || machine.ibs_caps);
    assert_int_equal(switched(true), SESSION_OK);
    assert_true(machine.ibs && machine.ibs_leaf && machine.ibs_switched);
    assert_int_equal(machine.ibs_caps, 0x3FF);
    assert_true(machine_ibs_usable(&machine));
    assert_true(same_as_before());
    assert_true(FOUR_READ_AS_BEFORE);
    /* the same writes as the source makes at its start, in its order, and the reverse */
    const char *set = strstr(fake.log, "wrmsr c0011005 35c237ff178bfbff\n");
    assert_non_null(set);
    set = strstr(set, "wrmsr c0011029 3000310e88003\n");
    assert_non_null(set);
    set = strstr(set, "wrmsr c0011029 3000310e08003\n");
    assert_non_null(set);
    assert_non_null(strstr(set, "wrmsr c0011005 35c233ff178bfbff\n"));
    assert_null(strstr(fake.log, "c0011020"));
    assert_null(strstr(fake.log, "c0010296"));

    fake_clear_log();
    assert_int_equal(switched(false), SESSION_OK);
    assert_false(machine.ibs || machine.ibs_leaf || machine.ibs_caps || machine.ibs_switched);
    assert_null(strstr(fake.log, "wrmsr"));
}

/* Only the setting switches IBS on, and not if CPUID shows IBS. */
TEST(not_without_need)
{
    probed();
    assert_int_equal(switched(false), SESSION_OK);
    assert_false(machine.ibs);
    fake_machine_later(&machine, FAKE_ZEN);
    assert_int_equal(switched(true), SESSION_OK);
    assert_true(machine.ibs && !machine.ibs_switched);
    assert_int_equal(switched(false), SESSION_OK);
    assert_int_equal(machine.ibs_caps, 0x3FF);
    assert_null(strstr(fake.log, "wrmsr"));
}

TEST(known_models)
{
    static const struct {
        uint32_t signature;
        bool hypervisor, known;
    } rows[] = {
        {0x00800F00, false, true},  {0x00800F11, false, true},  {0x00820FF0, false, true},  {0x00830F00, false, false},
        {0x00840FF0, false, false}, {0x00850F00, false, true},  {0x00850FE0, false, true},  {0x00850FF0, false, false},
        {0x00870F10, false, false}, {0x00900F11, false, false}, {0x00A00F11, false, false}, {0x00600F11, false, false},
        {0x00100F42, false, false}, {0x00800F11, true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fake_reset_ibs_off();
        fake_set_leaf(1, rows[i].signature, 0, 0x00802009 | (uint32_t)rows[i].hypervisor << 31, 0x178BFBFF);
        machine_probe(&machine);
        fake_clear_log();
        assert_int_equal(zen_ibs_known(&machine), rows[i].known);
        assert_int_equal(switched(true), rows[i].known ? SESSION_OK : SESSION_IBS_SWITCH_UNKNOWN);
        assert_int_equal(machine.ibs, rows[i].known);
        assert_int_equal(strstr(fake.log, "wrmsr") != NULL, rows[i].known);
    }
}

static void threads(unsigned per_core)
{
    fake_reset_ibs_off();
    fake_set_leaf(0x80000001, 0, 0, 0x004033FF | 1u << 10 | 1u << 23, 1u << 26 | 1u << 20 | 1u << 29);
    fake_set_leaf(0x8000001E, 0, 1 << 16 | (per_core - 1) << 8 | 3, 0, 0);
    machine_probe(&machine);
    fake_clear_log();
}

/* The switch is refused before the first write, unless C001_1029 has the right value already: then it is not
 * written. */
TEST(other_thread)
{
    threads(2);
    assert_int_equal(switched(true), SESSION_IBS_SWITCH_SMT);
    assert_false(machine.ibs || machine.ibs_switched);
    assert_null(strstr(fake.log, "wrmsr"));
    threads(1);
    assert_int_equal(switched(true), SESSION_OK);
    threads(2);
    fake_msr(0xC0011029)->value |= 1 << 19;
    assert_int_equal(switched(true), SESSION_OK);
    assert_true(machine.ibs);
    assert_null(strstr(fake.log, "wrmsr c0011029"));
    threads(2);
    machine.extended_ecx &= ~(1u << 22); /* this leaf does not exist */
    assert_int_equal(switched(true), SESSION_OK);
}

TEST(registers_that_do_not_hold)
{
    probed();
    fake_msr(0xC0011029)->writable = 0;
    assert_int_equal(switched(true), SESSION_IBS_SWITCH);
    assert_false(machine.ibs || machine.ibs_caps || machine.ibs_switched);
    assert_true(same_as_before());
    probed();
    fake_remove_msr(0xC0011005);
    assert_int_equal(switched(true), SESSION_MSR_FAULT);
    assert_false(machine.ibs);
    probed();
    fake_set_leaf(0x8000001B, 0x3FE, 0, 0, 0); /* bit 0: the other bits are valid */
    assert_int_equal(switched(true), SESSION_IBS_SWITCH);
    assert_false(machine.ibs || machine.ibs_caps);
    assert_true(same_as_before());
    probed();
    fake_msr(0xC0011005)->writable = 1ull << 42;
    assert_int_equal(session_switch_ibs(&machine, NULL, true), SESSION_NO_WORKSPACE);
    assert_false(machine.ibs_switched);
}

TEST(fault_in_detection)
{
    unsigned left = 0, n = 1;
    for (;; n++) {
        probed();
        fake.fault_at = n;
        enum session_error error = switched(true);
        if (!fake.fault_done)
            break;
        assert_int_not_equal(error, SESSION_OK);
        assert_false(machine.ibs || machine.ibs_switched);
        assert_true(same_as_before() || error == SESSION_RESTORE);
        left += error == SESSION_RESTORE;
    }
    assert_true(n > 12);
    assert_int_equal(left, 4); /* two registers: the write and the read-back */
}

/* ---------------------------------------------------------------- runs */

static uint64_t in_body[4];

static void look(void *argument, uint64_t arena)
{
    in_body[0] = fake_msr(0xC0011005)->value;
    in_body[1] = fake_msr(0xC0011029)->value;
    in_body[2] = fake_msr(0xC0011020)->value;
    in_body[3] = fake_msr(0xC0010296)->value;
}

static void arrange(void)
{
    set_up(MODEL_C, 1);
    probed();
    assert_int_equal(session_switch_ibs(&machine, workspace, true), SESSION_OK);
    plan.calls.body = look;
    plan.program.ibs = (struct ibs_plan){.op = true, .op_period = 0x20000};
    memset(in_body, 0, sizeof in_body);
    fake_clear_log();
    fake.accesses = 0;
}

TEST(each_run)
{
    arrange();
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(in_body[0], 0x35C237FF178BFBFF);
    assert_int_equal(in_body[1], 0x3000310E88003);
    assert_int_equal(in_body[2], 0x0046404000000000);
    assert_int_equal(in_body[3], CC6_OFF);
    assert_true(same_as_before());
    assert_true(FOUR_READ_AS_BEFORE);
    assert_true(result.restore.count >= 4);
    assert_int_equal(result.restore.failed, 0);
}

/* An error has the MSR's number; without an error the number is 0. */
TEST(which_register)
{
    uint64_t detail = 1;
    probed();
    restore_init(&result.restore);
    assert_int_equal(zen_ibs_switch_on(&machine, true, &result.restore, &detail), SESSION_OK);
    assert_int_equal(detail, 0);
    assert_int_equal(result.restore.count, 4);
    probed();
    restore_init(&result.restore);
    fake_msr(0xC0010296)->writable = ~(1ull << 14);
    assert_int_equal(zen_ibs_switch_on(&machine, true, &result.restore, &detail), SESSION_IBS_SWITCH);
    assert_int_equal(detail, 0xC0010296);
}

/* Bits that the source sets only while IBS runs stay unchanged without IBS. */
TEST(without_samples)
{
    arrange();
    plan.program.ibs = (struct ibs_plan){0};
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(in_body[0] >> 42 & 1, 1);
    assert_int_equal(in_body[2] >> 54 & 1, 0);
    assert_int_equal(in_body[3], CC6);
    assert_true(same_as_before());
}

/* Changes one bit, since each bit of the registers is compared. */
static void one_bit_stays(void *argument, uint64_t arena)
{
    fake_msr(0xC0011029)->writable = ~1ull;
    fake_msr(0xC0011029)->value &= ~1ull;
}

TEST(not_put_back)
{
    arrange();
    plan.calls.body = one_bit_stays;
    run();
    assert_int_equal(result.error, SESSION_RESTORE);
    assert_int_equal(result.restore.failed, 1);
}

/* Each core checks its own threads. */
TEST(core_with_two_threads)
{
    arrange();
    machine.extended_ecx |= 1u << 22;
    fake_set_leaf(0x8000001E, 0, 1 << 8, 0, 0);
    run();
    assert_int_equal(result.error, SESSION_IBS_SWITCH_SMT);
    assert_int_equal(result.error_detail, 0xC0011029);
    assert_int_equal(in_body[0], 0);
    assert_true(same_as_before());
}

TEST(fault_in_a_run)
{
    fault_at_each_access(arrange);
}

RUN_TESTS(run_allocate, run_release)
