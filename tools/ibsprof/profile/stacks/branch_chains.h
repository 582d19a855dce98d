/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Callers of a sample's function without frame pointers, from the calls and returns among its branch records: a call
 * that no later return undoes is still open. For call_stacks.c only.
 *
 * Unknown callers are left out: those that called before the oldest record; what comes before a record of an
 * interrupt, a system call, or code that no file shows; all callers, where the sample's address is in none of the
 * recorded blocks.
 */
#ifndef TOOLS_IBSPROF_BRANCH_CHAINS_H
#define TOOLS_IBSPROF_BRANCH_CHAINS_H

#include "tools/ibsprof/profile/stacks/frames.h"

enum { BRANCH_CHAIN_MAX = 1 + 2 * 64 }; /* Linux' perf records 32 branches at most on any processor */

/* Writes the frames of the branches on the right path, the latest first: each one's address, then its target. Returns
 * the number of frames, at most BRANCH_CHAIN_MAX - 1. */
uint32_t branch_chain_frames(struct frames *frames, const struct perfdata_item *item, bool is_linux, uint32_t *ids);

/* After frames_find: ids has the sample's frame, and those of branch_chain_frames. Writes the sample's frame and those
 * of the calls that are open, the innermost first; callers may be ids itself. Returns their number. */
uint32_t branch_chain_callers(const struct frames *frames, const uint32_t *ids, uint32_t count, uint32_t *callers);

#endif
