/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds callers of a sample's function without frame pointers, from the calls and returns among its branch records: a
 * call without a later return is still open. Only for call_stacks.c.
 *
 * Unknown callers are left out: those before the oldest record; those before a record of an interrupt, a system call,
 * or code without a file; all callers, if the sample's address is in none of the recorded blocks.
 */
#ifndef TOOLS_IBSPROF_BRANCH_CHAINS_H
#define TOOLS_IBSPROF_BRANCH_CHAINS_H

#include "tools/ibsprof/profile/stacks/frames.h"

enum { BRANCH_CHAIN_MAX = 1 + 2 * 64 }; /* Linux' perf records at most 32 branches on any processor */

/* Writes the frames of branches on the right path, the latest first: address, then target, of each. Returns the number
 * of frames, at most BRANCH_CHAIN_MAX - 1. */
uint32_t branch_chain_frames(struct frames *frames, const struct perfdata_item *item, bool is_linux, uint32_t *ids);

/* Computes callers, after frames_find(), from ids: the sample's frame, and those of branch_chain_frames(). Writes the
 * sample's frame and those of open calls, the innermost first; 'callers' may be 'ids'. Returns their number. */
uint32_t branch_chain_callers(const struct frames *frames, const uint32_t *ids, uint32_t count, uint32_t *callers);

#endif
