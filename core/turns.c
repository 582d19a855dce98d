/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/turns.h"

#include "core/rng.h"

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

/* floor(sqrt(x)), digit by digit in base 2. */
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
