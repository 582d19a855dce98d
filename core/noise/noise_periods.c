/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Periods among detours.
 *
 * Distances between detours that are near one another are counted on a logarithmic scale; where many more of them are
 * alike than on the scale around, there may be a period. It is one when its detours form a chain: most of the times
 * that it predicts have a detour, 1 % of the period early or late at most. (A detour that always comes shortly after
 * another one is alike, too, but makes no chain.) The detours of a period are taken away, and the rest is searched
 * again: a rare one hides behind a tick.
 */
#include "core/noise/noise.h"

#include "core/base/stats.h"

enum {
    LEAST_DETOURS = 4, /* three distances alike */
    TOLERANCE = 100,   /* a hundredth of the period */
    LEAST_NS = 1000,
};

static uint32_t step_of(uint64_t distance)
{
    uint32_t octave = 63 - (uint32_t)__builtin_clzll(distance);
    uint64_t fraction = octave >= 7 ? distance >> (octave - 7) : distance << (7 - octave);

    return octave * NOISE_STEPS + (uint32_t)(fraction - NOISE_STEPS);
}

/* Returns the shortest distance of a step; exact from 128 on. */
static uint64_t step_low(uint32_t step)
{
    uint32_t octave = step / NOISE_STEPS;
    uint64_t fraction = NOISE_STEPS + step % NOISE_STEPS;

    return octave >= 7 ? fraction << (octave - 7) : fraction >> (7 - octave);
}

static void count_distances(struct noise_scratch *scratch, uint32_t count)
{
    for (uint32_t i = 0; i < 64 * NOISE_STEPS; i++)
        scratch->step[i] = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count && j - i <= NOISE_NEIGHBOURS; j++)
            if (scratch->at[j] - scratch->at[i] >= LEAST_NS)
                scratch->step[step_of(scratch->at[j] - scratch->at[i])]++;
}

/* Marks the detours with another one a period later or earlier; *mean: mean distance of such pairs; *middle: how many
 * have both. Returns their number. */
static uint32_t mark_chain(struct noise_scratch *scratch, uint32_t count, uint64_t period, uint64_t *mean,
                           uint32_t *middle)
{
    uint64_t low = period - period / TOLERANCE, high = period + period / TOLERANCE, sum = 0;
    uint32_t first = 0, pairs = 0, members = 0;

    for (uint32_t i = 0; i < count; i++)
        scratch->member[i] = false;
    *middle = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t best = 0, best_error = UINT64_MAX;
        uint32_t partner = 0;

        while (first < count && scratch->at[first] < scratch->at[i] + low)
            first++;
        for (uint32_t j = first; j < count && scratch->at[j] <= scratch->at[i] + high; j++) {
            uint64_t distance = scratch->at[j] - scratch->at[i];
            uint64_t error = distance > period ? distance - period : period - distance;

            if (error < best_error) {
                best_error = error;
                best = distance;
                partner = j;
            }
        }
        if (!best)
            continue;
        *middle += scratch->member[i]; /* already somebody's partner */
        scratch->member[i] = true;
        scratch->member[partner] = true;
        sum += best;
        pairs++;
    }
    for (uint32_t i = 0; i < count; i++)
        members += scratch->member[i];
    *mean = pairs ? (sum + pairs / 2) / pairs : 0;
    return members;
}

/* Returns true, with *found filled and its detours marked, when there is a period of about 'guess'. The effect of
 * chance is subtracted: in 'count' detours without any order, a share q = (detours a second) * (width of the
 * tolerance) has one where it is looked for. */
static bool is_period(struct noise_period *found, struct noise_scratch *scratch, uint32_t count, uint64_t duration,
                      uint64_t guess)
{
    uint64_t window = 2 * guess / TOLERANCE, mean = 0, expected, needed, chance, chance_middle;
    uint32_t middle, members;

    members = mark_chain(scratch, count, guess, &mean, &middle);
    if (members < LEAST_DETOURS)
        return false;
    members = mark_chain(scratch, count, mean, &mean, &middle); /* again, around the better value */
    if (members < LEAST_DETOURS)
        return false;
    expected = duration / mean;
    chance = stats_mul_div(2ull * count * count, window, duration);
    chance_middle =
        stats_mul_div(stats_mul_div((uint64_t)count * count, window, duration), (uint64_t)count * window, duration);
    /* Half of them, and nearly all of few: four of nine at one distance is chance. */
    needed = expected / 2 + (expected < 16 ? expected / 4 : 4);
    if (members < chance + needed || members < chance + 6 * stats_isqrt(chance) ||
        middle + 2 < chance_middle + expected / 2)
        return false;
    /* Chance finds some of the others; the period's own no longer count as chance. */
    chance = count > expected ? stats_mul_div(2 * (count - expected) * count, window, duration) : 0;
    *found = (struct noise_period){.nanoseconds = mean,
                                   .milli_hz = stats_mul_div(1000000000000, 1, mean),
                                   .detours = (uint32_t)(members - chance < expected ? members - chance : expected),
                                   .expected = (uint32_t)expected};
    return true;
}

/* Returns how many more distances are alike there than around: this step and the next (a period may be between two),
 * against the eight on either side. */
static bool stands_out(const uint32_t *step, uint32_t at)
{
    uint64_t here = (uint64_t)step[at] + step[at + 1], around = 0;

    if (here + 1 < LEAST_DETOURS)
        return false;
    for (uint32_t i = at < 8 ? 0 : at - 8; i < at; i++)
        around += step[i];
    for (uint32_t i = at + 2; i < at + 10 && i < 64 * NOISE_STEPS; i++)
        around += step[i];
    around /= 8; /* of two steps */
    return here > around + 4 * stats_isqrt(around) && here > step[at ? at - 1 : 0];
}

static bool find_shortest(struct noise_period *found, struct noise_scratch *scratch, uint32_t count, uint64_t duration)
{
    count_distances(scratch, count);
    for (uint32_t at = step_of(LEAST_NS); at + 1 < 64 * NOISE_STEPS && step_low(at) < duration / (LEAST_DETOURS - 1);
         at++)
        if (stands_out(scratch->step, at) && is_period(found, scratch, count, duration, step_low(at + 1)))
            return true;
    return false;
}

unsigned noise_periods(struct noise_period *period, struct noise_scratch *scratch, uint32_t count, uint64_t duration_ns)
{
    unsigned found = 0;

    while (found < NOISE_PERIODS && count >= LEAST_DETOURS && duration_ns &&
           find_shortest(&period[found], scratch, count, duration_ns)) {
        uint32_t left = 0;

        for (uint32_t i = 0; i < count; i++)
            if (!scratch->member[i])
                scratch->at[left++] = scratch->at[i];
        count = left;
        found++;
    }
    return found;
}

unsigned noise_tick_hz(const struct noise_period *period)
{
    static const unsigned hz[] = {100, 250, 300, 1000};

    for (unsigned i = 0; i < sizeof(hz) / sizeof(hz[0]); i++) {
        uint64_t milli = hz[i] * 1000ull;

        if (period->milli_hz > milli - milli / 200 && period->milli_hz < milli + milli / 200)
            return hz[i];
    }
    return 0;
}
