/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two runs compared by the figures that are kept of them, in the words of ibsprof compare (docs/compare.md). Of one run
 * a side no spread between runs is known: verdicts are of these two runs, and there is none of their times.
 */
#ifndef CORE_TWO_RUNS_H
#define CORE_TWO_RUNS_H

#include "core/profile/figures.h"

enum two_runs_verdict {
    TWO_RUNS_DIFFERENT,
    TWO_RUNS_BOTH, /* real, but tiny */
    TWO_RUNS_EQUIVALENT,
    TWO_RUNS_INCONCLUSIVE,
    TWO_RUNS_NOT_KEPT, /* of one run the instruction is among those that were left out */
    TWO_RUNS_VERDICTS,
};

/* Holds a share of both runs. */
struct two_runs_share {
    uint32_t insn, rva, rare;   /* of 'rare' instructions together; 0: of one */
    uint64_t x[2];              /* samples */
    uint32_t ppm[2], error_ppm; /* of the difference: if the shares are equal, its standard error, */
    uint32_t interval_ppm;      /* and half its 95 % interval, if samples are independent */
    bool kept[2];
    enum two_runs_verdict verdict;
};

struct two_runs {
    const struct figures *side[2];
    uint64_t n[2]; /* samples of the workload */
    bool copies;   /* the same samples twice */
    uint32_t count, judged, of[TWO_RUNS_VERDICTS];
    enum two_runs_verdict verdict;                     /* of all shares that were judged; none: INCONCLUSIVE */
    struct two_runs_share share[2 * FIGURES_ROWS + 1]; /* the largest first, the rare ones last */
};

/* Returns whether shares can be compared; else no more than the sides are set. */
bool two_runs_shares(const struct figures *a, const struct figures *b);

/* Compares the shares of runs of which they can be. */
void two_runs_judge(struct two_runs *two, const struct figures *a, const struct figures *b);

/* Prints all that can be said; 'two' is room for it. */
void two_runs_print(struct out *out, struct two_runs *two, const struct figures *a, const struct figures *b);

#endif
