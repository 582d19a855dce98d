/* The classic matrix multiply again, as a compiler of today translates it: scalar SSE instead of x87, still unoptimised. */
#define MATMUL_NAME "matmul-classic-sse"
#define MATMUL_TITLE "classic matrix multiply, scalar SSE"
#define MATMUL_KERNEL multiply_matrices_sse
#define MATMUL_KERNEL_NAME "multiply_matrices_sse"
/* single precision additions and multiplications */
#define MATMUL_EVENT       0x003
#define MATMUL_PUBLISHED NULL

#include "workloads/matmul_classic.c"
