/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The privileged instructions that the shim uses, one inline function each. Ring 0, 64-bit mode.
 */
#ifndef VPMU_SHIM_X86_H
#define VPMU_SHIM_X86_H

#include <stdbool.h>
#include <stdint.h>

/* MSR numbers: AMD APM vol. 2 appendix A; the IBS block also BKDG 31116. */
enum {
    MSR_TSC = 0x00000010,
    MSR_APIC_BASE = 0x0000001b,
    MSR_PAT = 0x00000277,
    MSR_EFER = 0xc0000080,
    MSR_TSC_AUX = 0xc0000103,
    MSR_BRANCH_SELECT = 0xc000010e, /* of the branch records of Zen 4 and later */
    MSR_BRANCH_CONTROL,
    MSR_GLOBAL_FIRST = 0xc0000300, /* PerfMonV2: status, control, clear, set */
    MSR_GLOBAL_LAST = 0xc0000303,
    MSR_PERF_CTL0 = 0xc0010000,
    MSR_PERF_CTR0 = 0xc0010004,
    MSR_PERF_CTR3 = 0xc0010007,
    MSR_PERF_CTL_2 = 0xc0010200, /* of later families: 200h + 2n control, 201h + 2n count of counter n */
    MSR_PERF_CTR5_2 = 0xc001020b,
    MSR_L3_CTL = 0xc0010230, /* from Zen on, likewise */
    MSR_FABRIC_CTL = 0xc0010240,
    MSR_BRANCH_FIRST = 0xc0010300, /* 300h + 2n from, 301h + 2n to, of branch n */
    MSR_BRANCH_LAST = 0xc001031f,
    MSR_NB_CFG = 0xc001001f,
    MSR_VM_CR = 0xc0010114,
    MSR_VM_HSAVE_PA = 0xc0010117,
    MSR_IBS_FETCH_CTL = 0xc0011030,
    MSR_IBS_OP_CTL = 0xc0011033,
    MSR_IBS_CONTROL = 0xc001103a,
    MSR_IBS_LAST = 0xc001103f, /* of the later families; Family 10h ends with IbsControl */
};

#define EFER_SVME (1ull << 12)
#define EFER_NXE  (1ull << 11)
#define RFLAGS_TF (1ull << 8)
#define RFLAGS_IF (1ull << 9)

/* Table register image of sgdt, sidt, lgdt, lidt. */
struct table_register {
    uint16_t limit;
    uint64_t base;
} __attribute__((packed));

static inline uint64_t x86_rdmsr(uint32_t msr)
{
    uint32_t low, high;
    __asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
    return (uint64_t)high << 32 | low;
}

static inline void x86_wrmsr(uint32_t msr, uint64_t value)
{
    __asm__ volatile("wrmsr" : : "c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32)) : "memory");
}

static inline void x86_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
    __asm__ volatile("cpuid" : "=a"(regs[0]), "=b"(regs[1]), "=c"(regs[2]), "=d"(regs[3]) : "a"(leaf), "c"(subleaf));
}

static inline uint64_t x86_rdtsc(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

#define X86_PORT(suffix, type)                                                                                         \
    static inline type x86_in##suffix(uint16_t port)                                                                   \
    {                                                                                                                  \
        type value;                                                                                                    \
        __asm__ volatile("in" #suffix " %1, %0" : "=a"(value) : "Nd"(port));                                           \
        return value;                                                                                                  \
    }                                                                                                                  \
    static inline void x86_out##suffix(uint16_t port, type value)                                                      \
    {                                                                                                                  \
        __asm__ volatile("out" #suffix " %0, %1" : : "a"(value), "Nd"(port));                                          \
    }
X86_PORT(b, uint8_t)
X86_PORT(w, uint16_t)
X86_PORT(l, uint32_t)
#undef X86_PORT

#define X86_READ_REGISTER(name, type, instruction)                                                                     \
    static inline type x86_##name(void)                                                                                \
    {                                                                                                                  \
        type value;                                                                                                    \
        __asm__ volatile(instruction : "=r"(value) : : "memory");                                                      \
        return value;                                                                                                  \
    }
X86_READ_REGISTER(cr0, uint64_t, "mov %%cr0, %0")
X86_READ_REGISTER(cr2, uint64_t, "mov %%cr2, %0")
X86_READ_REGISTER(cr3, uint64_t, "mov %%cr3, %0")
X86_READ_REGISTER(cr4, uint64_t, "mov %%cr4, %0")
X86_READ_REGISTER(cr8, uint64_t, "mov %%cr8, %0")
X86_READ_REGISTER(dr6, uint64_t, "mov %%dr6, %0")
X86_READ_REGISTER(dr7, uint64_t, "mov %%dr7, %0")
X86_READ_REGISTER(cs, uint16_t, "mov %%cs, %0")
X86_READ_REGISTER(ds, uint16_t, "mov %%ds, %0")
X86_READ_REGISTER(es, uint16_t, "mov %%es, %0")
X86_READ_REGISTER(fs, uint16_t, "mov %%fs, %0")
X86_READ_REGISTER(gs, uint16_t, "mov %%gs, %0")
X86_READ_REGISTER(ss, uint16_t, "mov %%ss, %0")
X86_READ_REGISTER(tr, uint16_t, "str %0")
X86_READ_REGISTER(ldtr, uint16_t, "sldt %0")
X86_READ_REGISTER(rflags, uint64_t, "pushfq; pop %0")
#undef X86_READ_REGISTER

static inline struct table_register x86_gdtr(void)
{
    struct table_register value;
    __asm__ volatile("sgdt %0" : "=m"(value));
    return value;
}

static inline struct table_register x86_idtr(void)
{
    struct table_register value;
    __asm__ volatile("sidt %0" : "=m"(value));
    return value;
}

#endif
