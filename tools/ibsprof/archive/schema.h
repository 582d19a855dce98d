/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of an archive, as steps that make them. */
#ifndef TOOLS_IBSPROF_ARCHIVE_SCHEMA_H
#define TOOLS_IBSPROF_ARCHIVE_SCHEMA_H

#include "tools/ibsprof/archive/archive.h"

/* Statements that update the tables to the next version: archive_steps[0] makes version 1. NULL ends a step. */
extern const char *const *const archive_steps[ARCHIVE_VERSION];

/* Statements of a dictionary: add a row unless it exists, and find it. */
struct archive_dictionary_row {
    unsigned columns, keys; /* the first 'keys' columns identify a row */
    const char *add, *find;
};
extern const struct archive_dictionary_row archive_dictionaries[ARCHIVE_DICTIONARIES];

#endif
