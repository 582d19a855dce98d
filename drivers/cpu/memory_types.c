/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/cpu/memory_types.h"

#include "drivers/cpu/cpu.h"

/* AMD APM vol. 2 sections 7.7 (MTRRs), 7.8 (PAT), 7.9 (extensions of MTRRs, SYSCFG, IORRs, TOP_MEM). */
enum {
    MSR_MTRR_CAP = 0xFE, /* 7:0: pairs of variable MTRRs */
    MSR_MTRR_VARIABLE = 0x200,
    MSR_PAT = 0x277,
    MSR_MTRR_DEFAULT = 0x2FF,
};
#define MSR_SYSCFG     0xC0010010u
#define MSR_IORR_BASE0 0xC0010016u
#define MSR_IORR_MASK1 0xC0010019u
#define MSR_TOP_MEM    0xC001001Au
#define MSR_TOP_MEM2   0xC001001Du

static const uint32_t fixed[] = {0x250, 0x258, 0x259, 0x268, 0x269, 0x26A, 0x26B, 0x26C, 0x26D, 0x26E, 0x26F};

#define SYSCFG_FIXED_MODIFY (1ull << 19) /* MtrrFixDramModEn: RdMem and WrMem of the fixed MTRRs can be accessed */
#define DEFAULT_ENABLE      (1ull << 11) /* of MTRRdefType: MTRRs are on */

enum { LEAF_FEATURES = 1, EDX_MTRR = 1 << 12, EDX_PAT = 1 << 16 };

#define CR0_NW  (1ull << 29)
#define CR0_CD  (1ull << 30)
#define CR4_PGE (1ull << 7)

static void add(struct memory_types *types, uint32_t msr)
{
    types->row[types->count++] = (struct memory_types_row){msr, cpu_rdmsr(msr)};
}

static uint64_t show_fixed_bits(bool extended)
{
    uint64_t before = extended ? cpu_rdmsr(MSR_SYSCFG) : 0;

    if (extended)
        cpu_wrmsr(MSR_SYSCFG, before | SYSCFG_FIXED_MODIFY);
    return before;
}

/* Reads SYSCFG last: when it is set, all that it switches on is in place. */
void memory_types_read(struct memory_types *types, bool family_10h)
{
    struct cpu_cpuid features;
    uint64_t pairs, syscfg;

    *types = (struct memory_types){0};
    cpu_cpuid(LEAF_FEATURES, 0, &features);
    if (features.edx & EDX_PAT)
        add(types, MSR_PAT);
    if (!(features.edx & EDX_MTRR))
        return;
    types->extended = family_10h;
    syscfg = show_fixed_bits(family_10h);
    for (unsigned i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        add(types, fixed[i]);
    if (family_10h)
        cpu_wrmsr(MSR_SYSCFG, syscfg);
    pairs = cpu_rdmsr(MSR_MTRR_CAP) & 0xFF;
    for (uint32_t i = 0; i < 2 * pairs && i < 2 * MEMORY_TYPES_VARIABLE; i++)
        add(types, MSR_MTRR_VARIABLE + i);
    for (uint32_t msr = MSR_IORR_BASE0; family_10h && msr <= MSR_IORR_MASK1; msr++)
        add(types, msr);
    if (family_10h) {
        add(types, MSR_TOP_MEM);
        add(types, MSR_TOP_MEM2);
    }
    add(types, MSR_MTRR_DEFAULT);
    if (family_10h)
        add(types, MSR_SYSCFG);
}

static uint32_t differences(const struct memory_types *types)
{
    uint64_t syscfg = show_fixed_bits(types->extended);
    uint32_t count = 0;

    for (uint32_t i = 0; i < types->count; i++) {
        uint64_t value = types->row[i].msr == MSR_SYSCFG ? syscfg : cpu_rdmsr(types->row[i].msr);

        count += value != types->row[i].value;
    }
    if (types->extended)
        cpu_wrmsr(MSR_SYSCFG, syscfg);
    return count;
}

static void flush(void)
{
    cpu_wbinvd();
    cpu_write_cr3(cpu_read_cr3());
}

static void write_all(const struct memory_types *types)
{
    uint64_t cr0 = cpu_read_cr0(), cr4 = cpu_read_cr4();

    cpu_write_cr4(cr4 & ~CR4_PGE); /* which flushes global pages, too */
    cpu_write_cr0((cr0 | CR0_CD) & ~CR0_NW);
    flush();
    cpu_wrmsr(MSR_MTRR_DEFAULT, cpu_rdmsr(MSR_MTRR_DEFAULT) & ~DEFAULT_ENABLE);
    (void)show_fixed_bits(types->extended);
    for (uint32_t i = 0; i < types->count; i++)
        cpu_wrmsr(types->row[i].msr, types->row[i].value);
    flush();
    cpu_write_cr0(cr0);
    cpu_write_cr4(cr4);
}

uint32_t memory_types_set(const struct memory_types *types, uint32_t *ret_wrong)
{
    uint32_t before = types->count ? differences(types) : 0;

    if (before)
        write_all(types);
    *ret_wrong = before ? differences(types) : 0;
    return before;
}
