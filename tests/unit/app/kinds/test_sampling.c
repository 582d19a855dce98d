/* SPDX-License-Identifier: BSD-2-Clause */
/* Sampling by counters and by the timer: which passes follow from the settings, periods and weights. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/kinds/counters/pmc.h"
#include "app/run/task.h"
#include "core/base/rng.h"
#include "core/view/view.h"
#include "tests/unit/app/fixture.h"

#define RUN "menu=no n=50 "

enum { WARM_UP = 1 }; /* passes before several that are compared */

/* ---------------------------------------------------------------- which passes */

APP_TEST(each_configuration_runs_by_name)
{
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

/* A configuration shows its own views and no others, each by instruction, line and function; "ibs" shows the
 * paper's. */
APP_TEST(views_of_each_configuration)
{
    static const char *const levels[] = {" by instruction: ", " by source line: ", " by function: "};

    for (unsigned i = 0; i < config_count; i++) {
        const struct config *config = &config_table[i];
        const struct view *view;
        char options[128];

        fake_firmware_clear(&fake_fw);
        snprintf(options, sizeof(options), "menu=no save=no " SMALL " config=%s", config->name);
        assert_int_equal(start(options), 0);
        for (unsigned v = 0; (view = view_at(v)); v++) {
            bool wanted = config_prints(config, view);

            for (unsigned level = 0; level < 3; level++) {
                char title[160], empty[160];

                snprintf(title, sizeof(title), "\n%s%s", view->title, levels[level]);
                snprintf(empty, sizeof(empty), "\n%s: no samples\n", view->title);
                if ((strstr(fake_fw.screen, title) || strstr(fake_fw.screen, empty)) != wanted)
                    fail_msg("config=%s %s %s", config->name, wanted ? "lacks" : "has", title + 1);
            }
        }
    }
}

/* The kinds of IBS samples are the configuration's, or those of the settings if the configuration leaves them open. */
APP_TEST(kinds_of_ibs_samples)
{
    static const struct {
        const char *options;
        bool op, fetch;
    } rows[] = {
        {"config=ibs", true, true},
        {"config=ibs op=no", false, true},
        {"config=ibs fetch=no", true, false},
        {"config=ibs_op_ls", true, false},
        {"config=ibs_op_ls op=no fetch=yes", true, false},
        {"config=ibs_fetch_ic", false, true},
        {"config=ibs_fetch_ic fetch=no", false, true},
        {"config=skid periods=given", true, false},
        {"config=skid periods=given op=no", true, false},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char options[128];
        const struct ibs_plan *plan;

        fake_firmware_clear(&fake_fw);
        snprintf(options, sizeof(options), "menu=no save=no " SMALL " %s", rows[i].options);
        assert_int_equal(start(options), 0);
        plan = &fake_session.pass[fake_session.runs - 1].ibs;
        if (plan->op != rows[i].op || plan->fetch != rows[i].fetch)
            fail_msg("%s: op %d, fetch %d", rows[i].options, plan->op, plan->fetch);
        if ((strstr(fake_fw.screen, "\nIBS op        1 sample per ") != NULL) != rows[i].op ||
            (strstr(fake_fw.screen, "\nIBS fetch     1 sample per ") != NULL) != rows[i].fetch)
            fail_msg("%s says:\n%s", rows[i].options, fake_fw.screen);
    }
}

/* Each repeat is a pass with random intervals of its own, and its samples are added. */
APP_TEST(every_kind_repeats)
{
    static const struct {
        const char *config, *samples;
        unsigned before; /* passes that warm up */
    } rows[] = {{"ibs", "samples.op", 0}, {"tbp", "samples.timer", 0}, {"events events=0C0@50000", "samples.pmc", 1}};
    unsigned saved = 0;

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        long long once = 0;
        char options[160];

        for (unsigned repeats = 1; repeats <= 3; repeats += 2) {
            char folder[100];

            fake_firmware_clear(&fake_fw);
            fake_session.runs = 0;
            fake_session.timer_samples = 40;
            snprintf(options, sizeof(options), "menu=no seed=70 repeats=%u " SMALL " config=%s", repeats,
                     rows[i].config);
            assert_int_equal(start(options), 0);
            snprintf(folder, sizeof(folder), "%04u-tight-loop-%.*s", ++saved, (int)strcspn(rows[i].config, " "),
                     rows[i].config);
            assert_int_equal(fake_session.runs, repeats + (repeats > 1 ? rows[i].before : 0));
            assert_int_equal(fact(folder, i == 0 ? "ibs.repeats" : "repeats"), repeats);
            for (unsigned r = 0; r < repeats; r++) {
                const struct fake_pass *pass = &fake_session.pass[fake_session.runs - repeats + r];

                assert_int_equal(pass->ibs.op         ? pass->ibs.seed
                                 : pass->timer.period ? pass->timer.seed
                                                      : pass->pmc.seed,
                                 rng_part_seed(70, RNG_PASS, r));
            }
            if (repeats == 1) {
                once = fact(folder, rows[i].samples);
                assert_true(once > 0);
                assert_not_shown("\nRepeats       ");
            } else {
                assert_int_equal(fact(folder, rows[i].samples), 3 * once);
                assert_shown("\nRepeats       3\n");
            }
            assert_not_shown("repeats were completed");
        }
        fake_firmware_clear(&fake_fw);
        fake_session.runs = 0;
        fake_session.fail_error = SESSION_FAULT;
        fake_session.fail_at = rows[i].before + 2;
        snprintf(options, sizeof(options), "menu=no save=no repeats=3 " SMALL " config=%s", rows[i].config);
        assert_int_equal(start(options), 1);
        assert_shown("WARNING: 1 of 3 repeats were completed.");
        assert_int_equal(fake_session.runs, fake_session.fail_at);
        fake_session.runs = 0;
        fake_session.fail_at = 1; /* the pass that warms up */
        assert_int_equal(start(options), 1);
        assert_int_equal(fake_session.runs, 1);
        fake_session.fail_at = 0;
    }
}

/* Every kind of run prints the warning; a thousand samples are enough. */
APP_TEST(few_samples_are_told)
{
    static const struct {
        const char *config, *remedy;
        uint64_t op, fetch, timer;
        bool few;
    } rows[] = {
        {"ibs fetch=no", "a shorter op_period", 999, 5000, 0, true},
        {"ibs fetch=no", "a shorter op_period", 1000, 0, 0, false},
        {"ibs op=no", "a shorter fetch_period", 5000, 999, 0, true},
        {"ibs op=no", "a shorter fetch_period", 0, 1000, 0, false},
        {"tbp", "a lower timer_us", 5000, 5000, 999, true},
        {"tbp", "a lower timer_us", 0, 0, 1000, false},
        {"events events=0C0@5000000", "shorter periods in 'events'", 5000, 5000, 0, true},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char options[160], wanted[160];

        fake_firmware_clear(&fake_fw);
        fake_session.op_samples = rows[i].op;
        fake_session.fetch_samples = rows[i].fetch;
        fake_session.timer_samples = rows[i].timer;
        snprintf(options, sizeof(options), "menu=no save=no " SMALL " config=%s", rows[i].config);
        assert_int_equal(start(options), 0);
        snprintf(wanted, sizeof(wanted), "More work (see 'list'), more repeats, or %s would give more.",
                 rows[i].remedy);
        if (!rows[i].few) {
            assert_not_shown("NOTE: few samples");
            continue;
        }
        assert_shown("NOTE: few samples: ");
        assert_says(wanted);
    }
}

APP_TEST(several_configurations_run_one_after_the_other)
{
    assert_int_equal(start(RUN "periods=given config=tbp,l2_access,ibs_op_ls"), 0);
    file_text("\\ibsboot\\runs\\0001-matmul-classic-tbp\\pmc.csv");
    file_text("\\ibsboot\\runs\\0002-matmul-classic-l2_access\\pmc.csv");
    file_text("\\ibsboot\\runs\\0003-matmul-classic-ibs_op_ls\\profile.csv");
    assert_lines_fit();
    /* No run follows one that is refused. */
    fake_session.runs = 0;
    assert_int_equal(start(RUN "save=no config=tbp,nonsense,ibs"), 1);
    assert_shown("config = nonsense: no such configuration");
    assert_int_equal(fake_session.runs, 0);
    /* Counters need no IBS, but one of these configurations does. */
    fake_session.machine.ibs = false;
    fake_session.runs = 0;
    assert_int_equal(start(RUN "save=no config=tbp,ibs"), 1);
    assert_shown("no usable IBS");
    assert_int_equal(fake_session.runs, 0);
    assert_int_equal(start(RUN "save=no config=tbp,l2_access"), 0);
}

APP_TEST(reruns_take_a_pass_for_each_group)
{
    assert_int_equal(start(RUN "config=events periods=given events=076,0C0,0C2,0C3,040,041"), 0);
    assert_int_equal(fake_session.runs, WARM_UP + 2);
    assert_int_equal(fake_session.pass[0].pmc.mode, PMC_COUNTING); /* the first pass has no samples */
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
    assert_shown("Events        6 in 2 groups of up to 4, each in its own run");
}

APP_TEST(multiplexing_takes_one_pass)
{
    assert_int_equal(
        start(RUN "config=events periods=given sharing=multiplex slice_us=500 events=076,0C0,0C2,0C3,040,041"), 0);
    assert_int_equal(fake_session.runs, 1);
    assert_int_equal(fake_session.pass[0].pmc.groups, 2);
    assert_string_equal(group_text(&fake_session.pass[0], 0), "076 0c0 0c2 0c3");
    assert_string_equal(group_text(&fake_session.pass[0], 1), "040 041");
    assert_int_equal(fake_session.pass[0].pmc.slice, 500 * 2000); /* 2 GHz */
    assert_shown("taking turns of 500 us in one run");
}

APP_TEST(four_events_need_no_sharing)
{
    assert_int_equal(start(RUN "config=events periods=given sharing=multiplex events=076,0C0,0C2,0C3"), 0);
    assert_int_equal(fake_session.pass[0].pmc.groups, 1);
    assert_shown("all in one run");
}

APP_TEST(groups_of_a_configuration_are_its_own)
{
    const struct config *config = config_find("branch");
    struct event_list list;
    struct event_groups groups;

    assert_true(config_events(config, EVENT_SET_10H, &list, &groups));
    assert_int_equal(start(RUN "config=branch periods=given"), 0);
    assert_int_equal(fake_session.runs, WARM_UP + groups.count);
    for (unsigned g = 0; g < groups.count; g++) {
        assert_int_equal(fake_session.pass[WARM_UP + g].pmc.group[0].events, groups.group[g].count);
        for (unsigned i = 0; i < groups.group[g].count; i++)
            assert_int_equal(fake_session.pass[WARM_UP + g].pmc.group[0].event[i], groups.group[g].event[i]);
    }
}

APP_TEST(events_replace_those_of_the_configuration)
{
    assert_int_equal(start(RUN "config=assess periods=given events=041"), 0);
    assert_int_equal(fake_session.runs, 1);
    assert_string_equal(group_text(&fake_session.pass[0], 0), "041");
}

APP_TEST(the_timer_samples_alone)
{
    assert_int_equal(start(RUN "config=tbp timer_us=250"), 0);
    assert_int_equal(fake_session.runs, 1);
    assert_int_equal(fake_session.pass[0].timer.period, 250);
    assert_int_equal(fake_session.pass[0].pmc.mode, PMC_OFF);
    assert_false(fake_session.pass[0].ibs.op);
    assert_shown("Timer         1 sample per 250 us");
    assert_int_equal(fact("0001-matmul-classic-tbp", "samples.timer"), 500);
    assert_not_shown("NOTE: no samples");
}

/* If an interval is longer than the measured part, the run does not fail, and its empty table is explained. */
APP_TEST(no_tick_in_a_short_part)
{
    fake_session.timer_samples = 0;
    assert_int_equal(start(RUN "config=tbp timer_us=1000000"), 0);
    assert_says("NOTE: no samples: the measured part took ");
    assert_says("and the timer's interval is 1000000 us. More work, or a lower timer_us, gives some.");
}

APP_TEST(ibs_configurations_sample_their_kind_only)
{
    assert_int_equal(start(RUN "config=ibs_op_ls"), 0);
    assert_true(fake_session.pass[0].ibs.op);
    assert_false(fake_session.pass[0].ibs.fetch);
    assert_not_shown("IBS fetch profile");
    assert_int_equal(fact("0001-matmul-classic-ibs_op_ls", "samples.fetch"), 0);
}

/* ---------------------------------------------------------------- periods */

APP_TEST(periods_come_from_a_counting_pass)
{
    fake_session.count[0] = (struct fake_count){0x0C0, 50000000, 0, 0};
    fake_session.count[1] = (struct fake_count){0x041, 100000, 0, 0};
    assert_int_equal(start("menu=no config=events events=0C0,041@700"), 0);
    assert_int_equal(fake_session.runs, 2);
    assert_int_equal(fake_session.pass[0].pmc.mode, PMC_COUNTING);
    assert_false(fake_session.pass[0].empty);
    assert_int_equal(fake_session.pass[1].pmc.mode, PMC_SAMPLING);
    /* 22 M ops, one interrupt in 5000, for two events: 2200 samples. */
    assert_int_equal(fake_session.pass[1].pmc.event[0].period, 50000000 / 2200);
    assert_int_equal(fake_session.pass[1].pmc.event[1].period, 700); /* the given period */
    assert_shown("from a preceding counting run");
    /* There is room for 400 records, of which two events use three quarters. */
    assert_int_equal(start("menu=no records=400 config=events events=0C0,041"), 0);
    assert_int_equal(fake_session.pass[3].pmc.event[0].period, 50000000 / 150);
    assert_int_equal(fake_session.pass[3].pmc.event[1].period, 100000 / 150);
    /* Two groups take turns: half of the events, half of the ops, four events in the first group. */
    assert_int_equal(start("menu=no config=events sharing=multiplex events=0C0,041,0C2,0C3,040"), 0);
    assert_int_equal(fake_session.pass[6].pmc.event[0].period, 25000000 / 550);
}

/* With 22 ops in a unit of work each event gets ops / 5000 / members of the largest group, over the repeats; 3/4 of the
 * records are used. */
APP_TEST(samples_that_are_wanted)
{
    static const struct {
        const char *options;
        unsigned pass; /* number of the pass that samples */
        uint64_t samples;
    } rows[] = {
        {"config=events events=041", 1, 4400},                                  /* 22 M ops / 5000 */
        {"config=events events=041 repeats=2", 1, 4400},                        /* 10000 / 2 would be more */
        {"config=events events=041 repeats=3", 1, 3333},                        /* 10000 / 3 */
        {"config=events events=041,0C2,0C3 repeats=2", 1, 1466},                /* 4400 / 3 members */
        {"config=events events=041 records=1000", 1, 750},                      /* room */
        {"config=events events=041,0C2 records=1000", 1, 375},                  /* for two events */
        {"config=events events=041,0C2 records=1000 repeats=5", 1, 75},         /* five times */
        {"config=events events=041,0C2,0C4 records=1000", 1, 375},              /* 0C4 takes no records */
        {"config=events events=041 rows=3", 1, 10000},                          /* 13200 would be too many samples */
        {"config=events events=041,042,0C2,0C3,040 sharing=multiplex", 2, 550}, /* 4400 / 4 / 2 groups */
        {"config=events events=041 n=5", 1, 1},                                 /* 550 ops */
    };

    fake_session.otherwise = 200000000;
    fake_session.not_modelled[0] = 0x0C4;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char options[160];
        uint64_t total = strstr(rows[i].options, "multiplex") ? 100000000 : 200000000;

        fake_session.runs = 0;
        snprintf(options, sizeof(options), "menu=no save=no %s", rows[i].options);
        (void)start(options);
        if (fake_session.pass[rows[i].pass].pmc.event[0].period != total / rows[i].samples)
            fail_msg("%s: period %llu, so %llu samples", rows[i].options,
                     (unsigned long long)fake_session.pass[rows[i].pass].pmc.event[0].period,
                     (unsigned long long)(total / fake_session.pass[rows[i].pass].pmc.event[0].period));
    }
}

/* The memory reserved before the run begins is for the expected samples: for each event as many as its measured period
 * is chosen for; for a given period one for as many of the 22 M ops, if the event may happen in every cycle; for the
 * timer, whose TSC has 2 GHz, as if an op took one cycle. */
APP_TEST(samples_foreseen)
{
    static const struct {
        const char *options;
        uint64_t samples;
    } rows[] = {
        {"config=events events=041", 4400},
        {"config=events events=041 repeats=3", 3 * 3333},
        {"config=events events=041,0C2", 2 * 2200},
        {"config=events events=041,0C4", 4400}, /* 0C4 takes no records */
        {"config=events events=041,042,0C2,0C3,040 sharing=multiplex", 4 * 550 + 2200},
        {"config=events events=0C0 periods=given", 88}, /* one in 250,000 ops, by the table */
        {"config=events events=041 periods=given", 0},
        {"config=events events=0C0@500000", 44},
        {"config=events events=0C0@500000,041@100000 repeats=2", 88},
        {"config=events events=0C0@500000,041,042,0C2,0C3 periods=given sharing=multiplex", 22},
        {"config=events events=0C0@500000 cores=0,1", 88},
        {"config=explore_functions periods=given workload=tight-loop iterations=1", 0},
        {"config=tbp timer_us=100", 110},
        {"config=tbp timer_us=100 repeats=3", 330},
        {"config=tbp timer_us=100 cores=0,1", 220},
        {"config=tbp timer_us=100000", 0},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char options[160];
        uint64_t others = (128 << 10) + image.elf_size, got;

        fixture_teardown(NULL);
        fixture_setup(NULL);
        fake_session.not_modelled[0] = 0x0C4;
        fake_fw.cores = 2;
        snprintf(options, sizeof(options), "menu=no reference=no %s", rows[i].options);
        (void)start(options);
        got = (fake_fw.room_asked - others) / 152;
        if (got != rows[i].samples)
            fail_msg("%s: %lld samples foreseen", rows[i].options, (long long)got);
    }
}

/* An event in two groups is counted with the first, and has one period. */
APP_TEST(an_event_in_two_groups)
{
    fake_session.drift = 1000000;
    assert_int_equal(start("menu=no config=branch"), 0);
    assert_int_equal(fake_session.pass[0].pmc.mode, PMC_COUNTING);
    assert_int_equal(fake_session.pass[1].pmc.mode, PMC_COUNTING);
    assert_int_equal(fake_session.pass[2].pmc.mode, PMC_SAMPLING);
    for (unsigned i = 2; i < 4; i++) /* 1 M and one step of drift; 4400 / 4 */
        assert_int_equal(fake_session.pass[i].pmc.event[0].period, 2000000 / 1100);
    assert_int_equal(fake_session.pass[2].pmc.event[4].period, 3000000 / 1100);
    assert_int_equal(fake_session.runs, 4);
}

/* Periods come from the settings, the machine, and what the user gives with an event. */
APP_TEST(where_periods_come_from)
{
    static const struct {
        const char *options;
        bool hypervisor, measured;
        uint64_t period; /* given */
    } rows[] = {
        {"config=l2_access", true, true, 0},
        {"config=l2_access periods=given", true, false, 250000},
        {"config=l2_access periods=measured", false, true, 0},
        {"config=l2_access", false, false, 250000},
        {"config=events events=041", true, true, 0},
        {"config=events events=041@777", true, false, 777},
        {"config=events events=041@777", false, false, 777},
        {"config=events events=041@777 periods=measured", false, false, 777},
        {"config=events events=041", false, false, 25000},
        {"config=skid", true, true, 0},
        {"config=skid", false, false, 250000},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char options[160];

        fake_firmware_clear(&fake_fw);
        fake_session.runs = 0;
        fake_session.machine.hypervisor = rows[i].hypervisor;
        snprintf(options, sizeof(options), "menu=no save=no %s " SMALL, rows[i].options);
        assert_int_equal(start(options), 0);
        if ((fake_session.pass[0].pmc.mode == PMC_COUNTING) != rows[i].measured ||
            (!rows[i].measured && fake_session.pass[0].pmc.event[0].period != rows[i].period))
            fail_msg("row %u: %s", i, fake_session.trace);
        assert_shown(rows[i].measured ? " from a preceding counting run: up to 10000 samples per event,\n"
                                      : "\nPeriods       as configured\n");
    }
}

APP_TEST(silicon_takes_the_periods_of_the_configuration)
{
    fake_session.machine.hypervisor = false;
    assert_int_equal(start(RUN "config=l2_access"), 0);
    assert_int_equal(fake_session.runs, 1);
    assert_int_equal(fake_session.pass[0].pmc.event[0].period, 250000);
    assert_shown("Periods       as configured");
}

APP_TEST(measured_periods_have_limits)
{
    const struct event *often = event_by_select(EVENT_SET_10H, 0x0C0), *rare = event_by_select(EVENT_SET_10H, 0x041);

    assert_int_equal(measure_pmc_period(often, 1000000, 10000, true), MEASURE_PMC_FREQUENT_MIN);
    assert_int_equal(measure_pmc_period(rare, 1000000, 10000, true), 100);
    assert_int_equal(measure_pmc_period(rare, 1000, 10000, true), MEASURE_PMC_PERIOD_MIN);
    assert_int_equal(measure_pmc_period(rare, 1000000, 10000, false), rare->period_min);
    assert_int_equal(measure_pmc_period(often, 10000000000, 10000, false), 1000000);
    assert_int_equal(measure_pmc_period(often, 0, 10000, true), MEASURE_PMC_FREQUENT_MIN);
    assert_int_equal(measure_pmc_period(rare, 33, 1, true), 33);
    assert_int_equal(measure_pmc_period(rare, 1000, 0, true), MEASURE_PMC_PERIOD_MIN);
    assert_int_equal(measure_pmc_period(rare, PMC_SAMPLING_PERIOD_MAX, 1, true), PMC_SAMPLING_PERIOD_MAX);
    assert_int_equal(measure_pmc_period(rare, UINT64_MAX, 1, true), PMC_SAMPLING_PERIOD_MAX);
    assert_int_equal(measure_pmc_period(often, 1000000, 10000, false), often->period_min);
}

APP_TEST(periods_below_silicon_s_are_noted)
{
    fake_session.count[0] = (struct fake_count){0x041, 100000, 0, 0};
    assert_int_equal(start("menu=no config=events events=041"), 0);
    assert_in_range(fake_session.pass[1].pmc.event[0].period, MEASURE_PMC_PERIOD_MIN, 499);
    assert_shown("NOTE: 1 period is shorter than silicon allows");
}

/* Functions with less than a hundredth of the samples are combined in one line, without their instructions. */
APP_TEST(functions_with_few_samples)
{
    fake_session.round = 14;
    fake_session.count[0] = (struct fake_count){0x041, 400 * 500, 0, 0};
    assert_int_equal(start("menu=no save=no periods=given config=events events=041@500 " SMALL), 0);
    /* The functions have 4 and 2 of 400 samples; the last one has a hundredth. */
    assert_in_order((const char *const[]){"\n multiply_matrices                             394\n",
                                          "\n   1000 mov eax, dword ptr [rbp-0x14]          387\n",
                                          "\n chase                                           4\n",
                                          "\n   1030 mov rdi, qword ptr [rdi]                 1\n",
                                          "\n spin                                            2\n---------"},
                    5);
    assert_shown("\n all samples                                   400\n");
}

/* ---------------------------------------------------------------- weights */

/* Retired instructions are in both groups of "branch": their estimate must not count twice, whatever the sharing. */
APP_TEST(weights_are_applied_once)
{
    static const char *const sharings[] = {"rerun", "multiplex"};

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

/* Says before the run how many turns it should have, and beside the figures how many it lacked. */
APP_TEST(too_few_turns_are_flagged)
{
    const char *options =
        RUN "config=events periods=given sharing=multiplex slice_us=500 repeats=2 events=076,0C0,0C2,0C3,040";

    fake_session.turns = 4;
    assert_int_equal(start(options), 0);
    assert_in_order(
        (const char *const[]){
            "\nRunning matmul-classic: no output during a pass.\nTurns: with less than 10000 us of measured",
            "\nTurns         8 of each group\n",
            "\nNOTE: too short for turns: 1200 us were counted, and 10000 are needed for 10"},
        3);
    assert_shown("       8     6.4%  0.72 LOW\n");
    assert_lines_fit();
    assert_int_equal(fact("0001-matmul-classic-events", "event.4.turns"), 8);
    assert_int_equal(fact("0001-matmul-classic-events", "event.4.reliability_ppm"), 720000);
    fake_fw.screen_length = 0;
    fake_session.turns = 5;
    assert_int_equal(start(options), 0);
    assert_shown("      10     5.2%  0.95\n");
    assert_not_shown("LOW\n");
    assert_not_shown("NOTE: too short");
    assert_not_shown("none seen");
    assert_not_shown("or shorter turns");
    /* The run has two cores, and the first group has a turn more; this does not happen in repeats, in which groups
     * change places. */
    fake_fw.screen_length = 0;
    fake_fw.cores = 2;
    fake_session.first = 1;
    assert_int_equal(start(RUN "config=events periods=given sharing=multiplex cores=all events=076,0C0,0C2,0C3,040"),
                     0);
    assert_shown("\nTurns         5 to 6 of each group\n");
    assert_shown("\nNOTE: too short for turns: 600 us were counted, and 20000 are");
    assert_shown("\nMore work, more repeats, or shorter turns (slice_us) make figures reliable.\n");
    fake_fw.cores = 1;
    fake_session.first = 0;
    /* One group has no turns. */
    fake_fw.screen_length = 0;
    assert_int_equal(start(RUN "config=events periods=given sharing=multiplex events=076,0C0,0C2,0C3"), 0);
    assert_not_shown("Turns");
    assert_not_shown("MUX");
}

/* An event that was not seen may have happened, unless it was counted all the time. */
APP_TEST(none_seen_is_not_none)
{
    fake_session.count[0] = (struct fake_count){0x040, 1, 0, 0}; /* half of 1 is rounded down to none */
    fake_session.count[1] = (struct fake_count){0x0C0, 1000000, 0, 0};
    assert_int_equal(start(RUN "config=events periods=given sharing=multiplex events=076,0C0,0C2,0C3,040"), 0);
    assert_shown("     none seen     100  unknown  0.00 LOW\n");
    assert_shown("\nnone seen: none in these turns");
    assert_int_equal(fact("0001-matmul-classic-events", "event.4.reliability_ppm"), 0);
    assert_int_equal(fact("0001-matmul-classic-events", "event.4.error_ppm"), 1000000);
    assert_int_equal(fact("0001-matmul-classic-events", "event.4.total.0"), 0);
    assert_lines_fit();
    fake_fw.screen_length = 0;
    fake_session.group_tsc[0] = 2000000; /* the other group's turn never comes */
    fake_session.count[1] = (struct fake_count){0x0C0, 0, 0, 0};
    fake_session.count[0] = (struct fake_count){0x076, 0, 0, 0};
    fake_session.otherwise = 0;
    assert_int_equal(start(RUN "config=events periods=given sharing=multiplex events=076,0C0,0C2,0C3,040"), 0);
    assert_shown("             0  always     0.0%  1.00\n");
}

/* An event that is seen once in three repeats is shown as seen, although the mean is 0. */
APP_TEST(one_in_some_repeats)
{
    fake_session.count[0] = (struct fake_count){0x040, 2, 0, 0};
    fake_session.group_tsc[0] = 3000000;
    fake_session.group_tsc[1] = 1000000; /* a quarter of 2, three quarters, a quarter: 0, 1, 0 */
    assert_int_equal(start(RUN "config=events periods=given sharing=multiplex repeats=3 events=076,0C0,0C2,0C3,040"),
                     0);
    assert_not_shown("none seen");
}

/* In the tree 0 is a share of the time: an event that takes more than 3 % of the time would be seen in 100 turns. */
APP_TEST(none_seen_in_the_tree)
{
    const char *row;

    fake_session.count[0] = (struct fake_count){0x0D2, 1, 0, 0}; /* half of 1 is rounded down to none */
    fake_session.otherwise = 10000000;
    assert_int_equal(start(RUN "save=no config=explore_functions sharing=multiplex periods=given"), 0);
    row = strstr(fake_fw.screen, "Back-end bound");
    assert_non_null(row);
    assert_memory_equal(strchr(row, '\n') - 4, "0.97\n", 5);
    row = strstr(fake_fw.screen, "Retiring");
    assert_non_null(row);
    assert_memory_equal(strchr(row, '\n') - 4, "0.99\n", 5);
}

/* Turns last 4, 3 and 1.5 ms, all equal within a group; then those of one group differ by 40 % of the mean. */
APP_TEST(reliability_of_each_group)
{
    const char *options = RUN "config=events periods=given sharing=multiplex "
                              "events=076,0C0,0C2,0C3,040,041,042,043,0C4";

    fake_session.group_tsc[0] = 8000000;
    fake_session.group_tsc[1] = 6000000;
    fake_session.group_tsc[2] = 3000000;
    fake_session.otherwise = 1700000000;
    assert_int_equal(start(options), 0);
    for (unsigned event = 0; event < 9; event++) {
        char key[40];

        /* The error is a hundredth of the group's part of the time; with hundreds of millions of events per group,
         * chance is next to nothing. */
        snprintf(key, sizeof(key), "event.%u.error_ppm", event);
        assert_in_range(fact("0001-matmul-classic-events", key),
                        event < 4   ? 4706
                        : event < 8 ? 3529
                                    : 1765,
                        event < 4   ? 4860
                        : event < 8 ? 3700
                                    : 1990);
        snprintf(key, sizeof(key), "event.%u.turns", event);
        assert_int_equal(fact("0001-matmul-classic-events", key), 100);
    }
    /* The error follows from 100 differences of a third, a half of their squares, for 9/17 of the time; as much for
     * phases; times 1.997. */
    fake_session.unlike = 40;
    assert_int_equal(start(options), 0);
    assert_in_range(fact("0002-matmul-classic-events", "event.0.error_ppm"), 50500, 53500);
}

/* Two turns of unequal length: each repeat begins with another group, so two repeats give both groups the same time. */
APP_TEST(repeats_begin_with_other_groups)
{
    const char *options =
        RUN "config=events periods=given sharing=multiplex repeats=2 seed=70 events=076,0C0,0C2,0C3,040";

    fake_session.count[0] = (struct fake_count){0x040, 10000000, 0, 0};
    fake_session.group_tsc[0] = 2000000;
    fake_session.group_tsc[1] = 500000;
    assert_int_equal(start(options), 0);
    assert_int_equal(fake_session.runs, WARM_UP + 2);
    assert_int_equal(fake_session.pass[WARM_UP].pmc.turns_seed, 70);
    assert_int_equal(fake_session.pass[WARM_UP + 1].pmc.turns_seed, 70);
    assert_string_equal(group_text(&fake_session.pass[WARM_UP], 0), "076 0c0 0c2 0c3");
    assert_string_equal(group_text(&fake_session.pass[WARM_UP], 1), "040");
    assert_string_equal(group_text(&fake_session.pass[WARM_UP + 1], 0), "040");
    assert_string_equal(group_text(&fake_session.pass[WARM_UP + 1], 1), "076 0c0 0c2 0c3");
    assert_shown("      10000000     200     1.4%  0.99\n"); /* the turns of the two repeats differ */
    assert_int_equal(fact("0001-matmul-classic-events", "event.4.turns"), 200);
    assert_int_equal(fact("0001-matmul-classic-events", "event.4.total.1"), 10000000);
}

/* The second group has no turn in the first repeat, but over both repeats it has had its turn. */
APP_TEST(a_turn_that_does_not_come_in_each_repeat)
{
    fake_session.count[0] = (struct fake_count){0x040, 10000000, 0, 0};
    fake_session.group_tsc[0] = 2000000;
    assert_int_equal(start(RUN "config=events periods=given sharing=multiplex events=076,0C0,0C2,0C3,040"), 0);
    assert_shown("not counted");
    fake_fw.screen_length = 0;
    assert_int_equal(start(RUN "config=events periods=given sharing=multiplex repeats=2 events=076,0C0,0C2,0C3,040"),
                     0);
    assert_not_shown("not counted");
    assert_shown("      10000000     200     2.2%  0.98\n");
}

APP_TEST(repeats_show_the_spread)
{
    fake_session.drift = 10000;
    assert_int_equal(start(RUN "config=events periods=given repeats=3 events=041@1000"), 0);
    assert_int_equal(fake_session.runs, WARM_UP + 3);
    assert_shown("Repeats       3");
    /* 1020000, 1030000, 1040000 */
    assert_int_equal(fact("0001-matmul-classic-events", "event.0.total.1"), 1030000);
    assert_shown("         1030000       0.97%");
    assert_int_equal(fact("0001-matmul-classic-events", "event.0.samples"), 1020 + 1030 + 1040);
}

/* Samples of a counter that do not fit are lost, beside those that fit: as many records as samples hold all. */
APP_TEST(lost_samples_of_counters)
{
    fake_session.count[0] = (struct fake_count){0x0C0, 12345678, 0, 0};
    assert_int_equal(start("menu=no save=no records=100 config=events periods=given events=0C0@100000 " SMALL), 0);
    assert_shown("WARNING: the buffer held 100 samples; 23 more were lost at the end of the run.\n"
                 "         Set records=123 or longer periods.\n");
}

RUN_TESTS(fixture_load, NULL)
