/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files by path, from four places, of which the first that has the file counts: what is being written, the run area
 * (IBSRUNS.TAR), the boot loader's modules, the FAT volume. Paths have '/' between names and are compared without
 * regard to case. A new file's bytes go to the run area as they come, one file at a time; the file is there when it has
 * ended, with the name that it has then.
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
    FILES_GONE,  /* there is no volume, or it does not answer any more */
    FILES_ORDER, /* a file that is streamed is written from its beginning to its end */
    FILES_FULL,
    FILES_MEMORY, /* none is left, or too many files are open */
    FILES_NAME,   /* too long */
    FILES_AREA,   /* plus an enum area_refusal: why the run area takes nothing; UNREAD for any file of the stick */
};

struct volume;

/* Takes what the loader brought, and the volume, NULL: there is none. All stay as long as files are used. */
void files_prepare(const struct boot_info *info, struct volume *volume);

/* Why no folder of new files can be begun; FILES_OK: it can, as far as is known. */
enum files_error files_make_folder(void);

struct files_node {
    char path[FILES_PATH];
    uint8_t *data;
    uint64_t size, room; /* bytes; room 0: not this file's own memory */
    unsigned users;
    bool written;  /* and not yet in the run area */
    bool streamed; /* its bytes go to the run area as they come, and are not in memory */
    bool ended;    /* they are all there */
    bool gone;
};

struct files {
    struct files_node node[FILES_OPEN];
    struct boot_info loader;
    struct volume *volume; /* NULL: there is none */
    struct store *area;    /* NULL: none can be read */
    struct area_index index;
    struct files_node *streaming; /* the file that is in the run area but for its end */
};

/* A file, with all its bytes in memory unless it is streamed. With 'create' one that is not there begins empty. */
enum files_error files_open(const char *path, bool create, struct files_node **ret_node);
/* The last user's end: what was written goes to the run area. */
enum files_error files_close(struct files_node *node);
enum files_error files_write(struct files_node *node, uint64_t at, const void *data, size_t size);
/* Under another name; a file of that name is replaced. What was written goes to the run area. */
enum files_error files_rename(struct files_node *node, const char *path);
/* False: it is on the FAT volume or a module, and will be there again after the next start. */
bool files_delete(struct files_node *node);

/* There is a file below this path. */
bool files_folder(const char *path);

/* Calls each() with the names in a folder, those of folders too; a name may come more than once. */
void files_list(const char *path, void (*each)(void *argument, const char *name, size_t length, bool folder),
                void *argument);

#endif
