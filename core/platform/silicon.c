/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/platform/silicon.h"

#include "core/base/out.h"
#include "core/base/str.h"
#include "core/family/ibs_family.h"
#include "core/family/ibs_regs.h"
#include "core/family/pmc_regs.h"

const struct silicon_row silicon_rows[SILICON_ROWS] = {
#define SILICON(name, where, function, address, family, varies, what, source)                                          \
    {#name, SILICON_##where, function, SILICON_##family, SILICON_##varies, address, what, source},
#include "core/platform/silicon_rows.h"
#undef SILICON
};

/* HWCR, BU_CFG: coreboot src/cpu/amd/family_10h-family_15h/init_cpus.c, AMD_Errata298. BU_CFG2: defaults.h beside it,
 * "Smash1GPages". TSC: Linux arch/x86/kernel/cpu/amd.c, bsp_init_amd; AGESA cpuF10Pstate.c, F10SetTscFreqSel. */
#define HWCR_TLB_CACHE_DIS     (1ull << 3)
#define HWCR_TSC_FREQ_SEL      (1ull << 24)
#define BU_CFG_TLB_FORCE_UC    (1ull << 1)
#define BU_CFG2_SMASH_1G       (1ull << 29)
#define DE_CFG_STACK           (1ull << 0)
#define INT_PENDING_C1E        0x18000000ull
#define SCRUB_DRAM             0x1Full
#define SYSCFG_FIX_DRAM_MODIFY (1ull << 19)

/* Something that a run switches off, and puts back as it was. */
#define LEFT_ON(row, bit, what)                                                                                        \
    {                                                                                                                  \
        row, bit, bit, false, what " was on when the program began: firmware or an earlier program left it on.",       \
            "Linux arch/x86/events/amd/core.c, ibs.c: the enable bit"                                                  \
    }

#define LVT_MASKED 0x10000ull

#define LEFT_OPEN(row, what)                                                                                           \
    {                                                                                                                  \
        row, LVT_MASKED, 0, false,                                                                                     \
            "The local APIC's entry for " what                                                                         \
            " was not masked when the program began: firmware or an earlier program "                                  \
            "left it so.",                                                                                             \
            "Linux arch/x86/include/asm/apicdef.h, APIC_LVT_MASKED"                                                    \
    }

const struct silicon_remark silicon_remarks[] = {
    LEFT_ON(SILICON_PERF_CTL_0, PMC_CTL_EN, "Counter 0"),
    LEFT_ON(SILICON_PERF_CTL_1, PMC_CTL_EN, "Counter 1"),
    LEFT_ON(SILICON_PERF_CTL_2, PMC_CTL_EN, "Counter 2"),
    LEFT_ON(SILICON_PERF_CTL_3, PMC_CTL_EN, "Counter 3"),
    LEFT_ON(SILICON_IBS_FETCH_CTL, IBS_FETCH_EN, "IBS fetch sampling"),
    LEFT_ON(SILICON_IBS_OP_CTL, IBS_OP_EN, "IBS op sampling"),
    LEFT_OPEN(SILICON_LVT_COUNTERS, "counters (340h)"),
    LEFT_OPEN(SILICON_LVT_EXTENDED_0, "thresholds or IBS (500h)"),
    LEFT_OPEN(SILICON_LVT_EXTENDED_1, "thresholds or IBS (510h)"),
    LEFT_OPEN(SILICON_LVT_EXTENDED_2, "thresholds or IBS (520h)"),
    LEFT_OPEN(SILICON_LVT_EXTENDED_3, "thresholds or IBS (530h)"),
    {SILICON_HWCR, HWCR_TLB_CACHE_DIS, HWCR_TLB_CACHE_DIS, false,
     "HWCR[3] is set: page tables are read from memory, not from the caches, so a page walk costs several times its "
     "estimate (the remedy for erratum 298, revision B).",
     "coreboot init_cpus.c, AMD_Errata298"},
    {SILICON_BU_CFG, BU_CFG_TLB_FORCE_UC, BU_CFG_TLB_FORCE_UC, false,
     "BU_CFG[1] is set: page walks treat page tables as uncached memory (the remedy for erratum 298, revision B).",
     "coreboot init_cpus.c, AMD_Errata298"},
    {SILICON_BU_CFG2, BU_CFG2_SMASH_1G, BU_CFG2_SMASH_1G, false,
     "BU_CFG2[29] is set: the TLBs hold 1 GB pages as 2 MB pages, and IBS shows this size (pages=1g).",
     "coreboot defaults.h, Smash1GPages"},
    {SILICON_DE_CFG, DE_CFG_STACK, 0, false,
     "DE_CFG[0] is clear: after a long series of pushes and calls, or of pops and returns, the stack pointer may be "
     "wrong "
     "(erratum 721). erratum_721=on sets it for a run.",
     "FreeBSD sys/amd64/amd64/initcpu.c, init_amd"},
    {SILICON_HWCR, HWCR_TSC_FREQ_SEL, 0, false,
     "HWCR[24] is clear: the TSC does not count at P0's rate but changes with the P-state, so times in ns are right "
     "in one P-state only.",
     "Linux arch/x86/kernel/cpu/amd.c, bsp_init_amd"},
    {SILICON_INT_PENDING, INT_PENDING_C1E, 0, true,
     "C1E is enabled: cores that halt switch off their caches and clocks; figures of several cores depend on which "
     "cores are idle.",
     "Linux arch/x86/include/asm/msr-index.h, K8_INTP_C1E_ACTIVE_MASK"},
    {SILICON_F3x58, SCRUB_DRAM, 0, true,
     "The DRAM scrubber is on: the memory controller reads all memory in the background.",
     "Linux drivers/edac/amd64_edac.c, SCRCTRL"},
    {SILICON_SYSCFG, SYSCFG_FIX_DRAM_MODIFY, SYSCFG_FIX_DRAM_MODIFY, false,
     "SYSCFG[19] is set: firmware left the fixed MTRRs open; memory types below 1 MB may read wrong.",
     "Linux arch/x86/kernel/cpu/mtrr/generic.c, k8_check_syscfg_dram_mod_en"},
};
const unsigned silicon_remark_count = sizeof(silicon_remarks) / sizeof(silicon_remarks[0]);

bool silicon_remark_applies(const struct silicon *silicon, const struct silicon_remark *remark)
{
    uint64_t bits = silicon->value[remark->row] & remark->mask;

    return silicon_has(silicon, remark->row) && (remark->any ? bits != 0 : bits == remark->value);
}

#define PREFETCHER(bit, name)                                                                                          \
    {                                                                                                                  \
        SILICON_PREFETCH_CONTROL, true, 1ull << (bit), name, "likwid src/sysFeatures_amd.c"                            \
    }

const struct silicon_switch silicon_switches[SILICON_SWITCHES] = {
    {SILICON_CSTATE_CFG, false, 0x404040, "C6 of idle cores", "EDK II AmdPlatform AGESA, CSTATE_CFG_MSR"},
    {SILICON_POWER_MISC, false, 1ull << 32, "C6 of the package", "EDK II AmdPlatform AGESA, PWR_MGMT_MISC_MSR"},
    {SILICON_CPPC_ENABLE, false, 1, "CPPC", "Linux drivers/cpufreq/amd-pstate.c, msr_cppc_enable"},
    {SILICON_CPU_WATCHDOG, false, 1, "the core's watchdog", "coreboot src/vendorcode/amd/agesa, CPU_WDT_CFG"},
    {SILICON_SYSCFG, false, 1ull << 23, "memory encryption",
     "Linux arch/x86/include/asm/msr-index.h, MSR_AMD64_SYSCFG_MEM_ENCRYPT"},
    {SILICON_SYSCFG, false, 1ull << 24, "SEV-SNP", "Linux arch/x86/include/asm/msr-index.h, MSR_AMD64_SYSCFG_SNP_EN"},
    PREFETCHER(0, "L1 stream"),
    PREFETCHER(1, "L1 stride"),
    PREFETCHER(2, "L1 region"),
    PREFETCHER(3, "L2 stream"),
    PREFETCHER(5, "L2 up/down"),
};

enum silicon_register silicon_find(const char *name, size_t length)
{
    unsigned row = 0;

    while (row < SILICON_ROWS && !str_is(name, length, silicon_rows[row].name))
        row++;
    return (enum silicon_register)row;
}

/* Returns the compared bits. This program changes the others during a run: NB_CFG[46] EnableCf8ExtCfg, which the boot
 * core sets while other cores of its node read the same register (AMD BKDG 31116, MSRC001_001F). */
static uint64_t compared(enum silicon_register row)
{
    return row == SILICON_NB_CFG ? ~(1ull << 46) : ~0ull;
}

bool silicon_differs(const struct silicon *a, const struct silicon *b, enum silicon_register row)
{
    return silicon_rows[row].varies != SILICON_MOVES && a->state[row] && b->state[row] &&
           (a->state[row] != b->state[row] || (a->value[row] ^ b->value[row]) & compared(row));
}

void silicon_write_value(struct out *out, const struct silicon *silicon, enum silicon_register row)
{
    if (silicon_has(silicon, row))
        out_printf(out, "0x%lx", silicon->value[row]);
    else
        out_printf(out, "faults");
}

/* ---------------------------------------------------------------- clocks */

enum {
    PSTATES = SILICON_PSTATE_4 - SILICON_PSTATE_0 + 1,
    REFERENCE_MHZ = 100,    /* MHz of a step of CpuFid */
    NB_REFERENCE_MHZ = 200, /* of a step of NbFid */
    LARGEST_DIVISOR = 4,
};

#define PSTATE_ENABLED (1ull << 63)
#define NB_FID_ENABLED (1u << 5)

/* Reads Family 10h's as AGESA cpuF10Pstate.c, F10GetPstateFrequency, does: with CpuDid at most 4. */
uint32_t silicon_pstate_mhz(const struct silicon *silicon, unsigned pstate)
{
    uint64_t value = pstate < PSTATES ? silicon->value[SILICON_PSTATE_0 + pstate] : 0;
    unsigned divisor = value >> 6 & 7, did = value >> 8 & 0x3F;

    if (!(value & PSTATE_ENABLED))
        return 0;
    if (silicon->clocks == IBS_CLOCKS_5)
        return 5 * (value & 0xFFF);
    if (silicon->clocks == IBS_CLOCKS_DID)
        return did ? 200 * (value & 0xFF) / did : 0;
    if (divisor > LARGEST_DIVISOR)
        return 0;
    return REFERENCE_MHZ * ((value & 0x3F) + 0x10) >> divisor;
}

/* Linux tools/power/cpupower/utils/helpers/amd.c, amd_pci_get_num_boost_states: F4x15C[2]. */
unsigned silicon_boosted(const struct silicon *silicon)
{
    return silicon_has(silicon, SILICON_F4x15C) ? silicon->value[SILICON_F4x15C] >> 2 & 1 : 0;
}

uint32_t silicon_p0_mhz(const struct silicon *silicon)
{
    return silicon_pstate_mhz(silicon, silicon_boosted(silicon));
}

bool silicon_agrees(const struct silicon *silicon, uint64_t tsc_khz)
{
    uint64_t p0_khz = silicon_p0_mhz(silicon) * 1000ull, apart = p0_khz > tsc_khz ? p0_khz - tsc_khz : tsc_khz - p0_khz;

    return !p0_khz || apart * 100 <= p0_khz;
}

/* AGESA F10RevEUtilities.c, F10CommonRevEGetNbPstateInfo: 200 MHz * (F3xD4[NbFid] + 4), NbFid is bits 4:0, bit 5
 * NbFidEn (cpuF10PowerMgmt.h); a P-state's NbDid, bit 22, halves it. */
uint32_t silicon_nb_mhz(const struct silicon *silicon)
{
    uint64_t p0 = silicon->value[SILICON_PSTATE_0 + silicon_boosted(silicon)];

    if (!silicon_has(silicon, SILICON_F3xD4) || !(p0 & PSTATE_ENABLED) ||
        !(silicon->value[SILICON_F3xD4] & NB_FID_ENABLED))
        return 0;
    return NB_REFERENCE_MHZ * ((silicon->value[SILICON_F3xD4] & 0x1F) + 4) >> (p0 >> 22 & 1);
}
