/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two runs compared by the figures that are kept of them, in the words of ibsprof compare (docs/compare.md). With one
 * run a side the spread between runs is unknown: verdicts hold for these two runs, and there is none on times.
 */
#ifndef CORE_TWO_RUNS_H
#define CORE_TWO_RUNS_H

#include "core/profile/figures.h"

enum two_runs_verdict {
    TWO_RUNS_DIFFERENT,
    TWO_RUNS_BOTH, /* real, but tiny */
    TWO_RUNS_EQUIVALENT,
    TWO_RUNS_INCONCLUSIVE,
    TWO_RUNS_NOT_KEPT, /* one run did not keep the instruction */
    TWO_RUNS_VERDICTS,
};

/* Holds a share of both runs. */
struct two_runs_share {
    uint32_t insn, rva, rare;   /* rare: number of instructions together; 0: one */
    uint64_t x[2];              /* samples */
    uint32_t ppm[2], error_ppm; /* of the difference: its standard error if the shares are equal, */
    uint32_t interval_ppm;      /* and half its 95 % interval, if samples are independent */
    bool kept[2];
    enum two_runs_verdict verdict;
};

struct two_runs {
    const struct figures *side[2];
    uint64_t n[2]; /* samples of the workload */
    bool copies;   /* the same samples twice */
    uint32_t count, judged, of[TWO_RUNS_VERDICTS];
    enum two_runs_verdict verdict;                     /* of all judged shares; none: INCONCLUSIVE */
    struct two_runs_share share[2 * FIGURES_ROWS + 1]; /* the largest first, the rare ones last */
};

/* Returns whether shares can be compared: both runs have samples of the same kind in the same workload. */
bool two_runs_shares(const struct figures *a, const struct figures *b);

/* Compares the shares of two runs for which two_runs_shares() is true. */
void two_runs_judge(struct two_runs *two, const struct figures *a, const struct figures *b);

/* Prints all that can be said; 'two' is room for it. */
void two_runs_print(struct out *out, struct two_runs *two, const struct figures *a, const struct figures *b);

#endif
