/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads a run's CSV (RFC 4180) row by row: profile.csv, pmc.csv, counts.csv and noise.csv. Lines with '#' before the
 * first row are comments ("# MODEL: ...").
 */
#ifndef TOOLS_IBSPROF_CSV_FILE_H
#define TOOLS_IBSPROF_CSV_FILE_H

#include <stdbool.h>
#include <stdio.h>

enum { CSV_FIELDS_MAX = 512, CSV_COMMENT_MAX = 159 };

struct csv_file {
    FILE *file;
    char *line;
    size_t room;
    unsigned number;             /* line number, from 1 */
    unsigned columns;            /* number of fields of the header, and of every row */
    char *field[CSV_FIELDS_MAX]; /* fields of the row, valid until the next one is read */
    char comment[CSV_COMMENT_MAX + 1];
    const char *problem; /* error of this line; NULL: none */
    bool cut_short;      /* the file ends in the middle of this line */
};

/* Reads the header into csv->field. Returns false if there is none, or after a problem. */
bool csv_begin(struct csv_file *csv, FILE *file);

/* Reads the next row. Returns false after the last, or with a problem (a wrong number of fields, ...); a further call
 * continues after it. */
bool csv_next(struct csv_file *csv);
void csv_end(struct csv_file *csv);

/* Returns whether the first columns have these names. */
bool csv_has_columns(const struct csv_file *csv, const char *const names[], unsigned count);

/* Cuts a line into fields, in place. Returns their number; 0: more than 'most', or an open quote. */
unsigned csv_cut(char *line, char *fields[], unsigned most);

#endif
