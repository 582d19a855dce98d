/* SPDX-License-Identifier: BSD-2-Clause */
/* Disks by INT 13h: with the extensions (AH=42h, 43h), by cylinder, head and sector where there are none. */
#ifndef BIOS_DISK_H
#define BIOS_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/run/disk.h"

enum { DISK_FIRST = 0x80, DISK_MOST = 16 };
enum { DISK_WRITE_PROTECTED = 3 }; /* of a disk's errors */

struct disk {
    struct disk_ops ops; /* the context is this struct */
    uint8_t number;      /* the BIOS's */
    bool chs;
    bool failed;             /* the last transfer did, with all its tries */
    uint32_t heads, sectors; /* per cylinder, per track */
    uint8_t error;           /* of the last call that failed: AH, as BIOSes have it since the PC/AT */
};

/* How many fixed disks the BIOS has; sticks are among them. */
unsigned disk_count(void);

/* False: there is no such disk. 'chs': as if it had no extensions. */
bool disk_open(struct disk *disk, uint8_t number, bool chs);

#endif
