/*
 * The classic matrix multiply in blocks: each block of b is used up while its pages and lines are at hand.
 *
 * b is still walked down a column, but only 'block' elements far, and all columns of these rows follow before other
 * rows do. With block=32 the pages of 32 rows stay in the L1 DTLB (48 entries): each is walked once for each row of the
 * result, as in the interchanged loops, and each cache line is brought in once. block=1000 is the classic order again.
 */
#define MATMUL_NAME        "matmul-blocked"
#define MATMUL_TITLE       "matrix multiply in blocks, x87"
#define MATMUL_KERNEL      multiply_blocked
#define MATMUL_KERNEL_NAME "multiply_blocked"
#define MATMUL_SHOWS       "the other cure of matmul-classic: a few rows of b at a time, and DTLB misses at its load are gone"
#define MATMUL_PUBLISHED   NULL
#define MATMUL_EVENT       0x1C0
#define MATMUL_CALL(params) MATMUL_KERNEL(params[PARAM_ROWS], params[PARAM_N], params[2])
#define MATMUL_PARAM       "block", 1, SIZE, 32, "rows and columns of a block of b"
#define MATMUL_LOOPS                                                                                                   \
    WORKLOAD_KERNEL static void MATMUL_KERNEL(long rows, long n, long block)                                           \
    {                                                                                                                  \
        for (long kk = 0; kk < n; kk += block) {                                                                       \
            long end_k = kk + block < n ? kk + block : n;                                                              \
            for (long jj = 0; jj < n; jj += block) {                                                                   \
                long end_j = jj + block < n ? jj + block : n;                                                          \
                for (long i = 0; i < rows; i++) {                                                                      \
                    for (long j = jj; j < end_j; j++) {                                                                \
                        float sum = matrix->r[i][j];                                                                   \
                        for (long k = kk; k < end_k; k++)                                                              \
                            sum = sum + matrix->a[i][k] * matrix->b[k][j];                                             \
                        matrix->r[i][j] = sum;                                                                         \
                    }                                                                                                  \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }

#include "workloads/matmul_classic.c"
