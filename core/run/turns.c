/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/run/turns.h"

#include "core/base/rng.h"
#include "core/base/stats.h"

enum { MILLION = 1000000 };

/* ---------------------------------------------------------------- the order */

void turns_order(uint8_t order[TURNS_ORDER], unsigned groups, uint64_t seed)
{
    struct rng rng;

    rng_seed(&rng, seed);
    for (unsigned begin = 0; begin < TURNS_ORDER; begin += groups) {
        for (unsigned i = 0; i < groups; i++) {
            unsigned at = begin ? rng_below(&rng, i + 1) : i;

            order[begin + i] = order[begin + at];
            order[begin + at] = (uint8_t)i;
        }
    }
}

/* ---------------------------------------------------------------- sums */

static void add_pair(struct turns *turns, uint64_t a, uint64_t b)
{
    uint64_t apart = a > b ? a - b : b - a;

    turns->squares += (unsigned __int128)apart * apart;
}

void turns_then(struct turns *sum, const struct turns *next)
{
    if (!next->turns)
        return;
    if (sum->turns)
        add_pair(sum, sum->last, next->first);
    else
        sum->first = next->first;
    sum->last = next->last;
    sum->turns += next->turns;
    sum->events += next->events;
    sum->squares += next->squares;
}

static unsigned __int128 closed(const struct turns *turns)
{
    struct turns copy = *turns;

    add_pair(&copy, turns->last, turns->first);
    return copy.squares;
}

void turns_beside(struct turns *sum, const struct turns *group)
{
    sum->turns += group->turns;
    sum->events += group->events;
    sum->squares += closed(group);
}

/* Returns floor(sqrt(x)), digit by digit in base 2. */
static uint64_t root(unsigned __int128 x)
{
    unsigned __int128 root = 0;

    for (unsigned __int128 bit = (unsigned __int128)1 << 126; bit; bit >>= 2) {
        if (x >= root + bit) {
            x -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    return (uint64_t)root;
}

void turns_of_core(struct turns *sum, const struct turns *other)
{
    uint64_t both = root(sum->squares) + root(other->squares);

    sum->squares = (unsigned __int128)both * both;
    sum->first += other->first;
    sum->last += other->last;
    sum->events += other->events;
    if (other->turns < sum->turns)
        sum->turns = other->turns;
}

/* ---------------------------------------------------------------- errors */

/* Returns sqrt(squares) / events in millionths. Where the root has few digits, chance is larger. */
static uint64_t relative(unsigned __int128 squares, uint64_t events)
{
    return stats_mul_div(root(squares), MILLION, events);
}

/* Returns the variance of a turn beyond chance, relative to the mean turn, in millionths squared. */
static uint64_t excess(const struct turns *turns)
{
    uint64_t apart = relative(closed(turns), turns->events);
    uint64_t variance = stats_mul_div(apart * apart, turns->turns, 2);
    uint64_t chance = stats_mul_div((uint64_t)MILLION * MILLION, turns->turns, turns->events);

    return variance > chance ? variance - chance : 0;
}

uint64_t turns_unsteady(const struct turns (*counter)[TURNS_COUNTERS], unsigned groups)
{
    uint64_t sum = 0;
    unsigned telling = 0;

    for (unsigned i = 0; i < groups * TURNS_COUNTERS; i++) {
        const struct turns *turns = &counter[i / TURNS_COUNTERS][i % TURNS_COUNTERS];

        if (turns->turns < 2 || turns->events / turns->turns < TURNS_EVENTS_OF_PHASES)
            continue;
        sum += excess(turns);
        telling++;
    }
    return telling ? sum / telling : 0;
}

/* Returns Student's 97.5 % quantile in thousandths, within 0.4 % from 10 turns on. The successive differences of n
 * values are worth 2/3 as many degrees of freedom as n - 1. */
static uint64_t quantile(uint64_t turns)
{
    uint64_t degrees = turns - 1;

    return 1960 + 3600 / degrees + 6300 / (degrees * degrees);
}

/* Returns the variance relative to the total: that of the event's own turns, at least chance's, and that of phases. */
static uint64_t variance_of(const struct turns *turns, uint64_t total, uint64_t unsteady)
{
    uint64_t apart = relative(turns->squares, turns->events), own = apart * apart / 2;
    uint64_t chance = (uint64_t)MILLION * MILLION / total;

    return (own > chance ? own : chance) + unsteady / turns->turns;
}

static uint64_t error_of(const struct turns *turns, uint64_t total, const struct turns_time *time, uint64_t unsteady)
{
    uint64_t unseen = stats_mul_div(time->possible - time->active, MILLION, time->possible);
    uint64_t variance = stats_mul_div(variance_of(turns, total, unsteady), unseen, MILLION);

    return stats_mul_div(stats_isqrt(variance), quantile(turns->turns), 1000) +
           stats_mul_div(MILLION, time->active, time->possible * turns->turns);
}

void turns_estimate(const struct turns *turns, uint64_t total, const struct turns_time *time, uint64_t unsteady,
                    struct turns_estimate *ret)
{
    uint64_t error = MILLION;

    *ret = (struct turns_estimate){.turns = turns->turns, .unseen = !total && time->active < time->possible};
    if (time->active == time->possible)
        error = 0;
    else if (turns->events && turns->turns > 1)
        error = error_of(turns, total, time, unsteady);
    ret->error_ppm = error < MILLION ? (uint32_t)error : MILLION;
    ret->reliability_ppm = MILLION - ret->error_ppm;
    if (error && turns->turns < TURNS_LEAST && ret->reliability_ppm > turns->turns * (TURNS_RELIABLE_PPM / TURNS_LEAST))
        ret->reliability_ppm = (uint32_t)turns->turns * (TURNS_RELIABLE_PPM / TURNS_LEAST);
}

uint32_t turns_none_ppm(uint64_t turns)
{
    return turns > 3 ? MILLION - (uint32_t)(3 * MILLION / turns) : 0;
}
