/* SPDX-License-Identifier: BSD-2-Clause */
/* The run area of a FAT volume, found by this program's own reading of the volume. Only the file's own sectors are ever
 * written, never a table or a folder. */
#ifndef CORE_AREA_FILE_H
#define CORE_AREA_FILE_H

#include "core/disk/fat.h"
#include "core/disk/store.h"
#include "core/run/area_refusal.h"

enum { AREA_FILE_PIECES = 1024 };

#define AREA_FILE_NAME "IBSRUNS.TAR" /* in the root */

struct area_file {
    struct store store;
    bool readable;             /* what stands in it, perhaps in part */
    enum area_refusal refusal; /* why nothing can be written to it, as far as a try at the start told */
    unsigned pieces;           /* 0: it was not found, or is empty */
    struct disk_extent extents[AREA_FILE_PIECES];
};

/* Finds it on a mounted volume, walks its entries, and writes the sector where the next header goes, as it is. */
void area_file_open(struct area_file *area, struct fat *fat);

#endif
