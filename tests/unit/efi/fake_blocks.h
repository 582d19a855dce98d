/* SPDX-License-Identifier: BSD-2-Clause */
/* EFI_BLOCK_IO_PROTOCOL of a volume on a disk in memory, with a FAT driver that only counts its starts: it has no
 * files, and fails the test if it has to write. */
#ifndef TESTS_UNIT_EFI_FAKE_BLOCKS_H
#define TESTS_UNIT_EFI_FAKE_BLOCKS_H

#include "tests/unit/core/disk/disk.h"
#include "tests/unit/efi/fake_system.h"

struct fake_blocks {
    struct test_disk *disk;
    EFI_BLOCK_IO_MEDIA media;
    bool missing, held;   /* the protocol does not exist; the driver does not release the volume */
    unsigned calls;       /* reads, writes and flushes */
    bool unflushed;       /* the last write is not flushed */
    unsigned refuse_call; /* number of a call that fails once; 0: none */
    bool refuse_after;    /* the failing call writes before it fails */
    EFI_STATUS refuse_with;
    unsigned starts, roots;  /* number of the driver's starts; number of open roots */
    unsigned pools, no_pool; /* number of allocated pieces; number of the refused one (1: the next), 0: none */
    bool no_pages;
};

extern struct fake_blocks fake_blocks;

/* Takes the disk. */
void fake_blocks_init(struct efi_firmware *efi, struct test_disk *disk);
/* Frees the disk, and returns how many pieces were not released. */
unsigned fake_blocks_end(void);

#endif
