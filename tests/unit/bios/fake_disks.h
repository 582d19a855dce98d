/* SPDX-License-Identifier: BSD-2-Clause */
/* The disks of a BIOS: INT 13h over disks in memory, with and without the extensions, and with what BIOSes refuse. */
#ifndef TESTS_UNIT_BIOS_FAKE_DISKS_H
#define TESTS_UNIT_BIOS_FAKE_DISKS_H

#include "bios/disk/disk.h"
#include "bios/real.h"
#include "tests/unit/core/disk/disk.h"

struct fake_drive {
    struct test_disk *disk; /* NULL: the BIOS has none of this number */
    bool no_extensions, no_parameters;
    bool other_answer, no_packet; /* the extensions' answer is not AA55h; they have no packets */
    uint32_t heads, sectors;      /* that it says; 0 sectors stand for 64, as SeaBIOS has it */
    uint8_t write_error;          /* of each write; 0: none */
    unsigned fail;                /* calls that move data fail, so many from now on */
};

struct fake_disks {
    struct fake_drive drive[DISK_MOST];
    unsigned moves, resets; /* calls that move data; resets */
    unsigned largest;       /* sectors of a call */
    /* From this one of 'moves' on so many fail; 0: none. */
    unsigned refuse_move, refuse_tries;
};

extern struct fake_disks fake_disks;

/* No disks. */
void fake_disks_init(void);
/* The next number is this disk's, which is freed by fake_disks_init(). */
struct fake_drive *fake_disks_add(struct test_disk *disk);

void fake_disks_call(struct real_registers *registers);

#endif
