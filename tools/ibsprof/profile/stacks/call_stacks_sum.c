/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums of calls by caller and callee, and the order of all rows. */
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/table.h"
#include "tools/ibsprof/profile/stacks/call_chains.h"

/* ---------------------------------------------------------------- sums */

static bool is_edge(const void *context, uint32_t number, const void *key)
{
    const struct call_edge *a = &((const struct call_stacks *)context)->edges[number - 1], *b = key;

    return a->caller == b->caller && a->callee == b->callee;
}

static void add_edge(struct call_stacks *stacks, struct table *table, uint32_t caller, uint32_t callee, uint64_t count)
{
    struct call_edge edge = {caller, callee, 0};
    uint32_t *number = table_find(table, table_hash((uint64_t)caller << 32 | callee), is_edge, stacks, &edge);

    if (*number == 0) {
        *must_add(stacks->edges, stacks->edge_count) = edge;
        *number = stacks->edge_count;
    }
    stacks->edges[*number - 1].count += count;
}

/* Returns whether the same function, or with 'edge' the same call, is further in. */
static bool came_before(const uint32_t *functions, uint32_t at, bool edge)
{
    for (uint32_t i = 0; i < at; i++)
        if (functions[i] == functions[at] && (!edge || functions[i + 1] == functions[at + 1]))
            return true;
    return false;
}

static void add_up(struct call_stacks *stacks, const struct call_chains *joined)
{
    struct table edges = {0};

    for (uint32_t i = 0; i < joined->count; i++) {
        const struct call_chain *chain = &joined->chains[i];
        const uint32_t *functions = joined->ids + chain->first;

        stacks->functions[functions[0]].self += chain->count;
        for (uint32_t k = 0; k < chain->depth; k++) {
            if (!came_before(functions, k, false))
                stacks->functions[functions[k]].total += chain->count;
            if (k + 1 < chain->depth && !came_before(functions, k, true))
                add_edge(stacks, &edges, functions[k + 1], functions[k], chain->count);
        }
    }
    table_free(&edges);
}

/* ---------------------------------------------------------------- order */

static int order(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int by_total(const void *left, const void *right, void *context)
{
    const struct call_function *functions = context;
    const struct call_function *a = &functions[*(const uint32_t *)left], *b = &functions[*(const uint32_t *)right];
    int more = order(b->total, a->total);

    more = more ? more : order(b->self, a->self);
    more = more ? more : strcmp(a->name ? a->name : "", b->name ? b->name : "");
    more = more ? more : strcmp(a->object ? a->object->name : "", b->object ? b->object->name : "");
    return more ? more : order(*(const uint32_t *)left, *(const uint32_t *)right);
}

static int by_edge(const void *left, const void *right)
{
    const struct call_edge *a = left, *b = right;
    int more = order(b->count, a->count);

    more = more ? more : order(a->caller, b->caller);
    return more ? more : order(a->callee, b->callee);
}

static int by_stack(const void *left, const void *right)
{
    const struct call_stack *a = left, *b = right;
    int more = order(b->count, a->count);

    for (uint32_t i = 0; !more && i < a->depth && i < b->depth; i++)
        more = order(a->functions[i], b->functions[i]);
    return more ? more : order(a->depth, b->depth);
}

static void sort_functions(struct call_stacks *stacks, struct call_chains *joined)
{
    struct call_function *sorted = must_alloc(stacks->function_count, sizeof(*sorted));
    uint32_t *from = must_alloc(stacks->function_count, sizeof(*from)), *to;

    to = must_alloc(stacks->function_count, sizeof(*to));
    for (uint32_t i = 0; i < stacks->function_count; i++)
        from[i] = i;
    qsort_r(from, stacks->function_count, sizeof(*from), by_total, stacks->functions);
    for (uint32_t i = 0; i < stacks->function_count; i++) {
        sorted[i] = stacks->functions[from[i]];
        to[from[i]] = i;
    }
    for (size_t i = 0; i < joined->id_count; i++)
        joined->ids[i] = to[joined->ids[i]];
    for (uint32_t i = 0; i < stacks->edge_count; i++)
        stacks->edges[i] =
            (struct call_edge){to[stacks->edges[i].caller], to[stacks->edges[i].callee], stacks->edges[i].count};
    /* A function whose only frame was an interrupt's has no samples left: it is sorted last, and removed. */
    while (stacks->function_count > 0 && sorted[stacks->function_count - 1].total == 0)
        stacks->function_count--;
    free(stacks->functions);
    stacks->functions = sorted;
    free(from);
    free(to);
}

void call_stacks_sum(struct call_stacks *stacks, struct call_chains *joined)
{
    add_up(stacks, joined);
    sort_functions(stacks, joined);
    if (stacks->edge_count > 0)
        qsort(stacks->edges, stacks->edge_count, sizeof(*stacks->edges), by_edge);
    stacks->stack_count = joined->count;
    stacks->stacks = must_alloc(stacks->stack_count, sizeof(*stacks->stacks));
    for (uint32_t i = 0; i < stacks->stack_count; i++)
        stacks->stacks[i] = (struct call_stack){joined->ids + joined->chains[i].first, joined->chains[i].depth,
                                                joined->chains[i].count};
    qsort(stacks->stacks, stacks->stack_count, sizeof(*stacks->stacks), by_stack);
    stacks->ids = joined->ids;
    joined->ids = NULL;
}
