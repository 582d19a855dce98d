/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference of a sampled run: which passes it makes, what follows from their counts, and what happens if they
 * fail. */
#include <stdio.h>
#include <string.h>

#include "core/base/rng.h"
#include "tests/unit/app/fixture.h"

#define RUN    "menu=no reference=yes op_period=2048 fetch_period=512 " SMALL " "
#define FOLDER "0001-tight-loop-ibs"

/* The order of passes: the tags; the undisturbed run, the loop without and with sampling, the sampled run; and the pass
 * whose samples are kept. */
enum { UNDISTURBED = 1, CALM = 3, CALM_SAMPLED = 5, SAMPLED = 7, KEPT = 9, PASSES = 10 };

static void set_counts(void)
{
    set_reference_counts();
    fake_session.op_samples = 50; /* many passes fit into the buffer */
    fake_session.fetch_samples = 10;
}

APP_TEST(passes)
{
    set_counts();
    assert_int_equal(start(RUN "seed=7"), 0);
    assert_int_equal(fake_session.runs, PASSES);
    for (unsigned i = UNDISTURBED; i < PASSES; i++) {
        const struct fake_pass *pass = &fake_session.pass[i];
        bool sampled = i >= CALM_SAMPLED, calm = i >= CALM && i < SAMPLED;

        assert_int_equal(pass->empty, calm);
        assert_int_equal(pass->part, i == KEPT ? VPMU_PART_MEASURED : i < CALM ? VPMU_PART_REFERENCE : VPMU_PART_OTHER);
        assert_int_equal(pass->ibs.op, sampled);
        assert_int_equal(pass->ibs.fetch, sampled);
        assert_int_equal(pass->pmc.mode, i == KEPT ? PMC_OFF : sampled ? PMC_SAMPLING : PMC_COUNTING);
        if (sampled) {
            assert_int_equal(pass->ibs.seed, 7);
            assert_int_equal(pass->ibs.op_period, calm ? 1024 : 2048);
            assert_int_equal(pass->ibs.fetch_period, calm ? 256 : 512);
        }
        if (i == KEPT)
            continue;
        assert_int_equal(pass->pmc.groups, 1);
        assert_string_equal(group_text(pass, 0), (i % 2 == 1) == (i >= CALM) ? "076 041 046 0c3" : "0c0 042 043 067");
        for (unsigned e = 0; e < 4; e++)
            assert_int_equal(pass->pmc.event[e].period, 0);
    }
    assert_int_equal(fact(FOLDER, "passes"), 6);
    assert_int_equal(fact(FOLDER, "passes.empty"), 4);
    assert_int_equal(fact(FOLDER, "samples.op"), 50);
    assert_int_equal(fact(FOLDER, "nmi.all"), 100);
    assert_int_equal(fact(FOLDER, "certificate.passes"), 1);
}

/* The loop's periods are shorter, in the same ratio, unless they are short enough already, or would become too
 * short. */
APP_TEST(periods_of_the_loop)
{
    static const struct {
        const char *settings;
        uint32_t op, fetch;
    } periods[] = {
        {"op_period=512 fetch_period=512", 512, 512},
        {"op_period=2032 fetch_period=1024", 2032, 1024},
        {"op_period=2048 fetch_period=1024", 1024, 512},
        {"op_period=1024 fetch_period=8192", 144, 1024},
        {"op_period=65536 fetch_period=512", 1024, 16},
        {"op_period=10000 fetch_period=5008", 1104, 544},
        {"op_period=4096 fetch_period=8192 op=no", 512, 1024},
        {"op_period=4096 fetch_period=8192 fetch=no", 1024, 2048},
    };

    for (unsigned i = 0; i < sizeof(periods) / sizeof(periods[0]); i++) {
        const struct fake_pass *pass = &fake_session.pass[CALM_SAMPLED];
        char settings[200];

        pass -= strstr(periods[i].settings, "op=no") != NULL; /* without op samples there are no tags to count */
        fake_session.runs = 0;
        set_counts();
        snprintf(settings, sizeof(settings), "menu=no reference=yes %s " SMALL, periods[i].settings);
        assert_int_equal(start(settings), 0);
        assert_int_equal(pass[0].ibs.op_period, periods[i].op);
        assert_int_equal(pass[1].ibs.fetch_period, periods[i].fetch);
    }
}

APP_TEST(figures)
{
    set_counts();
    fake_session.handler = 30;
    fake_session.disturbed = 10001 * 2048;
    assert_int_equal(start(RUN), 0);
    assert_int_equal(fact(FOLDER, "sampling.cycles.undisturbed"), 1000000);
    assert_int_equal(fact(FOLDER, "sampling.cycles.sampled"), 1010001);
    assert_int_equal(fact(FOLDER, "sampling.cycles.handler"), 3000);
    assert_int_equal(fact(FOLDER, "sampling.instructions.sampled"), 900000);
    assert_int_equal(fact(FOLDER, "sampling.prefetches.undisturbed"), 700);
    assert_int_equal(fact(FOLDER, "sampling.interrupts"), 100);
    assert_int_equal(fact(FOLDER, "sampling.passes"), 1);
    assert_int_equal(fact(FOLDER, "sampling.dc_misses.weight"), 2048);
    assert_string_equal(saved_fact(FOLDER, "sampling"), "unchanged"); /* the handler's part leaves 187 uncertain */
    assert_says("PASS sampling changed no more than the samples' uncertainty: cycles +1.0 %");
    assert_shown("What sampling changed, in one pass");
    assert_lines_fit();
    fake_session.disturbed = 10188 * 2048;
    assert_int_equal(start(RUN), 0);
    assert_string_equal(saved_fact("0002-tight-loop-ibs", "sampling"), "changed");
    assert_says("WARNING: sampling changed the workload by more than the samples' uncertainty: cycles +1.0 %.");
}

/* A model's time is its cycles, from the start of the counters to their stop; on silicon it is the elapsed time. */
APP_TEST(times)
{
    set_counts();
    fake_fw.cores = 2;
    assert_int_equal(start(RUN "cores=all"), 0);
    assert_int_equal(fact(FOLDER, "sampling.undisturbed_us"), 600); /* 1,200,000 ticks, on each core */
    assert_true(fact(FOLDER, "sampling.sampled_us") > 0);
    assert_string_equal(saved_fact(FOLDER, "sampling.time"), "modelled");
    fake_session.machine.hypervisor = false;
    assert_int_equal(start(RUN), 0);
    assert_true(fact("0002-tight-loop-ibs", "sampling.sampled_us") > 0);
    assert_int_equal(fact("0002-tight-loop-ibs", "sampling.undisturbed_us"),
                     fact("0002-tight-loop-ibs", "sampling.sampled_us"));
    assert_string_equal(saved_fact("0002-tight-loop-ibs", "sampling.time"), "elapsed");
}

/* The verdict precedes everything else that a run prints. */
APP_TEST(verdict_first)
{
    static const char *const order[] = {"PASS sampling changed", "Machine\n", "Samples\n", "What sampling changed",
                                        "IBS op profile"};

    set_counts();
    assert_int_equal(start(RUN), 0);
    assert_in_order(order, sizeof(order) / sizeof(order[0]));
    assert_shown("\n\nWhat sampling changed, in one pass");
}

/* If the run has more interrupts than the loop, the handler's part is larger; it is never more than was counted. */
APP_TEST(by_interrupt)
{
    set_counts();
    fake_fw.cores = 2;
    fake_session.core[0].counts.nmi = 100;
    fake_session.core[1].counts.nmi = 300;
    fake_session.handler = 10;
    assert_int_equal(start(RUN "cores=all"), 0);
    assert_int_equal(fact(FOLDER, "sampling.interrupts"), 400);
    assert_int_equal(fact(FOLDER, "sampling.cycles.undisturbed"), 2000000);
    assert_int_equal(fact(FOLDER, "sampling.cycles.handler"), 4000);
    assert_int_equal(fact(FOLDER, "sampling.prefetches.handler"), 4000);
    assert_int_equal(fact(FOLDER, "sampling.prefetches.sampled"), 1400);
    fake_session.handler = 1000;
    assert_int_equal(start(RUN "cores=all"), 0);
    assert_int_equal(fact("0002-tight-loop-ibs", "sampling.prefetches.sampled"), 1400);
    assert_int_equal(fact("0002-tight-loop-ibs", "sampling.cycles.sampled"), 2000000);
}

/* The samples themselves count misses, in all repeats. */
APP_TEST(what_samples_leave_open)
{
    set_counts();
    fake_session.culprit = 0;
    assert_int_equal(start(RUN "repeats=3"), 0);
    assert_int_equal(fake_session.runs, PASSES + 2);
    assert_int_equal(fact(FOLDER, "sampling.passes"), 3);
    assert_true(fact(FOLDER, "sampling.dc_misses.samples") > 0);
    assert_int_equal(fact(FOLDER, "sampling.walks.samples"), fact(FOLDER, "sampling.dc_misses.samples"));
    assert_int_equal(fact(FOLDER, "sampling.cycles.samples"), 0);
    assert_int_equal(fact(FOLDER, "sampling.mispredicted.samples"), 0);
}

/* When IBS counts cycles, a sample stands for the instructions between two samples. */
APP_TEST(weight)
{
    set_counts();
    assert_int_equal(start(RUN "count=cycles repeats=2"), 0);
    assert_int_equal(fact(FOLDER, "sampling.walks.weight"), 900000 * 2 / 100);
    assert_int_equal(start(RUN "op=no"), 0);
    assert_int_equal(fact("0002-tight-loop-ibs", "sampling.walks.weight"), 0);
    fake_session.op_samples = 0;
    assert_int_equal(start(RUN "count=cycles"), 0);
    assert_int_equal(fact("0003-tight-loop-ibs", "sampling.walks.weight"), 0);
}

/* Lost tags follow from the cycles of all passes, including the counted part of the handler, without the 20 from tag to
 * retirement; samples without room count as well. Nothing is printed if samples do not tell of intervals. */
APP_TEST(lost_tags)
{
    static const char *const silent[] = {"count=ops", "count=cycles load_latency=256", "count=cycles l3_miss_only=yes",
                                         "count=cycles op=no"};
    uint64_t cycles, intervals;

    set_counts();
    fake_session.machine.ibs_caps = 0x81bff;
    assert_int_equal(start(RUN "count=cycles repeats=2"), 0);
    cycles = 2 * (fact(FOLDER, "sampling.cycles.sampled") + fact(FOLDER, "sampling.cycles.handler"));
    intervals = (cycles - 100 * 20 + 1024) / 2048;
    assert_int_equal(fact(FOLDER, "samples.op"), 100);
    assert_int_equal(fact(FOLDER, "ibs.tag_intervals"), intervals);
    assert_int_equal(fact(FOLDER, "ibs.tags_lost"), intervals - 100);
    assert_int_equal(fact(FOLDER, "ibs.tags_in_flight_ppm"), 100 * 20 * 1000000 / cycles);
    assert_shown("gave no sample:");
    for (unsigned i = 0; i < 4; i++) {
        char settings[200], folder[80];

        snprintf(settings, sizeof(settings), RUN "%s", silent[i]);
        snprintf(folder, sizeof(folder), "000%u-tight-loop-ibs", i + 2);
        fake_fw.screen_length = 0;
        assert_int_equal(start(settings), 0);
        assert_string_equal(saved_fact(folder, "ibs.tags_lost"), "");
        assert_not_shown("gave no sample:");
    }
}

/* If only some ops are sampled, a row lacks the ops that did not match, and no weight can replace them. */
APP_TEST(filtered_samples)
{
    static const char *const filters[] = {"load_latency=256", "l3_miss_only=yes"};

    set_counts();
    fake_session.machine.ibs_caps = 0x81bff;
    fake_session.culprit = 0;
    fake_session.disturbs = 0x041;
    fake_session.disturbed = 18000ull * 2048;
    for (unsigned i = 0; i < 2; i++) {
        char settings[200], folder[80];

        snprintf(settings, sizeof(settings), RUN "%s", filters[i]);
        snprintf(folder, sizeof(folder), "000%u-tight-loop-ibs", i + 1);
        assert_int_equal(start(settings), 0);
        assert_int_equal(fact(folder, "sampling.dc_misses.weight"), 0);
        assert_string_equal(saved_fact(folder, "sampling"), "unchanged");
        assert_says("PASS sampling changed no more than the samples' uncertainty: cycles 0.0 %.");
    }
    assert_int_equal(start(RUN), 0);
    assert_string_equal(saved_fact("0003-tight-loop-ibs", "sampling"), "changed");
    /* With a latency filter no period is chosen, either. */
    assert_int_equal(start("menu=no reference=yes load_latency=256 " SMALL), 0);
    assert_int_equal(fact("0004-tight-loop-ibs", "ibs.op_period"), 10240);
}

/* ---------------------------------------------------------------- periods */

#define SEARCHED "menu=no reference=yes " SMALL " "

/* The number of passes in each search; of passes before the first search: tags are counted when the period is known. */
enum { SEARCH = KEPT - SAMPLED, SEARCHES = SAMPLED - 1 };

/* The search finds the shortest period that changes cycles by at most one in a hundred, and makes passes for 10,000
 * samples. */
APP_TEST(shortest_period)
{
    set_counts();
    fake_session.disturbed = 10000ull * 40960;
    assert_int_equal(start(SEARCHED "seed=7"), 0);
    for (unsigned i = 0; i < 3 * SEARCH; i++) {
        const struct fake_pass *pass = &fake_session.pass[SEARCHES + i];

        assert_int_equal(pass->ibs.op_period, 10240 << i / SEARCH);
        assert_int_equal(pass->ibs.fetch_period, 5120 << i / SEARCH);
        assert_int_equal(pass->part, VPMU_PART_MEASURED);
        assert_int_equal(pass->drops, i && i % SEARCH == 0); /* counts left by a period that was too short */
    }
    assert_int_equal(fact(FOLDER, "ibs.op_period"), 40960);
    assert_int_equal(fact(FOLDER, "ibs.fetch_period"), 20480);
    assert_int_equal(fact(FOLDER, "ibs.repeats"), 64);
    /* The passes that tried the period are kept, and each has its own random intervals. */
    assert_int_equal(fake_session.runs, SEARCHES + 3 * SEARCH + 64 - SEARCH);
    assert_int_equal(fact(FOLDER, "samples.op"), 64 * 50);
    assert_int_equal(fact(FOLDER, "nmi.all"), 64 * 100);
    for (unsigned i = 1; i <= 64; i++)
        assert_int_equal(fake_session.pass[fake_session.runs - i].ibs.seed, rng_part_seed(7, RNG_PASS, 64 - i));
    assert_string_equal(saved_fact(FOLDER, "sampling"), "unchanged");
    assert_int_equal(fact(FOLDER, "sampling.passes"), 64);
    /* Each of these passes begins at a random place in an interval; a single pass would not. */
    for (unsigned i = 1; i <= 64; i++) {
        assert_int_equal(fake_session.pass[fake_session.runs - i].ibs.op_first, 40960);
        assert_int_equal(fake_session.pass[fake_session.runs - i].ibs.fetch_first, 20480);
    }
    fake_session.runs = 0;
    assert_int_equal(start(SEARCHED "repeats=1"), 0);
    assert_int_equal(fake_session.runs,
                     SEARCHES + 3 * SEARCH +
                         1); /* if the user gives the number of repeats, no pass of the search is kept */
    assert_int_equal(fake_session.plan.program.ibs.op_first, 0);
}

/* The sums cover the samples that are kept. */
APP_TEST(branches_of_the_found_period)
{
    set_counts();
    fake_session.disturbed = 10000ull * 40960;
    fake_session.machine.branches = FAKE_TAKEN;
    assert_int_equal(start(SEARCHED "branches=yes"), 0);
    assert_int_equal(fact(FOLDER, "ibs.op_period"), 40960);
    assert_int_equal(fact(FOLDER, "branches.taken"), 3 * 64 * (50 + 10));
}

APP_TEST(search_ends)
{
    set_counts();
    fake_session.disturbed = 10001ull * 163840;
    assert_int_equal(start(SEARCHED), 0);
    assert_int_equal(fact(FOLDER, "ibs.op_period"), 163840);
    assert_int_equal(fake_session.runs, SEARCHES + 5 * SEARCH + 64 - SEARCH);
    assert_string_equal(saved_fact(FOLDER, "sampling"), "changed");
    fake_session.machine.hypervisor = false;
    fake_session.runs = 0;
    assert_int_equal(start(SEARCHED), 0);
    assert_int_equal(fact("0002-tight-loop-ibs", "ibs.op_period"), 262144);
    assert_int_equal(fake_session.pass[SEARCHES].ibs.op_period, 65536);
    fake_session.fail_error = SESSION_PMC_ENABLE;
    fake_session.runs = 0;
    fake_session.fail_at = SEARCHES + SEARCH + 1; /* the second search */
    assert_int_equal(start(SEARCHED), 0);
    assert_int_equal(fact("0003-tight-loop-ibs", "ibs.op_period"), 131072);
}

/* Intervals are long or short in comparison with the period that was found, not with the first one. */
APP_TEST(intervals_of_the_found_period)
{
    set_counts();
    fake_session.disturbed = 10001ull * 163840;
    fake_session.op_max_cnt = 163840 >> 4;
    fake_session.intervals_vary = true;
    assert_int_equal(start(SEARCHED "count=cycles"), 0);
    assert_int_equal(fact(FOLDER, "ibs.op_period"), 163840);
    assert_string_equal(saved_fact(FOLDER, "ibs.intervals"), "different");
}

/* Sampling may change the event by one standard error of the estimate that so many passes allow: 696 of 3000. */
APP_TEST(shortest_for_other_events)
{
    set_counts();
    fake_session.disturbs = 0x0C3;
    fake_session.disturbed = 696ull * 10240;
    assert_int_equal(start(SEARCHED), 0);
    assert_int_equal(fact(FOLDER, "ibs.op_period"), 10240);
    fake_session.disturbed = 697ull * 10240;
    assert_int_equal(start(SEARCHED), 0);
    assert_int_equal(fact("0002-tight-loop-ibs", "ibs.op_period"), 20480);
}

/* Periods from the user are used unchanged. */
APP_TEST(given_periods)
{
    set_counts();
    fake_session.disturbed = 10001ull * 131072;
    assert_int_equal(start(SEARCHED "op_period=4096"), 0);
    assert_int_equal(fake_session.runs, PASSES);
    assert_int_equal(fact(FOLDER, "ibs.op_period"), 4096);
    fake_session.runs = 0;
    assert_int_equal(start(SEARCHED "fetch_period=4096"), 0);
    assert_int_equal(fake_session.runs, PASSES);
    assert_int_equal(fact("0002-tight-loop-ibs", "ibs.op_period"), 10240);
    fake_session.disturbed = fake_session.runs = 0;
    assert_int_equal(start(SEARCHED "repeats=2"), 0);
    assert_int_equal(fake_session.runs, PASSES);
}

APP_TEST(passes_for_enough_samples)
{
    static const struct {
        const char *settings;
        unsigned passes;
        uint32_t period;
    } rows[] = {{"iterations=1300000", 3, 10240}, /* 22.1 million ops */
                {"iterations=2400000", 2, 10240},
                {"iterations=6000000", 2, 13600}, /* as many passes as the reference takes */
                {"iterations=700000", 6, 10240},
                {"iterations=10000", 64, 10240}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char settings[200], folder[80];

        set_counts();
        snprintf(settings, sizeof(settings), "menu=no reference=yes workload=tight-loop %s", rows[i].settings);
        snprintf(folder, sizeof(folder), "000%u-tight-loop-ibs", i + 1);
        assert_int_equal(start(settings), 0);
        assert_int_equal(fact(folder, "ibs.op_period"), rows[i].period);
        assert_int_equal(fact(folder, "ibs.repeats"), rows[i].passes);
    }
}

/* The expected error if IBS counts cycles assumes one op for an instruction. */
APP_TEST(expected_of_cycles)
{
    set_counts();
    fake_session.disturbed = 10000ull * 10240;
    assert_int_equal(start(SEARCHED "count=cycles op=yes"), 0);
    assert_int_equal(fact(FOLDER, "ibs.op_period"), 10240);
    assert_int_equal(start(SEARCHED "op=no"), 0);
    assert_int_equal(fact("0002-tight-loop-ibs", "ibs.fetch_period"), 5120);
}

/* ---------------------------------------------------------------- without */

APP_TEST(not_for_others)
{
    set_counts();
    assert_int_equal(start(RUN "reference=no"), 0);
    assert_int_equal(fake_session.runs, 1);
    assert_not_shown("sampling changed");
    assert_string_equal(saved_fact(FOLDER, "sampling"), "");
    fake_session.runs = 0;
    assert_int_equal(start(RUN "config=count events=041"), 0); /* a run without sampling */
    assert_not_shown("sampling changed");
    assert_string_equal(saved_fact("0002-tight-loop-count", "sampling"), "");
    (void)start(
        "menu=no reference=yes config=skid " SMALL); /* samples of two kinds, which are compared with each other */
    assert_not_shown("sampling changed");
}

APP_TEST(events_that_are_not_counted)
{
    set_counts();
    memcpy(fake_session.not_modelled, (uint32_t[]){0x041, 0x067}, 8);
    assert_int_equal(start(RUN), 0);
    assert_string_equal(group_text(&fake_session.pass[UNDISTURBED], 0), "0c0 042 043 076");
    assert_string_equal(group_text(&fake_session.pass[UNDISTURBED + 1], 0), "076 046 0c3 076");
    assert_string_equal(group_text(&fake_session.pass[CALM], 0), "076 046 0c3 0c0");
    assert_string_equal(saved_fact(FOLDER, "sampling.dc_misses.sampled"), "");
    assert_int_equal(fact(FOLDER, "sampling.walks.sampled"), 5000);
    assert_int_equal(fact(FOLDER, "sampling.beyond.sampled"), 2000);
}

APP_TEST(no_counters)
{
    set_counts();
    fake_session.machine.pmc.count = 0;
    assert_int_equal(start(RUN), 0);
    assert_int_equal(fake_session.runs, 1);
    assert_says("NOTE: the effect of sampling is not known: no counter event can be counted here.");
    assert_string_equal(saved_fact(FOLDER, "sampling"), "not known: no counter event can be counted here");
    assert_int_equal(fact(FOLDER, "samples.op"), 50);
}

/* If the processor refuses the counters, the reference is missing, and nothing else. */
APP_TEST(refused)
{
    static const unsigned where[] = {UNDISTURBED, UNDISTURBED + 1, CALM, CALM_SAMPLED, SAMPLED + 1};
    char folder[80];

    set_counts();
    fake_session.fail_error = SESSION_PMC_ENABLE;
    for (unsigned i = 0; i < sizeof(where) / sizeof(where[0]); i++) {
        fake_session.runs = 0;
        fake_session.fail_at = where[i] + 1;
        assert_int_equal(start(RUN), 0);
        assert_int_equal(fake_session.runs, where[i] + 2);
        assert_false(fake_session.pass[where[i] + 1].pmc.mode);
        snprintf(folder, sizeof(folder), "000%u-tight-loop-ibs", i + 1);
        assert_says("NOTE: the effect of sampling is not known: ");
        assert_says(session_error_text(SESSION_PMC_ENABLE));
        assert_int_equal(fact(folder, "samples.op"), 50);
        assert_int_equal(fact(folder, "passes"), 1 + (where[i] < CALM ? where[i] : CALM) + (where[i] > SAMPLED));
        assert_int_equal(fact(folder, "error"), 0);
    }
}

/* If the workload's result is wrong in the reference, the run is bad. */
APP_TEST(wrong_in_the_reference)
{
    set_counts();
    fake_session.core[0].spoils = true;
    assert_int_equal(start(RUN), 1);
    assert_shown("FAIL result of tight-loop");
    assert_shown("     right in 0 of 6 passes\n");
}

/* A pass that ends by an exception, or by the limit, also ends the run: no further pass follows. */
APP_TEST(ended_in_the_reference)
{
    set_counts();
    fake_session.endless_ms = 77;
    assert_int_equal(start(RUN "limit_ms=77"), 1);
    assert_int_equal(fake_session.runs, 1);
    assert_says("NOTE: the effect of sampling is not known: a pass for it failed.");
    assert_shown("STOPPED: tight-loop did not end within 77 ms");
}

RUN_TESTS(fixture_load, NULL)
