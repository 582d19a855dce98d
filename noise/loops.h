/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loops that detect noise (core/noise/noise.h): the same object file is in the boot image and in the Linux twin, so
 * that only their environment differs. They call nothing except the trace's witness and access only the memory they are
 * passed; touch that memory before, or its page faults are the first detours.
 */
#ifndef NOISE_LOOPS_H
#define NOISE_LOOPS_H

#include "core/noise/noise.h"

/* The gaps between 'count' + 1 readings of the TSC: for noise_thresholds(). */
void noise_gap_loop(uint64_t *gap, uint32_t count);

/* Selfish detour: reads the TSC for 'duration' ticks, as fast as possible, and fills the trace; the caller sets gap,
 * capacity and thresholds. */
void noise_detour_loop(struct noise_trace *trace, uint64_t duration);

/* Runs the loop for a while with each gap a detour, and discards the results: then all that it may touch is in the
 * caches. In this header, because no code of loops.c may be relocated: its bytes are compared. */
static inline void noise_warm_up(struct noise_trace *trace, uint64_t duration)
{
    uint64_t threshold = trace->threshold[NOISE_NINE];

    trace->threshold[NOISE_NINE] = 1;
    noise_detour_loop(trace, duration);
    trace->threshold[NOISE_NINE] = threshold;
}

/* Fixed work quantum: 'count' times the same 'work' steps of a chain of multiplications, the time of each in ticks[].
 */
void noise_quantum_loop(uint64_t *ticks, uint64_t count, uint64_t work);

#endif
