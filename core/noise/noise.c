/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/noise/noise.h"

#include <stddef.h>

#include "core/base/stats.h"

static uint64_t to_ns(uint64_t ticks, uint32_t tsc_khz)
{
    return stats_mul_div(ticks, 1000000, tsc_khz);
}

/* Returns the median: the least gap that at least half of them do not exceed. */
static uint64_t usual_of(const uint64_t *gap, uint32_t count)
{
    uint64_t low = 1, high = UINT64_MAX;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        uint32_t within = 0;

        for (uint32_t i = 0; i < count; i++)
            within += gap[i] <= middle;
        if (within >= count - count / 2)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void noise_thresholds(struct noise_trace *trace, const uint64_t *gap, uint32_t count, uint32_t tsc_khz)
{
    trace->usual = usual_of(gap, count);
    trace->threshold[NOISE_NINE] = 9 * trace->usual;
    trace->threshold[NOISE_MICROSECOND] = (tsc_khz + 999) / 1000; /* no gap shorter than 1 us is one */
}

static void analyse_class(struct noise_class *result, const struct noise_trace *trace, unsigned i, uint32_t tsc_khz)
{
    uint64_t duration = trace->stop - trace->start;
    uint64_t ns = to_ns(duration, tsc_khz);

    *result = (struct noise_class){
        .threshold_ns = to_ns(trace->threshold[i], tsc_khz),
        .count = trace->count[i],
        .milli_per_second = stats_mul_div(trace->count[i], 1000000000000, ns),
        .lost_ppb = stats_mul_div(trace->ticks[i] - trace->count[i] * trace->usual, 1000000000, duration),
        .bound_micro = trace->count[i] ? 0 : stats_mul_div(3, 1000000000000000, ns),
    };
}

/* Inserts it among the longest so far. */
static void add_top(struct noise_result *result, struct noise_gap gap)
{
    uint32_t place = result->tops;

    while (place && result->top[place - 1].ticks < gap.ticks)
        place--;
    if (place == NOISE_TOP)
        return;
    if (result->tops < NOISE_TOP)
        result->tops++;
    for (uint32_t i = result->tops - 1; i > place; i--)
        result->top[i] = result->top[i - 1];
    result->top[place] = gap;
}

/* Gathers the times of the first detours of that length or more, in nanoseconds. Returns their number. */
static uint32_t gather(struct noise_scratch *scratch, const struct noise_trace *trace, uint64_t threshold,
                       uint32_t tsc_khz, uint64_t *until)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < trace->kept && count < NOISE_EVENTS_MAX; i++)
        if (trace->gap[i].ticks >= threshold)
            scratch->at[count++] = to_ns(trace->gap[i].at - trace->start, tsc_khz);
    *until = to_ns(trace->stop - trace->start, tsc_khz);
    /* Without room for all of them, they end with the last one's time. */
    if (count && (count == NOISE_EVENTS_MAX || trace->kept == trace->capacity))
        *until = scratch->at[count - 1];
    return count;
}

void noise_analyse(struct noise_result *result, const struct noise_trace *trace, uint32_t tsc_khz,
                   struct noise_scratch *scratch)
{
    uint64_t until,
        smaller = trace->threshold[NOISE_NINE] < trace->threshold[NOISE_MICROSECOND] ? NOISE_NINE : NOISE_MICROSECOND;
    uint32_t count;

    *result = (struct noise_result){
        .duration_ns = to_ns(trace->stop - trace->start, tsc_khz),
        .reads = trace->reads,
        .backwards = trace->backwards,
        .usual_ps = stats_mul_div(trace->usual, 1000000000, tsc_khz),
        .tsc_khz = tsc_khz,
        .not_kept = trace->count[smaller] - trace->kept,
        .witnessed = trace->witness != NULL,
        .blind_ns = to_ns(trace->blind, tsc_khz),
    };
    for (unsigned i = 0; i < NOISE_THRESHOLDS; i++)
        analyse_class(&result->by[i], trace, i, tsc_khz);
    for (unsigned i = 0; i < NOISE_BINS; i++)
        result->bins[i] = trace->bins[i];
    for (unsigned i = 0; i < NOISE_CAUSES; i++)
        result->by_cause[i] = trace->by_cause[i];
    for (uint32_t i = 0; i < trace->kept; i++)
        add_top(result, (struct noise_gap){to_ns(trace->gap[i].at - trace->start, tsc_khz),
                                           to_ns(trace->gap[i].ticks, tsc_khz), trace->gap[i].cause});
    /* Long ones first: the many short ones of hardware and hypervisors would hide them. */
    count = gather(scratch, trace, trace->threshold[NOISE_MICROSECOND], tsc_khz, &until);
    result->periods = noise_periods(result->period, scratch, count, until);
    if (!result->periods && smaller == NOISE_NINE) {
        count = gather(scratch, trace, trace->threshold[NOISE_NINE], tsc_khz, &until);
        result->periods = noise_periods(result->period, scratch, count, until);
    }
}

void noise_analyse_quanta(struct noise_quanta *result, const uint64_t *ticks, uint64_t count)
{
    *result = (struct noise_quanta){.count = count, .least = count ? UINT64_MAX : 0};
    for (uint64_t i = 0; i < count; i++) {
        result->sum += ticks[i];
        if (ticks[i] < result->least)
            result->least = ticks[i];
        if (ticks[i] > result->most)
            result->most = ticks[i];
    }
    for (uint64_t i = 0; i < count; i++)
        result->late[63 - __builtin_clzll((ticks[i] - result->least) | 1)]++;
    result->lost_ppb = result->sum ? stats_mul_div(result->sum - count * result->least, 1000000000, result->sum) : 0;
    result->spread_ppm = result->least ? stats_mul_div(result->most - result->least, 1000000, result->least) : 0;
}
