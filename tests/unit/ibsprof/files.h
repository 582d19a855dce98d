/* SPDX-License-Identifier: BSD-2-Clause */
/* Files and folders that a test makes below build/unit/ibsprof-files. */
#ifndef TESTS_UNIT_IBSPROF_FILES_H
#define TESTS_UNIT_IBSPROF_FILES_H

#include <stddef.h>

/* Makes the folders above a file. */
void files_make_folders(char *path);

/* Returns a path in the tests' folder, and makes missing folders. It is valid for the next 7 calls. */
const char *files_path(const char *name);
const char *files_write(const char *name, const void *bytes, size_t size);
/* Returns the text of a file of at most a megabyte, until the next call. */
char *files_read(const char *path);
void files_remove_all(void);
/* Returns the names in a folder, each followed by a blank, until the next call. */
const char *files_names(const char *folder);

/* Ends a group of tests. */
int files_end(void **state);

#endif
