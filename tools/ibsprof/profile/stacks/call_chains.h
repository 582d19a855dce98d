/* SPDX-License-Identifier: BSD-2-Clause */
/* Chains of numbers, equal ones counted together, and what becomes of chains of functions. For call_stacks.c only. */
#ifndef TOOLS_IBSPROF_CALL_CHAINS_H
#define TOOLS_IBSPROF_CALL_CHAINS_H

#include "tools/ibsprof/base/table.h"
#include "tools/ibsprof/profile/stacks/call_stacks.h"

/* Frames or functions, the innermost first: 'depth' of ids, from 'first' on. */
struct call_chain {
    size_t first;
    uint32_t depth;
    uint64_t count;
};

/* All zeros: empty. */
struct call_chains {
    uint32_t *ids;
    size_t id_count;
    struct table table;
    struct call_chain *chains;
    uint32_t count;
};

void call_chains_add(struct call_chains *to, const uint32_t *ids, uint32_t depth, uint64_t count);
void call_chains_free(struct call_chains *chains);

/* stacks has the functions, without counts; chains are of their indices. Counts and sorts them, and makes edges and
 * stacks; takes the ids away from chains. */
void call_stacks_sum(struct call_stacks *stacks, struct call_chains *chains);

#endif
