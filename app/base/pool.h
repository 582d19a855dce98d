/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory of a run: taken block by block from the firmware before anything is measured, freed all at once. */
#ifndef APP_POOL_H
#define APP_POOL_H

#include "app/base/firmware.h"
#include "core/base/out.h"
#include "drivers/machine/nodes.h"

/* Seven kinds of blocks exist once for each node; 40 others exist once. */
enum { POOL_BLOCKS = 40 + 7 * (NODES_MAX + 1), POOL_PAGE = 4096 };

struct pool {
    struct firmware *fw;
    unsigned count;
    struct {
        void *memory;
        size_t size;
    } block[POOL_BLOCKS];
};

/* Returns zeroed memory, aligned to a power of two from 4096 up. Returns NULL if none is left, after a line in
 * 'problems' that names its purpose, 'what'. */
void *pool_take(struct pool *pool, size_t size, size_t alignment, const char *what, struct out *problems);

/* Takes memory of a node. If the node is full or NODE_UNKNOWN, takes any other node's memory, unless 'must' is set. */
void *pool_take_on(struct pool *pool, const struct nodes *nodes, int node, bool must, size_t size, size_t alignment,
                   const char *what, struct out *problems);

void pool_release(struct pool *pool);

#endif
