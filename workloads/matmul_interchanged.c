/*
 * The classic matrix multiply with its two inner loops interchanged (ikj): the cure of what its profile shows.
 *
 * Each b[k][j] is the neighbour of the one before: a page of b is met once for each row of the result instead of once
 * for each element, so DTLB misses at its load fall by the number of elements in a row (n), and of a cache line's 16
 * elements at most the first one misses the data cache. The price is a load and a store of r[i][j] in the inner loop,
 * which hit.
 */
#define MATMUL_NAME        "matmul-interchanged"
#define MATMUL_TITLE       "matrix multiply, inner loops interchanged (ikj), x87"
#define MATMUL_KERNEL      multiply_interchanged
#define MATMUL_KERNEL_NAME "multiply_interchanged"
#define MATMUL_SHOWS       "the cure of matmul-classic: a row of b at a time, and the misses at its load are gone"
#define MATMUL_PUBLISHED   NULL
#define MATMUL_EVENT       0x1C0
#define MATMUL_CALL(params) MATMUL_KERNEL(params[PARAM_ROWS], params[PARAM_N])
#define MATMUL_PARAM
#define MATMUL_LOOPS                                                                                                   \
    WORKLOAD_KERNEL static void MATMUL_KERNEL(long rows, long n)                                                       \
    {                                                                                                                  \
        for (long i = 0; i < rows; i++) {                                                                              \
            for (long k = 0; k < n; k++) {                                                                             \
                float factor = matrix->a[i][k];                                                                        \
                for (long j = 0; j < n; j++)                                                                           \
                    matrix->r[i][j] = matrix->r[i][j] + factor * matrix->b[k][j];                                      \
            }                                                                                                          \
        }                                                                                                              \
    }

#include "workloads/matmul_classic.c"
