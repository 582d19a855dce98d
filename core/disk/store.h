/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Appends files to the run area, IBSRUNS.TAR: a file of fixed size on a FAT volume that is overwritten in place, so
 * that nothing of the file system is ever written.
 *
 * An entry's bytes are written first, then two blocks of zeros, which end a tar, and last the header, one sector.
 * Until then the area ends where it ended before, so a machine that stops at any moment leaves every complete entry
 * and nothing of an incomplete one.
 */
#ifndef CORE_STORE_H
#define CORE_STORE_H

#include "core/run/tar.h"

/* 32 KB a call: nearly the speed of larger ones, and below the limit of every BIOS known. */
enum { STORE_BUFFER = 64 };

struct store {
    struct tar tar;          /* for reading */
    bool writing;            /* an entry was begun */
    enum tar_error error;    /* first error of the entry being written */
    enum tar_error refusal;  /* why nothing can be written, by the last walk of the area */
    char name[TAR_NAME_MAX]; /* of the entry being written */
    uint64_t time;
    uint64_t sent;     /* sectors of the entry in the area */
    unsigned buffered; /* bytes in the buffer */
    uint8_t buffer[STORE_BUFFER * DISK_SECTOR];
};

/* Walks the area. Entries before damage can be read. Nothing is written to a damaged area, because entries after the
 * damage may be whole: this function and store_begin() return the error. */
enum tar_error store_open(struct store *store, const struct disk_ops *disk, const struct disk_extent *extents,
                          unsigned count);

/* Returns the bytes that the next entry may have. */
uint64_t store_room(const struct store *store);

/* Begins a file, one at a time; 'time' in seconds since 1970-01-01 UTC. Walks the area anew after the disk refused a
 * header, which may have been written or not. */
enum tar_error store_begin(struct store *store, const char *name, uint64_t time);
enum tar_error store_write(struct store *store, const void *data, size_t size);
/* Renames the file that is being written. After an error it keeps its name. */
enum tar_error store_name(struct store *store, const char *name);
/* Ends the file and reads the header back. With 'keep' false, or after an error, which is returned again, no entry is
 * made. */
enum tar_error store_end(struct store *store, bool keep);

/* Begins, writes and ends a file. */
enum tar_error store_append(struct store *store, const char *name, const void *data, size_t size, uint64_t time);

/* Appends an empty entry, which removes the file of this name. TAR_NOT_FOUND: there was none. */
enum tar_error store_remove(struct store *store, const char *name, uint64_t time);

#endif
