/* SPDX-License-Identifier: BSD-2-Clause */
/* Profiles of one recording, and small parts of the outputs of a comparison: whose figures they are, and counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/compare/compare_copies.h"
#include "tools/ibsprof/compare/compare_count.h"

enum { EVENTS = 3, POINTS = 2 };

/* A profile with all parts that are compared. */
struct made {
    struct run_profile profile;
    struct input_facts facts;
    uint64_t samples[EVENTS], weights[EVENTS];
    struct profile_point points[POINTS];
};

static struct made *make(void)
{
    struct made *made = calloc(1, sizeof(*made));

    assert_non_null(made);
    made->facts.event_count = EVENTS;
    made->points[0] = made->points[1] =
        (struct profile_point){.time = 7, .addr = 0x1000, .latency = 90, .source = SOURCE_L3};
    made->profile = (struct run_profile){.facts = &made->facts,
                                         .event_samples = made->samples,
                                         .event_weights = made->weights,
                                         .points = made->points,
                                         .point_count = POINTS,
                                         .points_seen = 40,
                                         .first_time = 100,
                                         .last_time = 200};
    return made;
}

/* Two profiles are distinguished by a change in any part, at its end. */
static void same_samples(void **state)
{
    struct made *a = make(), *b = make();

    assert_true(compare_same_samples(&a->profile, &b->profile));
#define TELLS_APART(part_)                                                                                             \
    do {                                                                                                               \
        (part_)++;                                                                                                     \
        if (compare_same_samples(&a->profile, &b->profile) || compare_same_samples(&b->profile, &a->profile))          \
            fail_msg("the same with another " #part_);                                                                 \
        (part_)--;                                                                                                     \
        assert_true(compare_same_samples(&a->profile, &b->profile));                                                   \
    } while (0)
    TELLS_APART(b->profile.first_time);
    TELLS_APART(b->profile.last_time);
    TELLS_APART(b->samples[EVENTS - 1]);
    TELLS_APART(b->weights[EVENTS - 1]);
    TELLS_APART(b->profile.totals[DERIVED_COUNT - 1]);
    TELLS_APART(b->profile.latency[SOURCES - 1][LATENCY_BINS - 1]);
    TELLS_APART(b->profile.tag_to_ret[LATENCY_BINS - 1]);
    TELLS_APART(b->profile.fetch_latency[LATENCY_BINS - 1]);
    TELLS_APART(b->profile.points_seen);
    for (int i = 0; i < POINTS; i++) {
        TELLS_APART(b->points[i].time);
        TELLS_APART(b->points[i].addr);
        TELLS_APART(b->points[i].latency);
        TELLS_APART(b->points[i].source);
        b->points[i].store = true;
        assert_false(compare_same_samples(&a->profile, &b->profile));
        b->points[i].store = false;
        b->points[i].tlb_miss = true;
        assert_false(compare_same_samples(&a->profile, &b->profile));
        b->points[i].tlb_miss = false;
    }
    b->profile.point_count = POINTS - 1;
    assert_false(compare_same_samples(&a->profile, &b->profile));
    b->profile.point_count = POINTS;
    b->facts.event_count = EVENTS - 1;
    assert_false(compare_same_samples(&a->profile, &b->profile));
    /* The places are not part of the recording, nor is the path under which files were found. */
    b->facts.event_count = EVENTS;
    b->profile.place_count = 9;
    assert_true(compare_same_samples(&a->profile, &b->profile));
    free(a);
    free(b);
}

/* Without times and accesses runs cannot be distinguished; either of them is enough. */
static void nothing_to_tell(void **state)
{
    struct made *a = make(), *b = make();

    a->profile.first_time = b->profile.first_time = 0;
    assert_true(compare_same_samples(&a->profile, &b->profile));
    a->profile.point_count = b->profile.point_count = 0;
    assert_false(compare_same_samples(&a->profile, &b->profile));
    a->profile.first_time = b->profile.first_time = 1;
    assert_true(compare_same_samples(&a->profile, &b->profile));
    free(a);
    free(b);
}

/* Each pair of runs on both sides is reported; if all differ there is none. */
static void on_both_sides(void **state)
{
    struct made *made[4] = {make(), make(), make(), make()};
    struct compare_run runs_a[2] = {{.path = "a/1", .profile = &made[0]->profile},
                                    {.path = "a/2", .profile = &made[1]->profile}},
                       runs_b[2] = {{.path = "b/1", .profile = &made[2]->profile},
                                    {.path = "b/2", .profile = &made[3]->profile}};
    struct comparison c = {.runs = {runs_a, runs_b}, .run_count = {2, 2}};

    for (unsigned i = 0; i < 4; i++)
        made[i]->profile.first_time = i + 1;
    compare_tell_copies(&c);
    assert_int_equal(c.shared, 0);
    assert_int_equal(c.note_count, 0);
    made[3]->profile.first_time = 1; /* b/2 is a/1 */
    made[2]->profile.first_time = 2; /* b/1 is a/2 */
    compare_tell_copies(&c);
    assert_int_equal(c.shared, 2);
    assert_int_equal(c.note_count, 2);
    assert_string_equal(c.notes[0].text, "a/1 of side A and b/2 of side B have the same samples: one recording.");
    assert_string_equal(c.notes[1].text, "a/2 of side A and b/1 of side B have the same samples: one recording.");
    assert_true(c.notes[0].warning && c.notes[1].warning);
    compare_free(&c);
    for (unsigned i = 0; i < 4; i++)
        free(made[i]);
}

/* Some runs of a side are on the other side, but not all: the numbers of both sides are printed. */
static void of_some_runs(void **state)
{
    static const struct {
        uint32_t runs_a, runs_b, shared;
        bool all;
    } rows[] = {{2, 2, 2, true}, {2, 2, 1, false}, {1, 2, 1, false}, {2, 1, 1, false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct stat_estimate estimate = {.n = 1};
        struct compare_options options = {.level = 0.95};
        struct comparison c = {
            .options = &options, .run_count = {rows[i].runs_a, rows[i].runs_b}, .shared = rows[i].shared, .whole_q = 1};

        c.estimates[SIDE_A] = c.estimates[SIDE_B] = &estimate;
        compare_conclude(&c);
        assert_int_equal(c.of_runs, VERDICT_INCONCLUSIVE);
        assert_int_equal(strstr(c.sentence, "both sides are the same recordings") != NULL, rows[i].all);
        assert_int_equal(strstr(c.sentence, "a recording is on both sides") != NULL, !rows[i].all);
        free(c.sentence);
    }
}

/* Only the event that is compared must have samples and a fixed period, in all runs of both sides. */
static void periods_that_vary(void **state)
{
    static const struct input_event events[EVENTS] = {{.name = "ibs_fetch//", .kind = SAMPLE_FETCH},
                                                      {.name = "ibs_op//", .kind = SAMPLE_OP},
                                                      {.name = "cycles", .kind = SAMPLE_PMC}};
    static const char *const wanted[EVENTS] = {"fetch", "op", "cycles"};
    struct made *made[4] = {make(), make(), make(), make()};
    struct compare_run runs_a[2] = {{.path = "a/1", .profile = &made[0]->profile},
                                    {.path = "a/2", .profile = &made[1]->profile}},
                       runs_b[2] = {{.path = "b/1", .profile = &made[2]->profile},
                                    {.path = "b/2", .profile = &made[3]->profile}};
    bool vary[4][EVENTS] = {{false}};
    char error[300], refused[300];

    for (unsigned i = 0; i < 4; i++) {
        made[i]->facts.events = events;
        made[i]->profile.event_varies = vary[i];
        for (unsigned e = 0; e < EVENTS; e++)
            made[i]->samples[e] = 9;
        made[i]->profile.samples[SAMPLE_OP] = made[i]->profile.samples[SAMPLE_FETCH] = 9;
    }
    for (unsigned e = 0; e < EVENTS; e++) {
        struct compare_options options = {.event = wanted[e]};
        struct comparison c = {.options = &options, .runs = {runs_a, runs_b}, .run_count = {2, 2}};

        assert_true(compare_choose_event(&c, error, sizeof(error)));
        assert_int_equal(c.kind, events[e].kind);
        for (unsigned i = 0; i < 4; i++) { /* and every run must have samples of it */
            uint64_t *samples = e < 2 ? &made[i]->profile.samples[events[e].kind] : &made[i]->samples[e];

            *samples = 0;
            assert_false(compare_choose_event(&c, error, sizeof(error)));
            *samples = 1;
        }
        for (unsigned i = 0; i < 4; i++)
            for (unsigned k = 0; k < EVENTS; k++) {
                vary[i][k] = true;
                assert_int_equal(compare_choose_event(&c, error, sizeof(error)), k != e);
                vary[i][k] = false;
                if (k != e)
                    continue;
                for (int linux_file = 0; linux_file < 2; linux_file++) { /* the message says what helps in each case */
                    made[i]->facts.is_linux = linux_file;
                    vary[i][k] = true;
                    assert_false(compare_choose_event(&c, error, sizeof(error)));
                    vary[i][k] = false;
                    snprintf(
                        refused, sizeof(refused),
                        "compare: %s: periods of %s vary, %sso its samples represent unequal numbers of events; %s",
                        (const char *const[]){"a/1", "a/2", "b/1", "b/2"}[i], events[e].name,
                        linux_file ? "as with a frequency, " : "", linux_file ? "record with" : "measure with");
                    assert_memory_equal(error, refused, strlen(refused));
                }
            }
    }
    for (unsigned i = 0; i < 4; i++)
        free(made[i]);
}

static const char *figures_of(const char *a, const char *b)
{
    struct comparison c = {.figures = {a, b}};
    FILE *to;

    return TOOL_WRITES(to, compare_figures(to, &c, "> "));
}

static void figures(void **state)
{
    assert_string_equal(figures_of(NULL, NULL), "");
    assert_string_equal(figures_of("x", NULL), "> Side A: x\n");
    assert_string_equal(figures_of(NULL, "y"), "> Side B: y\n");
    assert_string_equal(figures_of("x", "x"), "> x\n");
    assert_string_equal(figures_of("x", "y"), "> Side A: x\n> Side B: y\n");
}

static void thousands(void **state)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0, "0"},        {7.4, "7"},        {99, "99"},          {999, "999"},
                {1000, "1,000"}, {12345, "12,345"}, {123456, "123,456"}, {1234567, "1,234,567"}};
    char text[40];

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        compare_thousands(rows[i].value, text, sizeof(text));
        assert_string_equal(text, rows[i].text);
    }
    memset(text, '#', sizeof(text));
    compare_thousands(1234567, text, 3); /* never longer than the buffer */
    assert_string_equal(text, "1");
    assert_int_equal(text[3], '#');
}

/* Numbers of samples in the verdict's sentence have three significant digits, whatever their size. */
static void three_digits(void **state)
{
    static const struct {
        double n;
        const char *text;
    } rows[] = {{1234.5, " about 2,470 samples "}, {99949, " about 200,000 samples "}, {50, " about 100 samples "},
                {642, " about 1,280 samples "},    {6425, " about 12,900 samples "},   {0, " about 0 samples "}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (uint32_t side = 0; side < SIDES; side++) {
            struct stat_estimate estimates[SIDES] = {{.n = 0}, {.n = 0}};
            struct compare_item item = {.verdict = VERDICT_INCONCLUSIVE, .factor = 2, .high = 1};
            struct compare_place place = {.function = "f", .text = ""};
            struct compare_options options = {.level = 0.95, .power = 0.8};
            struct comparison c = {.options = &options,
                                   .run_count = {2, 2},
                                   .places = &place,
                                   .place_count = 1,
                                   .items = &item,
                                   .item_count = 1,
                                   .estimates = {&estimates[SIDE_A], &estimates[SIDE_B]},
                                   .whole_q = 1};

            estimates[side].n = rows[i].n;
            compare_conclude(&c);
            if (strstr(c.sentence, rows[i].text) == NULL)
                fail_msg("'%s' is not in '%s'", rows[i].text, c.sentence);
            free(c.sentence);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_samples), cmocka_unit_test(nothing_to_tell),   cmocka_unit_test(on_both_sides),
        cmocka_unit_test(of_some_runs), cmocka_unit_test(periods_that_vary), cmocka_unit_test(figures),
        cmocka_unit_test(thousands),    cmocka_unit_test(three_digits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
