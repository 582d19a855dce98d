/* SPDX-License-Identifier: BSD-2-Clause */
/* The files of one run in a boot server's folder: each is opened without following links, copied, and removed. */
#ifndef TOOLS_IBSPROF_RECEIVE_UPLOAD_FILES_H
#define TOOLS_IBSPROF_RECEIVE_UPLOAD_FILES_H

#include <sys/types.h>

#include "tools/ibsprof/receive/uploads.h"

/* A file's name, with its commas replaced by ends. */
struct upload {
    char *name; /* as it is on the server */
    char *machine, *boot, *run, *file;
    bool taken;
};

/* The files of one run: neighbours in the order of names. */
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

/* Opens a file of the server's for reading; -1 after a complaint: a link, or anything else that no machine has written.
 */
int upload_open(struct uploads *uploads, const struct upload *upload, off_t *ret_size);

/* Copies one file to the folder, onto the disk, or skips one that cannot be taken. False after a complaint: it cannot
 * be written. */
bool upload_copy(struct uploads *uploads, struct upload *upload, const char *folder);

/* Makes the folder for the run's boot, and in it a new one, whose names are the caller's to free. False after a
 * complaint. */
bool upload_begin(const struct uploads *uploads, const struct uploaded_run *run, char **ret_place, char **ret_folder);

/* Gives the folder the first of the names RUN, RUN-2, RUN-3, ... that nothing in 'place' has, prints it, and returns it
 * once it is on the disk. NULL after a complaint. */
char *upload_name_folder(const char *folder, const char *place, const char *run);

/* Takes back a folder that did not become complete: none of its files counts as taken. */
void upload_remove_copies(const struct uploaded_run *run, const char *folder);

/* Returns whether what the server has of the run came again after it was taken: each file is the beginning of the one
 * of its name in 'folder'; where there is none of its name, it is empty, or begun.ini. False, after a complaint, where
 * a file cannot be read. */
bool upload_came_again(struct uploads *uploads, const struct uploaded_run *run, const char *folder);

/* Removes from the server what has been taken, begun.ini first, without which the rest is no finished run, and sums.txt
 * last, with which the rest is known to be there. */
void upload_remove(struct uploads *uploads, const struct uploaded_run *run);

#endif
