/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of one run in a boot server's folder: each is opened without following links, copied, and removed. */
#ifndef TOOLS_IBSPROF_RECEIVE_UPLOAD_FILES_H
#define TOOLS_IBSPROF_RECEIVE_UPLOAD_FILES_H

#include <sys/types.h>

#include "tools/ibsprof/receive/uploads.h"

/* A file's name, split at its commas. */
struct upload {
    char *name; /* complete name on the server */
    char *machine, *boot, *run, *file;
    bool taken;
};

/* Files of one run, neighbours in the order of names. */
struct uploaded_run {
    struct upload *file;
    uint32_t count;
    bool finished;
};

struct uploads {
    const struct uploads_order *order;
    struct upload *file;
    uint32_t count;
    enum exit_code code;
};

struct upload *upload_find(const struct uploaded_run *run, const char *file);

/* Opens a file of the server for reading. Returns -1 after a complaint for a link, or anything else that no machine
 * writes. */
int upload_open(struct uploads *uploads, const struct upload *upload, off_t *ret_size);

/* Copies a file to the folder, onto the disk, or skips one that cannot be taken. Returns false after a complaint if
 * writing failed. */
bool upload_copy(struct uploads *uploads, struct upload *upload, const char *folder);

/* Makes the folder of the run's boot, and a new folder in it; their names are to be freed. Returns false after a
 * complaint. */
bool upload_begin(const struct uploads *uploads, const struct uploaded_run *run, char **ret_place, char **ret_folder);

/* Renames the folder to the first of RUN, RUN-2, RUN-3, ... that does not exist in 'place', prints that name, and
 * returns it once it is on the disk. Returns NULL after a complaint. */
char *upload_name_folder(const char *folder, const char *place, const char *run);

/* Removes an incomplete folder; none of its files counts as taken. */
void upload_remove_copies(const struct uploaded_run *run, const char *folder);

/* Returns whether the run came again after it was taken: each file is a beginning of the file of its name in 'folder',
 * or, without one, is empty or begun.ini. Returns false, after a complaint, if a file is unreadable. */
bool upload_came_again(struct uploads *uploads, const struct uploaded_run *run, const char *folder);

/* Removes taken files from the server: begun.ini first, without which the rest is no finished run, and sums.txt last,
 * because it shows that the rest was there. */
void upload_remove(struct uploads *uploads, const struct uploaded_run *run);

#endif
