/* SPDX-License-Identifier: BSD-2-Clause */
/* P-state and boost of a session: what is set, what is refused, and that both are restored. */
#include "tests/unit/drivers/run_fixture.h"

#include <string.h>

#include "drivers/machine/power.h"

enum { HWCR = 0xC0010015, LIMIT = 0xC0010061, CONTROL = 0xC0010062, STATUS = 0xC0010063 };

static unsigned reached_after;

/* Makes the requested P-state take effect after some pauses. */
static void transition(unsigned pauses)
{
    if (pauses >= reached_after)
        fake_msr(STATUS)->value = fake_msr(CONTROL)->value;
}

static void arrange(void)
{
    set_up(MODEL_C, 1);
    machine.pstates = machine.boost = true;
    fake_add_msr(HWCR, 0x1000010, ~0ull);
    fake_add_msr(LIMIT, 0x30, 0);
    fake_add_msr(CONTROL, 1, 7);
    fake_add_msr(STATUS, 1, ~0ull);
    fake.on_pause = transition;
    reached_after = 3;
    plan.place.power = (struct power_plan){.pin = true, .pstate = 3, .boost = POWER_BOOST_OFF};
}

static uint64_t hwcr_in_body, pstate_in_body;

static void look(void *argument, uint64_t arena)
{
    body(argument, arena);
    hwcr_in_body = fake_msr(HWCR)->value;
    pstate_in_body = fake_msr(STATUS)->value;
}

TEST(test_set_and_restored)
{
    arrange();
    plan.calls.body = look;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(hwcr_in_body, 0x3000010);
    assert_int_equal(pstate_in_body, 3);
    assert_int_equal(fake_msr(HWCR)->value, 0x1000010);
    assert_int_equal(fake_msr(CONTROL)->value, 1);
    arrange();
    fake_msr(HWCR)->value = 0x3000010;
    plan.place.power = (struct power_plan){.boost = POWER_BOOST_ON};
    plan.calls.body = look;
    run();
    assert_int_equal(hwcr_in_body, 0x1000010);
    assert_int_equal(pstate_in_body, 1);
    assert_int_equal(fake_msr(HWCR)->value, 0x3000010);
    assert_null(strstr(fake.log, "wrmsr c0010062"));
    arrange();
    plan.place.power = (struct power_plan){0};
    run();
    assert_null(strstr(fake.log, "c001006"));
    assert_null(strstr(fake.log, "c0010015"));
}

enum { DE_CFG = 0xC0011029 };
static uint64_t de_cfg_in_body;

static void look_at_decoder(void *argument, uint64_t arena)
{
    body(argument, arena);
    de_cfg_in_body = fake_msr(DE_CFG)->value;
}

/* For erratum 721 bit 0 of DE_CFG is set during the run, on processors with the erratum. */
TEST(test_erratum_721)
{
    for (unsigned set = 0; set < 3; set++) { /* the firmware has not set it; has set it; the run does not want it */
        set_up(MODEL_C, 1);
        fake_add_msr(DE_CFG, 0x100000000100ull | (set == 1), ~0ull);
        plan.place.power = (struct power_plan){.erratum_721 = set != 2};
        plan.calls.body = look_at_decoder;
        run();
        assert_int_equal(result.error, SESSION_OK);
        assert_int_equal(de_cfg_in_body, 0x100000000100 | (set != 2));
        assert_int_equal(fake_msr(DE_CFG)->value, 0x100000000100 | (set == 1));
        assert_true(same_as_before());
        assert_int_equal(strstr(fake.log, "c0011029") != NULL, set != 2);
    }
    set_up(MODEL_C, 1);
    plan.place.power = (struct power_plan){.erratum_721 = true};
    run();
    assert_int_equal(result.error, SESSION_MSR_FAULT);
    assert_int_equal(result.error_detail, DE_CFG);
    set_up(MODEL_C, 1);
    fake_add_msr(DE_CFG, 0x100, 0);
    plan.place.power = (struct power_plan){.erratum_721 = true};
    run();
    assert_int_equal(result.error, SESSION_ERRATUM_721);
    assert_int_equal(result.error_detail, 0x100);
    assert_int_equal(calls[1], 0);
    set_up(MODEL_C, 1);
    machine.errata = 0;
    plan.place.power = (struct power_plan){.erratum_721 = true};
    run();
    assert_int_equal(result.error, SESSION_NO_ERRATUM_721);
    assert_string_equal(fake.log, "");
    /* Only Families 10h and 12h have the erratum. */
    for (unsigned i = 0; ibs_family_row(i); i++)
        assert_int_equal(!!(ibs_family_row(i)->errata & IBS_E_721),
                         ibs_family_row(i)->family == 0x10 || ibs_family_row(i)->family == 0x12);
}

enum { CPPC = 0xC00102B3 };
static uint64_t cppc_in_body;

static void look_at_cppc(void *argument, uint64_t arena)
{
    body(argument, arena);
    cppc_in_body = fake_msr(CPPC)->value;
}

/* Sets levels 10h to A0h, of which the firmware requests all. */
static void arrange_cppc(void)
{
    set_up(MODEL_C, 1);
    machine.silicon.state[SILICON_CPPC_CAP1] = machine.silicon.state[SILICON_CPPC_ENABLE] = SILICON_READ;
    machine.silicon.value[SILICON_CPPC_CAP1] = 0xA0603010;
    machine.silicon.value[SILICON_CPPC_ENABLE] = 1;
    fake_add_msr(CPPC, 0x1FF0010A0, ~0ull);
    plan.place.power = (struct power_plan){.cppc = 0x60};
    plan.calls.body = look_at_cppc;
}

/* During the run a level of CPPC is the least, most and desired one; the preference stays. */
TEST(test_cppc)
{
    static const uint8_t levels[] = {0x10, 0x60, 0xA0};
    static const struct {
        uint64_t enable, levels;
        uint8_t enable_state, levels_state, level;
        enum session_error error;
    } refused[] = {{0, 0xA0603010, SILICON_READ, SILICON_READ, 0x60, SESSION_NO_CPPC},
                   {2, 0xA0603010, SILICON_READ, SILICON_READ, 0x60, SESSION_NO_CPPC},
                   {1, 0xA0603010, SILICON_FAULTS, SILICON_READ, 0x60, SESSION_NO_CPPC},
                   {1, 0xA0603010, SILICON_READ, SILICON_FAULTS, 0x60, SESSION_NO_CPPC},
                   {1, 0xA0603010, SILICON_READ, SILICON_READ, 0x0F, SESSION_CPPC_LEVEL},
                   {1, 0xA0603010, SILICON_READ, SILICON_READ, 0xA1, SESSION_CPPC_LEVEL}};

    for (unsigned i = 0; i < sizeof levels; i++) {
        arrange_cppc();
        plan.place.power.cppc = levels[i];
        run();
        assert_int_equal(result.error, SESSION_OK);
        assert_int_equal(cppc_in_body, 0x1FF000000 | levels[i] * 0x10101u);
        assert_int_equal(fake_msr(CPPC)->value, 0x1FF0010A0);
    }
    arrange_cppc();
    plan.place.power.cppc = 0;
    run();
    assert_int_equal(cppc_in_body, 0x1FF0010A0);
    assert_null(strstr(fake.log, "c00102b3"));
    for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        arrange_cppc();
        machine.silicon.value[SILICON_CPPC_ENABLE] = refused[i].enable;
        machine.silicon.value[SILICON_CPPC_CAP1] = refused[i].levels;
        machine.silicon.state[SILICON_CPPC_ENABLE] = refused[i].enable_state;
        machine.silicon.state[SILICON_CPPC_CAP1] = refused[i].levels_state;
        plan.place.power.cppc = refused[i].level;
        run();
        assert_int_equal(result.error, refused[i].error);
        assert_string_equal(fake.log, "");
    }
    arrange_cppc();
    fake_remove_msr(CPPC);
    run();
    assert_int_equal(result.error, SESSION_MSR_FAULT);
    assert_int_equal(result.error_detail, CPPC);
    arrange_cppc();
    fake_msr(CPPC)->writable = 0xFF00FFFF;
    run();
    assert_int_equal(result.error, SESSION_CPPC);
    assert_int_equal(result.error_detail, 0x1FF006060);
    assert_int_equal(calls[1], 0);
    fault_at_each_access(arrange_cppc);
}

/* The detail belongs to an error; without one it is 0. */
TEST(test_detail)
{
    static const struct power_plan plans[] = {
        {0}, {.boost = POWER_BOOST_OFF}, {.boost = POWER_BOOST_ON}, {.pin = true, .pstate = 2}};
    for (unsigned i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        static struct restore_log log;
        uint64_t detail = 77;
        arrange();
        restore_init(&log);
        assert_int_equal(power_set_up(&plans[i], &machine, &log, &detail), SESSION_OK);
        assert_int_equal(detail, 0);
    }
}

TEST(test_refused)
{
    arrange();
    machine.pstates = false;
    run();
    assert_int_equal(result.error, SESSION_NO_PSTATES);
    assert_string_equal(fake.log, "");
    arrange();
    machine.boost = false;
    run();
    assert_int_equal(result.error, SESSION_NO_BOOST);
    machine.boost = true;
    plan.place.power.boost = POWER_BOOST_AS_IS;
    plan.place.power.pstate = 4; /* only 0 to 3 exist */
    run();
    assert_int_equal(result.error, SESSION_PSTATE);
    assert_int_equal(result.error_detail, 0x30);
    assert_null(strstr(fake.log, "wrmsr c0010062"));
    assert_int_equal(calls[1], 0);
}

/* The run is abandoned, and everything is restored. */
TEST(test_not_reached)
{
    arrange();
    reached_after = ~0u;
    run();
    assert_int_equal(result.error, SESSION_PSTATE);
    assert_int_equal(result.error_detail, 1);
    assert_int_equal(calls[1], 0);
    assert_int_equal(fake_msr(CONTROL)->value, 1);
    assert_int_equal(fake_msr(HWCR)->value, 0x1000010);
    arrange();
    fake_msr(HWCR)->writable = 0;
    run();
    assert_int_equal(result.error, SESSION_BOOST);
    assert_int_equal(result.error_detail, 0x1000010);
    assert_int_equal(calls[1], 0);
    arrange();
    fake_remove_msr(CONTROL);
    run();
    assert_int_equal(result.error, SESSION_MSR_FAULT);
    assert_int_equal(result.error_detail, CONTROL);
}

/* The error names the register that does not exist. */
TEST(test_missing_registers)
{
    static const uint32_t msrs[] = {HWCR, LIMIT, CONTROL, STATUS};
    for (unsigned i = 0; i < sizeof msrs / sizeof msrs[0]; i++) {
        arrange();
        fake_remove_msr(msrs[i]);
        run();
        assert_int_equal(result.error, SESSION_MSR_FAULT);
        assert_int_equal(result.error_detail, msrs[i]);
        assert_int_equal(calls[1], 0);
    }
}

TEST(test_fault_at_each_access)
{
    fault_at_each_access(arrange);
}

RUN_TESTS(run_allocate, run_release)
