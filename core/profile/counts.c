/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/profile/counts.h"

#include "core/base/mem.h"
#include "core/base/stats.h"

enum { HAS_VALUE = 1, HAS_EMPTY = 2, HAS_AGAIN = 4, KINDS = 3 };

static size_t passes_of(const struct event_groups *groups, unsigned repeats)
{
    return (size_t)groups->count * repeats;
}

size_t counts_memory_size(const struct event_list *list, const struct event_groups *groups, unsigned repeats)
{
    size_t passes = passes_of(groups, repeats);

    return (passes * (KINDS * PMC_COUNTERS * sizeof(uint64_t) + 1) + list->count + 7) & ~(size_t)7;
}

bool counts_init(struct counts *counts, const struct event_list *list, const struct event_groups *groups,
                 unsigned sentinel, unsigned repeats, void *memory, size_t size)
{
    size_t passes = passes_of(groups, repeats);

    if (repeats < 1 || repeats > COUNTS_REPEATS_MAX || size < counts_memory_size(list, groups, repeats) ||
        (uintptr_t)memory % 8 || event_groups_with(groups, sentinel) != groups->count)
        return false;
    memset(memory, 0, size);
    *counts =
        (struct counts){.list = list, .groups = groups, .sentinel = sentinel, .repeats = repeats, .value = memory};
    counts->empty = counts->value + passes * PMC_COUNTERS;
    counts->again = counts->empty + passes * PMC_COUNTERS;
    counts->counted = (uint8_t *)(counts->again + passes * PMC_COUNTERS);
    counts->not_there = counts->counted + passes;
    return true;
}

static void add(struct counts *counts, unsigned repeat, unsigned pass, const uint64_t value[PMC_COUNTERS],
                uint64_t *into, uint8_t flag)
{
    size_t at = (size_t)repeat * counts->groups->count + pass;

    memcpy(&into[at * PMC_COUNTERS], value, PMC_COUNTERS * sizeof(value[0]));
    counts->counted[at] |= flag;
}

void counts_add(struct counts *counts, unsigned repeat, unsigned pass, const uint64_t value[PMC_COUNTERS])
{
    add(counts, repeat, pass, value, counts->value, HAS_VALUE);
}

void counts_add_empty(struct counts *counts, unsigned repeat, unsigned pass, const uint64_t value[PMC_COUNTERS])
{
    add(counts, repeat, pass, value, counts->empty, HAS_EMPTY);
}

void counts_add_again(struct counts *counts, unsigned repeat, unsigned pass, const uint64_t value[PMC_COUNTERS])
{
    add(counts, repeat, pass, value, counts->again, HAS_AGAIN);
}

void counts_without(struct counts *counts, unsigned event, enum counts_state why)
{
    counts->not_there[event] = (uint8_t)why;
}

/* ---------------------------------------------------------------- one event in one pass */

/* Returns the event's counter in the pass, or -1. */
static int counter_of(const struct counts *counts, unsigned pass, unsigned event)
{
    const struct event_group *group = &counts->groups->group[pass];

    for (unsigned i = 0; i < group->count; i++)
        if (group->event[i] == event)
            return (int)i;
    return -1;
}

static bool has(const struct counts *counts, unsigned repeat, unsigned pass, uint8_t flag)
{
    return counts->counted[(size_t)repeat * counts->groups->count + pass] & flag;
}

static uint64_t at(const struct counts *counts, const uint64_t *values, unsigned repeat, unsigned pass, int counter)
{
    return values[((size_t)repeat * counts->groups->count + pass) * PMC_COUNTERS + (unsigned)counter];
}

/* Finds the mean count of the empty region in this pass, rounded to the nearest; returns false when there is none. */
static bool overhead_of(const struct counts *counts, unsigned pass, int counter, uint64_t *ret_mean)
{
    uint64_t sum = 0, times = 0;

    for (unsigned repeat = 0; repeat < counts->repeats; repeat++) {
        if (!has(counts, repeat, pass, HAS_EMPTY))
            continue;
        sum += at(counts, counts->empty, repeat, pass, counter);
        times++;
    }
    *ret_mean = times ? (sum + times / 2) / times : 0;
    return times != 0;
}

/* ---------------------------------------------------------------- results */

typedef void value_fn(struct counts_result *result, uint64_t net, uint64_t *sum);

/* Calls 'use' with each net value of the event. Returns how many there were. */
static unsigned each_value(const struct counts *counts, unsigned event, struct counts_result *result, value_fn *use,
                           uint64_t *sum)
{
    unsigned values = 0;

    for (unsigned pass = 0; pass < counts->groups->count; pass++) {
        int counter = counter_of(counts, pass, event);
        uint64_t overhead, value;

        if (counter < 0)
            continue;
        if (!overhead_of(counts, pass, counter, &overhead))
            result->overhead_unknown = true;
        for (unsigned repeat = 0; repeat < counts->repeats; repeat++) {
            if (!has(counts, repeat, pass, HAS_VALUE))
                continue;
            value = at(counts, counts->value, repeat, pass, counter);
            result->below_overhead |= value < overhead;
            use(result, value < overhead ? 0 : value - overhead, sum);
            values++;
        }
    }
    return values;
}

static void sum_up(struct counts_result *result, uint64_t net, uint64_t *sum)
{
    *sum += net;
    if (net < result->min)
        result->min = net;
    if (net > result->max)
        result->max = net;
}

/* Squares a deviation in millionths of the mean. The squares of n values of one mean add up to n (n - 1) at most, when
 * one value is the whole sum. */
_Static_assert(COUNTS_REPEATS_MAX *EVENT_GROUPS_MAX <= 4294, "4294 * 4293 * 10^12 fits 64 bits");

static void add_square(struct counts_result *result, uint64_t net, uint64_t *squares)
{
    uint64_t difference = net > result->mean ? net - result->mean : result->mean - net;
    uint64_t ppm = stats_mul_div(difference, 1000000, result->mean);

    *squares += ppm * ppm;
}

/* Finds the mean of a pass's sentinels over the repeats; returns false if it was not counted. */
static bool sentinel_of(const struct counts *counts, unsigned pass, uint64_t *ret_mean)
{
    uint64_t sum = 0, times = 0;

    for (unsigned repeat = 0; repeat < counts->repeats; repeat++) {
        if (!has(counts, repeat, pass, HAS_VALUE))
            continue;
        sum += at(counts, counts->value, repeat, pass, counter_of(counts, pass, counts->sentinel));
        times++;
    }
    *ret_mean = times ? sum / times : 0;
    return times;
}

static uint32_t reliability_of(const struct counts *counts, unsigned event)
{
    uint64_t sentinels[EVENT_GROUPS_MAX];
    bool own[EVENT_GROUPS_MAX];
    unsigned passes = 0;

    for (unsigned pass = 0; pass < counts->groups->count; pass++) {
        if (!sentinel_of(counts, pass, &sentinels[passes]))
            continue;
        own[passes++] = counter_of(counts, pass, event) >= 0;
    }
    return counts_reliability_ppm(sentinels, own, passes);
}

static uint64_t mean_overhead(const struct counts *counts, unsigned event)
{
    uint64_t sum = 0, times = 0, mean;

    for (unsigned pass = 0; pass < counts->groups->count; pass++) {
        int counter = counter_of(counts, pass, event);

        if (counter >= 0 && overhead_of(counts, pass, counter, &mean)) {
            sum += mean;
            times++;
        }
    }
    return times ? (sum + times / 2) / times : 0;
}

static void find_residue(const struct counts *counts, unsigned event, struct counts_result *result)
{
    result->residue_known = true;
    for (unsigned pass = 0; pass < counts->groups->count; pass++) {
        int counter = counter_of(counts, pass, event);
        uint64_t overhead, again, away;

        if (counter < 0)
            continue;
        result->residue_known &= overhead_of(counts, pass, counter, &overhead) && has(counts, 0, pass, HAS_AGAIN);
        for (unsigned repeat = 0; repeat < counts->repeats; repeat++) {
            if (!has(counts, repeat, pass, HAS_AGAIN))
                continue;
            again = at(counts, counts->again, repeat, pass, counter);
            away = again > overhead ? again - overhead : overhead - again;
            result->residue = away > result->residue ? away : result->residue;
        }
    }
}

void counts_result(const struct counts *counts, unsigned event, struct counts_result *result)
{
    uint64_t sum = 0, squares = 0;

    *result = (struct counts_result){.min = UINT64_MAX};
    result->repeats = each_value(counts, event, result, sum_up, &sum);
    if (counts->not_there[event] || result->repeats == 0) {
        *result = (struct counts_result){.state = counts->not_there[event]};
        return;
    }
    result->state = COUNTS_COUNTED;
    result->mean = (sum + result->repeats / 2) / result->repeats;
    result->overhead = mean_overhead(counts, event);
    find_residue(counts, event, result);
    result->reliability_ppm = reliability_of(counts, event);
    if (result->repeats > 1 && result->mean) {
        (void)each_value(counts, event, result, add_square, &squares);
        result->cv_ppm = stats_isqrt(squares / (result->repeats - 1));
    }
}

bool counts_worst_residue(const struct counts *counts, unsigned *ret_event, uint64_t *ret_residue)
{
    bool known = false;

    for (unsigned event = 0; event < counts->list->count; event++) {
        struct counts_result result;

        counts_result(counts, event, &result);
        if (!result.residue_known || (known && result.residue <= *ret_residue))
            continue;
        known = true;
        *ret_event = event;
        *ret_residue = result.residue;
    }
    return known;
}

uint32_t counts_reliability_ppm(const uint64_t *sentinels, const bool *own, unsigned count)
{
    uint64_t sum = 0, of_own = 0, mean, squares = 0, error = 0;
    unsigned owns = 0;

    for (unsigned i = 0; i < count; i++) {
        sum += sentinels[i];
        of_own += own[i] ? sentinels[i] : 0;
        owns += own[i];
    }
    mean = sum / count;
    of_own /= owns;
    if (!mean)
        return 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t away = sentinels[i] > of_own ? sentinels[i] - of_own : of_own - sentinels[i];
        uint64_t ppm = stats_mul_div(away, 1000000, mean);

        squares += ppm * ppm;
    }
    if (count > 1)
        error = stats_isqrt(squares / (count - 1)) * 196ull / 100;
    return error < 1000000 ? 1000000 - (uint32_t)error : 0;
}
