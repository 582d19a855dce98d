/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of a run and their contents, whatever they are written to. */
#ifndef APP_RUN_FILES_H
#define APP_RUN_FILES_H

#include "app/run/kind.h"
#include "app/run/save_files.h"

enum { RUN_FILES_MAX = 3 * TASK_KINDS_MAX + 5 };

struct run_file {
    const char *name;
    save_file *write; /* NULL: */
    kind_csv *csv;    /* that of a kind */
    bool is_ini;      /* run.ini: with it the run can be read */
    bool is_large;    /* perf.data: often more than all others */
};

/* In the order of saving. Returns how many there are. */
unsigned run_files(const struct run *run, struct run_file (*ret_files)[RUN_FILES_MAX]);

/* Writes the file: the same bytes each time, as long as the run and the options are the same. Errors are kept in the
 * sink. */
void run_file_write(const struct run_file *file, struct file_sink *sink, const struct run *run,
                    const struct options *options);

#endif
