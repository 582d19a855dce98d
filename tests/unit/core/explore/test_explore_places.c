/* SPDX-License-Identifier: BSD-2-Clause */
/* General Exploration by function and line: intervals compared with closed forms and with repeated draws; the
 * tables. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/base/rng.h"
#include "core/explore/explore_places.h"
#include "core/explore/explore_slots.h"

enum { EVENTS = 8, PERIOD = 1000, CLEAR = SMALL_CLEAR };

static struct pmc_profile profile;
static uint64_t deep_memory[4096];

static void begin(void)
{
    struct event_list list = {.count = 0};

    explore_places_list(&list, ibs_family_of(0x10, 4), 'C');
    assert_int_equal(list.count, EVENTS);
    list.set = EVENT_SET_10H;
    assert_true(pmc_profile_init(&profile, &small_map, SMALL_BASE, &list, 0, small_memory, sizeof(small_memory)));
    for (unsigned i = 0; i < EVENTS; i++)
        profile.event[i].period = PERIOD;
    all_ran(&profile);
}

/* Adds samples of 076, 0C0, 0C1, 0C3, 0D0, 0D1, 0D2, 0C2. */
static void put(unsigned insn, const uint64_t samples[EVENTS])
{
    for (unsigned i = 0; i < EVENTS; i++) {
        profile.rows[insn * EVENTS + i] += samples[i];
        profile.event[i].samples += samples[i];
    }
}

static struct explore_place place_of(const uint64_t samples[EVENTS])
{
    uint64_t counts[PMC_PROFILE_EVENTS] = {0};
    struct explore_place place;

    memcpy(counts, samples, EVENTS * sizeof(counts[0]));
    assert_true(explore_place(&place, &profile, counts));
    return place;
}

/* Checks a value that was computed by differences instead of derivatives, which is off by less than 1 % with a hundred
 * samples. */
static void is_about(int64_t got, double wanted)
{
    if (distance_of((double)got, wanted) > 0.01 * wanted + 20)
        fail_msg("%lld, wanted %f", (long long)got, wanted);
}

/* The relative variance of a ratio of two independent counts is the sum of both relative variances: 1/a + 1/b. */
TEST(ratios_have_the_error_of_both_counts)
{
    static const uint64_t samples[EVENTS] = {10000, 8000, 15000, 0, 1000, 4000, 0, 2000};
    struct explore_place place;

    begin();
    place = place_of(samples);
    assert_int_equal(place.clocks, 10000);
    is_about(place.node[EXPLORE_CPI].value, 1250000);
    is_about(place.node[EXPLORE_CPI].half, 1.96 * 1250000 * root_of(1 / 8000. + 1 / 10000.));
    is_about(place.node[EXPLORE_RETIRING].value, 500000);
    is_about(place.node[EXPLORE_RETIRING].half, 1.96 * 500000 * root_of(1 / 15000. + 1 / 10000.));
    is_about(place.node[EXPLORE_BACK].value, 400000);
    is_about(place.node[EXPLORE_BACK].half, 1.96 * 400000 * root_of(1 / 4000. + 1 / 10000.));
    /* No sample is a mispredicted branch, but one may have been missed: 12 cycles for each event. */
    assert_int_equal(place.node[EXPLORE_BAD].value, 0);
    is_about(place.node[EXPLORE_BAD].half, 1.96 * 600);
    for (unsigned i = 0; i < EXPLORE_PLACE_COLUMNS; i++) {
        const struct explore_place_node *node = &place.node[explore_10h.column[i]];

        assert_true(node->known);
        assert_int_equal(node->flagged, explore_10h.column[i] == EXPLORE_BACK); /* 0.4 - 0.015 > 0.2 */
    }
    /* An event in a group that was counted half of the time has half the weight. */
    profile.event[5].active = 1;
    profile.event[5].possible = 2;
    is_about(place_of(samples).node[EXPLORE_BACK].value, 800000);
}

/* With a hundredth of the samples intervals are ten times as wide, and some figures are not known any more. */
TEST(wide_intervals_are_not_known)
{
    static const uint64_t few[EVENTS] = {100, 80, 150, 0, 10, 40, 0, 20}, none[EVENTS] = {0},
                          fewer[EVENTS] = {20, 10, 30, 0, 0, 0, 0, 0};
    struct explore_place place;

    begin();
    place = place_of(few);
    is_about(place.node[EXPLORE_RETIRING].half, 1.96 * 500000 * root_of(1 / 150. + 1 / 100.));
    assert_false(place.node[EXPLORE_RETIRING].known);      /* 12.7 points */
    assert_true(place.node[EXPLORE_CPI].known);            /* 29 % */
    assert_false(place.node[EXPLORE_FRONT].known);         /* 10 +- 6; and one mispredicted branch would take 12 away */
    assert_false(place.node[EXPLORE_BACK].known);          /* 40 +- 14.7 */
    assert_false(place_of(fewer).node[EXPLORE_CPI].known); /* 76 % */
    place = place_of(none);
    for (unsigned i = 0; i < EXPLORE_NODES; i++)
        assert_false(place.node[i].known || place.node[i].flagged);
    assert_int_equal(place.node[EXPLORE_CPI].half, 0);
}

/* About 95 of 100 intervals contain the true value: 400 draws of each event's samples. */
TEST(intervals_hold_the_truth)
{
    static const unsigned mean[EVENTS] = {600, 500, 900, 12, 90, 220, 30, 100};
    enum { DRAWS = 400, THIN = 16 };
    /* 12 * 12 = 144 > 90 + 30 cycles: the refill takes all cycles of the empty decoder. */
    static const struct {
        enum explore_node_index node;
        double value;
    } truth[] = {{EXPLORE_CPI, 1.2}, {EXPLORE_RETIRING, 0.5}, {EXPLORE_BAD, 0.2}, {EXPLORE_BACK, 190 / 600.}};
    enum { FIGURES = sizeof(truth) / sizeof(truth[0]) };
    unsigned inside[FIGURES] = {0};
    struct rng rng;

    rng_seed(&rng, 1);
    begin();
    for (unsigned draw = 0; draw < DRAWS; draw++) {
        uint64_t samples[EVENTS] = {0};
        struct explore_place place;

        for (unsigned e = 0; e < EVENTS; e++)
            for (unsigned i = 0; i < mean[e] * THIN; i++)
                samples[e] += rng_below(&rng, THIN) == 0;
        place = place_of(samples);
        for (unsigned f = 0; f < FIGURES; f++) {
            const struct explore_place_node *node = &place.node[truth[f].node];

            inside[f] += distance_of((double)node->value / 1e6, truth[f].value) <= (double)node->half / 1e6;
        }
    }
    for (unsigned f = 0; f < FIGURES; f++)
        if (inside[f] < DRAWS * 92 / 100 || (truth[f].node != EXPLORE_BAD && inside[f] > DRAWS * 99 / 100))
            fail_msg("figure %u: %u of %u", f, inside[f], DRAWS);
}

static const char *printed(enum profile_level level)
{
    static char text[8192];
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    explore_places_print(&memory.out, &profile, level);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        if (strchr(line, '\n') - line > 79)
            fail_msg("longer than 79: %.*s", (int)(strchr(line, '\n') - line), line);
    return text;
}

static void write_row(void *context, const struct explore_place_row *row)
{
    explore_places_csv_row(context, row, explore_places_sampled(&profile));
}

static const char *csv(enum profile_level level)
{
    static char text[16384];
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    explore_places_csv_head(&memory.out, explore_places_sampled(&profile));
    explore_places_walk(&profile, level, write_row, &memory.out);
    assert_true(memory.needed < sizeof(text));
    return text;
}

TEST(tables)
{
    begin();
    put(SMALL_LOOP, (uint64_t[]){4000, 3000, 4500, 10, 50, 2000, 20, 400});
    put(SMALL_FMUL, (uint64_t[]){5000, 3000, 4500, 5, 100, 3900, 0, 100});
    put(CLEAR, (uint64_t[]){900, 100, 2400, 0, 30, 10, 0, 10});
    put(SMALL_SETUP, (uint64_t[]){40, 10, 12, 0, 0, 1, 0, 0}); /* too rare to be listed */
    profile.event[0].samples += 60;                            /* outside of the map */
    check_golden("explore/explore_places_functions.txt", printed(PROFILE_FUNCTIONS));
    check_golden("explore/explore_places_lines.txt", printed(PROFILE_LINES));
    check_golden("explore/explore_places_functions.csv", csv(PROFILE_FUNCTIONS));
    check_golden("explore/explore_places_lines.csv", csv(PROFILE_LINES));
}

/* A row is listed from a 200th of the clocks on, with at least one sample of them. */
TEST(rare_rows)
{
    const char *line;

    begin();
    line = strchr(csv(PROFILE_FUNCTIONS), '\n'); /* without samples there are the head and the row of the total */
    assert_int_equal(strncmp(line, "\nall,", 5), 0);
    assert_int_equal(strcspn(line + 1, "\n") + 2, strlen(line));
    put(SMALL_LOOP, (uint64_t[]){199, 100, 150, 0, 0, 20, 0, 10});
    put(SMALL_SETUP, (uint64_t[]){1, 1, 1, 0, 0, 0, 0, 0});
    put(CLEAR, (uint64_t[]){0, 9, 9, 9, 9, 9, 9, 9});
    assert_non_null(strstr(csv(PROFILE_FUNCTIONS), "setup"));
    assert_null(strstr(csv(PROFILE_FUNCTIONS), "clear"));
    profile.event[0].samples++; /* outside of the map */
    assert_null(strstr(csv(PROFILE_FUNCTIONS), "setup"));
    put(CLEAR + 2, (uint64_t[]){5, 1, 1, 0, 0, 0, 0, 0}); /* in no line */
    assert_non_null(strstr(printed(PROFILE_LINES), "(line not known)"));
}

/* With the events of the other levels, but without those of some causes of stalls, the causes are shown raw. */
TEST(deeper_levels)
{
    enum { DEEP = 24 };
    /* The order after level 1 is 082, 083, 084, 085, then 0D3 to 0DA, 042, 043, 068, 069. */
    static const uint64_t samples[DEEP] = {5000, 3000, 4500, 100, 1500, 2000, 20,  400, 400, 20,  30, 10,
                                           0,    0,    900,  0,   0,    600,  100, 0,   300, 100, 50, 900};
    struct event_list list = {.count = 0};
    struct explore_place place;
    uint64_t counts[PMC_PROFILE_EVENTS] = {0};

    explore_places_list_deep(&list, ibs_family_of(0x10, 4), 'C');
    assert_int_equal(list.count, DEEP);
    list.set = EVENT_SET_10H;
    assert_true(pmc_profile_init(&profile, &small_map, SMALL_BASE, &list, 0, deep_memory, sizeof(deep_memory)));
    for (unsigned i = 0; i < DEEP; i++) {
        profile.event[i].period = PERIOD;
        profile.rows[SMALL_LOOP * DEEP + i] = profile.event[i].samples = samples[i];
    }
    all_ran(&profile);
    check_golden("explore/explore_places_deep_all.txt", printed(PROFILE_FUNCTIONS));
    profile.event[12 - 1].runs = profile.event[12].runs = profile.event[13].runs = 0; /* 085, 0D3, 0D4 */
    check_golden("explore/explore_places_deep.txt", printed(PROFILE_FUNCTIONS));
    check_golden("explore/explore_places_deep.csv", csv(PROFILE_FUNCTIONS));
    /* Chance in the 900 samples of 0D5 is 3.3 %, of 18 % of the cycles; only the errors of 0D5 and of 076 count. */
    memcpy(counts, samples, sizeof(samples));
    assert_true(explore_place(&place, &profile, counts));
    is_about(place.node[EXPLORE_ROB].value, 180000);
    is_about(place.node[EXPLORE_ROB].half, 1.96 * 180000 * root_of(1 / 900. + 1 / 5000.));
    /* A part of a row that is below its threshold is not marked, however large the part is. */
    assert_true(place.node[EXPLORE_ROB].flagged);
    counts[5] = 100;
    assert_true(explore_place(&place, &profile, counts));
    assert_false(place.node[EXPLORE_BACK].flagged);
    assert_false(place.node[EXPLORE_ROB].flagged);
}

/* A cause that the formulas make negative is printed as negative, in its unit. */
TEST(negative_rows)
{
    struct explore_place_row row = {.name = "f", .all_clocks = 100};
    struct explore_sampling of = {.method = &explore_10h, .events = ~0ull};
    char text[8192];
    struct out_memory memory;

    row.place.clocks = 50;
    row.place.node[EXPLORE_ROB] = (struct explore_place_node){.known = true, .value = -25000, .half = 4000};
    out_memory_init(&memory, text, sizeof(text));
    explore_places_print_deep_row(&memory.out, &row, of);
    assert_non_null(strstr(text, "     -2.5 +-"));
    row.place.node[EXPLORE_ROB].value = 25000;
    out_memory_init(&memory, text, sizeof(text));
    explore_places_print_deep_row(&memory.out, &row, of);
    assert_non_null(strstr(text, "      2.5 +-"));
}

/* On processors with slots: the events of level 1, then the deeper ones, without the front end's events that need a
 * count mask. */
TEST(slots)
{
    enum { LEVEL1 = 7, DEEP = 13 };
    /* The order is 076, 0C0, 0C1, 0AA:07, 1A0:01, 1A0:1E, 1A0:60, then 0C2, 0C3, 096, 0D6:02, 0D6:A2, 1C2; with six
     * slots, 9000 samples of 50000 cycles stand for as many slots as 54000 samples. */
    static const uint64_t samples[DEEP] = {9000, 9000, 13500, 14040, 5400, 34020, 0, 900, 300, 100, 6300, 5040, 1080};
    const struct ibs_family *zen4 = ibs_family_of(0x19, 0x61);
    struct event_list list = {.count = 0};
    struct explore_place place;
    uint64_t counts[PMC_PROFILE_EVENTS] = {0};

    explore_places_list(&list, ibs_family_of(0x15, 1), 'E');
    assert_int_equal(list.count, 0); /* this processor has no tree */
    explore_places_list_deep(&list, ibs_family_of(0x12, 1), 'E');
    assert_int_equal(list.count, 22); /* Family 10h's list without 068 and 069 */
    explore_places_list(&list, zen4, 'E');
    assert_int_equal(list.count, LEVEL1);
    explore_places_list_deep(&list, zen4, 'E');
    assert_int_equal(list.count, DEEP);
    list.set = EVENT_SET_ZEN4;
    assert_true(pmc_profile_init(&profile, &small_map, SMALL_BASE, &list, 0, deep_memory, sizeof(deep_memory)));
    for (unsigned i = 0; i < DEEP; i++) {
        profile.event[i].period = PERIOD;
        profile.rows[SMALL_LOOP * DEEP + i] = profile.event[i].samples = counts[i] = samples[i];
    }
    all_ran(&profile);
    check_golden("explore/explore_places_slots.txt", printed(PROFILE_FUNCTIONS));
    check_golden("explore/explore_places_slots.csv", csv(PROFILE_FUNCTIONS));
    assert_true(explore_place(&place, &profile, counts));
    is_about(place.node[SLOTS_BACK_BOUND].value, 630000);
    is_about(place.node[SLOTS_BACK_BOUND].half, 1.96 * 630000 * root_of(1 / 34020. + 1 / 9000.));
    is_about(place.node[SLOTS_BACK_MEMORY].value, 504000);
    assert_true(place.node[SLOTS_BACK_MEMORY].flagged);
    assert_false(place.node[SLOTS_FRONT_LATENCY].known);
    profile.event[3].runs = 0; /* 0AA */
    assert_int_equal(printed(PROFILE_FUNCTIONS)[0], 0);
}

/* There is no table without one of the events, or if its turn never came. */
TEST(needs_all_events)
{
    uint64_t counts[PMC_PROFILE_EVENTS] = {0};
    struct explore_place place;

    for (unsigned e = 0; e < EVENTS; e++) {
        begin();
        put(SMALL_LOOP, (uint64_t[]){1, 1, 1, 1, 1, 1, 1, 1});
        profile.event[e].runs = 0;
        assert_int_equal(explore_places_possible(&profile), e == 7); /* the ratio of mispredictions is not needed */
        assert_int_equal(explore_place(&place, &profile, counts), e == 7);
        assert_int_equal(printed(PROFILE_FUNCTIONS)[0] != 0, e == 7);
    }
}

/* If every event has many samples, each figure of the tree equals the one computed from totals that were counted. */
TEST(every_node_is_computed)
{
    struct explore_place_samples samples = {.of = {.method = &explore_10h}};
    struct explore_input input = {.method = &explore_10h};
    struct explore_result wanted;
    struct explore_place place;

    for (unsigned e = 0; e < EXPLORE_EVENTS; e++) {
        uint64_t total = e == EXPLORE_C ? 100000000 : 100000 + 40000 * e;

        samples.of.events |= 1ull << e;
        samples.event[e] = (struct explore_sampled){.samples = total, .total = total, .one = 1};
        input.count[e] = (struct explore_count){total, COUNTS_COUNTED, 1000000, 0};
    }
    explore_compute(&wanted, &input);
    explore_place_compute(&place, &samples);
    assert_int_equal(place.clocks, 100000000);
    for (unsigned i = 0; i < EXPLORE_NODES; i++) {
        assert_int_equal(place.node[i].value, wanted.node[i].value);
        assert_int_equal(place.node[i].known, wanted.node[i].state == EXPLORE_KNOWN);
        if (place.node[i].known && place.node[i].value > 0 && place.node[i].half <= 0)
            fail_msg("node %u: no error of %lld", i, (long long)place.node[i].value);
    }
    assert_true(place.node[EXPLORE_N3].known && place.node[EXPLORE_CPI].known);
}

RUN_TESTS(NULL, NULL)
