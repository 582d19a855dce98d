/* SPDX-License-Identifier: BSD-2-Clause */
/* EFI_BLOCK_IO_PROTOCOL of a volume over a disk in memory, and a FAT driver on it that only counts how often it was
 * started: it has no files, and fails the test when it is to write. */
#ifndef TESTS_UNIT_EFI_FAKE_BLOCKS_H
#define TESTS_UNIT_EFI_FAKE_BLOCKS_H

#include "tests/unit/core/disk/disk.h"
#include "tests/unit/efi/fake_system.h"

struct fake_blocks {
    struct test_disk *disk;
    EFI_BLOCK_IO_MEDIA media;
    bool missing, held;   /* no such protocol; the driver does not let go */
    unsigned calls;       /* reads, writes and flushes */
    bool unflushed;       /* the last write */
    unsigned refuse_call; /* this call fails, once; 0: none */
    bool refuse_after;    /* a write is done, and fails all the same */
    EFI_STATUS refuse_with;
    unsigned starts, roots;  /* of the driver; roots that are open */
    unsigned pools, no_pool; /* pieces of memory; this one is not given (1: the next), 0: all are */
    bool no_pages;
};

extern struct fake_blocks fake_blocks;

/* Takes the disk. */
void fake_blocks_init(struct efi_firmware *efi, struct test_disk *disk);
/* Frees the disk; returns what was not given back. */
unsigned fake_blocks_end(void);

#endif
