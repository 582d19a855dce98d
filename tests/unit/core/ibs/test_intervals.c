/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples after short and long intervals, compared by hand and with golden text. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/family/ibs_regs.h"
#include "core/ibs/intervals.h"

enum { MEAN = 0x100, OUTSIDE = -1, ROWS = (SMALL_INSNS + 1) * 2 };

static struct intervals intervals;
static uint32_t memory[ROWS][2];
static char text[1024];

static void begin(void)
{
    memset(memory, 0x5a, sizeof(memory));
    assert_int_equal(intervals_memory_size(&small_map), sizeof(memory));
    intervals_init(&intervals, &small_map, memory, MEAN);
}

/* Adds so many samples of the instruction after intervals of MEAN, and after longer ones. */
static void add(int32_t insn, bool missed, unsigned of_short, unsigned of_long)
{
    struct sample_record record = {.kind = SAMPLE_OP};

    record.reg[IBS_OP_DATA3] = missed ? IBS_DC_MISS : ~(uint64_t)IBS_DC_MISS;
    record.reg[IBS_OP_CTL] = ~(uint64_t)IBS_OP_MAX_CNT | MEAN;
    for (unsigned i = 0; i < of_short; i++)
        intervals_add(&intervals, insn, &record);
    record.reg[IBS_OP_CTL]++;
    for (unsigned i = 0; i < of_long; i++)
        intervals_add(&intervals, insn, &record);
}

static const char *print(void)
{
    struct out_memory out;

    out_memory_init(&out, text, sizeof(text));
    intervals_print(&out.out, &intervals);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        assert_true(strcspn(line, "\n") <= 79);
    return text;
}

/* Three rows of 40 and 60 of 100 and 200 samples: (40 x 200 - 60 x 100)^2 / (100 x 100 x 200) = 2. */
TEST(one_by_hand)
{
    begin();
    add(SMALL_FMUL, false, 40, 60);
    add(SMALL_FMUL, true, 20, 80);
    add(OUTSIDE, false, 40, 60);
    intervals_check(&intervals);
    assert_int_equal(intervals.samples[0], 100);
    assert_int_equal(intervals.samples[1], 200);
    assert_int_equal(intervals.df, 2);
    assert_int_equal(intervals.chi2_milli, 2000 + 8000 + 2000);
    assert_int_equal(intervals.difference_ppm, 2 * 182574); /* sqrt((12 - 2) / 300) */
    assert_false(intervals.differ);
    assert_string_equal(print(), "Op samples after short and long intervals: alike, chi2/df 6.00\n"
                                 "(100 and 200 samples).\n");
}

/* Rows that are too small are combined: 1, 2 and 3 of 120 make 6, with 14 of 480; the rest is 114 and 466. With a and b
 * of s and t samples the sum's terms are (a t - b s)^2 / ((a + b) s t): 1.25 and 0.043, each rounded. */
TEST(small_rows_are_one)
{
    begin();
    add(SMALL_LOOP, false, 114, 466);
    add(SMALL_FMUL, false, 1, 4);
    add(SMALL_FMUL, true, 2, 5);
    add(OUTSIDE, false, 3, 5);
    intervals_check(&intervals);
    assert_int_equal(intervals.samples[0], 120);
    assert_int_equal(intervals.samples[1], 480);
    assert_int_equal(intervals.df, 0); /* 20 of 600 are expected as 4 and 16: too few */
    begin();
    add(SMALL_LOOP, false, 113, 462);
    add(SMALL_FMUL, false, 2, 8);
    add(SMALL_FMUL, true, 2, 5);
    add(OUTSIDE, false, 3, 5);
    intervals_check(&intervals);
    assert_int_equal(intervals.df, 1);
    assert_int_equal(intervals.chi2_milli,
                     1000ull * ((7 * 480 - 18 * 120) * (7 * 480 - 18 * 120) / 25) / (120 * 480) +
                         1000ull * ((113 * 480 - 462 * 120) * (113 * 480 - 462 * 120) / 575) / (120 * 480));
}

TEST(alike_and_different)
{
    begin();
    add(SMALL_LOOP, false, 5000, 4900);
    add(SMALL_FMUL, false, 1000, 1050);
    add(SMALL_FMUL, true, 4000, 4050);
    intervals_check(&intervals);
    assert_false(intervals.differ);
    begin();
    add(SMALL_LOOP, false, 5000, 5000); /* as frequent, but with fewer misses */
    add(SMALL_FMUL, false, 1000, 1500);
    add(SMALL_FMUL, true, 4000, 3500);
    intervals_check(&intervals);
    assert_true(intervals.differ);
    check_golden("intervals_warning.txt", print());
}

/* Rows with fewer than 5 expected samples on a side are combined, if they are enough together. */
TEST(small_rows)
{
    begin();
    add(SMALL_FMUL, false, 100, 100);
    add(SMALL_LOOP, false, 5, 5);
    intervals_check(&intervals);
    assert_int_equal(intervals.df, 1);
    begin();
    add(SMALL_FMUL, false, 100, 100);
    add(SMALL_LOOP, false, 5, 4);
    intervals_check(&intervals);
    assert_int_equal(intervals.df, 0);
    assert_string_equal(print(), "");
    add(SMALL_SETUP, true, 0, 1);
    intervals_check(&intervals);
    assert_int_equal(intervals.df, 1);
    begin();
    intervals_check(&intervals);
    assert_int_equal(intervals.df, 0);
}

/* Nothing is kept before intervals_init(). */
TEST(not_asked_for)
{
    intervals = (struct intervals){0};
    add(SMALL_FMUL, true, 1, 1);
    intervals_check(&intervals);
    assert_int_equal(intervals.samples[0] + intervals.samples[1] + intervals.df, 0);
    assert_string_equal(print(), "");
}

/* Each row has its own place: the first and the last instruction, samples that missed and samples that did not, and all
 * else. */
TEST(places)
{
    begin();
    add(0, false, 1, 2);
    add(0, true, 3, 4);
    add(SMALL_INSNS - 1, true, 5, 6);
    add(OUTSIDE, false, 7, 8);
    add(OUTSIDE, true, 9, 10);
    for (unsigned i = 0; i < ROWS; i++) {
        unsigned first = i < 2 ? 2 * i + 1 : i >= ROWS - 3 ? 5 + 2 * (i - (ROWS - 3)) : 0;

        assert_int_equal(memory[i][0], first);
        assert_int_equal(memory[i][1], first ? first + 1 : 0);
    }
}

RUN_TESTS(NULL, NULL)
