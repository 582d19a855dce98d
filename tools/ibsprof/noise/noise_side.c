/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/noise/noise_side.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/ibsprof/base/must.h"

static int descending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return a > b ? -1 : a < b;
}

/* Collects the lengths of detours, for the longest and for the sum of squares. */
static void add_lengths(struct noise_sums *n, const struct noise_regime_file *regime, const struct noise_class *class)
{
    double kept = 0, squares = 0;

    n->length = must_grow(n->length, n->lengths + regime->detour_count + 1, sizeof(*n->length));
    for (uint32_t d = 0; d < regime->detour_count; d++) {
        double length = (double)regime->detours[d].ns;

        if (length < (double)class->threshold_ns)
            continue;
        n->length[n->lengths++] = length;
        squares += length * length * 1e-18;
        kept++;
    }
    if (kept > 0)
        n->squares += squares * fmax(1, (double)class->count / kept);
}

static void add_run(struct noise_sums *n, const struct noise_regime_file *regime)
{
    const struct noise_class *class = &regime->by[NOISE_MICROSECOND];
    uint32_t run = n->runs++;

    add_lengths(n, regime, class);
    n->seconds[run] = (double)regime->duration_ns / 1e9;
    n->count[run] = (double)class->count;
    n->lost[run] = (double)class->lost_ppb / 1e9;
    n->total += n->seconds[run];
    n->all += n->count[run];
    n->lost_seconds += n->lost[run] * n->seconds[run];
    if (class->count)
        n->largest = fmax(n->largest, (double)regime->largest_ns);
    if (regime->quanta.count && regime->quanta.least)
        n->quantum[n->quanta++] = (double)regime->quanta.lost_ppb / 1e9;
}

/* Sets what tables say about a side besides its items. */
static void describe_run(struct noise_side *side, const struct noise_file *file, const struct noise_regime_file *regime)
{
    snprintf(side->label, sizeof(side->label), "%s%s", file->is_linux ? "Linux" : "ibsboot, ",
             file->is_linux ? "" : regime->title);
    for (unsigned p = 0; p < regime->periods; p++)
        if (noise_tick_hz(&regime->period[p]) && file->is_linux)
            side->tick_hz = noise_tick_hz(&regime->period[p]);
    if (regime->quanta.count && regime->quanta.least)
        side->longest_quantum =
            fmax(side->longest_quantum, (double)regime->quanta.most / (double)regime->quanta.least - 1);
}

static bool read_runs(struct noise_side *side, const char *regime_name, struct noise_sums *n, char *error,
                      size_t error_size)
{
    *n = (struct noise_sums){.phi = 1, .df = INFINITY};
    for (uint32_t i = 0; i < side->files.count && n->runs < NOISE_RUNS_MAX; i++) {
        const struct noise_file *file = &side->files.file[i];
        const struct noise_regime_file *regime = noise_file_regime(file, regime_name);

        if (!regime) {
            snprintf(error, error_size, "%s: it has no regime '%s'", file->path, regime_name);
            return false;
        }
        describe_run(side, file, regime);
        add_run(n, regime);
    }
    if (n->lengths > 0)
        qsort(n->length, n->lengths, sizeof(*n->length), descending);
    return true;
}

/* Estimates how much more counts vary between runs than those of independent detours. */
static void estimate_phi(struct noise_sums *n)
{
    double rate = n->all / n->total;

    if (n->runs < 2 || n->all == 0)
        return;
    n->chi_df = n->runs - 1;
    for (uint32_t i = 0; i < n->runs; i++)
        n->chi += pow(n->count[i] - rate * n->seconds[i], 2) / (rate * n->seconds[i]);
    if (n->chi > n->chi_df) {
        n->phi = n->chi / n->chi_df;
        n->df = n->chi_df;
    }
}

static double relative_spread(const struct noise_sums *n)
{
    double most = 0, least = INFINITY;

    for (uint32_t i = 0; i < n->runs; i++) {
        most = fmax(most, n->lost[i]);
        least = fmin(least, n->lost[i]);
    }
    return n->runs > 1 && n->lost_seconds > 0 ? (most - least) / (n->lost_seconds / n->total) : (double)NAN;
}

bool noise_side_read(struct noise_side *side, const char *regime, struct noise_sums *n, char *error, size_t error_size)
{
    if (!read_runs(side, regime, n, error, error_size))
        return false;
    estimate_phi(n);
    side->runs = n->runs;
    side->seconds = n->total;
    side->detours = n->all;
    side->phi = n->phi;
    side->spread_relative = relative_spread(n);
    return true;
}
