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
    bool readable;             /* entries can be read, perhaps only the first */
    enum area_refusal refusal; /* why nothing can be written, as far as the test at the start showed */
    unsigned pieces;           /* 0: it was not found, or is empty */
    struct disk_extent extents[AREA_FILE_PIECES];
};

/* Finds the file on a mounted volume and walks its entries. As a test it writes the sector of the next header back
 * unchanged. */
void area_file_open(struct area_file *area, struct fat *fat);

#endif
