/* SPDX-License-Identifier: BSD-2-Clause */
/* The way between two cores, for config=pairs. */
#ifndef WORKLOADS_TWO_CORES_H
#define WORKLOADS_TWO_CORES_H

#include "workloads/workload.h"

enum {
    TWO_CORES_BLOCKS = 64, /* at most; ticks are taken of each */
    TWO_CORES_HOPS = 16,   /* of a line in a block, half of them back */
    TWO_CORES_LINE = 64,
    TWO_CORES_LINES = 256, /* 16 KB, which every L1D holds */
    TWO_CORES_BYTES = TWO_CORES_LINE * TWO_CORES_LINES,
    TWO_CORES_WORDS = TWO_CORES_LINE / 8,
};

/* Parameters: blocks, loads until a core no longer waits for the other, and the two cores' numbers. */
enum { TWO_CORES_PARAM_BLOCKS, TWO_CORES_PARAM_PATIENCE, TWO_CORES_PARAM_FIRST, TWO_CORES_PARAM_SECOND };

/* Ticks of the TSC: of each block of hops, and of each read of all lines: by the second core of what the first has
 * written, and the other way round. */
struct two_cores_ticks {
    uint64_t hops[TWO_CORES_BLOCKS], read[2][TWO_CORES_BLOCKS];
};

struct two_cores_arena {
    _Alignas(TWO_CORES_LINE) uint64_t ball; /* the line that hops: odd numbers are for the second core */
    _Alignas(TWO_CORES_LINE) struct two_cores_ticks ticks;
    _Alignas(TWO_CORES_LINE) uint64_t words[TWO_CORES_LINES][TWO_CORES_WORDS];
};

extern const struct workload two_cores;

#endif
