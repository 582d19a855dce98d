/* SPDX-License-Identifier: BSD-2-Clause */
/* * Output of 'ibsprof compare' for a comparison that is put together here, so that every figure is known; the sentence
 * of the verdict, the order of the items, and what is said about settings. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/family/ibs_regs.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/compare/compare.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { SHARE, WORK, DC_MISS, DTLB_L1, DTLB_L2, MISPREDICT, IC_MISS, ITLB, P50, P90 };

static struct compare_options options;
static struct compare_run runs_a[2], runs_b[1];
static struct compare_place places[3];
static struct stat_estimate estimates[SIDES][3];
static struct compare_item items[8];
static struct compare_one_sided one_sided[22];
static struct compare_outside outside[9];
static struct compare_setting settings[2];
static struct compare_note notes[2];
static double samples_a[2] = {9000, 1234567}, samples_b[1] = {500};

/* An item by the fields that every item has, in their order, and its additional fields. */
#define ITEM(place_, column_, a_, b_, difference_, low_, high_, q_, margin_, verdict_, ...)                            \
    {                                                                                                                  \
        .place = place_, .column = column_, .a = a_, .b = b_, .difference = difference_, .low = low_, .high = high_,   \
        .q = q_, .margin = margin_, .verdict = VERDICT_##verdict_, __VA_ARGS__                                         \
    }

static const struct compare_item made_items[] = {
    // clang-format off
    /* place, column, a, b, difference, low, high, q, margin, verdict, then additional fields */
    ITEM(0, SHARE, 0.12, 0.345, 0.225, 0.2156, 0.2344, 1e-119, 0.005, DIFFERENT,
        .low_a = 0.11, .high_a = 0.13, .low_b = 0.34, .high_b = 0.35, .log2_ratio = 1.5, .log2_low = 1.4,
        .log2_high = 1.6, .n_a = 1243567, .n_b = 500, .phi_a = 1.25, .phi_b = 1, .p_value = 1e-120),
    ITEM(1, SHARE, 0.5, 0.501, 0.001, -0.002, 0.004, 0.75, 0.00123, EQUIVALENT,
        .log2_ratio = 0.003, .log2_low = -INFINITY, .log2_high = INFINITY, .p_value = 0.5, .equivalent = true),
    ITEM(2, SHARE, 0.001, 0.002, 0.001, -0.02, 0.02, 1, 1, INCONCLUSIVE, .factor = 2.5),
    ITEM(COMPARE_WHOLE, WORK, 23.44, 23.94, 0.5, 0.4, 0.6, 0.01, 0.0005, BOTH,
        .log2_ratio = 0.03, .equivalent = true),
    ITEM(0, WORK, 9.9994, 9.9, -0.0994, -0.2, 0.1, 0.4, 0.0152, INCONCLUSIVE, .factor = 0.5),
    ITEM(COMPARE_WHOLE, DC_MISS, 0.3, 0.25, -0.05, -0.15, 0.05, 0.6, 0.0026, INCONCLUSIVE,
        .factor = INFINITY),
    ITEM(1, MISPREDICT, 0.02, 0.02, 0, -0.01, 0.01, 1, 5.75, INCONCLUSIVE, .factor = 3),
    ITEM(COMPARE_WHOLE, P50, 150, 162, 12, 11, 13, 2.34e-5, 0.04, DIFFERENT, .log2_ratio = 0.11),
    // clang-format on
};

static struct comparison make(void)
{
    static char names[22][8], labels[9][16];
    struct comparison c = {.options = &options,
                           .runs = {runs_a, runs_b},
                           .run_count = {2, 1},
                           .event = "IBS op",
                           .kind = SAMPLE_OP,
                           .work_unit = "turns",
                           .places = places,
                           .place_count = 3,
                           .rare_count = 17,
                           .n = {samples_a, samples_b},
                           .estimates = {estimates[SIDE_A], estimates[SIDE_B]},
                           .work = {2000, 1000},
                           .one_sided = one_sided,
                           .one_sided_count = 2,
                           .outside = outside,
                           .outside_count = 2,
                           .lost = {3, 0},
                           .throttled = {0, 4},
                           .settings = settings,
                           .setting_count = 2,
                           .notes = notes,
                           .note_count = 2,
                           .whole_q = 0.015,
                           .within_n = {{600, 634}, {0, 0}},
                           .items = items,
                           .item_count = 8,
                           .verdict = VERDICT_DIFFERENT,
                           .sentence =
                               "Different: it is said here in so many words that the line has to be broken once, "
                               "or twice."};

    options = (struct compare_options){.level = 0.95, .power = 0.8, .margin = {0.005, 0.05}, .rate_margin = -1};
    runs_a[0] = (struct compare_run){.path = "a/1"};
    runs_a[1] = (struct compare_run){.path = "a/2"};
    runs_b[0] = (struct compare_run){.path = "b"};
    places[0] = (struct compare_place){.function = "hot",
                                       .object = "ibsboot.elf",
                                       .offset = 0x6,
                                       .text = "mov eax, dword ptr [rsi+rcx*4]",
                                       .file = "made/hot.c",
                                       .line = 13};
    places[1] = (struct compare_place){.function = "op\"er,ator", .object = "a,b", .text = ""};
    places[2] = (struct compare_place){.text = ""};
    estimates[SIDE_A][0] = (struct stat_estimate){.n = 1243567};
    estimates[SIDE_B][0] = (struct stat_estimate){.n = 500};
    memcpy(items, made_items, sizeof(items));
    for (unsigned i = 0; i < COUNT(one_sided); i++) {
        snprintf(names[i], sizeof(names[i]), "f%u", i);
        one_sided[i] =
            (struct compare_one_sided){.function = names[i], .object = "o", .side = i & 1, .samples = 10 * (i + 1)};
    }
    for (unsigned i = 0; i < COUNT(outside); i++) {
        snprintf(labels[i], sizeof(labels[i]), "user: %u", i);
        outside[i] = (struct compare_outside){.label = labels[i], .samples = {10 * i, 2 * i}};
    }
    c.outside_share[SIDE_A] = (struct stat_estimate){.n = 2000, .p = 0.125};
    c.outside_share[SIDE_B] = (struct stat_estimate){.n = 800, .p = 0.25};
    c.outside_difference = (struct stat_difference){.value = 0.125, .low = 0.1, .high = 0.15};
    settings[0] = (struct compare_setting){.name = "pages", .a = "4k", .b = "2m"};
    settings[1] = (struct compare_setting){
        .name = "processor",
        .a = "AMD Phenom(tm) II X4 945 Processor",
        .b = "AMD Opteron(tm) Processor 6174, which has a name that is a good deal too long to be shown"};
    notes[0] =
        (struct compare_note){.text = "It is doubtful, and this is said so that a line has to be broken, since it is "
                                      "long.",
                              .warning = true};
    notes[1] = (struct compare_note){.text = "It is worth knowing."};
    c.whole = (struct stat_whole){.cells = 3,
                                  .g = 27.5,
                                  .williams = 1.01,
                                  .phi = 1.25,
                                  .df1 = 1.75,
                                  .p_model = 0.02,
                                  .p_permutation = 0.005,
                                  .permutations = 252,
                                  .exact = true,
                                  .p_value = 0.005,
                                  .tvd = {0.1, 0.05, 0.2, 0.03},
                                  .jsd = {0.01, 0.002, 0.03, 0.004},
                                  .cramer = {0.15, 0.12, 0.18, 0.05}};
    c.within[SIDE_A] = (struct stat_whole){.cells = 3,
                                           .g = 3.5,
                                           .phi = 1.5,
                                           .df1 = 2,
                                           .p_model = 0.25,
                                           .p_permutation = NAN,
                                           .p_value = 0.25,
                                           .tvd = {0.02, 0, 0, 0.04},
                                           .jsd = {0.003, 0, 0, 0.005},
                                           .cramer = {0.01, 0, 0, 0.02}};
    return c;
}

static const char *text_of(const struct comparison *c, bool all, bool colour)
{
    struct out_file out;
    FILE *to;

    options.all = all;
    return TOOL_WRITES(to, (out_file_init(&out, to, colour), compare_document.text(&out, c)));
}

static void text(void **state)
{
    struct comparison c = make();

    expect_file(text_of(&c, false, false), "compare/comparison.txt");
    expect_file(text_of(&c, true, false), "compare/comparison-all.txt");
    expect_file(text_of(&c, false, true), "compare/comparison-colour.txt");
}

/* No item differs, there are no notes, each side has one run, and lists are long. */
static void other_text(void **state)
{
    struct comparison c = make();

    c.setting_count = c.note_count = c.item_count = 0;
    c.run_count[SIDE_A] = 1;
    c.one_sided_count = COUNT(one_sided);
    c.outside_count = COUNT(outside);
    c.outside_share[SIDE_B].n = 0;
    c.whole.p_permutation = NAN;
    c.whole.p_value = 0.02;
    c.within_n[SIDE_B][0] = 1;
    options.level = 0.9;
    options.margin = (struct stat_margin){0.01, 0.1};
    options.rate_margin = 0.0025;
    expect_file(text_of(&c, false, false), "compare/comparison-other.txt");
    c.whole.exact = false;
    c.whole.p_permutation = c.whole.p_value;
    assert_non_null(strstr(text_of(&c, true, false), "\n  p of no difference         0.02 (random 252 choices) "));
    assert_non_null(strstr(text_of(&c, true, false), "\n  B  f21 "));
    assert_non_null(strstr(text_of(&c, false, false), "\n  and 2 more\n"));
    c.one_sided_count = 20;
    assert_null(strstr(text_of(&c, false, false), "\n  and 0 more\n"));
    c.outside_count = 8;
    assert_null(strstr(text_of(&c, true, false), "    and "));
}

static void csv(void **state)
{
    struct comparison c = make();
    FILE *to;

    expect_file(TOOL_WRITES(to, document_put(to, FORM_CSV, &compare_document, &c)), "compare/comparison.csv");
}

static void json(void **state)
{
    struct comparison c = make();
    FILE *to;

    expect_file(TOOL_WRITES(to, assert_true(document_put(to, FORM_JSON, &compare_document, &c))),
                "compare/comparison.json");
    c.work_unit = NULL;
    c.within_n[SIDE_A][0] = 0;
    c.within_n[SIDE_B][0] = 1;
    expect_file(TOOL_WRITES(to, assert_true(document_put(to, FORM_JSON, &compare_document, &c))),
                "compare/comparison-other.json");
}

static void page(void **state)
{
    struct comparison c = make();
    const char *text, *data;
    char wanted[20000];
    FILE *to;

    snprintf(wanted, sizeof(wanted), "%s", TOOL_WRITES(to, document_put(to, FORM_JSON, &compare_document, &c)));
    text = TOOL_WRITES(to, assert_true(document_put(to, FORM_HTML, &compare_document, &c)));
    assert_non_null(strstr(text, "<title>ibsprof compare</title>"));
    data = strstr(text, "<script type=\"application/json\" id=\"comparison\">\n");
    assert_non_null(data);
    data = strchr(data, '\n') + 1;
    assert_memory_equal(data, wanted, strlen(wanted));
    to = fopen("/dev/full", "w");
    assert_false(document_put(to, FORM_HTML, &compare_document, &c));
    fclose(to);
}

/* ---------------------------------------------------------------- order and verdict */

/* Items are sorted by verdict, then by the difference in widths of its interval; equal ones keep their order. */
static void order(void **state)
{
    static const uint32_t wanted[] = {0, 7, 3, 4, 5, 2, 6, 1};
    struct comparison c = make();
    uint32_t *got;

    /* 0: 0.225 / 0.0188; 7: 12 / 2; 3 is "both"; 4: 0.0994 / 0.3; 5: 0.05 / 0.2, 2: 0.001 / 0.04, 6: 0 */
    items[4].log2_ratio = -0.01;
    items[5].log2_ratio = -0.2;
    items[2].log2_ratio = 1;
    got = compare_order(&c);
    for (unsigned i = 0; i < COUNT(wanted); i++)
        assert_int_equal(got[i], wanted[i]);
    free(got);
    items[4].log2_ratio = 1e-13; /* no difference */
    got = compare_order(&c);
    assert_int_equal(got[3], 5);
    assert_int_equal(got[5], 4); /* before item 6, which comes later */
    free(got);
    c.item_count = 0;
    free(compare_order(&c));
}

static void places_and_needs(void **state)
{
    struct comparison c = make();
    char name[40];

    compare_place_name(&c, COMPARE_WHOLE, name, sizeof(name));
    assert_string_equal(name, "all");
    compare_place_name(&c, 0, name, sizeof(name));
    assert_string_equal(name, "hot+0x6");
    compare_place_name(&c, 2, name, sizeof(name));
    assert_string_equal(name, "rare");
    assert_string_equal(compare_place_text(&c, COMPARE_WHOLE), "");
    assert_string_equal(compare_place_text(&c, 0), "mov eax, dword ptr [rsi+rcx*4]");
    assert_true(compare_needed(&c, &items[2], SIDE_A) == 3108918); /* 2.5 * 1243567 = 3108917.5 */
    assert_true(compare_needed(&c, &items[2], SIDE_B) == 1250);
    assert_true(compare_needed(&c, &items[4], SIDE_B) == 500); /* never fewer than there are */
    assert_true(compare_needed(&c, &items[5], SIDE_B) == 0);
}

/* An item with a difference of 0.1 and an interval up to 1. */
#define VERDICT_ON(place_, column_, a_, b_, verdict_, ...)                                                             \
    ITEM(place_, column_, a_, b_, 0.1, 0, 1, 0, 0, verdict_, .log2_ratio = 1, __VA_ARGS__)

/* Each item has a verdict; for "equivalent" shares are judged, and for the whole workload rates and work. */
static void verdicts(void **state)
{
    static const struct compare_item equal_share = VERDICT_ON(0, SHARE, 0.5, 0.5, EQUIVALENT, .equivalent = true),
                                     open_share = VERDICT_ON(0, SHARE, 0, 0, INCONCLUSIVE, .factor = 4),
                                     enough = VERDICT_ON(0, SHARE, 0, 0, INCONCLUSIVE, .factor = 0.5),
                                     open_rate = VERDICT_ON(0, DC_MISS, 0, 0, INCONCLUSIVE, .factor = 9),
                                     whole_rate = VERDICT_ON(COMPARE_WHOLE, DC_MISS, 0, 0, INCONCLUSIVE, .factor = 2.5),
                                     whole_p50 = VERDICT_ON(COMPARE_WHOLE, P50, 0, 0, INCONCLUSIVE, .factor = 9),
                                     tiny = VERDICT_ON(COMPARE_WHOLE, WORK, 12.3456, 12.4, BOTH, .equivalent = true),
                                     other = VERDICT_ON(0, DC_MISS, 0.25, 0.5, DIFFERENT),
                                     slower = VERDICT_ON(1, P90, 162, 201.5, DIFFERENT);
    static const struct {
        const struct compare_item *items[3];
        double whole_q;
        bool failed, runs; /* A against A */
        enum stat_verdict verdict;
        const char *sentence;
    } rows[] = {
        {{&equal_share, &open_rate, &whole_p50},
         1,
         false,
         true,
         VERDICT_EQUIVALENT,
         "Equivalent: no difference was found, and all 1 shares and rates are shown to be within 0.5 points or 5 % "
         "(small rates: a tenth) of "
         "each "
         "other."},
        {{&equal_share, &open_rate},
         0.01,
         false,
         true,
         VERDICT_EQUIVALENT,
         "Equivalent: no difference was found, and all 1 shares and rates are shown to be within 0.5 points or 5 % "
         "(small rates: a tenth) of "
         "each "
         "other."},
        {{&equal_share, &tiny},
         1,
         false,
         true,
         VERDICT_BOTH,
         "Both: there is a real difference (the number of IBS op for each of the turns, 12.35 in A and 12.4 in B), but "
         "all "
         "2 shares and rates are within 0.5 points or 5 % (small rates: a tenth)."},
        {{&open_share, &tiny, &equal_share},
         1,
         false,
         true,
         VERDICT_INCONCLUSIVE,
         "Inconclusive: no difference was found, but 1 of 3 shares and rates are not shown to be within 0.5 points or "
         "5 % (small rates: a tenth); "
         "if the sides are equal, about 4,970,000 samples per side (4.0 times as many) would show it."},
        {{&open_share, &whole_rate},
         0.06,
         false,
         true,
         VERDICT_INCONCLUSIVE,
         "Inconclusive: no difference was found, but 2 of 2 shares and rates are not shown to be within 0.5 points or "
         "5 % (small rates: a tenth); "
         "if the sides are equal, about 4,970,000 samples per side (4.0 times as many) would show it."},
        {{&enough},
         1,
         false,
         true,
         VERDICT_INCONCLUSIVE,
         "Inconclusive: no difference was found, but 1 of 1 shares and rates are not shown to be within 0.5 points or "
         "5 % (small rates: a tenth); "
         "this many samples show in 80 of 100 cases that equal sides are equal: take new runs."},
        {{&open_share},
         0.05,
         false,
         true,
         VERDICT_DIFFERENT,
         "Different: the profiles as a whole are not the same (p 0.005), but no instruction stands out."},
        {{&equal_share, &other},
         1,
         false,
         true,
         VERDICT_DIFFERENT,
         "Different: 1 of 2 comparisons differ, most of all the DC miss rate of loads of hot+0x6 (mov eax, dword ptr "
         "[rsi+rcx*4]), 25.00 % in A and 50.00 % in B."},
        {{&slower, &equal_share, &tiny},
         1,
         false,
         true,
         VERDICT_DIFFERENT,
         "Different: 1 of 3 comparisons differ, most of all the p90 DC miss latency of op\"er,ator+0x0, 162 in A and "
         "201.5 in B."},
        {{&other},
         1,
         true,
         true,
         VERDICT_INCONCLUSIVE,
         "Inconclusive: runs of one side differ among themselves (A/A fails), so a difference between the sides would "
         "mean "
         "nothing."},
        {{&other},
         1,
         true,
         false,
         VERDICT_DIFFERENT,
         "Different: 1 of 1 comparisons differ, most of all the DC miss rate of loads of hot+0x6 (mov eax, dword ptr "
         "[rsi+rcx*4]), 25.00 % in A and 50.00 % in B."},
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        for (uint32_t side = 0; side < SIDES; side++) {
            struct comparison c = make();

            c.run_count[SIDE_B] = 2;
            c.item_count = 0;
            while (c.item_count < 3 && rows[i].items[c.item_count] != NULL) {
                items[c.item_count] = *rows[i].items[c.item_count];
                c.item_count++;
            }
            c.whole_q = rows[i].whole_q;
            c.within_failed[side] = rows[i].failed;
            c.within_runs[side] = rows[i].runs;
            c.sentence = NULL;
            compare_conclude(&c);
            if (c.verdict != rows[i].verdict)
                fail_msg("row %zu: %s", i, stat_verdict_name(c.verdict));
            assert_string_equal(c.sentence, rows[i].sentence);
            free(c.sentence);
        }
}

/* A side with one run gets a verdict on the runs, not on the sides. */
static void verdicts_of_one_run(void **state)
{
    static const struct {
        enum stat_verdict item;
        const char *sentence;
    } rows[] = {
        {VERDICT_DIFFERENT, "These runs differ: 1 of 1 comparisons differ, most of all the share of samples of hot+0x6 "
                            "(mov eax, dword ptr [rsi+rcx*4]), 25.00 % in A and 50.00 % in B."},
        {VERDICT_EQUIVALENT, "These runs are equivalent: no difference was found, and all 1 shares and rates are shown "
                             "to be within 0.5 points or 5 % (small rates: a tenth) of each other."},
        {VERDICT_BOTH,
         "These runs differ, but little: there is a real difference (the share of samples of hot+0x6 (mov "
         "eax, dword ptr [rsi+rcx*4]), 25.00 % in A and 50.00 % in B), but all 1 shares and rates are "
         "within 0.5 points or 5 % (small rates: a tenth)."},
        {VERDICT_INCONCLUSIVE, "Undecided for these runs: no difference was found, but 1 of 1 shares and rates are not "
                               "shown to be within 0.5 points or 5 % (small rates: a tenth); this many samples show in "
                               "80 of 100 cases that equal sides are equal: take new runs."},
    };
    static const uint32_t run_counts[][SIDES] = {{1, 1}, {2, 1}, {1, 2}};

    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t k = 0; k < COUNT(run_counts); k++) {
            struct comparison c = make();
            char sentence[600];

            snprintf(sentence, sizeof(sentence), "%s %s", rows[i].sentence,
                     k == 0 ? "One run per side shows nothing about the sides: only repeated runs do."
                            : "A side with one run shows nothing about the side: only repeated runs do.");
            memcpy(c.run_count, run_counts[k], sizeof(c.run_count));
            c.item_count = 1;
            items[0] = (struct compare_item)VERDICT_ON(0, SHARE, 0.25, 0.5, ONE_RUN);
            items[0].verdict = rows[i].item;
            items[0].equivalent = rows[i].item == VERDICT_EQUIVALENT || rows[i].item == VERDICT_BOTH;
            c.whole_q = 1;
            c.sentence = NULL;
            compare_conclude(&c);
            assert_int_equal(c.verdict, VERDICT_ONE_RUN);
            assert_int_equal(c.of_runs, rows[i].item);
            assert_string_equal(c.sentence, sentence);
            free(c.sentence);
        }
}

static void noted(void **state)
{
    struct comparison c = {.note_count = 0};

    compare_note(&c, true, "%d of %s", 3, "them");
    compare_note(&c, false, "and this");
    assert_int_equal(c.note_count, 2);
    assert_string_equal(c.notes[0].text, "3 of them");
    assert_true(c.notes[0].warning);
    assert_string_equal(c.notes[1].text, "and this");
    assert_false(c.notes[1].warning);
    compare_free(&c);
}

/* ---------------------------------------------------------------- settings */

/* Returns a comparison of one run on each side with these facts, for what is said to differ. */
static struct comparison sides_of(const struct input_facts *a, const struct input_facts *b)
{
    static struct run_profile profiles[SIDES];
    static struct compare_run run[SIDES];
    struct comparison c = {.options = &options, .event = "timer", .kind = SAMPLE_OP, .run_count = {1, 1}};

    profiles[SIDE_A] = (struct run_profile){.facts = a};
    profiles[SIDE_B] = (struct run_profile){.facts = b};
    for (uint32_t side = 0; side < SIDES; side++) {
        run[side] = (struct compare_run){.path = side ? "b" : "a", .profile = &profiles[side]};
        c.runs[side] = &run[side];
    }
    return c;
}

static void told(void **state)
{
    static const struct input_event ops = {.name = "ibs_op//",
                                           .kind = SAMPLE_OP,
                                           .period = 1000,
                                           .config = IBS_OP_CNT_CTL},
                                    fetches = {.name = "ibs_fetch//", .kind = SAMPLE_FETCH, .period = 7},
                                    cycles = {.name = "ibs_op//", .kind = SAMPLE_OP, .frequency = 500},
                                    clock_a = {.name = "timer", .kind = SAMPLE_TIMER, .period = 10},
                                    clock_b = {.name = "timer", .kind = SAMPLE_TIMER, .period = 20};
    struct input_event of_a[] = {fetches, ops, clock_a}, of_b[] = {fetches, cycles, clock_b};
    static const struct input_setting settings_a[] = {{"pages", "4k", false},
                                                      {"seed", "1", false},
                                                      {"only_a", "1", false},
                                                      {"same", "1", false},
                                                      {"machine.firmware", "X", true},
                                                      {"machine.name", "P", true},
                                                      {"machine.tsc_khz", "1", true},
                                                      {"workload.n", "10", true},
                                                      {"ibs.op_random_range", "0", true},
                                                      {"arena.physical", "0x1", true},
                                                      {"config", "ibs", true},
                                                      {"nmi.all", "5", true},
                                                      {"pages", "4k", false}},
                                      settings_b[] = {{"pages", "2m", false},
                                                      {"seed", "2", false},
                                                      {"only_b", "1", false},
                                                      {"same", "1", false},
                                                      {"machine.firmware", "Y", true},
                                                      {"machine.name", "Q", true},
                                                      {"machine.tsc_khz", "2", true},
                                                      {"workload.n", "20", true},
                                                      {"ibs.op_random_range", "3", true},
                                                      {"arena.physical", "0x2", true},
                                                      {"config", "pmc", true},
                                                      {"nmi.all", "6", true}};
    static const char *const wanted[][3] = {
        {"operating system", "none", "Linux 6.1"},
        {"processor", "P", "Q"},
        {"family/model/stepping", "10h/4/2", "15h/4/2"},
        {"figures from", "model or hypervisor", "silicon"},
        {"workload", "lo%%op", "ring"},
        {"period", "1000 ops", "500 Hz"},
        {"interval counts", "dispatched ops", "cycles"},
        {"pages", "4k", "2m"},
        {"seed", "1", "2"},
        {"machine.firmware", "X", "Y"},
        {"workload.n", "10", "20"},
        {"ibs.op_random_range", "0", "3"},
        {"arena.physical", "0x1", "0x2"},
        {"config", "ibs", "pmc"},
    };
    struct input_facts a = {.format = INPUT_RUN,
                            .cpu_name = "P",
                            .family = 16,
                            .model = 4,
                            .stepping = 2,
                            .is_model = true,
                            .workload = "lo%%op",
                            .events = of_a,
                            .event_count = 3,
                            .settings = settings_a,
                            .setting_count = COUNT(settings_a)},
                       b = {.format = INPUT_PERFDATA,
                            .is_linux = true,
                            .release = "6.1",
                            .cpu_name = "Q",
                            .family = 21,
                            .model = 4,
                            .stepping = 2,
                            .workload = "ring",
                            .events = of_b,
                            .event_count = 3,
                            .settings = settings_b,
                            .setting_count = COUNT(settings_b)};
    struct comparison c = sides_of(&a, &b);

    compare_sides(&c);
    assert_int_equal(c.setting_count, COUNT(wanted));
    for (size_t i = 0; i < COUNT(wanted); i++) {
        assert_string_equal(c.settings[i].name, wanted[i][0]);
        assert_string_equal(c.settings[i].a, wanted[i][1]);
        assert_string_equal(c.settings[i].b, wanted[i][2]);
    }
    compare_free(&c);
    /* Fetches and other events have periods of their own; what their intervals count is not mentioned. */
    c = sides_of(&a, &b);
    c.kind = SAMPLE_FETCH;
    compare_sides(&c);
    assert_string_equal(c.settings[5].name, "pages");
    compare_free(&c);
    c = sides_of(&a, &b);
    c.kind = SAMPLE_TIMER;
    compare_sides(&c);
    assert_string_equal(c.settings[5].name, "period");
    assert_string_equal(c.settings[5].a, "10 ns");
    assert_string_equal(c.settings[5].b, "20 ns");
    assert_string_equal(c.settings[6].name, "pages");
    compare_free(&c);
    /* A fact that one side lacks is no difference; toolkit files do not name their system. */
    b.format = INPUT_TOOLKIT_OP;
    b.cpu_name = "";
    b.family = 0;
    b.workload = NULL;
    b.setting_count = 0;
    of_b[1].frequency = 0;
    c = sides_of(&a, &b);
    compare_sides(&c);
    assert_int_equal(c.setting_count, 2);
    assert_string_equal(c.settings[0].name, "figures from");
    assert_string_equal(c.settings[1].name, "interval counts");
    compare_free(&c);
}

/* For several runs of a side its different values are listed, at most four. */
static void told_of_several(void **state)
{
    static const char *const values[] = {"1", "2", "1", "3", "4", "5"};
    struct input_facts facts[7];
    struct input_setting seeds[7];
    struct run_profile profiles[7];
    struct compare_run run[7];
    struct comparison c = {.options = &options, .event = "", .kind = SAMPLE_OP, .run_count = {6, 1}};

    for (int i = 0; i < 7; i++) {
        seeds[i] = (struct input_setting){"seed", i < 6 ? values[i] : "9", false};
        facts[i] = (struct input_facts){.format = INPUT_RUN, .settings = &seeds[i], .setting_count = 1};
        profiles[i] = (struct run_profile){.facts = &facts[i]};
        run[i] = (struct compare_run){.path = "x", .profile = &profiles[i]};
    }
    c.runs[SIDE_A] = run;
    c.runs[SIDE_B] = run + 6;
    compare_sides(&c);
    assert_int_equal(c.setting_count, 1);
    assert_string_equal(c.settings[0].a, "1, 2, 3, 4, ...");
    assert_string_equal(c.settings[0].b, "9");
    compare_free(&c);
    c = (struct comparison){.options = &options, .event = "", .kind = SAMPLE_OP, .run_count = {5, 1}};
    c.runs[SIDE_A] = run;
    c.runs[SIDE_B] = run + 6;
    compare_sides(&c);
    assert_string_equal(c.settings[0].a, "1, 2, 3, 4");
    compare_free(&c);
}

/* Registers that change by themselves are left out, a core without a line has the boot core's value, and runs of a side
 * may differ. */
static void told_of_silicon(void **state)
{
    static const struct input_setting lines[4][4] = {
        {{"silicon.HWCR", "0x1", true}, {"silicon.PSTATE_STATUS", "0x0", true}, {"silicon.PAT", "0x6", true}},
        {{"silicon.HWCR", "0x1", true},
         {"silicon.PSTATE_STATUS", "0x2", true},
         {"silicon.PAT", "0x6", true},
         {"core.1.silicon.PAT", "0x0", true}},
        {{"silicon.HWCR", "faults", true}, {"silicon.PAT", "0x6", true}, {"silicon.UNHEARD_OF", "0x0", true}},
        {{"silicon.HWCR", "faults", false}, {"workload.n", "7", true}},
    };
    struct input_facts facts[4];
    struct run_profile profiles[4];
    struct compare_run run[4];
    struct comparison c = {.options = &options, .event = "", .kind = SAMPLE_OP, .run_count = {2, 1}};

    for (int i = 0; i < 4; i++) {
        facts[i] = (struct input_facts){.format = INPUT_RUN, .settings = lines[i]};
        while (facts[i].setting_count < 4 && lines[i][facts[i].setting_count].key)
            facts[i].setting_count++;
        profiles[i] = (struct run_profile){.facts = &facts[i]};
        run[i] = (struct compare_run){.path = "x", .profile = &profiles[i]};
    }
    c.runs[SIDE_A] = run;
    c.runs[SIDE_B] = run + 2;
    compare_silicon(&c);
    assert_int_equal(c.setting_count, 2);
    assert_string_equal(c.settings[0].name, "silicon.HWCR");
    assert_string_equal(c.settings[0].a, "0x1");
    assert_string_equal(c.settings[0].b, "faults");
    assert_string_equal(c.settings[1].name, "core.1.silicon.PAT");
    assert_string_equal(c.settings[1].a, "0x6, 0x0");
    assert_string_equal(c.settings[1].b, "0x6");
    assert_int_equal(c.note_count, 1);
    assert_true(c.notes[0].warning);
    assert_string_equal(c.notes[0].text,
                        "The processors were not set up alike: HWCR (caching of page tables, rate of the TSC, boost), "
                        "core.1.PAT (memory types that page tables choose from). This, and not the code, may cause "
                        "differences between the samples. The values are among the differences between the sides.");
    compare_free(&c);
    /* A run without a snapshot adds nothing. */
    c = (struct comparison){.options = &options, .event = "", .kind = SAMPLE_OP, .run_count = {1, 1}};
    c.runs[SIDE_A] = run;
    c.runs[SIDE_B] = run + 3;
    compare_silicon(&c);
    assert_int_equal(c.setting_count + c.note_count, 0);
    compare_free(&c);
}

/* Warnings and notes are compared as whole texts. */
static void warnings(void **state)
{
    static const char *const wanted[] = {
        "a is cut off: only its records before that point are compared.",
        "LOST: 5 samples of side A were dropped because they were not read in time. This happens where samples come "
        "fastest, so the share of the hottest code is too small, by an amount that no interval here covers.",
        "THROTTLE: the kernel stopped sampling on side B 7 times because there were too many interrupts. Code that ran "
        "during this time is missing, the busiest phases first: shares are biased by an amount that no interval here "
        "covers. "
        "A "
        "longer period avoids this.",
        "One side counted ops between samples and the other cycles: shares of executed ops and shares of dispatch time "
        "are different quantities, whatever the verdict.",
        "The sampling periods differ: shares can be compared, and figures per unit of work take the period into "
        "account.",
        "One side's figures come from a model and not from silicon: its miss rates and latencies come from the model.",
    };
    struct input_event ops[] = {{.name = "ibs_op//", .kind = SAMPLE_OP, .period = 200000, .config = IBS_OP_CNT_CTL},
                                {.name = "ibs_op//", .kind = SAMPLE_OP, .period = 100000}};
    struct input_facts a = {.format = INPUT_RUN, .is_model = true, .work = 1000, .events = &ops[0], .event_count = 1},
                       b = {.format = INPUT_RUN, .work = 1000, .events = &ops[1], .event_count = 1};
    double exposure_a = 0.005, exposure_b = 0.01; /* work over the mean period */
    struct comparison c = sides_of(&a, &b);

    c.work_unit = "turns";
    c.exposure[SIDE_A] = &exposure_a;
    c.exposure[SIDE_B] = &exposure_b;
    c.runs[SIDE_A][0].partial = true;
    c.lost[SIDE_A] = 5;
    c.throttled[SIDE_B] = 7;
    compare_sides(&c);
    assert_int_equal(c.note_count, COUNT(wanted));
    for (size_t i = 0; i < COUNT(wanted); i++) {
        assert_string_equal(c.notes[i].text, wanted[i]);
        assert_int_equal(c.notes[i].warning, i != 4);
    }
    assert_string_equal(c.work_unit, "turns");
    c.exposure[SIDE_A] = c.exposure[SIDE_B] = NULL;
    compare_free(&c);

    /* Work below 100,000 is left out, with a note; if the work was unknown before, the note says that. */
    exposure_b = 1000 / 99999.0;
    c = sides_of(&a, &b);
    c.work_unit = "turns";
    c.exposure[SIDE_A] = &exposure_a;
    c.exposure[SIDE_B] = &exposure_b;
    compare_sides(&c);
    assert_null(c.work_unit);
    assert_int_equal(c.note_count, 3);
    assert_string_equal(
        c.notes[1].text,
        "Figures per unit of work are omitted: the sides differ in handler or period, and at a "
        "period of 99999 each interval includes the ops that the handler executes after arming the next sample. From a "
        "period of 100000 on this is below the margin. Shares and rates are not affected.");
    assert_false(c.notes[1].warning);
    c.exposure[SIDE_A] = c.exposure[SIDE_B] = NULL;
    compare_free(&c);
    c = sides_of(&a, &a);
    compare_sides(&c);
    assert_int_equal(c.note_count, 1);
    assert_string_equal(c.notes[0].text,
                        "The work done is not known on both sides in the same unit: only shares and rates are "
                        "compared. A share can change although the cost does not, and vice versa.");
    assert_false(c.notes[0].warning);
    compare_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text),
        cmocka_unit_test(other_text),
        cmocka_unit_test(csv),
        cmocka_unit_test(json),
        cmocka_unit_test(page),
        cmocka_unit_test(order),
        cmocka_unit_test(places_and_needs),
        cmocka_unit_test(verdicts),
        cmocka_unit_test(verdicts_of_one_run),
        cmocka_unit_test(noted),
        cmocka_unit_test(told),
        cmocka_unit_test(told_of_several),
        cmocka_unit_test(told_of_silicon),
        cmocka_unit_test(warnings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
