/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The textbook matrix multiply of AMD's IBS paper (P. Drongowski, "Instruction-Based Sampling", 2007): three nested
 * loops, compiled without optimisation, so that every variable lives on the stack and the code is a literal
 * translation.
 *
 * b is walked down a column: each step of k is 4000 bytes on, nearly a page, so b[k][j] misses the L1 and L2 DTLB
 * almost every time and the data cache about once in five. IBS puts all of that on the one instruction that loads
 * b[k][j].
 *
 * Compiled for x87 like the paper's program. matmul_classic_sse.c is the same for SSE; matmul_interchanged.c and
 * matmul_blocked.c have other loops.
 */
#include "workloads/matmul/matmul.h"

WORKLOAD_KERNEL static void multiply_matrices(long rows, long n)
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
    multiply_matrices(params[PARAM_ROWS], params[PARAM_N]);
    matrix = callers;
}

#include "workloads/matmul/matmul_data.h"

WORKLOAD(matmul) = {
    .name = "matmul-classic",
    .title = "classic matrix multiply, x87 (the AMD paper's program)",
    .shows = "one load owns nearly all DC and DTLB misses: b[k][j], walked down a column",
    .published = /* P. Drongowski 2007, section 4.2: on Barcelona, cycles counted. */
    "AMD's paper (2007; revision B silicon, 32-bit code, under an OS) at b[k][j]:\n"
    "892 of 4090 loads missed the DC = 21.8%, mean DC miss latency 103.66 cycles;\n"
    "3141 = 76.8% missed both DTLBs (97.7% do by the sizes of the TLBs).",
    .kernel = "multiply_matrices",
    .params = {{"n", 1, SIZE, SIZE, "columns and inner length; the row stride stays 4000 bytes"},
               {"rows", 1, SIZE, 1, "rows of the result to compute; one row is n*n inner iterations"}},
    MATMUL_FUNCTIONS,
    .expected = {{0x1C0, 0x01, {.per_unit = 1}},
                 {0x1C0, 0x02, {.per_unit = 1}}}, /* x87 additions and multiplications */
};
