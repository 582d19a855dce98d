/* SPDX-License-Identifier: BSD-2-Clause */
/* A disk as readers of file systems and of the run area see it: numbered sectors of 512 bytes. */
#ifndef CORE_DISK_H
#define CORE_DISK_H

#include <stdint.h>

enum { DISK_SECTOR = 512 };

struct disk_ops {
    void *context;
    /* Transfer 'count' sectors from 'sector' on; return 0 if all were. */
    int (*read)(void *context, uint64_t sector, unsigned count, void *to);
    int (*write)(void *context, uint64_t sector, unsigned count, const void *from);
};

/* Sectors that follow each other. */
struct disk_extent {
    uint64_t sector, count;
};

#endif
