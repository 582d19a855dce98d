/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A tar in an area of fixed size: IBSRUNS.TAR, to which runs are appended (core/disk/store.h).
 * This side reads it. Format: POSIX.1-1988 "ustar" (IEEE Std 1003.1, pax, "ustar Interchange Format"): a header of one
 * block of 512 bytes, the file's bytes, filled up to a block; a block of zeros ends it.
 *
 * The last entry of a name is the file; an entry without bytes says that the file of this name is gone.
 */
#ifndef CORE_TAR_H
#define CORE_TAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/run/area.h"

enum {
    TAR_NAME_MAX = 101, /* with its end; longer names are not ours */
    TAR_WINDOW = 8,     /* sectors that are read at once while headers are looked at */
};

enum tar_error {
    TAR_OK = 0,
    TAR_END,       /* no more entries */
    TAR_NOT_FOUND, /* no file of this name */
    TAR_READ,      /* the disk did not read a sector */
    TAR_DAMAGED,   /* neither a header nor the end is where one of them has to be */
    TAR_WRITE,     /* the disk did not write a sector, or reads other bytes back than were written */
    TAR_FULL,
    TAR_NAME, /* too long, or empty */
    TAR_BUSY, /* another entry is being written, or none is */
};

/* Returns one line without a full stop: "the run area is full". */
const char *tar_error_text(enum tar_error error);

struct tar {
    struct area area;
    uint64_t used;         /* sectors, up to where the next header goes */
    uint64_t entries;      /* before 'used' */
    uint64_t window_first; /* the last sectors that were looked at */
    unsigned window_count;
    uint8_t window[TAR_WINDOW * DISK_SECTOR];
};

struct tar_entry {
    char name[TAR_NAME_MAX]; /* "ibsboot/runs/0001-matmul_classic-ibs/run.ini" */
    bool file;               /* not a folder, link or anything else */
    uint64_t size;           /* bytes */
    uint64_t sector;         /* of the area: the first after the header */
    uint64_t next;           /* of the area: the next header */
};

/* Walks all headers. TAR_DAMAGED: 'used' and 'entries' cover what is before the damage and can be read. */
enum tar_error tar_open(struct tar *tar, const struct disk_ops *disk, const struct disk_extent *extents,
                        unsigned count);

/* Reads the entry whose header is at *at, and moves *at to the next; start at 0. TAR_END after the last. */
enum tar_error tar_next(struct tar *tar, uint64_t *at, struct tar_entry *ret_entry);

/* Finds the file of this name. */
enum tar_error tar_find(struct tar *tar, const char *name, struct tar_entry *ret_entry);

/* Reads 'size' bytes from 'offset' on; fewer at the file's end. */
enum tar_error tar_read(struct tar *tar, const struct tar_entry *entry, uint64_t offset, void *to, size_t size,
                        size_t *ret_done);

/* Forgets the window, after sectors were written. */
void tar_forget(struct tar *tar);

/* Makes the header of a file in 'block'. The name has at most TAR_NAME_MAX - 1 characters; time: seconds since
 * 1970-01-01 UTC. */
void tar_header(uint8_t block[DISK_SECTOR], const char *name, uint64_t size, uint64_t time);

#endif
