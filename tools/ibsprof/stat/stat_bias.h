/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples against exact shares: how far apart they are, and how far chance alone would have them.
 *
 * Cells are instructions. The samples are a multinomial draw from the exact shares where each is taken on any of what
 * is counted with the same chance.
 */
#ifndef TOOLS_IBSPROF_STAT_BIAS_H
#define TOOLS_IBSPROF_STAT_BIAS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    STAT_BIAS_LEAST = 5,    /* samples expected of a cell, the usual rule for chi-square */
    STAT_BIAS_DRAWS = 2000, /* of the multinomial */
};

struct stat_bias {
    double n;          /* samples */
    double tvd;        /* total variation: half of the sum of all differences of shares */
    double floor;      /* what chance alone is expected to give, exactly */
    double floor_high; /* the 95 % upper end of that, by draws */
    double p_tvd;      /* chance alone gives as much or more, by draws; at least 1 / (draws + 1) */
    double chi2, p_chi2;
    uint32_t df;     /* 0: one cell is left, which tells nothing */
    uint32_t pooled; /* cells that were put together, as less than STAT_BIAS_LEAST samples were expected */
    double never;    /* samples in cells whose exact share is 0: chance gives none */
    uint32_t worst;  /* the cell with the largest difference of shares */
    bool beyond;     /* chance: one of both p's is below 0.025, so that the two together err in 5 %; or 'never' */
    bool even;       /* chi-square is so small that chance gives as little once in a million times */
};

/* share: of the exact counts, in any unit. False, and *ret is 0, without samples or without counts. */
bool stat_bias(const double *samples, const double *share, uint32_t cells, unsigned long seed, struct stat_bias *ret);

#endif
