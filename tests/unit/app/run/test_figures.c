/* SPDX-License-Identifier: BSD-2-Clause */
/* Figures that are kept of a run: which samples they count, whose period they have, and which samples are outside the
 * workload. */
#include <string.h>

#include "app/run/kind.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/app/map.h"

static uint64_t work(const uint32_t *params)
{
    return params[0];
}

static bool retired(const struct run *run, uint64_t *ret_count)
{
    *ret_count = 5000 + run->params[0];
    return true;
}

static const struct workload workload = {.name = "some-work", .unit = "passes", .work = work};
static const struct kind counts_none, counts = {.retired = retired}, stands_alone = {.workload = &workload};
static const struct machine machine = {.tsc_khz = 2000};
static struct options options;
static uint64_t ibs_rows[MAP_INSNS * DERIVED_COUNT], pmc_rows[MAP_INSNS * 3];
static struct run run;
static struct figures figures;

/* Makes samples of both kinds, and of the second and the third of three events. */
static int setup(void **state)
{
    (void)fixture_setup(state);
    assert_true(options_init(&options));
    run = (struct run){.workload = &workload,
                       .task = {.name = "some-config", .kinds = {&counts_none, &counts}},
                       .machine = &machine,
                       .options = &options,
                       .map = &image_codemap,
                       .params = {40}};
    run.passes.result.tsc_stop = 14000;
    run.ibs.plan = (struct ibs_plan){.op = true, .count_ops = true, .op_period = 4000, .fetch_period = 3000};
    run.ibs.profile.map = &image_codemap;
    run.ibs.profile.rows = ibs_rows;
    memcpy(run.ibs.profile.records, (uint64_t[]){[SAMPLE_OP] = 70, [SAMPLE_FETCH] = 90}, 16);
    memcpy(run.ibs.profile.outside_records, (uint64_t[]){[SAMPLE_OP] = 7, [SAMPLE_FETCH] = 9}, 16);
    ibs_rows[MAP_FMUL * DERIVED_COUNT + DERIVED_F100_OP_ALL] = 63;
    ibs_rows[MAP_STORE * DERIVED_COUNT + DERIVED_F000_FETCH_ALL] = 81;
    run.pmc.profile.levels.map = &image_codemap;
    run.pmc.profile.rows = pmc_rows;
    run.pmc.profile.event_count = 3;
    run.pmc.profile.event[1].samples = 50;
    run.pmc.profile.event[1].outside = 5;
    run.pmc.profile.event[2].samples = 60;
    pmc_rows[MAP_TURN * 3 + 1] = 45;
    pmc_rows[MAP_TURN * 3 + 2] = 60;
    return 0;
}

static void check(const char *what, uint64_t period, uint64_t samples, uint64_t outside, uint32_t insn)
{
    struct out_memory settings;

    out_memory_init(&settings, NULL, 0);
    run_figures(&run, &figures, &settings.out);
    assert_string_equal(figures.what, what);
    assert_int_equal(figures.period, period);
    assert_int_equal(figures.samples, samples);
    assert_int_equal(figures.outside, outside);
    assert_int_equal(figures.rows, samples != 0);
    if (!samples)
        return;
    assert_int_equal(figures.row[0].insn, insn);
    assert_int_equal(figures.row[0].rva, image_codemap.insns[insn].rva);
    assert_int_equal(figures.row[0].samples, samples - outside);
}

/* Filtered samples have no period, and neither have samples of a pass each. */
TEST_WITH(of_ibs, setup, fixture_teardown)
{
    struct ibs_plan *plan = &run.ibs.plan;

    check("IBS ops", 4000, 70, 7, MAP_FMUL);
    assert_int_equal(figures.us, 7000);
    assert_int_equal(figures.work, 40);
    assert_int_equal(figures.instructions, 5040);
    plan->count_ops = false;
    check("IBS ops, by cycles", 4000, 70, 7, MAP_FMUL);
    plan->load_latency = 128;
    check("IBS ops, by cycles, filtered", 0, 70, 7, MAP_FMUL);
    plan->op = false;
    plan->fetch = true;
    check("IBS fetches", 3000, 90, 9, MAP_STORE);
    plan->l3_miss_only = true;
    check("IBS fetches, filtered", 0, 90, 9, MAP_STORE);
    plan->l3_miss_only = false;
    run.ibs.once = true;
    check("IBS fetches, one per pass", 0, 90, 9, MAP_STORE);
}

/* Without samples of IBS the figures count the first event that has samples. */
TEST_WITH(of_counters, setup, fixture_teardown)
{
    struct pmc_profile_event *event = run.pmc.profile.event;

    run.ibs.plan.op = false;
    check("timer ticks", 0, 50, 5, MAP_TURN);
    event[1].samples = 0;
    assert_true(event_parse(EVENT_SET_10H, "041", 3, &event[2].spec, NULL));
    check("041", 0, 60, 0, MAP_TURN);
    event[2].samples = 0;
    check("", 0, 0, 0, 0);
    run.pmc.profile.rows = NULL;
    check("", 0, 0, 0, 0);
    run.ibs.plan.op = true;
    run.ibs.profile.rows = NULL;
    check("", 0, 0, 0, 0);
}

/* A kind with its own workload has no figures, and own code without a map has no texts. */
TEST_WITH(of_none, setup, fixture_teardown)
{
    run.map = &run.code.plain;
    run.task.kinds[0] = &stands_alone;
    check("", 0, 0, 0, 0);
    assert_null(figures.map);
    assert_int_equal(figures.us + figures.work + figures.instructions, 0);
}

RUN_TESTS(fixture_load, NULL)
