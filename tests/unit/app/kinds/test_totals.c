/* SPDX-License-Identifier: BSD-2-Clause */
/* Totals of an event over repeats: the mean, and how far the totals scatter. */
#include "app/kinds/counters/pmc.h"
#include "tests/unit/app/fixture.h"

enum { REPEATS = 4 };

static struct pmc_group_result groups[REPEATS];
static struct run run;

/* Sets the totals of a group of one event; a repeat with a total of 0 did not count the event. */
static void set_totals(unsigned repeats, const uint64_t *totals)
{
    run = (struct run){.pmc = {.group = groups, .repeats = repeats}};
    run.task.groups.count = 1;
    run.task.groups.group[0] = (struct event_group){.count = 1, .event = {0}};
    for (unsigned r = 0; r < repeats; r++) {
        groups[r] = (struct pmc_group_result){.tsc = totals[r] ? 100 : 0};
        groups[r].counter[0].total = totals[r];
    }
}

/* The scatter is the standard deviation of a sample, in millionths of the mean and rounded down: each row is next to a
 * border. */
APP_TEST(repeats_scatter)
{
    static const struct {
        unsigned repeats;
        uint64_t total[REPEATS], mean;
        uint32_t cv_ppm;
    } rows[] = {
        {1, {1000000}, 1000000, 0},
        {2, {1000000, 1000000}, 1000000, 0},
        {2, {999999, 1000001}, 1000000, 1},
        {2, {999998, 1000002}, 1000000, 2},  /* 8 */
        {2, {999988, 1000012}, 1000000, 16}, /* 288 */
        {2, {999930, 1000070}, 1000000, 98}, /* 9800 */
        {3, {999999, 1000000, 1000001}, 1000000, 1},
        {3, {999988, 1000012, 0}, 1000000, 16}, /* the third repeat did not count the event */
        {2, {3, 4}, 4, 250000},                 /* the mean is 3.5, which is rounded up */
        {2, {0, 7}, 7, 0},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint64_t mean = 0;
        uint32_t cv_ppm = 99;

        set_totals(rows[i].repeats, rows[i].total);
        assert_true(measure_pmc_mean(&run, 0, &mean, &cv_ppm));
        if (mean != rows[i].mean || cv_ppm != rows[i].cv_ppm)
            fail_msg("row %u: %lu, %u", i, (unsigned long)mean, cv_ppm);
    }
}

APP_TEST(none_is_counted)
{
    uint64_t mean = 5;
    uint32_t cv_ppm = 6;

    set_totals(2, (const uint64_t[]){0, 0});
    assert_false(measure_pmc_mean(&run, 0, &mean, &cv_ppm));
    assert_int_equal(mean, 5);
    assert_int_equal(cv_ppm, 6);
}

RUN_TESTS(fixture_load, NULL)
