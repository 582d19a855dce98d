/* Sampling by counters and by the timer: which passes the settings become, periods and weights. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/measure_pmc.h"
#include "app/task.h"
#include "tests/unit/app/fixture.h"

#define RUN "menu=no n=50 "

enum { WARM_UP = 1 }; /* passes before several that are compared */

/* ---------------------------------------------------------------- which passes */

static void each_configuration_runs_by_name(void **state)
{
    (void)state;
    for (unsigned i = 0; i < config_count; i++) {
        char options[128], wanted[128];

        fake_fw.screen_length = 0;
        fake_fw.files = 0;
        snprintf(options, sizeof(options), RUN "save=no config=%s", config_table[i].name);
        assert_int_equal(start(options), 0);
        snprintf(wanted, sizeof(wanted), "Measured      %s: %s", config_table[i].name, config_table[i].title);
        if (strcmp(config_table[i].name, "ibs"))
            assert_shown(wanted);
        assert_shown("PASS result of matmul-classic");
        assert_shown("MODEL: ");
        assert_lines_fit();
    }
}

static void several_configurations_run_one_after_the_other(void **state)
{
    (void)state;
    assert_int_equal(start(RUN "periods=given config=tbp,l2_access,ibs_op_ls"), 0);
    file_text("\\ibsboot\\runs\\0001-matmul-classic-tbp\\pmc.csv");
    file_text("\\ibsboot\\runs\\0002-matmul-classic-l2_access\\pmc.csv");
    file_text("\\ibsboot\\runs\\0003-matmul-classic-ibs_op_ls\\profile.csv");
    assert_lines_fit();
    /* None behind one that is refused. */
    fake_session.runs = 0;
    assert_int_equal(start(RUN "save=no config=tbp,nonsense,ibs"), 1);
    assert_shown("config = nonsense: there is none of that name");
    assert_int_equal(fake_session.runs, 1);
    /* Counters need no IBS, but one of these does. */
    fake_session.machine.ibs = false;
    fake_session.runs = 0;
    assert_int_equal(start(RUN "save=no config=tbp,ibs"), 1);
    assert_shown("no IBS to drive");
    assert_int_equal(fake_session.runs, 0);
    assert_int_equal(start(RUN "save=no config=tbp,l2_access"), 0);
}

static void reruns_take_a_pass_for_each_group(void **state)
{
    (void)state;
    assert_int_equal(start(RUN "config=events periods=given events=076,0C0,0C2,0C3,040,041"), 0);
    assert_int_equal(fake_session.runs, WARM_UP + 2);
    assert_int_equal(fake_session.pass[0].pmc.mode, PMC_COUNTING); /* of which nothing is made */
    for (unsigned i = 0; i < 2; i++) {
        const struct fake_pass *pass = &fake_session.pass[WARM_UP + i];
        assert_int_equal(pass->pmc.mode, PMC_SAMPLING);
        assert_int_equal(pass->pmc.groups, 1);
        assert_int_equal(pass->pmc.events, 6);
        assert_false(pass->empty);
        assert_false(pass->ibs.op || pass->ibs.fetch || pass->timer.period);
        assert_string_equal(group_text(pass, 0), i ? "040 041" : "076 0c0 0c2 0c3");
    }
    assert_int_equal(fake_session.pass[WARM_UP].pmc.event[0].period, 250000);
    assert_int_equal(fake_session.pass[WARM_UP + 1].pmc.event[5].period, 25000);
    assert_true(fake_session.pass[WARM_UP].pmc.event[0].os);
    assert_shown("Events        6 in 2 groups of up to 4, each in a run of its own");
}

static void multiplexing_takes_one_pass(void **state)
{
    (void)state;
    assert_int_equal(
        start(RUN "config=events periods=given sharing=multiplex slice_us=500 events=076,0C0,0C2,0C3,040,041"), 0);
    assert_int_equal(fake_session.runs, 1);
    assert_int_equal(fake_session.pass[0].pmc.groups, 2);
    assert_string_equal(group_text(&fake_session.pass[0], 0), "076 0c0 0c2 0c3");
    assert_string_equal(group_text(&fake_session.pass[0], 1), "040 041");
    assert_int_equal(fake_session.pass[0].pmc.slice, 500 * 2000); /* 2 GHz */
    assert_shown("taking turns of 500 us in one run");
}

static void four_events_need_no_sharing(void **state)
{
    (void)state;
    assert_int_equal(start(RUN "config=events periods=given sharing=multiplex events=076,0C0,0C2,0C3"), 0);
    assert_int_equal(fake_session.pass[0].pmc.groups, 1);
    assert_shown("all in one run");
}

static void groups_of_a_configuration_are_its_own(void **state)
{
    const struct config *config = config_find("branch");
    struct event_list list;
    struct event_groups groups;

    (void)state;
    config_events(config, &list, &groups);
    assert_int_equal(start(RUN "config=branch periods=given"), 0);
    assert_int_equal(fake_session.runs, WARM_UP + groups.count);
    for (unsigned g = 0; g < groups.count; g++) {
        assert_int_equal(fake_session.pass[WARM_UP + g].pmc.group[0].events, groups.group[g].count);
        for (unsigned i = 0; i < groups.group[g].count; i++)
            assert_int_equal(fake_session.pass[WARM_UP + g].pmc.group[0].event[i], groups.group[g].event[i]);
    }
}

static void events_replace_those_of_the_configuration(void **state)
{
    (void)state;
    assert_int_equal(start(RUN "config=assess periods=given events=041"), 0);
    assert_int_equal(fake_session.runs, 1);
    assert_string_equal(group_text(&fake_session.pass[0], 0), "041");
}

static void the_timer_samples_alone(void **state)
{
    (void)state;
    assert_int_equal(start(RUN "config=tbp timer_us=250"), 0);
    assert_int_equal(fake_session.runs, 1);
    assert_int_equal(fake_session.pass[0].timer.period, 250);
    assert_int_equal(fake_session.pass[0].pmc.mode, PMC_OFF);
    assert_false(fake_session.pass[0].ibs.op);
    assert_shown("Timer         1 sample per 250 us");
    assert_int_equal(fact("0001-matmul-classic-tbp", "samples.timer"), 500);
}

static void ibs_configurations_sample_their_kind_only(void **state)
{
    (void)state;
    assert_int_equal(start(RUN "config=ibs_op_ls"), 0);
    assert_true(fake_session.pass[0].ibs.op);
    assert_false(fake_session.pass[0].ibs.fetch);
    assert_not_shown("IBS fetch profile");
    assert_int_equal(fact("0001-matmul-classic-ibs_op_ls", "samples.fetch"), 0);
}

/* ---------------------------------------------------------------- periods */

static void periods_come_from_a_counting_pass(void **state)
{
    (void)state;
    fake_session.count[0] = (struct fake_count){0x0C0, 50000000, 0, 0};
    fake_session.count[1] = (struct fake_count){0x041, 100000, 0, 0};
    assert_int_equal(start("menu=no config=events events=0C0,041@700"), 0);
    assert_int_equal(fake_session.runs, 2);
    assert_int_equal(fake_session.pass[0].pmc.mode, PMC_COUNTING);
    assert_false(fake_session.pass[0].empty);
    assert_int_equal(fake_session.pass[1].pmc.mode, PMC_SAMPLING);
    /* 22 M ops, one interrupt in 5000, for two events: 2200 samples. */
    assert_int_equal(fake_session.pass[1].pmc.event[0].period, 50000000 / 2200);
    assert_int_equal(fake_session.pass[1].pmc.event[1].period, 700); /* as asked for */
    assert_shown("from a counting run before");
    /* Room for 400, three quarters of it used, by two events. */
    assert_int_equal(start("menu=no records=400 config=events events=0C0,041"), 0);
    assert_int_equal(fake_session.pass[3].pmc.event[0].period, 50000000 / 150);
    assert_int_equal(fake_session.pass[3].pmc.event[1].period, 100000 / 150);
    /* In two groups that take turns: half of the events, half of the ops, four events in the first. */
    assert_int_equal(start("menu=no config=events sharing=multiplex events=0C0,041,0C2,0C3,040"), 0);
    assert_int_equal(fake_session.pass[6].pmc.event[0].period, 25000000 / 550);
}

static void silicon_takes_the_periods_of_the_configuration(void **state)
{
    (void)state;
    fake_session.machine.hypervisor = false;
    assert_int_equal(start(RUN "config=l2_access"), 0);
    assert_int_equal(fake_session.runs, 1);
    assert_int_equal(fake_session.pass[0].pmc.event[0].period, 250000);
    assert_shown("Periods       as configured");
}

static void measured_periods_have_limits(void **state)
{
    const struct event *often = event_by_select(0x0C0), *rare = event_by_select(0x041);

    (void)state;
    assert_int_equal(measure_pmc_period(often, 1000000, 10000, true), MEASURE_PMC_FREQUENT_MIN);
    assert_int_equal(measure_pmc_period(rare, 1000000, 10000, true), 100);
    assert_int_equal(measure_pmc_period(rare, 1000, 10000, true), MEASURE_PMC_PERIOD_MIN);
    assert_int_equal(measure_pmc_period(rare, 1000000, 10000, false), rare->period_min);
    assert_int_equal(measure_pmc_period(often, 10000000000, 10000, false), 1000000);
}

static void periods_below_silicon_s_are_noted(void **state)
{
    (void)state;
    fake_session.count[0] = (struct fake_count){0x041, 100000, 0, 0};
    assert_int_equal(start("menu=no config=events events=041"), 0);
    assert_in_range(fake_session.pass[1].pmc.event[0].period, MEASURE_PMC_PERIOD_MIN, 499);
    assert_shown("NOTE: 1 period is shorter than silicon takes");
}

/* ---------------------------------------------------------------- weights */

/* Retired instructions are in both groups of "branch": their estimate must not count twice, whatever the sharing. */
static void weights_are_applied_once(void **state)
{
    static const char *const sharings[] = {"rerun", "multiplex"};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        char options[128], folder[64];
        long long samples, weight, runs, other;

        fake_session.count[0] = (struct fake_count){0x0C0, 100000000, 0, 0};
        fake_session.count[1] = (struct fake_count){0x0CA, 10000000, 0, 0};
        snprintf(options, sizeof(options), RUN "config=branch periods=given sharing=%s", sharings[i]);
        assert_int_equal(start(options), 0);
        snprintf(folder, sizeof(folder), "000%u-matmul-classic-branch", i + 1);
        samples = fact(folder, "event.0.samples");
        weight = fact(folder, "event.0.weight");
        runs = fact(folder, "event.0.runs");
        assert_int_equal(fact(folder, "event.0.active_ppm"), 1000000);
        assert_int_equal(runs, i ? 1 : 2);
        assert_int_equal(samples * weight / runs, 100000000);
        /* 0CA is in one group of two. */
        other = fact(folder, "event.6.samples") * fact(folder, "event.6.weight") / fact(folder, "event.6.runs");
        assert_int_equal(fact(folder, "event.6.active_ppm"), i ? 500000 : 1000000);
        assert_int_equal(other, 10000000);
        assert_int_equal(fact(folder, "event.0.total.0"), 100000000);
        assert_int_equal(fact(folder, "event.6.total.0"), 10000000);
    }
}

static void unequal_turns_are_flagged(void **state)
{
    const char *options = RUN "config=events periods=given sharing=multiplex events=076,0C0,0C2,0C3,040";

    (void)state;
    fake_session.group_tsc[0] = 2000000;
    fake_session.group_tsc[1] = 500000;
    assert_int_equal(start(options), 0);
    assert_shown(" LOW\n");
    assert_lines_fit();
    fake_fw.screen_length = 0;
    fake_session.group_tsc[0] = 200000000;
    fake_session.group_tsc[1] = 198000000;
    assert_int_equal(start(options), 0);
    assert_not_shown("LOW");
}

/* Two turns of unequal length: each repeat begins with another group, so two of them give both groups the same. */
static void repeats_begin_with_other_groups(void **state)
{
    const char *options = RUN "config=events periods=given sharing=multiplex repeats=2 events=076,0C0,0C2,0C3,040";

    (void)state;
    fake_session.count[0] = (struct fake_count){0x040, 10000000, 0, 0};
    fake_session.group_tsc[0] = 2000000;
    fake_session.group_tsc[1] = 500000;
    assert_int_equal(start(options), 0);
    assert_int_equal(fake_session.runs, WARM_UP + 2);
    assert_string_equal(group_text(&fake_session.pass[WARM_UP], 0), "076 0c0 0c2 0c3");
    assert_string_equal(group_text(&fake_session.pass[WARM_UP], 1), "040");
    assert_string_equal(group_text(&fake_session.pass[WARM_UP + 1], 0), "040");
    assert_string_equal(group_text(&fake_session.pass[WARM_UP + 1], 1), "076 0c0 0c2 0c3");
    assert_not_shown("LOW");
    assert_shown("        10000000       0.00%    1.00\n");
    assert_int_equal(fact("0001-matmul-classic-events", "event.4.reliability_ppm"), 1000000);
    assert_int_equal(fact("0001-matmul-classic-events", "event.4.total.1"), 10000000);
}

/* The second group's turn does not come in the first repeat: taken together it has had its turn. */
static void a_turn_that_does_not_come_in_each_repeat(void **state)
{
    (void)state;
    fake_session.count[0] = (struct fake_count){0x040, 10000000, 0, 0};
    fake_session.group_tsc[0] = 2000000;
    assert_int_equal(start(RUN "config=events periods=given sharing=multiplex events=076,0C0,0C2,0C3,040"), 0);
    assert_shown("not counted");
    fake_fw.screen_length = 0;
    assert_int_equal(
        start(RUN "config=events periods=given sharing=multiplex repeats=2 events=076,0C0,0C2,0C3,040"), 0);
    assert_not_shown("not counted");
    assert_shown("        10000000       0.00%    1.00\n");
}

static void repeats_show_the_spread(void **state)
{
    (void)state;
    fake_session.drift = 10000;
    assert_int_equal(start(RUN "config=events periods=given repeats=3 events=041@1000"), 0);
    assert_int_equal(fake_session.runs, WARM_UP + 3);
    assert_shown("Repeats       3");
    /* 1020000, 1030000, 1040000 */
    assert_int_equal(fact("0001-matmul-classic-events", "event.0.total.1"), 1030000);
    assert_shown("         1030000       0.97%");
    assert_int_equal(fact("0001-matmul-classic-events", "event.0.samples"), 1020 + 1030 + 1040);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_configuration_runs_by_name),
        TEST(several_configurations_run_one_after_the_other),
        TEST(reruns_take_a_pass_for_each_group),
        TEST(multiplexing_takes_one_pass),
        TEST(four_events_need_no_sharing),
        TEST(groups_of_a_configuration_are_its_own),
        TEST(events_replace_those_of_the_configuration),
        TEST(the_timer_samples_alone),
        TEST(ibs_configurations_sample_their_kind_only),
        TEST(periods_come_from_a_counting_pass),
        TEST(silicon_takes_the_periods_of_the_configuration),
        TEST(measured_periods_have_limits),
        TEST(periods_below_silicon_s_are_noted),
        TEST(weights_are_applied_once),
        TEST(unequal_turns_are_flagged),
        TEST(repeats_begin_with_other_groups),
        TEST(a_turn_that_does_not_come_in_each_repeat),
        TEST(repeats_show_the_spread),
    };

    return cmocka_run_group_tests(tests, fixture_load, NULL);
}
