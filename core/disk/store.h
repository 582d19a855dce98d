/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Appends files to the run area, IBSRUNS.TAR: a file of fixed size on a FAT volume that is overwritten in place, so
 * that nothing of the file system is ever written.
 *
 * Of an entry the file's bytes are written first, then two blocks of zeros, which end a tar, and the header last: one
 * sector. Until that is written the area ends where it ended before, so a machine that stops at any moment leaves every
 * complete entry and nothing of the one that was being written.
 */
#ifndef CORE_STORE_H
#define CORE_STORE_H

#include "core/run/tar.h"

/* 32 KB a call: nearly the speed of larger ones, and below the limit of every BIOS known. */
enum { STORE_BUFFER = 64 };

struct store {
    struct tar tar;          /* for reading */
    bool writing;            /* an entry was begun */
    enum tar_error error;    /* the first of the entry that is being written */
    enum tar_error refusal;  /* why nothing can be written as the area was last walked */
    char name[TAR_NAME_MAX]; /* of that entry */
    uint64_t time;
    uint64_t sent;     /* its sectors that are in the area */
    unsigned buffered; /* bytes that are not */
    uint8_t buffer[STORE_BUFFER * DISK_SECTOR];
};

/* Walks the area. What stands before damage can be read; to a damaged area nothing is written, because entries after
 * the damage may be whole: the error is returned here and by store_begin(). */
enum tar_error store_open(struct store *store, const struct disk_ops *disk, const struct disk_extent *extents,
                          unsigned count);

/* Bytes that the next entry may have. */
uint64_t store_room(const struct store *store);

/* Begins a file; 'time' in seconds since 1970-01-01 UTC. One is written at a time. Walks the area anew after a header
 * that the disk refused, and that may be there or not. */
enum tar_error store_begin(struct store *store, const char *name, uint64_t time);
enum tar_error store_write(struct store *store, const void *data, size_t size);
/* Another name for the file that is being written. After an error it has the one that it had. */
enum tar_error store_name(struct store *store, const char *name);
/* Ends it. With 'keep' false, and after an error, which is returned again, there is no entry. The header is read back.
 */
enum tar_error store_end(struct store *store, bool keep);

/* All three. */
enum tar_error store_append(struct store *store, const char *name, const void *data, size_t size, uint64_t time);

/* An empty entry: the file of this name is gone. TAR_NOT_FOUND: there was none. */
enum tar_error store_remove(struct store *store, const char *name, uint64_t time);

#endif
