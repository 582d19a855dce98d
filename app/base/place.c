/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/base/place.h"

#include "app/base/sentence.h"
#include "core/base/mem.h"
#include "core/base/str.h"

/* Returns why 'memory' is impossible on a machine where nodes do not matter. */
static const char *why_not(const struct nodes *nodes)
{
    if (nodes->count < 2)
        return "this machine has one node, so all memory is near all cores";
    return nodes->interleaved ? "the nodes' memory is interleaved, and none of it is nearer than the rest"
                              : "neither firmware nor registers say which node has which memory";
}

static bool has_memory(const struct nodes *nodes, uint32_t node)
{
    for (uint32_t i = 0; i < nodes->ranges; i++)
        if (nodes->range[i].node == node)
            return true;
    return false;
}

static bool read_how(struct place *place, const char *text, uint32_t end)
{
    static const char *const names[] = {[PLACE_AUTO] = "auto", [PLACE_LOCAL] = "local", [PLACE_REMOTE] = "remote"};
    uint64_t number;

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        place->how = (enum place_how)i;
        if (str_equal(text, names[i]))
            return true;
    }
    place->how = PLACE_NODE;
    if (!str_to_uint(text, strlen(text), &number) || number >= end)
        return false;
    place->node = (uint32_t)number;
    return true;
}

bool place_understood(const char *text)
{
    struct place place;

    return read_how(&place, text, NODES_MAX);
}

void place_refuse(struct out *out, const char *text)
{
    out_printf(out, "memory = %s: not 'auto', 'local', 'remote', nor the number of a node with memory\n", text);
}

bool place_read(struct place *place, const char *text, const struct nodes *nodes, struct out *problems)
{
    *place = (struct place){0};
    if (!read_how(place, text, nodes->srat ? NODES_MAX : NODES_PCI) ||
        (place->how == PLACE_NODE && nodes->count >= 2 && !has_memory(nodes, place->node))) {
        place_refuse(problems, text);
        return false;
    }
    if (nodes_matter(nodes) || place->how == PLACE_AUTO ||
        (nodes->count < 2 && (place->how == PLACE_LOCAL || (place->how == PLACE_NODE && !place->node))))
        return true;
    out_printf(problems, "memory = %s: %s\n", text, why_not(nodes));
    return false;
}

int place_of(const struct place *place, const struct nodes *nodes, int node)
{
    if (!nodes_matter(nodes))
        return NODE_UNKNOWN;
    if (place->how == PLACE_NODE)
        return (int)place->node;
    if (place->how != PLACE_REMOTE || node == NODE_UNKNOWN)
        return node;
    for (uint32_t i = 1; i < NODES_MAX; i++) {
        uint32_t next = ((uint32_t)node + i) % NODES_MAX;

        if (has_memory(nodes, next))
            return (int)next;
    }
    return NODE_UNKNOWN;
}

bool place_possible(const struct place *place, const struct nodes *nodes, uint32_t core, int node, struct out *problems)
{
    bool local = place->how == PLACE_LOCAL;

    if (!nodes_matter(nodes) || (!local && place->how != PLACE_REMOTE))
        return true;
    if (node == NODE_UNKNOWN)
        sentence(problems, "memory = %s: the node of core %u is not known; set memory=auto, or the number of a node",
                 local ? "local" : "remote", core);
    else if (local && !has_memory(nodes, (uint32_t)node))
        sentence(
            problems,
            "memory = local: node %d, with core %u, has no memory; set memory=remote, or the number of another node",
            node, core);
    else
        return true;
    return false;
}

/* Takes memory for the cores of one node. */
static bool take_on(struct pool *pool, const struct nodes *nodes, int on, const struct place_need *need,
                    struct place_block *blocks, unsigned count, struct out *problems)
{
    size_t stride = (need->size + need->alignment - 1) / need->alignment * need->alignment;
    unsigned here = 0;
    uint8_t *next;

    for (unsigned i = 0; i < count; i++)
        here += blocks[i].node == on;
    if (!here)
        return true;
    next = pool_take_on(pool, nodes, on, need->must, here > 1 ? stride * here : need->size, need->alignment, need->what,
                        problems);
    for (unsigned i = 0; next && i < count; i++) {
        if (blocks[i].node != on)
            continue;
        blocks[i].memory = next;
        next += stride;
    }
    return next != NULL;
}

bool place_take(struct pool *pool, const struct nodes *nodes, const struct place_need *need, struct place_block *blocks,
                unsigned count, struct out *problems)
{
    for (int on = NODE_UNKNOWN; on < NODES_MAX; on++)
        if (!take_on(pool, nodes, on, need, blocks, count, problems))
            return false;
    return true;
}
