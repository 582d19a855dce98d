/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers of x87, SSE and, where the firmware has them on, of AVX and AVX-512. */
#include "core/base/mem.h"
#include "drivers/cpu/cpu.h"

#define CPUID_ECX_OSXSAVE (1u << 27) /* CR4.OSXSAVE, in CPUID Fn0000_0001 (AMD APM vol. 3 appendix E.3.2) */
#define CPUID_LEAF_XSAVE  0xDu       /* subleaf n: size and offset of component n (appendix E.4) */

/* Bits of XCR0 (AMD APM vol. 2 section 11.5.2): x87 and SSE, upper halves of YMM, and three of AVX-512. */
#define XCR0_LEGACY 0x03ull
#define XCR0_KEPT   0xE7ull

static uint64_t xcr0(void)
{
    uint32_t low, high;

    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

/* Returns the components that are on and fit; 0: XSAVE is off. */
static uint64_t components(void)
{
    struct cpu_cpuid r;
    uint64_t on;

    cpu_cpuid(1, 0, &r);
    if (!(r.ecx & CPUID_ECX_OSXSAVE))
        return 0;
    on = xcr0() & XCR0_KEPT;
    for (unsigned i = 2; i < 8; i++) {
        if (!(on & 1ull << i))
            continue;
        cpu_cpuid(CPUID_LEAF_XSAVE, i, &r);
        if (r.ebx > sizeof(((struct cpu_fpu *)0)->bytes) || r.eax > sizeof(((struct cpu_fpu *)0)->bytes) - r.ebx)
            on &= ~(1ull << i);
    }
    return on | XCR0_LEGACY;
}

void cpu_fpu_save(struct cpu_fpu *fpu)
{
    uint64_t *header = (uint64_t *)(void *)(fpu->bytes + CPU_FXSAVE);

    fpu->kept = components();
    if (!fpu->kept) {
        __asm__ volatile("fxsave64 %0" : "=m"(*fpu));
        return;
    }
    /* XSAVE leaves bits of other components in the header's first 8 bytes, and XRSTOR wants zeros in what follows.
     * Not all before XSAVE: a C library's memset uses these registers. */
    *header = 0;
    __asm__ volatile("xsave64 %0" : "+m"(*fpu) : "a"((uint32_t)fpu->kept), "d"(0) : "memory");
    memset(header + 1, 0, CPU_XSAVE_HEADER - sizeof(*header));
}

void cpu_fpu_restore(const struct cpu_fpu *fpu)
{
    if (fpu->kept && !(fpu->kept & ~components())) /* the firmware may have switched one off since */
        __asm__ volatile("xrstor64 %0" : : "m"(*fpu), "a"((uint32_t)fpu->kept), "d"(0));
    else
        __asm__ volatile("fxrstor64 %0" : : "m"(*fpu));
}
