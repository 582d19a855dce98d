/* SPDX-License-Identifier: BSD-2-Clause */
/* Our volume among the BIOS's disks, and the run area on it. */
#ifndef BIOS_VOLUME_H
#define BIOS_VOLUME_H

#include <stdbool.h>
#include <stdint.h>

#include "bios/boot_info.h"
#include "bios/disk/disk.h"
#include "bios/disk/fat.h"
#include "bios/disk/store.h"
#include "core/run/area_refusal.h"

enum {
    VOLUME_SERIAL = 0x1B5B0071, /* as ./dev image gives it */
    VOLUME_PIECES = 1024,       /* of the run area */
};

#define VOLUME_AREA "IBSRUNS.TAR" /* in the root; written in place, never by the file system */

struct volume {
    struct disk disk;
    struct fat fat;
    struct store store;        /* the run area, */
    bool has_area;             /* if there is one that can be read, perhaps in part */
    enum area_refusal refusal; /* why nothing can be written to the area, as far as a try at the start told */
    struct disk_extent extents[VOLUME_PIECES]; /* of the area */
};

/* Looks at the disk that the loader came from first, then at all. Prints what it finds. False: no disk has the volume.
 * 'chs': disks as if they had no extensions. */
bool volume_find(struct volume *volume, const struct boot_info *info, bool chs);

/* The disk still answers. */
bool volume_there(struct volume *volume);

#endif
