/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a trace of ops (config=trace) in the format of the pipeline viewer Konata. */
#ifndef TOOLS_IBSPROF_KONATA_H
#define TOOLS_IBSPROF_KONATA_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct konata_op {
    uint64_t number, tag, completion, retire; /* in cycles of the earliest axis */
    bool lost;
    char *label, *details;
};

struct trace_file {
    struct konata_op *op;
    unsigned count;
    char comment[160]; /* "MODEL: ...", or "" */
};

/* Reads trace.csv of a run's folder. Returns false after complain(). */
bool trace_file_read(struct trace_file *file, const char *run);
void trace_file_free(struct trace_file *file);

/* Writes a Kanata log of version 4 (kanata-log-format.md of github.com/shioyadan/Konata at 0be91801): an op has the
 * stage T from tag to completion, and C from there to retirement; a lost op is flushed at its tag. Cycles are those of
 * the earliest axis (core/ibs/op_trace.h). Returns false if writing failed. */
bool export_konata(FILE *to, const struct trace_file *file);

#endif
