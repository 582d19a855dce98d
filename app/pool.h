/* The memory of a run: taken block by block from the firmware before anything is measured, given back all at once. */
#ifndef APP_POOL_H
#define APP_POOL_H

#include "app/firmware.h"
#include "core/out.h"

enum { POOL_BLOCKS = 16, POOL_PAGE = 4096 };

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

void pool_release(struct pool *pool);

#endif
