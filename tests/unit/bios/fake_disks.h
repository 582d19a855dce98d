/* SPDX-License-Identifier: BSD-2-Clause */
/* Disks of a BIOS: INT 13h on disks in memory, with and without the extensions, and with the refusals that BIOSes
 * have. */
#ifndef TESTS_UNIT_BIOS_FAKE_DISKS_H
#define TESTS_UNIT_BIOS_FAKE_DISKS_H

#include "bios/disk/disk.h"
#include "bios/real.h"
#include "tests/unit/core/disk/disk.h"

struct fake_drive {
    struct test_disk *disk; /* NULL: no disk has this number */
    bool no_extensions, no_parameters;
    bool other_answer, no_packet; /* the extensions do not answer AA55h; they have no packets */
    uint32_t heads, sectors;      /* as reported; 0 sectors stand for 64, as in SeaBIOS */
    uint8_t write_error;          /* error of each write; 0: none */
    unsigned fail;                /* number of the next data transfers that fail */
};

struct fake_disks {
    struct fake_drive drive[DISK_MOST];
    unsigned moves, resets; /* data transfers; resets */
    unsigned largest;       /* most sectors in one call */
    /* Number of the first refused transfer, and how many are refused from that one on; 0: none. */
    unsigned refuse_move, refuse_tries;
};

extern struct fake_disks fake_disks;

/* Removes all disks. */
void fake_disks_init(void);
/* Adds a disk under the next number; fake_disks_init() frees it. */
struct fake_drive *fake_disks_add(struct test_disk *disk);

void fake_disks_call(struct real_registers *registers);

#endif
