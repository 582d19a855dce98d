/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CSV (RFC 4180) of a run, a row at a time: the image's profile.csv, pmc.csv, counts.csv and noise.csv. Lines that
 * begin with '#' before the first row are comments ("# MODEL: ...").
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
    unsigned number;             /* of the line, from 1 */
    unsigned columns;            /* of the header, and of every row */
    char *field[CSV_FIELDS_MAX]; /* of the row, valid until the next */
    char comment[CSV_COMMENT_MAX + 1];
    const char *problem; /* what is wrong with this line; NULL: nothing */
    bool cut_short;      /* and it is that the file ends in the middle of it */
};

/* The first row is in csv->field: the columns' names. False: there is none, or a problem. */
bool csv_begin(struct csv_file *csv, FILE *file);

/* The next row. False after the last, or with a problem (more or fewer fields than the first one has, ...); a further
 * call goes on after that. */
bool csv_next(struct csv_file *csv);
void csv_end(struct csv_file *csv);

/* The first columns have these names. */
bool csv_has_columns(const struct csv_file *csv, const char *const names[], unsigned count);

/* Cuts a line into fields, in place. How many; 0: more than 'most', or a quote is not closed. */
unsigned csv_cut(char *line, char *fields[], unsigned most);

#endif
