/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of an archive, as the steps that made them. */
#ifndef TOOLS_IBSPROF_ARCHIVE_SCHEMA_H
#define TOOLS_IBSPROF_ARCHIVE_SCHEMA_H

#include "tools/ibsprof/archive/archive.h"

/* Statements that bring the tables from a version to the next: archive_steps[0] makes version 1 from nothing. NULL
 * after the last of a step. */
extern const char *const *const archive_steps[ARCHIVE_VERSION];

/* A dictionary: adds a row unless it is there, and finds it. */
struct archive_dictionary_row {
    unsigned columns, keys; /* by the first of which it is found */
    const char *add, *find;
};
extern const struct archive_dictionary_row archive_dictionaries[ARCHIVE_DICTIONARIES];

#endif
