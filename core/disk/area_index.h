/* SPDX-License-Identifier: BSD-2-Clause */
/* The entries of the run area, in memory: each header is a read of the disk, and 1,000 runs have 8,000. */
#ifndef CORE_AREA_INDEX_H
#define CORE_AREA_INDEX_H

#include <stdint.h>

#include "core/disk/store.h"

struct area_entry {
    char path[TAR_NAME_MAX];
    uint64_t size, sector; /* bytes; of the area. Size 0: the file is gone */
};

/* All zero: nothing was read yet. */
struct area_index {
    struct area_entry *rows;
    uint64_t count, room; /* of rows */
    uint64_t next;        /* of the area: the header after the last that was read */
};

/* Returns memory of so many bytes, with the 'used' ones of the old, which is given back; NULL: there is none. */
typedef void *area_grow(void *context, void *old, uint64_t used, uint64_t bytes);

/* Takes over the entries that are new; NULL: there is no area. */
void area_index_read(struct area_index *index, struct store *area, area_grow *grow, void *context);

/* The last entry of this path, without regard to case; NULL: there is none. */
const struct area_entry *area_index_find(const struct area_index *index, const char *path);

/* In the area's order; NULL after the last. */
const struct area_entry *area_index_row(const struct area_index *index, uint64_t row);

#endif
