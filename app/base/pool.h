/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory of a run: taken block by block from the firmware before anything is measured, freed all at once. */
#ifndef APP_POOL_H
#define APP_POOL_H

#include "app/base/firmware.h"
#include "core/base/out.h"
#include "drivers/machine/nodes.h"

/* Blocks that cores have of their own: one for each node, of seven kinds. */
enum { POOL_BLOCKS = 40 + 7 * (NODES_MAX + 1), POOL_PAGE = 4096 };

struct pool {
    struct firmware *fw;
    unsigned count;
    struct {
        void *memory;
        size_t size;
    } block[POOL_BLOCKS];
};

/* Zeroed memory, aligned to a power of two from 4096 up. NULL when there is none, after a line in 'problems' that says
 * what it was wanted for. */
void *pool_take(struct pool *pool, size_t size, size_t alignment, const char *what, struct out *problems);

/* Takes a node's memory, if the node is not NODE_UNKNOWN; when there is none left, of any other's, unless it must be
 * that one's. */
void *pool_take_on(struct pool *pool, const struct nodes *nodes, int node, bool must, size_t size, size_t alignment,
                   const char *what, struct out *problems);

void pool_release(struct pool *pool);

#endif
