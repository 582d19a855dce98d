/* SPDX-License-Identifier: BSD-2-Clause */
/* The entries of the run area, in memory, because each header costs a read of the disk, and 1,000 runs have 8,000. */
#ifndef CORE_AREA_INDEX_H
#define CORE_AREA_INDEX_H

#include <stdint.h>

#include "core/disk/store.h"

struct area_entry {
    char path[TAR_NAME_MAX];
    uint64_t size, sector; /* bytes; sector of the area. Size 0: the file was removed */
};

/* All zero before the first read. */
struct area_index {
    struct area_entry *rows;
    uint64_t count, room; /* rows in use, rows that fit */
    uint64_t next;        /* sector of the area: header after the last entry read */
};

/* Returns memory of 'bytes' bytes that begins with the 'used' ones of 'old', and frees 'old'; NULL if there is none.
 */
typedef void *area_grow(void *context, void *old, uint64_t used, uint64_t bytes);

/* Adds the entries that are new. Without an area (NULL) it does nothing. */
void area_index_read(struct area_index *index, struct store *area, area_grow *grow, void *context);

/* Returns the last entry of this path, without regard to case, or NULL. */
const struct area_entry *area_index_find(const struct area_index *index, const char *path);

/* Returns a row in the area's order; NULL after the last. */
const struct area_entry *area_index_row(const struct area_index *index, uint64_t row);

#endif
