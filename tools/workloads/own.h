/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Own code (docs/own-code.md) under Linux: the file that the image takes, by its loader, at its address.
 *
 * Code is mapped of the file itself, so that perf names it, with its build-id; pages that relocations change are this
 * process's own copies under that name.
 */
#ifndef TOOLS_WORKLOADS_OWN_H
#define TOOLS_WORKLOADS_OWN_H

#include "app/settings/code_row.h"
#include "tools/workloads/arena.h"

struct own {
    struct code_file file;
    int descriptor;  /* open as long as the program runs; -1: no file was taken */
    uint8_t *loaded; /* as relocated: what pages begin with */
    uint8_t *mapped;
};

/* Takes the file's workload beside the built-in ones; before options are read, which may name its parameters. 'own' is
 * zeros but for its descriptor, and stays where it is. False after an error message. */
bool own_take(struct own *own, const char *path);

/* The workload that was taken; NULL: none was. */
const struct workload *own_workload(const struct own *own);

/* Maps the code, 256 GB above an arena that is open, and sets the workload's functions. Of a built-in workload:
 * nothing. False after an error message. */
bool own_open(const struct workload *workload, const struct arena *arena);

/* Fills its variables as the file has them, before each run. */
void own_fill(const struct workload *workload);

/* Prints its functions, where they will be when the arena's address is free. */
void own_print_map(const struct own *own);

#endif
