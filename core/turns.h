/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Groups of events that take turns on the counters: in which order.
 *
 * A group sees a sample of the run's time. In each round all groups have one turn, in an order drawn at random, so that
 * work which repeats with the rounds favours none.
 */
#ifndef CORE_TURNS_H
#define CORE_TURNS_H

#include <stdint.h>

enum { TURNS_ORDER = 840 /* turns until the order repeats: whole rounds of up to eight groups */ };

/* Which group has which turn: each round has all groups once, the first in their own order. groups: 1..8. */
void turns_order(uint8_t order[TURNS_ORDER], unsigned groups, uint64_t seed);

#endif
