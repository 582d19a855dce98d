/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compares samples with exact shares: their distance, and the distance expected from chance alone.
 *
 * Cells are instructions. Samples are a multinomial draw from the exact shares if every counted unit has the same
 * chance of each sample.
 */
#ifndef TOOLS_IBSPROF_STAT_BIAS_H
#define TOOLS_IBSPROF_STAT_BIAS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    STAT_BIAS_LEAST = 5,    /* expected samples of a cell, the usual rule for chi-square */
    STAT_BIAS_DRAWS = 2000, /* draws of the multinomial */
};

struct stat_bias {
    double n;          /* samples */
    double tvd;        /* total variation: half of the sum of all differences of shares */
    double floor;      /* exact expectation of tvd from chance alone */
    double floor_high; /* upper end of the 95 % interval of that, by draws */
    double p_tvd;      /* probability that chance alone gives as much or more, by draws; at least 1 / (draws + 1) */
    double chi2, p_chi2;
    uint32_t df;     /* 0: one cell is left, so there is no test */
    uint32_t pooled; /* cells combined because fewer than STAT_BIAS_LEAST samples were expected */
    double never;    /* samples in cells with an exact share of 0: chance gives none */
    uint32_t worst;  /* the cell with the largest difference of shares */
    bool beyond;     /* not explained by chance: one of both p's is below 0.025, so that the two together err in 5 %; or
                        'never' */
    bool even;       /* chi-square is so small that chance gives as little once in a million times */
};

/* Compares samples with 'share', the exact counts in any unit. Returns false, with *ret 0, without samples or without
 * counts. */
bool stat_bias(const double *samples, const double *share, uint32_t cells, unsigned long seed, struct stat_bias *ret);

#endif
