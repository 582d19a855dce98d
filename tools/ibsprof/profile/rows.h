/* SPDX-License-Identifier: BSD-2-Clause */
/* Places of a profile combined by instruction, source line or function, over all objects. */
#ifndef TOOLS_IBSPROF_ROWS_H
#define TOOLS_IBSPROF_ROWS_H

#include "core/profile/levels.h"
#include "tools/ibsprof/profile/measure.h"

struct row {
    const struct profile_place *first; /* the place with the lowest address */
    uint64_t counts[DERIVED_COUNT];
    uint64_t *events; /* samples, indexed as facts.events, followed by their weights */
};

struct rows {
    struct row *rows;
    uint32_t count;
};

/* Makes the rows of the workload, or of everything. Sorts by the measure, then by place. At function level, places
 * without a function form one row of their object, otherwise a row each. Lines of one file in several functions are
 * separate rows. */
struct rows *rows_make(const struct run_profile *profile, enum profile_level level, const struct measure *measure,
                       bool workload_only);
void rows_free(struct rows *rows);

/* Writes a row's name: "multiply_matrices", "matmul_classic.c:57", "mov rbp, rsp"; addresses replace missing names. */
void row_name(const struct run_profile *profile, const struct row *row, enum profile_level level, char *text,
              size_t size);

#endif
