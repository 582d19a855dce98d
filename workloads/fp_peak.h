/* SPDX-License-Identifier: BSD-2-Clause */
/* The most floating-point operations that SSE2 code gets, for config=roofline. */
#ifndef WORKLOADS_FP_PEAK_H
#define WORKLOADS_FP_PEAK_H

#include "workloads/workload.h"

enum {
    FP_PEAK_CHAINS = 7, /* of additions, and as many of multiplications */
    FP_PEAK_TURNS = 4,  /* of all chains in one iteration; the asm has both, too */
    FP_PEAK_LANES = 2,  /* operations of one instruction */
    FP_PEAK_OPERATIONS = 2 * FP_PEAK_CHAINS * FP_PEAK_TURNS * FP_PEAK_LANES, /* of an iteration */
    FP_PEAK_SUM = (2 * FP_PEAK_CHAINS - 1) * FP_PEAK_LANES,                  /* once */
};

extern const struct workload fp_peak;

#endif
