/*
 * The textbook matrix multiply of AMD's IBS paper (P. Drongowski, "Instruction-Based Sampling", 2007): three nested loops,
 * compiled without optimisation, so that every variable lives on the stack and the code is a literal translation.
 *
 * b is walked down a column: each step of k is 4000 bytes on, nearly a page, so b[k][j] misses the L1 and L2 DTLB almost every
 * time and the data cache about once in five. IBS puts all of that on the one instruction that loads b[k][j].
 *
 * The file is compiled as it stands, for x87 like the paper's program; by matmul_classic_sse.c for SSE; and with other loops by
 * matmul_interchanged.c and matmul_blocked.c.
 */
#include "workloads/workload.h"

#ifndef MATMUL_NAME
#define MATMUL_NAME "matmul-classic"
#define MATMUL_TITLE "classic matrix multiply, x87 (the AMD paper's program)"
#define MATMUL_KERNEL multiply_matrices
#define MATMUL_KERNEL_NAME "multiply_matrices"
/* P. Drongowski 2007, section 4.2: one run under an operating system on Barcelona, 32-bit code, cycles counted. */
/* x87 additions and multiplications */
#define MATMUL_EVENT       0x1C0 /* mask 1 counts its additions, 2 its multiplications */
#define MATMUL_PUBLISHED                                                                                               \
    "AMD's paper (2007; revision B silicon, 32-bit code, under an OS) at b[k][j]:\n"                                   \
    "892 of 4090 loads missed the DC = 21.8%, mean DC miss latency 103.66 cycles."
#endif

enum {
    SIZE = 1000, /* rows and columns; the row stride is 4000 bytes whatever n is */
    PARAM_N = 0,
    PARAM_ROWS = 1,
};

/* The arena stands for the paper's process from 400000h on: matrix_a at 413FE0h, matrix_b at 7E48E8h, matrix_r at BB51E8h.
 * With that, and contiguous frames, the arrays keep the paper's places in the L1D (modulo 32 KB). */
enum {
    PAPER_BASE = 0x400000,
    PLACE_A = 0x413FE0 - PAPER_BASE,
    PLACE_B = 0x7E48E8 - PAPER_BASE,
    PLACE_R = 0xBB51E8 - PAPER_BASE,
    BYTES = SIZE * SIZE * 4,
};

struct matrices {
    char before_a[PLACE_A];
    float a[SIZE][SIZE];
    char before_b[PLACE_B - PLACE_A - BYTES];
    float b[SIZE][SIZE];
    char before_r[PLACE_R - PLACE_B - BYTES];
    float r[SIZE][SIZE];
};

_Static_assert(offsetof(struct matrices, a) == PLACE_A, "a at the paper's place");
_Static_assert(offsetof(struct matrices, b) == PLACE_B, "b at the paper's place");
_Static_assert(offsetof(struct matrices, r) == PLACE_R, "r at the paper's place");

/* The paper's arrays were globals, reached as [register + constant]. A base register of this file's own gives the same form in
 * position-independent code, where a global would cost one more instruction and a pointer variable one more load per access. */
register struct matrices *matrix __asm__("rbx");

#ifndef MATMUL_CALL
#define MATMUL_CALL(params) MATMUL_KERNEL(params[PARAM_ROWS], params[PARAM_N])
#define MATMUL_SHOWS        "one load owns nearly all DC and DTLB misses: b[k][j], walked down a column"
#define MATMUL_PARAM
WORKLOAD_KERNEL static void MATMUL_KERNEL(long rows, long n)
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
#else
MATMUL_LOOPS
#endif

static void run(void *arena, const uint32_t *params)
{
    struct matrices *callers = matrix; /* rbx belongs to the caller */

    matrix = arena;
    MATMUL_CALL(params);
    matrix = callers;
}

/* Small whole numbers: sums up to 1000 * 7 * 7 are exact in a float in any order and precision, so the check is exact too.
 * Their bits are stored (IEEE 754 binary32): QEMU does x87 arithmetic in software, and a run has many passes. */
static void prepare(void *arena, const uint32_t *params)
{
    static const uint32_t bits[] = {0, 0x3F800000, 0x40000000, 0x40400000, 0x40800000, 0x40A00000, 0x40C00000, 0x40E00000};
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

/* A row of each matrix by turns. */
static bool filled(const uint32_t *params, uint32_t n, struct workload_range *ret_range)
{
    static const uint32_t places[] = {PLACE_A, PLACE_B, PLACE_R};

    (void)params;
    *ret_range = (struct workload_range){places[n % 3] + n / 3 * (uint64_t)(SIZE * 4), SIZE * 4};
    return n < 3 * SIZE;
}

/* Sum over i, j of (i+1)(j+1) r[i][j], and the same from a and b in whole numbers and in another order: rows of b are summed
 * first. The weights make swapped elements show. */
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

static size_t arena_size(const uint32_t *params)
{
    (void)params;
    return sizeof(struct matrices);
}

static uint64_t work(const uint32_t *params)
{
    return (uint64_t)params[PARAM_ROWS] * params[PARAM_N] * params[PARAM_N];
}

WORKLOAD(matmul) = {
    .name = MATMUL_NAME,
    .title = MATMUL_TITLE,
    .shows = MATMUL_SHOWS,
    .published = MATMUL_PUBLISHED,
    .kernel = MATMUL_KERNEL_NAME,
    .unit = "inner iterations",
    .unit_ops = 22,
    .params = {{"n", 1, SIZE, SIZE, "columns and inner length; the row stride stays 4000 bytes"},
               {"rows", 1, SIZE, 1, "rows of the result to compute; one row is n*n inner iterations"},
               {MATMUL_PARAM}},
    .arena_size = arena_size,
    .prepare = prepare,
    .filled = filled,
    .run = run,
    .check = check,
    .work = work,
    .expected = {{MATMUL_EVENT, 0x01, work}, {MATMUL_EVENT, 0x02, work}},
};
