/* SPDX-License-Identifier: BSD-2-Clause */
/* P-state and boost of a session: what is set, what is refused, and that both come back. */
#include "run_fixture.h"

#include <string.h>

#include "drivers/power.h"

enum { HWCR = 0xC0010015, LIMIT = 0xC0010061, CONTROL = 0xC0010062, STATUS = 0xC0010063 };

static unsigned reached_after;

/* The P-state that was asked for is in force after some pauses. */
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

static void test_set_and_restored(void **state)
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

static void test_refused(void **state)
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
    plan.place.power.pstate = 4; /* of 0 to 3 */
    run();
    assert_int_equal(result.error, SESSION_PSTATE);
    assert_int_equal(result.error_detail, 0x30);
    assert_null(strstr(fake.log, "wrmsr c0010062"));
    assert_int_equal(calls[1], 0);
}

/* The run is given up, and all is put back. */
static void test_not_reached(void **state)
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
    assert_int_equal(calls[1], 0);
    arrange();
    fake_remove_msr(CONTROL);
    run();
    assert_int_equal(result.error, SESSION_MSR_FAULT);
    assert_int_equal(result.error_detail, CONTROL);
}

static void test_fault_at_each_access(void **state)
{
    fault_at_each_access(arrange);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_and_restored),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_not_reached),
        cmocka_unit_test(test_fault_at_each_access),
    };
    return cmocka_run_group_tests(tests, run_allocate, run_release);
}
