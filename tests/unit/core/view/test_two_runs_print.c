/* SPDX-License-Identifier: BSD-2-Clause */
/* The text about two runs, compared with golden files, and what is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/view/two_runs.h"
#include "tests/unit/core/check.h"

static struct figures a, b;

static int setup(void **state)
{
    (void)state;
    a = (struct figures){.workload = "some-work",
                         .unit = "passes",
                         .config = "ibs",
                         .settings = "pages=2m\nseed=7\nn=40\n",
                         .map = &small_map,
                         .model = true,
                         .good = true,
                         .us = 1429,
                         .work = 64000,
                         .instructions = 448129,
                         .period = 250,
                         .samples = 1000 + 3,
                         .outside = 3};
    strcpy(a.what, "IBS ops");
    b = a;
    for (uint32_t i = 0; i < 8; i++) {
        figures_add(&a, SMALL_LOOP + i, small_map.insns[SMALL_LOOP + i].rva, i == 3 ? 300 : i < 7 ? 115 + i : 1);
        figures_add(&b, SMALL_LOOP + i, small_map.insns[SMALL_LOOP + i].rva, i == 3 ? 178 : i < 7 ? 134 + i : 1);
    }
    a.samples = b.samples = 3;
    for (uint32_t i = 0; i < 8; i++) {
        a.samples += a.row[i].samples;
        b.samples += b.row[i].samples;
    }
    b.us = 1403;
    return 0;
}

static void check(const char *name)
{
    struct two_runs *two = malloc(sizeof(*two));
    struct out_memory memory;
    char text[6000];

    out_memory_init(&memory, text, sizeof(text));
    two_runs_print(&memory.out, two, &a, &b);
    free(two);
    check_golden(name, text);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        assert_true(strchr(line, '\n') - line < 80);
}

TEST_WITH(differ, setup, NULL)
{
    b.settings = "pages=2m\nseed=8\nnote=a text that is longer than the column that it has\n";
    b.left = 7;
    b.left_samples = 8;
    figures_add(&a, SMALL_RET, small_map.insns[SMALL_RET].rva, 9);
    a.samples += 9;
    b.samples -= b.outside;
    b.outside = 0;
    a.good = b.good = false;
    check("view/two_runs_differ.txt");
}

/* The runs have other parameters, and no shares. */
TEST_WITH(other_work, setup, NULL)
{
    a.settings = b.settings = "";
    b.work = 32000;
    b.us = 715;
    strcpy(b.what, "timer ticks");
    check("view/two_runs_other.txt");
}

static void assert_says(const char *begin)
{
    static struct two_runs two;
    struct out_memory memory;
    char text[6000];

    out_memory_init(&memory, text, sizeof(text));
    two_runs_print(&memory.out, &two, &a, &b);
    if (strncmp(text, begin, strlen(begin)) != 0)
        fail_msg("not at the beginning of: %s", text);
}

TEST_WITH(first_sentences, setup, NULL)
{
    b.workload = "another";
    assert_says("Not compared: the workload of A is some-work, that of B another.\n");
    (void)setup(NULL);
    b.what[0] = '\0';
    b.config = "count";
    assert_says("No shares are compared: a run with config=count keeps no shares of\n");
    (void)setup(NULL);
    b.rows = 1;
    b.row[0].samples = 4;
    b.samples = 4 + b.outside;
    assert_says("Undecided for these runs: no instruction has enough samples. One run");
    (void)setup(NULL);
    a.samples = a.outside;
    assert_says("No shares are compared: A has no samples of the workload.");
    (void)setup(NULL);
    b = a;
    assert_says("Undecided for these runs: both have the same samples, ");
    a.row[3].samples += 50;
    b = a;
    b.us++;
    for (uint32_t i = 0; i < 8; i++) {
        a.row[i].samples *= 1000;
        b.row[i].samples *= 1000;
    }
    b.samples = a.samples = 1063000 + 3;
    assert_says("These runs are equivalent: all 8 shares are within 0.5 points or 5 % of A.");
    b.row[0].samples += 3000;
    b.samples += 3000;
    assert_says("These runs differ, but little: 1 of 8 shares, most of all that of ");
    b.samples = a.samples = 1060 + 3;
    for (uint32_t i = 0; i < 8; i++) {
        a.row[i].samples /= 1000;
        b.row[i].samples /= 1000;
    }
    assert_says("Undecided for these runs: no share differs for certain, and ");
}

/* Returns a difference in points, with hundredths, from millionths. */
static const char *points(char text[16], int ppm)
{
    int hundredths = (abs(ppm) + 50) / 100;

    sprintf(text, "%s%d.%02d", ppm < 0 ? "-" : "", hundredths / 100, hundredths % 100);
    return text;
}

/* The shares and their intervals are rounded: there are few samples, so that intervals are wide. */
TEST_WITH(shares_are_rounded, setup, NULL)
{
    static const char *const words[] = {"different", "both", "equivalent", "inconclusive"};
    static struct two_runs two;
    char text[6000], line[80], of_a[16], of_b[16], difference[16], interval[16];
    struct out_memory memory;

    for (uint32_t n = 20; n < 200; n++) {
        a.rows = b.rows = 2;
        a.row[0].samples = n / 2;
        a.row[1].samples = n - n / 2;
        b.row[0].samples = n % 3 ? n / 3 : n / 2;
        b.row[1].samples = n - b.row[0].samples;
        a.samples = b.samples = n + 3;
        out_memory_init(&memory, text, sizeof(text));
        two_runs_print(&memory.out, &two, &a, &b);
        assert_int_equal(two.count, 2);
        for (unsigned i = 0; i < 2; i++) {
            const struct two_runs_share *share = &two.share[i];
            int x = (int)share->ppm[0], y = (int)share->ppm[1];

            sprintf(line, "%8s%8s%8s%7s  %s\n", points(of_a, x), points(of_b, y), points(difference, y - x),
                    points(interval, (int)share->interval_ppm), words[share->verdict]);
            if (!strstr(text, line))
                fail_msg("not in the text: %s%s", line, text);
        }
    }
}

RUN_TESTS(NULL, NULL)
