/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two sets of noise runs: does side B take more time from a program than side A? docs/compare.md, "Noise", says why the
 * formulas are these.
 *
 *   rate     detours per second. Counts vary like Poisson's times phi, the variance between runs over that of
 * independent detours (never below 1): Garwood's exact interval (Biometrika 28, 1936), the conditional binomial test
 * for the ratio of two rates (Przyborowski and Wilenski, Biometrika 31, 1940) lost     part of the time. The larger of
 * two variances: between runs, and within them (sum of squared lengths, as of a compound Poisson process); Welch's
 * test. Where there was no detour, the upper end is the rate's times the mean length on the other side largest  the
 * number of the longest of all that are on one side; if detours did not care on which side they are, chance would do
 * that with (the side's part of the time)^count. Its interval is of the length that comes once in the time observed:
 * from the fourth longest up, open above (P(N >= 4) = 0.019 for a mean of 1) spread   standard deviation between runs
 * of the part lost; chi-square interval, F test quantum  part of the time lost in fixed work; between runs
 */
#ifndef TOOLS_IBSPROF_NOISE_COMPARE_H
#define TOOLS_IBSPROF_NOISE_COMPARE_H

#include "tools/ibsprof/noise/noise_report.h"
#include "tools/ibsprof/read/run_silicon.h"
#include "tools/ibsprof/stat/stat_verdict.h"

enum noise_item_kind { NOISE_ITEM_RATE, NOISE_ITEM_LOST, NOISE_ITEM_LARGEST, NOISE_ITEM_SPREAD, NOISE_ITEM_QUANTUM };
enum { NOISE_ITEMS = 5, NOISE_SIDES = 2 };

struct noise_compare_options {
    double level;                    /* 0.95 */
    double margin_rate;              /* detours per second: 1 */
    double margin_fraction;          /* of time: 1e-6 */
    double margin_ns;                /* of the largest: 1000 */
    double margin_relative;          /* or this share of A's value, if larger: 0.05 */
    const char *regime[NOISE_SIDES]; /* for ibsboot's runs */
};

/* unit of the item: per second, fraction, ns. NAN: not known. */
struct noise_value {
    double value, low, high;
};

struct noise_item {
    const char *key, *title, *unit;
    struct noise_value side[NOISE_SIDES];
    struct noise_value difference; /* b - a */
    double p_value, q, margin;
    bool judged; /* false if there is nothing to test: one run on a side, or none has the figure */
    bool equivalent;
    enum stat_verdict verdict;
};

struct noise_side {
    struct noise_files files;
    char label[64]; /* "Linux", "ibsboot, everything off" */
    uint32_t runs;
    double seconds, detours, phi;
    double fewer;           /* without detours: upper end of their rate per second; otherwise 0 */
    double spread_relative; /* (most - least) / mean of the lost part; NAN: one run, or nothing lost */
    double longest_quantum; /* largest ratio, less 1, to the shortest quantum of its run */
    uint32_t tick_hz;
};

struct noise_comparison {
    struct noise_compare_options options;
    struct noise_side side[NOISE_SIDES];
    struct noise_item item[NOISE_ITEMS];
    enum stat_verdict verdict;
    char sentence[600];
    struct run_silicon silicon; /* differences in the processors' setup, and a warning */
    char *set_up;
    const char *warnings[4]; /* NULL after the last */
    bool is_model;           /* of at least one side */
};

/* Compares side[].files by the options. Returns false, with a line in 'error', if a run has no such regime. */
bool noise_compare(struct noise_comparison *c, char *error, size_t error_size);

/* Frees the memory of noise_compare(), also after an error; keeps the files. */
void noise_compare_free(struct noise_comparison *c);

extern const struct document noise_compare_document; /* for a struct noise_comparison */

#endif
