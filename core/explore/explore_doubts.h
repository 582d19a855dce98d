/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sentences below Zen's trees: which figure costs more or less than it says, and how much. For explore*.c only.
 *
 * A row says where slots went. What a change of the program saves can be more, where ops of several kinds wait for each
 * other in turn, or less, where something else takes as long beside it. Neither tree adds up such waits; these
 * sentences speak where counters or op samples show them.
 */
#ifndef CORE_EXPLORE_DOUBTS_H
#define CORE_EXPLORE_DOUBTS_H

#include "core/explore/explore_formulas.h"

/* Choices: ppm of a whole from which a part is told, and of op samples from which ops of a kind are a part of a chain.
 */
enum { DOUBTS_SHARE = 100000, DOUBTS_KIND = 100000 };

/* Sets what op samples say: held_loads_ppm, of the given number of loads; misaligned_ppm, flight and
 * flight_least. */
void explore_doubts_begin(struct explore_result *result, const struct held_result *held, uint64_t loads);

/* Returns whether ops of both kinds held retirement up, or no sample says so: loads, and others. */
bool explore_doubts_loads(const struct explore_result *result);
bool explore_doubts_others(const struct explore_result *result);

/* Returns whether ops are in flight for so many cycles more than the shortest in the mean, or no sample says so: they
 * wait for each other. */
bool explore_doubts_flight(const struct explore_result *result, uint32_t cycles);

/* Writes that right prediction may save less than the slots of mispredicted branches, where these are many: all of
 * them, and those of the refill, 0 where it is not counted. */
void explore_tell_mispredicts(struct out *out, int64_t slots, int64_t refill);

/* Writes a sentence with two shares, each in percent: one after 'before' and one after 'between'. */
void explore_tell_shares(struct out *out, const char *before, int64_t first, const char *between, int64_t second,
                         const char *after);

#endif
