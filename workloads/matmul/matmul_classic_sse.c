/* SPDX-License-Identifier: BSD-2-Clause */
/* The classic matrix multiply again, as a compiler of today translates it: scalar SSE instead of x87, still
 * unoptimised. */
#include "workloads/matmul/matmul.h"

WORKLOAD_KERNEL static void multiply_matrices_sse(long rows, long n)
{
    for (long i = 0; i < rows; i++) {
        for (long j = 0; j < n; j++) {
            float sum = 0.0f;
            for (long k = 0; k < n; k++)
                sum = sum + matrix->a[i][k] * matrix->b[k][j];
            matrix->r[i][j] = sum;
        }
    }
}

static void run(void *arena, const uint32_t *params)
{
    struct matrices *callers = matrix; /* rbx belongs to the caller */

    matrix = arena;
    multiply_matrices_sse(params[PARAM_ROWS], params[PARAM_N]);
    matrix = callers;
}

#include "workloads/matmul/matmul_data.h"

WORKLOAD(matmul) = {
    .name = "matmul-classic-sse",
    .title = "classic matrix multiply, scalar SSE",
    .shows = "one load owns nearly all DC and DTLB misses: b[k][j], walked down a column",
    .kernel = "multiply_matrices_sse",
    .params = {{"n", 1, SIZE, SIZE, "columns and inner length; the row stride stays 4000 bytes"},
               {"rows", 1, SIZE, 1, "rows of the result to compute; one row is n*n inner iterations"}},
    MATMUL_FUNCTIONS,
    .expected = {{0x003, 0x01, {.per_unit = 1}},
                 {0x003, 0x02, {.per_unit = 1}}}, /* single precision additions and multiplications */
};
