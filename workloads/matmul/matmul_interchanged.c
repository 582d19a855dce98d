/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The classic matrix multiply with its two inner loops interchanged (ikj): the cure for what its profile shows.
 *
 * Each b[k][j] is the neighbour of the one before: a page of b is visited once for each row of the result instead of
 * once for each element, so DTLB misses at its load fall by the number of elements in a row (n), and of a cache line's
 * 16 elements at most the first one misses the data cache. The price is a load and a store of r[i][j] in the inner
 * loop, which hit.
 */
#include "workloads/matmul/matmul.h"

WORKLOAD_KERNEL static void multiply_interchanged(long rows, long n)
{
    for (long i = 0; i < rows; i++) {
        for (long k = 0; k < n; k++) {
            float factor = matrix->a[i][k];
            for (long j = 0; j < n; j++)
                matrix->r[i][j] = matrix->r[i][j] + factor * matrix->b[k][j];
        }
    }
}

static void run(void *arena, const uint32_t *params)
{
    struct matrices *callers = matrix; /* rbx belongs to the caller */

    matrix = arena;
    multiply_interchanged(params[PARAM_ROWS], params[PARAM_N]);
    matrix = callers;
}

#include "workloads/matmul/matmul_data.h"

WORKLOAD(matmul) = {
    .name = "matmul-interchanged",
    .title = "matrix multiply, inner loops interchanged (ikj), x87",
    .shows = "the remedy for matmul-classic: with a row of b at a time, the misses of the load are gone",
    .kernel = "multiply_interchanged",
    .params = {{"n", 1, SIZE, SIZE, "columns and inner length; the row stride stays 4000 bytes"},
               {"rows", 1, SIZE, 1, "rows of the result to compute; one row is n*n inner iterations"}},
    MATMUL_FUNCTIONS,
    .expected = {{0x1C0, 0x01, {.per_unit = 1}},
                 {0x1C0, 0x02, {.per_unit = 1}}}, /* x87 additions and multiplications */
};
