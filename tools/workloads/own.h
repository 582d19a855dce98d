/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Own code (docs/own-code.md) under Linux: the image's file, by the image's loader, at its address.
 *
 * The code is mapped from the file itself, so that perf names it, with its build-id; pages changed by relocation are
 * private copies under that name.
 */
#ifndef TOOLS_WORKLOADS_OWN_H
#define TOOLS_WORKLOADS_OWN_H

#include "app/settings/code_row.h"
#include "tools/workloads/arena.h"

struct own {
    struct code_file file;
    int descriptor;  /* open while the program runs; -1: no file was taken */
    uint8_t *loaded; /* relocated bytes, the initial contents of pages */
    uint8_t *mapped;
};

/* Adds the file's workload to the built-in ones, before options are read, which may name its parameters. 'own' is
 * zeroed except for its descriptor, and must not move. Returns false after an error message. */
bool own_take(struct own *own, const char *path);

/* Returns the workload of the file; NULL: none. */
const struct workload *own_workload(const struct own *own);

/* Maps the code, 256 GB above an open arena, and sets the workload's functions; does nothing for a built-in workload.
 * Returns false after an error message. */
bool own_open(const struct workload *workload, const struct arena *arena);

/* Fills its variables with the file's contents, before each run. */
void own_fill(const struct workload *workload);

/* Prints its functions, at their addresses if the arena's is free. */
void own_print_map(const struct own *own);

#endif
