/* SPDX-License-Identifier: BSD-2-Clause */
/* Disks by INT 13h: with the extensions (AH=42h, 43h), otherwise by cylinder, head and sector. */
#ifndef BIOS_DISK_H
#define BIOS_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/run/disk.h"

enum { DISK_FIRST = 0x80, DISK_MOST = 16 };
enum { DISK_WRITE_PROTECTED = 3 }; /* error code of a disk */

struct disk {
    struct disk_ops ops; /* with this struct as context */
    uint8_t number;      /* number in the BIOS */
    bool chs;
    bool failed;             /* all tries of the last transfer failed */
    uint32_t heads, sectors; /* per cylinder, per track */
    uint8_t error;           /* AH of the last call that failed, with the codes of BIOSes since the PC/AT */
};

/* Returns the number of the BIOS's fixed disks, sticks included. */
unsigned disk_count(void);

/* Opens a disk; chs: ignores its extensions. Returns false if there is no such disk. */
bool disk_open(struct disk *disk, uint8_t number, bool chs);

#endif
