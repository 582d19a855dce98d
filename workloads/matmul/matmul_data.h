/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of a matrix multiply that are not measured. Included after the kernel and run(), which must come first
 * in the file's code: their addresses are in the documents. */
#ifndef WORKLOADS_MATMUL_DATA_H
#define WORKLOADS_MATMUL_DATA_H

#include "workloads/matmul/matmul.h"

/* Functions that are called in each pass, on matrices of a million elements: unlike the kernel they are optimised. */
#pragma GCC push_options
#pragma GCC optimize("O1")

/* Small whole numbers: sums up to 1000 * 7 * 7 are exact in a float in any order and precision, so the check is exact
 * too. Their bits are stored (IEEE 754 binary32): QEMU does x87 arithmetic in software, and a run has many passes. */
static void prepare(void *arena, const uint32_t *params)
{
    static const uint32_t bits[] = {0,          0x3F800000, 0x40000000, 0x40400000,
                                    0x40800000, 0x40A00000, 0x40C00000, 0x40E00000};
    struct matrices *m = arena;
    uint32_t random = 20071116; /* the paper's date; any seed does */

    (void)params;
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++) {
            random = random * 1664525u + 1013904223u; /* Numerical Recipes' LCG */
            __builtin_memcpy(&m->a[i][j], &bits[random >> 29], sizeof(float));
            __builtin_memcpy(&m->b[i][j], &bits[random >> 26 & 7], sizeof(float));
            __builtin_memcpy(&m->r[i][j], &bits[0], sizeof(float));
        }
    }
}

/* Alternately a row of each matrix. */
static bool filled(const uint32_t *params, uint32_t n, struct workload_range *ret_range)
{
    static const uint32_t places[] = {PLACE_A, PLACE_B, PLACE_R};

    (void)params;
    *ret_range = (struct workload_range){places[n % 3] + n / 3 * (uint64_t)(SIZE * 4), SIZE * 4};
    return n < 3 * SIZE;
}

/* Sum over i, j of (i+1)(j+1) r[i][j], and the same from a and b in whole numbers and in another order: rows of b are
 * summed first. The weights make swapped elements show. */
static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    const struct matrices *m = arena;
    uint64_t expected = 0, got = 0;

    for (uint32_t k = 0; k < params[PARAM_N]; k++) {
        uint64_t row = 0;
        for (uint32_t j = 0; j < params[PARAM_N]; j++)
            row += (j + 1) * (uint64_t)(long)m->b[k][j];
        for (uint32_t i = 0; i < params[PARAM_ROWS]; i++)
            expected += (i + 1) * (uint64_t)(long)m->a[i][k] * row;
    }
    for (uint32_t i = 0; i < params[PARAM_ROWS]; i++)
        for (uint32_t j = 0; j < params[PARAM_N]; j++)
            got += (uint64_t)(i + 1) * (j + 1) * (uint64_t)(long)m->r[i][j];
    ret_check->expected = expected;
    ret_check->got = got;
    return expected == got;
}

#pragma GCC pop_options

static size_t arena_size(const uint32_t *params)
{
    (void)params;
    return sizeof(struct matrices);
}

static uint64_t work(const uint32_t *params)
{
    return (uint64_t)params[PARAM_ROWS] * params[PARAM_N] * params[PARAM_N];
}

/* The row's fields for these functions. */
#define MATMUL_FUNCTIONS                                                                                               \
    .unit = "inner iterations", .unit_ops = 22, .arena_size = arena_size, .prepare = prepare, .filled = filled,        \
    .arrays = {"a", "b", "r"}, .run = run, .check = check, .work = work

#endif
