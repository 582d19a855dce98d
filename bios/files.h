/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds files by path in the first of four places that has them: files being written, the run area (IBSRUNS.TAR), the
 * boot loader's modules, the FAT volume. Paths have '/' between names and ignore case. A new file's bytes go to the
 * run area as they come, one file at a time; the file exists once it has ended, under its last name.
 */
#ifndef BIOS_FILES_H
#define BIOS_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/disk/area_index.h"
#include "bios/boot_info.h"

enum { FILES_PATH = 128, FILES_OPEN = 32 };

enum files_error {
    FILES_OK = 0,
    FILES_NOT_FOUND,
    FILES_GONE,  /* no volume, or it does not answer any more */
    FILES_ORDER, /* a streamed file must be written from its beginning to its end */
    FILES_FULL,
    FILES_MEMORY, /* no memory, or too many open files */
    FILES_NAME,   /* the path is too long */
    FILES_AREA,   /* plus an enum area_refusal: why the run area cannot be written; UNREAD for any file of the stick */
};

struct volume;

/* Takes the loader's data and the volume (NULL: none), which must stay valid while files are used. */
void files_prepare(const struct boot_info *info, struct volume *volume);

/* Returns why no folder of new files can begin; FILES_OK: nothing prevents it so far. */
enum files_error files_make_folder(void);

struct files_node {
    char path[FILES_PATH];
    uint8_t *data;
    uint64_t size, room; /* bytes; room 0: the memory is not the file's own */
    unsigned users;
    bool written;  /* but not yet in the run area */
    bool streamed; /* bytes go to the run area at once, and are not kept in memory */
    bool ended;    /* all bytes are written */
    bool gone;
};

struct files {
    struct files_node node[FILES_OPEN];
    struct boot_info loader;
    struct volume *volume; /* NULL: none */
    struct store *area;    /* NULL: none is readable */
    struct area_index index;
    struct files_node *streaming; /* file in the run area that has not ended */
};

/* Opens a file, with all bytes in memory unless it is streamed. create: makes an empty file if there is none. */
enum files_error files_open(const char *path, bool create, struct files_node **ret_node);
/* Ends one use of a file; the last user's call saves written bytes to the run area. */
enum files_error files_close(struct files_node *node);
enum files_error files_write(struct files_node *node, uint64_t at, const void *data, size_t size);
/* Renames a file, replaces one of that name, and saves written bytes to the run area. */
enum files_error files_rename(struct files_node *node, const char *path);
/* Deletes a file. Returns false if the next start brings it back, because it is on the FAT volume or a module. */
bool files_delete(struct files_node *node);

/* Returns whether a file is below this path. */
bool files_folder(const char *path);

/* Calls each() with the names of files and folders in a folder; a name may come more than once. */
void files_list(const char *path, void (*each)(void *argument, const char *name, size_t length, bool folder),
                void *argument);

#endif
