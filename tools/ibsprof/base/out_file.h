/* SPDX-License-Identifier: BSD-2-Clause */
/* core/base/out.h onto a FILE: what core prints goes to a terminal, a pipe or a file. */
#ifndef TOOLS_IBSPROF_OUT_FILE_H
#define TOOLS_IBSPROF_OUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "core/base/out.h"

struct out_file {
    struct out out;
    FILE *file;
    bool colour; /* lines that begin with '>' (a table's hottest row) are shown bold */
    bool inside; /* of a line, ... */
    bool hot;    /* ... of such a line */
};

void out_file_init(struct out_file *out, FILE *file, bool colour);

/* out_printf has no floating point: one number, by printf's format. */
void out_real(struct out *out, const char *format, double value);

/* A field of CSV after its comma: the number to that many digits; empty when it is not finite. */
void csv_real(FILE *to, int digits, double value);

/* Opens 'path' for writing, standard output when it is NULL or "-". NULL with a line on standard error. */
FILE *output_open(const char *path);

/* Replaces the file of that path, not the one that a link of that name leads to: there is never half of it, also
 * after a power cut. False with a line on standard error. */
bool output_replace(const char *path, const void *bytes, size_t size);

/* Makes a folder and those above it, as far as they are not there. False with a line on standard error. */
bool output_make_folders(const char *path);

/* Flushes and closes it (standard output: flushes). False with a line on standard error when something was not written.
 */
bool output_close(FILE *file, const char *path);

#endif
