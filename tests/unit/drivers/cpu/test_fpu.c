/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers of AVX are kept together with those of SSE, on the host's processor if it has them. */
#include "tests/unit/drivers/run_fixture.h"

#include <cpuid.h>
#include <string.h>

static void host_cpuid(uint32_t leaf, uint32_t subleaf, struct cpu_cpuid *r)
{
    __cpuid_count(leaf, subleaf, r->eax, r->ebx, r->ecx, r->edx);
}

/* Calls the instructions themselves, not the fake's. */
#define cpu_cpuid(leaf, subleaf, r) host_cpuid(leaf, subleaf, r)
#define cpu_fpu_save                host_save
#define cpu_fpu_restore             host_restore
void host_save(struct cpu_fpu *fpu);
void host_restore(const struct cpu_fpu *fpu);
#include "drivers/cpu/cpu_fpu.c"

TEST(keeps_upper_halves)
{
    static struct cpu_fpu fpu;
    static const uint64_t wanted[4] = {1, 2, 3, 4}, others[4] = {5, 6, 7, 8};
    uint64_t found[4];

    if (!__builtin_cpu_supports("avx"))
        skip();
    memset(&fpu, 0xff, sizeof(fpu));
    __asm__ volatile("vmovdqu %0, %%ymm9" : : "m"(wanted) : "xmm9");
    host_save(&fpu);
    __asm__ volatile("vmovdqu %0, %%ymm9" : : "m"(others) : "xmm9");
    host_restore(&fpu);
    __asm__ volatile("vmovdqu %%ymm9, %0\n\tvzeroupper" : "=m"(found) : : "xmm9");
    assert_memory_equal(found, wanted, sizeof(found));
}

/* Tries the other form, for processors without XSAVE: SSE alone. */
TEST(keeps_sse_without_xsave)
{
    static struct cpu_fpu fpu;
    static const uint64_t wanted[2] = {1, 2};
    uint64_t found[2];

    __asm__ volatile("movdqu %0, %%xmm9" : : "m"(wanted) : "xmm9");
    host_save(&fpu);
    fpu.kept = 0;
    __asm__ volatile("pxor %%xmm9, %%xmm9" : : : "xmm9");
    host_restore(&fpu);
    __asm__ volatile("movdqu %%xmm9, %0" : "=m"(found) : : "xmm9");
    assert_memory_equal(found, wanted, sizeof(found));
}

RUN_TESTS(NULL, NULL)
