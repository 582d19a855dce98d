/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts equal chains of numbers, and sums up chains of functions. Only for call_stacks.c. */
#ifndef TOOLS_IBSPROF_CALL_CHAINS_H
#define TOOLS_IBSPROF_CALL_CHAINS_H

#include "tools/ibsprof/base/table.h"
#include "tools/ibsprof/profile/stacks/call_stacks.h"

/* Frames or functions, the innermost first: 'depth' elements of 'ids', from 'first' on. */
struct call_chain {
    size_t first;
    uint32_t depth;
    uint64_t count;
};

/* Zeroed: empty. */
struct call_chains {
    uint32_t *ids;
    size_t id_count;
    struct table table;
    struct call_chain *chains;
    uint32_t count;
};

void call_chains_add(struct call_chains *to, const uint32_t *ids, uint32_t depth, uint64_t count);
void call_chains_free(struct call_chains *chains);

/* Counts and sorts the functions of 'stacks', to which 'chains' refers by index; makes edges and stacks; takes over the
 * ids of 'chains'. */
void call_stacks_sum(struct call_stacks *stacks, struct call_chains *chains);

#endif
