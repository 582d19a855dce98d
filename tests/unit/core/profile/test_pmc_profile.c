/* SPDX-License-Identifier: BSD-2-Clause */
/* Counter and timer samples: where they are counted, and what they stand for. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/profile/pmc_profile.h"
#include "core/view/view_data.h"

static char text[4096];

static struct event_list list_of(const char *events)
{
    struct event_list list;

    assert_int_equal(event_list_parse(EVENT_SET_10H, events, strlen(events), &list, NULL), 0);
    return list;
}

static struct pmc_profile profile_of(const char *events, uint32_t timer_us)
{
    struct event_list list = list_of(events);
    struct pmc_profile profile;

    assert_true(
        pmc_profile_init(&profile, &small_map, SMALL_BASE, &list, timer_us, small_memory, sizeof(small_memory)));
    return profile;
}

static void add(struct pmc_profile *profile, enum sample_kind kind, uint32_t insn, uint64_t event, unsigned count)
{
    struct sample_record record = {.kind = kind};

    record.reg[PMC_RIP] = SMALL_BASE + small_map.insns[insn].rva;
    record.reg[PMC_EVENT] = event;
    while (count--)
        pmc_profile_add(profile, &record);
}

static uint64_t estimate(const struct pmc_profile *profile, unsigned event)
{
    return pmc_profile_estimate(&profile->event[event], profile->event[event].samples);
}

TEST(samples_find_their_place)
{
    struct pmc_profile profile = profile_of("0C0 041", 1000);
    struct sample_record outside = {.kind = SAMPLE_PMC, .reg = {0x1234, 1, 5}};
    uint64_t counts[PMC_PROFILE_EVENTS];

    add(&profile, SAMPLE_PMC, SMALL_FMUL, 0, 7);
    add(&profile, SAMPLE_PMC, SMALL_FMUL, 1, 3);
    add(&profile, SAMPLE_PMC, SMALL_LOOP, 1, 2);
    add(&profile, SAMPLE_TIMER, SMALL_FMUL, 0, 4);
    add(&profile, SAMPLE_OP, SMALL_FMUL, 0, 9);
    add(&profile, SAMPLE_FETCH, SMALL_FMUL, 0, 9);
    pmc_profile_add(&profile, &outside);

    pmc_profile_sum(&profile, PROFILE_INSTRUCTIONS, SMALL_FMUL, counts);
    assert_int_equal(counts[0], 7);
    assert_int_equal(counts[1], 3);
    assert_int_equal(counts[2], 4);
    pmc_profile_sum(&profile, PROFILE_FUNCTIONS, 1, counts);
    assert_int_equal(counts[1], 5);
    pmc_profile_sum(&profile, PROFILE_LINES, levels_of(&profile.levels, PROFILE_LINES, SMALL_FMUL), counts);
    assert_int_equal(counts[1], 5);
    pmc_profile_sum(&profile, PROFILE_FUNCTIONS, 0, counts);
    assert_int_equal(counts[0] + counts[1] + counts[2], 0);
    assert_int_equal(profile.event[1].samples, 6);
    assert_int_equal(profile.event[1].outside, 1);
    assert_int_equal(profile.event[2].samples, 4);
    assert_int_equal(profile.event[0].outside + profile.event[2].outside, 0);
    assert_int_equal(profile.unknown_records, 0);
}

/* One sample of the last event, or of the timer after it, is enough; and the sum of the only event is the sum of
 * all. */
TEST(empty_is_without_any_sample)
{
    for (unsigned event = 0; event < 3; event++) {
        struct pmc_profile profile = profile_of("0C0 041", 1000);
        const struct view_data data = {.pmc = &profile, .levels = &profile.levels};
        uint64_t counts[PMC_PROFILE_EVENTS];

        add(&profile, event == 2 ? SAMPLE_TIMER : SAMPLE_PMC, SMALL_LOOP, event, 1);
        for (int level = PROFILE_INSTRUCTIONS; level <= PROFILE_FUNCTIONS; level++)
            for (uint32_t i = 0; i < levels_count(&profile.levels, level); i++) {
                bool empty = i != levels_of(&profile.levels, level, SMALL_LOOP);

                assert_int_equal(view_data_empty(&data, level, i), empty);
                pmc_profile_sum(&profile, level, i, counts);
                for (unsigned e = 0; e < 3; e++) {
                    assert_int_equal(counts[e], !empty && e == event);
                    assert_int_equal(pmc_profile_sum_of(&profile, level, i, e), counts[e]);
                }
            }
    }
}

/* Samples of an event that is not in the list are counted and not used; above all they are written nowhere. */
TEST(unknown_samples_are_counted)
{
    struct pmc_profile profile = profile_of("0C0 041", 0);

    add(&profile, SAMPLE_PMC, SMALL_FMUL, 2, 1);
    add(&profile, SAMPLE_PMC, SMALL_FMUL, ~0ull, 1);
    add(&profile, SAMPLE_TIMER, SMALL_FMUL, 0, 1); /* there is no timer */
    add(&profile, SAMPLE_KINDS, SMALL_FMUL, 0, 1);
    assert_int_equal(profile.unknown_records, 4);
    assert_int_equal(profile.event[0].samples + profile.event[1].samples, 0);

    profile = profile_of("0C0 041", 1000);
    add(&profile, SAMPLE_PMC, SMALL_FMUL, 2, 1); /* the timer's column does not belong to a counter */
    assert_int_equal(profile.unknown_records, 1);
    add(&profile, SAMPLE_KINDS, SMALL_FMUL, 0, 1); /* nor to records of an unknown kind */
    assert_int_equal(profile.unknown_records, 2);
}

TEST(memory_is_checked)
{
    struct event_list list = list_of("0C0 041 042");
    size_t size = pmc_profile_memory_size(&small_map, 4);
    struct pmc_profile profile;

    assert_int_equal(size, SMALL_INSNS * (4 * 8 + 16)); /* counts, and the lines of the map (core/profile/levels.h) */
    memset(small_memory, 0xAB, sizeof(small_memory));
    assert_true(pmc_profile_init(&profile, &small_map, SMALL_BASE, &list, 1000, small_memory, size));
    add(&profile, SAMPLE_TIMER, SMALL_INSNS - 1, 0, 1);
    assert_int_equal(profile.rows[SMALL_INSNS * 4 - 1], 1);
    assert_int_equal(profile.rows[SMALL_INSNS * 4 - 2], 0);
    assert_false(pmc_profile_init(&profile, &small_map, SMALL_BASE, &list, 1000, small_memory, size - 1));
    assert_false(pmc_profile_init(&profile, &small_map, SMALL_BASE, &list, 1000, (char *)small_memory + 4, size));
    assert_true(pmc_profile_init(&profile, &small_map, SMALL_BASE, NULL, 1000, small_memory, size));
    assert_int_equal(profile.event_count, 1);
    assert_int_equal(pmc_profile_timer(&profile), 0);
    assert_true(pmc_profile_init(&profile, &small_map, SMALL_BASE, NULL, 0, small_memory, size));
    assert_int_equal(pmc_profile_timer(&profile), -1);
}

TEST(events_are_found)
{
    struct pmc_profile profile = profile_of("0C1:c=1 0C1:e 0C1:i 046:03 0C1 046", 1000);

    assert_int_equal(pmc_profile_event(&profile, 0x0C1, 0), -1); /* the event is in the list, but its turn never came */
    for (unsigned event = 0; event < 6; event++)
        pmc_profile_ran(&profile, event, event != 3, 6);
    assert_int_equal(pmc_profile_event(&profile, 0x0C1, 0), 4);
    assert_int_equal(pmc_profile_event(&profile, 0x046, 7), 5);
    assert_int_equal(pmc_profile_event(&profile, 0x046, 1), -1);
    assert_int_equal(pmc_profile_event(&profile, 0x046, 3), -1); /* not active in any run */
    assert_int_equal(pmc_profile_event(&profile, 0x0C0, 0), -1);
    assert_int_equal(pmc_profile_timer(&profile), 6);
    assert_int_equal(profile.event[4].period, 250000); /* no period was given, so the default counts */
}

/* ---------------------------------------------------------------- weights */

/* The events of a workload, and how often they happen; three groups take turns, and an event is sampled only during the
 * turns of its groups. */
static const struct {
    const char *event;
    unsigned groups; /* number of groups that contain the event */
    uint64_t happened;
} truth[] = {{"0C0@50000", 3, 600000000}, {"041@1000", 2, 600000}, {"042@1000", 1, 300000}, {"043@1000", 1, 90000}};

enum { TRUTH = sizeof(truth) / sizeof(truth[0]), GROUPS = 3 };

static const struct event_group groups[GROUPS] = {
    {.count = 3, .event = {0, 1, 2}},
    {.count = 2, .event = {0, 1}},
    {.count = 2, .event = {0, 3}},
};

TEST(an_event_in_several_groups_counts_once)
{
    struct pmc_profile profile = profile_of("0C0@50000 041@1000 042@1000 043@1000", 0);
    static const uint32_t active[] = {1000000, 666667, 333333, 333333};

    for (unsigned e = 0; e < TRUTH; e++) {
        uint64_t seen = truth[e].happened * truth[e].groups / GROUPS / profile.event[e].period;

        add(&profile, SAMPLE_PMC, SMALL_FMUL, e, (unsigned)seen);
    }
    assert_int_equal(estimate(&profile, 0), 0); /* unknown until the time of counting is known */
    ran_groups(&profile, groups, GROUPS);
    for (unsigned e = 0; e < TRUTH; e++) {
        uint64_t naive = profile.event[e].samples * profile.event[e].period * GROUPS;

        assert_int_equal(estimate(&profile, e), truth[e].happened);
        assert_int_equal(pmc_profile_active_ppm(&profile.event[e]), active[e]);
        /* Every sample times the number of groups, as CodeAnalyst's daemon computes, is right only for events in one
         * group. */
        assert_int_equal(naive, truth[e].happened * truth[e].groups);
    }
}

/* The events are counted in re-runs: each pass runs the whole workload. */
TEST(passes_are_whole_runs)
{
    struct pmc_profile profile = profile_of("0C0@50000 041@1000 042@1000 043@1000", 1000);

    for (unsigned pass = 0; pass < GROUPS; pass++) {
        for (unsigned i = 0; i < groups[pass].count; i++) {
            unsigned e = groups[pass].event[i];

            add(&profile, SAMPLE_PMC, SMALL_FMUL, e, (unsigned)(truth[e].happened / profile.event[e].period));
        }
        add(&profile, SAMPLE_TIMER, SMALL_FMUL, 0, 20);
        ran_groups(&profile, &groups[pass], 1);
    }
    for (unsigned e = 0; e < TRUTH; e++) {
        assert_int_equal(estimate(&profile, e), truth[e].happened);
        assert_int_equal(pmc_profile_active_ppm(&profile.event[e]), 1000000);
        assert_int_equal(profile.event[e].runs, truth[e].groups);
    }
    assert_int_equal(estimate(&profile, 4), 20000); /* microseconds per run */
}

/* Repeated runs with multiplexing give more samples and the same estimate. */
TEST(repeats_accumulate)
{
    struct pmc_profile profile = profile_of("0C0@50000 041@1000 042@1000 043@1000", 0);

    for (int run = 0; run < 5; run++) {
        add(&profile, SAMPLE_PMC, SMALL_FMUL, 1, 400);
        ran_groups(&profile, groups, GROUPS);
    }
    assert_int_equal(profile.event[1].samples, 2000);
    assert_int_equal(estimate(&profile, 1), 600000);
}

/* If slices are not equal, the time in which an event was counted decides, not the number of groups. */
TEST(measured_times_weigh)
{
    struct pmc_profile profile = profile_of("041@1000", 0);

    add(&profile, SAMPLE_PMC, SMALL_FMUL, 0, 250);
    pmc_profile_ran(&profile, 0, 25000000000, 60000000000);
    pmc_profile_ran(&profile, 0, 0, 60000000000); /* a run in which the event was not counted */
    assert_int_equal(estimate(&profile, 0), 600000);
    assert_int_equal(pmc_profile_active_ppm(&profile.event[0]), 416667);
    assert_int_equal(profile.event[0].runs, 1);
}

TEST(estimates_of_long_runs)
{
    struct pmc_profile profile = profile_of("0C0@250000", 0);

    pmc_profile_ran(&profile, 0, 1ull << 40, 3ull << 40);
    assert_int_equal(pmc_profile_estimate(&profile.event[0], 1000000000), 750000000000000);
    assert_int_equal(pmc_profile_estimate(&profile.event[0], UINT64_MAX), UINT64_MAX);
}

TEST(errors_follow_from_samples)
{
    static const struct {
        uint64_t samples;
        uint32_t ppm;
    } rows[] = {{0, 1000000},   {1, 1000000},    {2, 707106},        {100, 100000},
                {10000, 10000}, {1000000, 1000}, {1000000000000, 1}, {UINT64_MAX, 0}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(pmc_profile_error_ppm(rows[i].samples), rows[i].ppm);
    assert_int_equal(pmc_profile_interval_ppm(10000), 19600);
    assert_int_equal(pmc_profile_interval_ppm(4), 980000);
    assert_int_equal(pmc_profile_interval_ppm(3), 1000000);
    assert_int_equal(pmc_profile_interval_ppm(0), 1000000);
}

TEST(what_was_measured_is_said)
{
    struct pmc_profile profile = profile_of("0C0@250000 041@25000 046:03:k@25000 0C1:i:c=2 047@500", 1000);
    struct out_memory memory;

    add(&profile, SAMPLE_PMC, SMALL_FMUL, 0, 4123);
    add(&profile, SAMPLE_PMC, SMALL_FMUL, 1, 892);
    add(&profile, SAMPLE_PMC, SMALL_FMUL, 2, 7);
    add(&profile, SAMPLE_TIMER, SMALL_FMUL, 0, 512);
    ran_groups(&profile, groups, GROUPS); /* the fifth event is in none of the groups */
    out_memory_init(&memory, text, sizeof(text));
    pmc_profile_print_events(&memory.out, &profile);
    check_golden("pmc_events.txt", text);
}

RUN_TESTS(NULL, NULL)
