/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of a run and their contents, wherever they are written. */
#ifndef APP_RUN_FILES_H
#define APP_RUN_FILES_H

#include "app/run/kind.h"
#include "app/run/save_files.h"

enum { RUN_FILES_MAX = 3 * TASK_KINDS_MAX + 5 };

struct run_file {
    const char *name;
    save_file *write; /* NULL: csv() writes the file */
    kind_csv *csv;    /* of a kind; NULL: write() writes the file */
    bool is_ini;      /* run.ini: makes the run readable */
    bool is_large;    /* perf.data: often larger than all others */
};

/* Lists the files in the order of saving. Returns their number. */
unsigned run_files(const struct run *run, struct run_file (*ret_files)[RUN_FILES_MAX]);

/* Writes the file: always the same bytes for the same run and options. The sink keeps errors. */
void run_file_write(const struct run_file *file, struct file_sink *sink, const struct run *run,
                    const struct options *options);

#endif
