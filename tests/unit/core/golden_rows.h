/* SPDX-License-Identifier: BSD-2-Clause */
/* A golden file of a long table: some rows in full, the others as KEY:CHECKSUM. Every row is compared: a changed row is
 * named and printed in either form. */
#ifndef TESTS_UNIT_CORE_GOLDEN_ROWS_H
#define TESTS_UNIT_CORE_GOLDEN_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/out.h"

struct golden_rows {
    const char *name, *part;
    struct out_memory all, changed; /* the new file, and its rows that differ */
    char *want;                     /* the expected file */
    unsigned in_line;               /* checksums in the last line */
    char text[131072], said[16384];
};

/* Reads tests/unit/core/golden/<name> for comparison. */
void golden_rows_begin(struct golden_rows *rows, const char *name);

/* Begins a part of the table; its name is in the file, in each checksum, and before a changed row. */
void golden_rows_part(struct golden_rows *rows, const char *part);

/* Adds a line that belongs to no row. */
void golden_rows_line(struct golden_rows *rows, const char *text, size_t length);

/* Adds a row: in full, or as its key with a checksum. Keys may repeat in another part. */
void golden_rows_add(struct golden_rows *rows, uint16_t key, const char *text, size_t length, bool in_full);

/* Compares with the file like check_golden(), but prints only changed rows, if any. */
void golden_rows_check(struct golden_rows *rows);

#endif
