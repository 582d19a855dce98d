/* SPDX-License-Identifier: BSD-2-Clause */
#include "bios/real.h"

#include <stddef.h>

#include "bios/bios.h"
#include "bios/low.h"
#include "core/base/mem.h"
#include "core/family/ibs_regs.h"
#include "core/family/pmc_regs.h"
#include "drivers/cpu/cpu.h"

_Static_assert(offsetof(struct real_registers, flags) == REAL_FLAGS && offsetof(struct real_registers, ds) == REAL_DS &&
                   offsetof(struct real_registers, number) == REAL_NUMBER &&
                   offsetof(struct real_registers, a20) == REAL_A20,
               "low.h");

extern const char real_code[], real_code_end[];
void real_call(void);

/*
 * Masks of the interrupt controllers (Intel 8259A, operation control word 1). Between calls of the BIOS everything is
 * masked: a program that enables interrupts, as UEFI allows, would get them at the vectors of exceptions, 8 and up. A
 * request waits in its controller until the next call.
 */
enum { MASK_1 = 0x21, MASK_2 = 0xA1, ALL = 0xff };

static struct real *const real = &bios.real;

static void mask_all(void)
{
    real->mask_1 = cpu_in8(MASK_1);
    real->mask_2 = cpu_in8(MASK_2);
    cpu_out8(MASK_1, ALL);
    cpu_out8(MASK_2, ALL);
}

static struct real_registers *const low = (struct real_registers *)LOW_REGISTERS;

void real_prepare(void)
{
    memcpy((void *)LOW_CODE, real_code, (size_t)(real_code_end - real_code));
    low->a20 = 0;
    mask_all();
}

/* Checked each time, because the virtual PMU starts while this program runs. */
static bool has_ibs(void)
{
    enum { EXTENDED = 0x80000000, FEATURES = 0x80000001, IBS = 1 << 10 }; /* CPUID Specification 25481: ECX */
    struct cpu_cpuid leaf;

    cpu_cpuid(EXTENDED, 0, &leaf);
    if (leaf.eax < FEATURES)
        return false;
    cpu_cpuid(FEATURES, 0, &leaf);
    return leaf.ecx & IBS;
}

/* Switches off everything that may raise an NMI, which would run the BIOS's vector 2, or find no code at all. Returns
 * whether anything was on. */
static bool quieten(void)
{
    uint64_t fetch = cpu_rdmsr(MSR_IBS_FETCH_CTL) & IBS_FETCH_EN, op = cpu_rdmsr(MSR_IBS_OP_CTL) & IBS_OP_EN;
    bool any = fetch || op;

    if (fetch)
        cpu_wrmsr(MSR_IBS_FETCH_CTL, 0);
    if (op)
        cpu_wrmsr(MSR_IBS_OP_CTL, 0);
    for (unsigned i = 0; i < PMC_LEGACY; i++) {
        uint64_t control = cpu_rdmsr(MSR_PERF_CTL(i));

        if (!(control & PMC_CTL_EN) || !(control & PMC_CTL_INT))
            continue;
        cpu_wrmsr(MSR_PERF_CTL(i), control & ~PMC_CTL_EN);
        any = true;
    }
    return any;
}

void real_interrupt(uint8_t number, struct real_registers *registers)
{
    uint32_t count = low->a20;
    bool interrupts = cpu_flags() & CPU_FLAG_INTERRUPT;

    if (has_ibs() && quieten() && real->wrong++ == 0)
        console_say(
            "INT %xh is called while IBS or a counter may raise an NMI: an error in the program; both are off now\n",
            number);
    *low = *registers;
    low->number = number;
    low->a20 = count;
    cpu_cli(); /* the program may have enabled interrupts: none must come between the masks and the call */
    cpu_out8(MASK_1, real->mask_1);
    cpu_out8(MASK_2, real->mask_2);
    real_call();
    mask_all();
    if (interrupts)
        cpu_sti();
    *registers = *low;
}

uint32_t real_calls(void)
{
    return low->a20;
}

uint32_t real_calls_wrong(void)
{
    return real->wrong;
}
