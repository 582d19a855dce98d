/* SPDX-License-Identifier: BSD-2-Clause */
/* One side of a comparison of noise runs, in numbers. */
#ifndef TOOLS_IBSPROF_NOISE_SIDE_H
#define TOOLS_IBSPROF_NOISE_SIDE_H

#include "tools/ibsprof/noise/noise_compare.h"

enum { NOISE_RUNS_MAX = 256 };

/* Holds the measurements of one side's runs. */
struct noise_sums {
    uint32_t runs;
    double seconds[NOISE_RUNS_MAX], count[NOISE_RUNS_MAX], lost[NOISE_RUNS_MAX], quantum[NOISE_RUNS_MAX];
    uint32_t quanta;   /* number of runs with quanta */
    double squares;    /* sum of squared lengths, s^2, scaled up if some lengths were not kept */
    double total, all; /* seconds; detours */
    double lost_seconds;
    double phi, df;     /* df INFINITY: phi is 1 */
    double chi, chi_df; /* chi-square between the runs */
    double *length;     /* ns, of kept detours, descending */
    uint32_t lengths;
    double largest;
};

/* Sums up side->files and sets the side's figures for tables. Returns false, with a line in 'error', if a run has no
 * such regime. The caller frees n->length in both cases. */
bool noise_side_read(struct noise_side *side, const char *regime, struct noise_sums *n, char *error, size_t error_size);

#endif
