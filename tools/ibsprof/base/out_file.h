/* SPDX-License-Identifier: BSD-2-Clause */
/* Connects core/base/out.h to a FILE, so that core can print to a terminal, a pipe or a file. */
#ifndef TOOLS_IBSPROF_OUT_FILE_H
#define TOOLS_IBSPROF_OUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "core/base/out.h"

struct out_file {
    struct out out;
    FILE *file;
    bool colour; /* show lines that begin with '>' (a table's hottest row) in bold */
    bool inside; /* inside of a line, */
    bool hot;    /* which is bold */
};

void out_file_init(struct out_file *out, FILE *file, bool colour);

/* Prints one number by printf's format, because out_printf() has no floating point. */
void out_real(struct out *out, const char *format, double value);

/* Writes a comma and a CSV field: the number with so many digits; empty if not finite. */
void csv_real(FILE *to, int digits, double value);

/* Opens 'path' for writing; NULL or "-": standard output. Returns NULL after a line on standard error. */
FILE *output_open(const char *path);

/* Replaces the file of that path, and not the target of a link. Readers, and a power cut, never meet half a file.
 * Returns false after a line on standard error. */
bool output_replace(const char *path, const void *bytes, size_t size);

/* Makes a folder and its missing parents. Returns false after a line on standard error. */
bool output_make_folders(const char *path);

/* Closes the file, or flushes standard output. Returns false after a line on standard error if something was not
 * written. */
bool output_close(FILE *file, const char *path);

#endif
