/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds our volume among the BIOS's disks, and the run area on it. */
#ifndef BIOS_VOLUME_H
#define BIOS_VOLUME_H

#include <stdbool.h>
#include <stdint.h>

#include "bios/boot_info.h"
#include "bios/disk/disk.h"
#include "core/disk/area_file.h"

enum { VOLUME_SERIAL = 0x1B5B0071 }; /* as ./dev image writes it */

struct volume {
    struct disk disk;
    struct fat fat;
    struct area_file area;
};

/* Searches the loader's disk first, then all, and prints what it finds. chs: ignores the disks' extensions. Returns
 * false if no disk has the volume. */
bool volume_find(struct volume *volume, const struct boot_info *info, bool chs);

/* Returns whether the disk still answers. */
bool volume_there(struct volume *volume);

#endif
