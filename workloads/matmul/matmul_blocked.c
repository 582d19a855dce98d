/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The classic matrix multiply in blocks: each block of b is used completely while its pages and lines are cached.
 *
 * b is still walked down a column, but only 'block' elements far, and all columns of these rows follow before other
 * rows do. With block=32 the pages of 32 rows stay in the L1 DTLB (48 entries): each is walked once for each row of the
 * result, as in the interchanged loops, and each cache line is fetched once. block=1000 is the classic order again.
 */
#include "workloads/matmul/matmul.h"

WORKLOAD_KERNEL static void multiply_blocked(long rows, long n, long block)
{
    for (long kk = 0; kk < n; kk += block) {
        long end_k = kk + block < n ? kk + block : n;
        for (long jj = 0; jj < n; jj += block) {
            long end_j = jj + block < n ? jj + block : n;
            for (long i = 0; i < rows; i++) {
                for (long j = jj; j < end_j; j++) {
                    float sum = matrix->r[i][j];
                    for (long k = kk; k < end_k; k++)
                        sum = sum + matrix->a[i][k] * matrix->b[k][j];
                    matrix->r[i][j] = sum;
                }
            }
        }
    }
}

static void run(void *arena, const uint32_t *params)
{
    struct matrices *callers = matrix; /* rbx belongs to the caller */

    matrix = arena;
    multiply_blocked(params[PARAM_ROWS], params[PARAM_N], params[2]);
    matrix = callers;
}

#include "workloads/matmul/matmul_data.h"

WORKLOAD(matmul) = {
    .name = "matmul-blocked",
    .title = "matrix multiply in blocks, x87",
    .shows =
        "the other remedy for matmul-classic: with a few rows of b at a time, the DTLB misses of the load are gone",
    .kernel = "multiply_blocked",
    .params = {{"n", 1, SIZE, SIZE, "columns and inner length; the row stride stays 4000 bytes"},
               {"rows", 1, SIZE, 1, "rows of the result to compute; one row is n*n inner iterations"},
               {"block", 1, SIZE, 32, "rows and columns of a block of b"}},
    MATMUL_FUNCTIONS,
    .expected = {{0x1C0, 0x01, {.per_unit = 1}},
                 {0x1C0, 0x02, {.per_unit = 1}}}, /* x87 additions and multiplications */
};
