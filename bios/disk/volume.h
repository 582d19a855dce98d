/* SPDX-License-Identifier: BSD-2-Clause */
/* Our volume among the BIOS's disks, and the run area on it. */
#ifndef BIOS_VOLUME_H
#define BIOS_VOLUME_H

#include <stdbool.h>
#include <stdint.h>

#include "bios/boot_info.h"
#include "bios/disk/disk.h"
#include "core/disk/area_file.h"

enum { VOLUME_SERIAL = 0x1B5B0071 }; /* as ./dev image gives it */

struct volume {
    struct disk disk;
    struct fat fat;
    struct area_file area;
};

/* Looks at the disk that the loader came from first, then at all. Prints what it finds. False: no disk has the volume.
 * 'chs': disks as if they had no extensions. */
bool volume_find(struct volume *volume, const struct boot_info *info, bool chs);

/* The disk still answers. */
bool volume_there(struct volume *volume);

#endif
