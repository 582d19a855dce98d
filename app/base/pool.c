/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/base/pool.h"

#include "app/base/sentence.h"

static void *on_node(struct pool *pool, const struct nodes *nodes, int node, size_t size, size_t alignment)
{
    void *memory = NULL;

    for (uint32_t i = 0; !memory && i < nodes->ranges; i++)
        if ((int)nodes->range[i].node == node)
            memory = pool->fw->allocate_in(pool->fw, size, alignment, nodes->range[i].base, nodes->range[i].end);
    return memory;
}

void *pool_take_on(struct pool *pool, const struct nodes *nodes, int node, bool must, size_t size, size_t alignment,
                   const char *what, struct out *problems)
{
    void *memory = NULL;
    bool room = pool->count < POOL_BLOCKS, named = node != NODE_UNKNOWN;

    if (room && named)
        memory = on_node(pool, nodes, node, size, alignment);
    if (room && !memory && !(named && must))
        memory = pool->fw->allocate(pool->fw, size, alignment);
    if (!memory) {
        if (named && must)
            sentence(problems, "no memory for %s on node %d: %zu KiB are needed", what, node, size / 1024);
        else
            sentence(problems, "no memory for %s: %zu KiB are needed; a smaller workload or fewer records need less",
                     what, size / 1024);
        return NULL;
    }
    pool->block[pool->count].memory = memory;
    pool->block[pool->count++].size = size;
    return memory;
}

void *pool_take(struct pool *pool, size_t size, size_t alignment, const char *what, struct out *problems)
{
    return pool_take_on(pool, NULL, NODE_UNKNOWN, false, size, alignment, what, problems);
}

void pool_release(struct pool *pool)
{
    while (pool->count) {
        pool->count--;
        pool->fw->release(pool->fw, pool->block[pool->count].memory, pool->block[pool->count].size);
    }
}
