/* SPDX-License-Identifier: BSD-2-Clause */
/* Presents the sectors of one file as one row, wherever its pieces are on the disk. */
#ifndef CORE_AREA_H
#define CORE_AREA_H

#include <stdbool.h>

#include "core/run/disk.h"

struct area {
    const struct disk_ops *disk;
    const struct disk_extent *extents; /* the caller's; they stay as they are while the area is used */
    unsigned extent_count;
    uint64_t sectors; /* of all extents */
};

void area_init(struct area *area, const struct disk_ops *disk, const struct disk_extent *extents, unsigned count);

/* Read or write 'count' sectors from 'sector' on. Return false if the disk refused, or if some are beyond the area's
 * end, in which case nothing is transferred. */
bool area_read(const struct area *area, uint64_t sector, uint64_t count, void *to);
bool area_write(const struct area *area, uint64_t sector, uint64_t count, const void *from);

#endif
