/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/stacks/call_chains.h"

#include <string.h>

struct wanted_chain {
    const struct call_chains *of;
    const uint32_t *ids;
    uint32_t depth;
};

static bool is_chain(const void *context, uint32_t number, const void *key)
{
    const struct call_chains *of = context;
    const struct wanted_chain *wanted = key;
    const struct call_chain *chain = &of->chains[number - 1];

    return chain->depth == wanted->depth &&
           memcmp(of->ids + chain->first, wanted->ids, wanted->depth * sizeof(*wanted->ids)) == 0;
}

void call_chains_add(struct call_chains *to, const uint32_t *ids, uint32_t depth, uint64_t count)
{
    struct wanted_chain wanted = {to, ids, depth};
    uint64_t hash = depth;
    uint32_t *number;

    for (uint32_t i = 0; i < depth; i++)
        hash = table_hash(hash + ids[i]) + (hash << 7);
    number = table_find(&to->table, hash, is_chain, to, &wanted);
    if (*number == 0) {
        *must_add(to->chains, to->count) = (struct call_chain){to->id_count, depth, 0};
        for (uint32_t i = 0; i < depth; i++)
            *must_add(to->ids, to->id_count) = ids[i];
        *number = to->count;
    }
    to->chains[*number - 1].count += count;
}

void call_chains_free(struct call_chains *chains)
{
    table_free(&chains->table);
    free(chains->chains);
    free(chains->ids);
}
