/* SPDX-License-Identifier: BSD-2-Clause */
/* Aligned, so that their position in cache lines does not depend on the link order. */
#include "noise/loops.h"

static inline uint64_t read_tsc(void)
{
    uint32_t low, high;

    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

/* Outside the loop's path: the time spent here is part of the next gap, and must be much shorter than a detour. */
__attribute__((noinline, aligned(64))) static void keep(struct noise_trace *trace, uint64_t at, uint64_t ticks,
                                                        uint32_t cause)
{
    if ((int64_t)ticks < 0) {
        trace->backwards++;
        return;
    }
    trace->by_cause[cause]++;
    for (unsigned i = 0; i < NOISE_THRESHOLDS; i++) {
        if (ticks >= trace->threshold[i]) {
            trace->count[i]++;
            trace->ticks[i] += ticks;
        }
    }
    trace->bins[63 - __builtin_clzll(ticks | 1)]++;
    if (ticks > trace->largest.ticks)
        trace->largest = (struct noise_gap){at, ticks, cause};
    if (trace->kept < trace->capacity)
        trace->gap[trace->kept++] = (struct noise_gap){at, ticks, cause};
}

__attribute__((aligned(64))) void noise_detour_loop(struct noise_trace *trace, uint64_t duration)
{
    uint64_t reads = 1, from = trace->threshold[0];
    uint64_t start, before, now;

    for (unsigned i = 1; i < NOISE_THRESHOLDS; i++)
        if (trace->threshold[i] < from)
            from = trace->threshold[i];
    trace->kept = 0;
    trace->backwards = 0;
    trace->blind = 0;
    trace->largest = (struct noise_gap){0, 0, 0};
    for (unsigned i = 0; i < NOISE_CAUSES; i++)
        trace->by_cause[i] = 0;
    for (unsigned i = 0; i < NOISE_THRESHOLDS; i++)
        trace->count[i] = trace->ticks[i] = 0;
    for (unsigned i = 0; i < NOISE_BINS; i++)
        trace->bins[i] = 0;
    start = before = read_tsc();
    do {
        uint64_t gap;

        now = read_tsc();
        gap = now - before;
        if (gap >= from) {
            keep(trace, before, gap, trace->witness ? trace->witness(trace->context) : NOISE_NOT_ASKED);
            if (trace->witness) {
                uint64_t from_here = read_tsc();

                trace->blind += from_here - now;
                now = from_here;
            }
        }
        before = now;
        reads++;
    } while (now - start < duration);
    trace->start = start;
    trace->stop = now;
    trace->reads = reads;
}

__attribute__((aligned(64))) void noise_gap_loop(uint64_t *gap, uint32_t count)
{
    uint64_t before = read_tsc();

    for (uint32_t i = 0; i < count; i++) {
        uint64_t now = read_tsc();

        gap[i] = now - before;
        before = now;
    }
}

__attribute__((aligned(64))) void noise_quantum_loop(uint64_t *ticks, uint64_t count, uint64_t work)
{
    uint64_t x = 1;

    for (uint64_t i = 0; i < count; i++) {
        uint64_t start = read_tsc();

        for (uint64_t step = 0; step < work; step++) {
            x = x * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX generator */
            __asm__ volatile("" : "+r"(x));                      /* the compiler must not merge the steps */
        }
        ticks[i] = read_tsc() - start;
    }
}
