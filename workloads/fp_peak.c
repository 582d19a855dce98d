/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Additions and multiplications of packed doubles that do not wait for each other: seven chains of each take turns, so
 * that units of four cycles' latency, one of each kind, are never without work, nor two of three cycles. It has no
 * place in the list of workloads: config=roofline runs it.
 */
#include "workloads/fp_peak.h"

#include "workloads/loop.h"
#include "workloads/result.h"

/* Sums in xmm0 to 6, products in xmm7 to 13, 1.0 in both halves of xmm14. */
WORKLOAD_ASM static void fp_peak_kernel(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "mov $1, %eax\n\t"
            "cvtsi2sd %eax, %xmm14\n\t"
            "unpcklpd %xmm14, %xmm14\n\t"
            ".irp n, 0, 1, 2, 3, 4, 5, 6\n\t"
            "xorpd %xmm\\n, %xmm\\n\n\t"
            ".endr\n\t"
            ".irp n, 7, 8, 9, 10, 11, 12, 13\n\t"
            "movapd %xmm14, %xmm\\n\n\t"
            ".endr");
    __asm__(".p2align 4\n\t"
            "1:\n\t"
            ".rept 4\n\t"
            "addpd %xmm14, %xmm0\n\t"
            "mulpd %xmm14, %xmm7\n\t"
            "addpd %xmm14, %xmm1\n\t"
            "mulpd %xmm14, %xmm8\n\t"
            "addpd %xmm14, %xmm2\n\t"
            "mulpd %xmm14, %xmm9\n\t"
            "addpd %xmm14, %xmm3\n\t"
            "mulpd %xmm14, %xmm10\n\t"
            "addpd %xmm14, %xmm4\n\t"
            "mulpd %xmm14, %xmm11\n\t"
            "addpd %xmm14, %xmm5\n\t"
            "mulpd %xmm14, %xmm12\n\t"
            "addpd %xmm14, %xmm6\n\t"
            "mulpd %xmm14, %xmm13\n\t"
            ".endr");
    __asm__("sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__(".irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13\n\t"
            "addpd %xmm\\n, %xmm0\n\t"
            ".endr\n\t"
            "movapd %xmm0, (%rdi)\n\t"
            "ret");
}

static size_t arena_size(const uint32_t *params)
{
    (void)params;
    return FP_PEAK_LANES * sizeof(double);
}

static void prepare(void *arena, const uint32_t *params)
{
    double *lanes = arena;

    (void)params;
    lanes[0] = lanes[1] = 0.0;
}

/* Each chain of additions counts its turns, and each of multiplications is still 1. */
static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    uint64_t expected = FP_PEAK_CHAINS * (FP_PEAK_TURNS * iterations(params) + 1);
    const double *lanes = arena;

    return agree(ret_check, expected, (uint64_t)lanes[0]) && agree(ret_check, expected, (uint64_t)lanes[1]);
}

const struct workload fp_peak = {
    .name = "fp-peak",
    .title = "independent additions and multiplications of packed doubles",
    .kernel = "fp_peak_kernel",
    .unit = "iterations",
    .unit_ops = 2 * FP_PEAK_CHAINS * FP_PEAK_TURNS + 2,
    .params = {{"iterations", 1, 1000000000, 16384, "passes of the loop"}},
    .arena_size = arena_size,
    .prepare = prepare,
    .run = fp_peak_kernel,
    .check = check,
    .work = iterations,
};
