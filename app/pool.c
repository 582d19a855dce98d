#include "app/pool.h"

void *pool_take(struct pool *pool, size_t size, size_t alignment, const char *what, struct out *problems)
{
    void *memory = pool->count < POOL_BLOCKS ? pool->fw->allocate(pool->fw, size, alignment) : NULL;

    if (!memory) {
        out_printf(problems, "no memory for %s: %zu KiB wanted; a smaller workload or fewer records need less\n", what,
                   size / 1024);
        return NULL;
    }
    pool->block[pool->count].memory = memory;
    pool->block[pool->count++].size = size;
    return memory;
}

void pool_release(struct pool *pool)
{
    while (pool->count) {
        pool->count--;
        pool->fw->release(pool->fw, pool->block[pool->count].memory, pool->block[pool->count].size);
    }
}
