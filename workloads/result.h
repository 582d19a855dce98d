/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The result of a run: most kernels leave one number, at the beginning of the arena.
 *
 * A workload that needs no other memory uses result_size and result_clear in its row; one with more memory clears the
 * result with the rest.
 */
#ifndef WORKLOADS_RESULT_H
#define WORKLOADS_RESULT_H

#include "workloads/workload.h"

/* Keeps both numbers for the report, and returns whether they are equal. */
static inline bool agree(struct workload_check *ret_check, uint64_t expected, uint64_t got)
{
    *ret_check = (struct workload_check){expected, got};
    return expected == got;
}

static inline bool result_is(const void *arena, uint64_t expected, struct workload_check *ret_check)
{
    return agree(ret_check, expected, *(const uint64_t *)arena);
}

/* Leaves a value that is no run's result, as .prepare. */
static inline void result_clear(void *arena, const uint32_t *params)
{
    (void)params;
    *(uint64_t *)arena = UINT64_MAX;
}

/* Returns the bytes of a result, as .arena_size. */
static inline size_t result_size(const uint32_t *params)
{
    (void)params;
    return sizeof(uint64_t);
}

#endif
