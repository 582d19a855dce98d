/* SPDX-License-Identifier: BSD-2-Clause */
/* The places of a profile put together by instruction, source line or function, over all objects. */
#ifndef TOOLS_IBSPROF_ROWS_H
#define TOOLS_IBSPROF_ROWS_H

#include "core/profile/levels.h"
#include "tools/ibsprof/profile/measure.h"

struct row {
    const struct profile_place *first; /* the one with the lowest address */
    uint64_t counts[DERIVED_COUNT];
    uint64_t *events; /* samples by facts.events, and after them their weights */
};

struct rows {
    struct row *rows;
    uint32_t count;
};

/* Makes the rows of the workload, or of all. Sorted by measure, most first; equal ones by place. Places without a
 * function are one row of their object at the level of functions, rows of their own else. Lines of one file in several
 * functions are a row each. */
struct rows *rows_make(const struct run_profile *profile, enum profile_level level, const struct measure *measure,
                       bool workload_only);
void rows_free(struct rows *rows);

/* Writes what a row is called: "multiply_matrices", "matmul_classic.c:57", "mov rbp, rsp"; with addresses where there
 * are no names. */
void row_name(const struct run_profile *profile, const struct row *row, enum profile_level level, char *text,
              size_t size);

#endif
