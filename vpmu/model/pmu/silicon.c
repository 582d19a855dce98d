/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Registers by which firmware sets up the processor, as far as the model has them: HWCR, P-states, the switches of
 * revision B, and MTRRs where they must differ from QEMU's. P-states are registers alone: the model's clock stays that
 * of P0. Layouts: coreboot src/vendorcode/amd/agesa, cpuF10PowerMgmt.h.
 */
#include "vpmu/model/hostile.h"
#include "vpmu/model/state.h"

enum {
    MSR_MTRR_FIRST = 0x200,
    MSR_MTRR_LAST = 0x20F,
    MSR_MTRR_DEF_TYPE = 0x2FF,
    MSR_SYSCFG = 0xC0010010,
    MSR_HWCR = 0xC0010015,
    MSR_PSTATE_LIMIT = 0xC0010061,
    MSR_PSTATE_CONTROL,
    MSR_PSTATE_STATUS,
    MSR_PSTATE_FIRST,
    MSR_PSTATE_LAST = 0xC0010068,
    MSR_COFVID_STATUS = 0xC0010071,
    MSR_WATCHDOG = 0xC0010074,      /* coreboot src/vendorcode/amd/agesa, CPU_WDT_CFG: bit 0 on */
    MSR_CSTATE_CONFIG = 0xC0010296, /* these four: AMD_IBS_Toolkit driver/ibs-workarounds.c */
    MSR_FEATURES = 0xC0011005,      /* of CPUID 8000_0001: ECX in the upper half */
    MSR_LS_CFG = 0xC0011020,
    MSR_DE_CFG = 0xC0011029,
    MSR_BU_CFG = 0xC0011023,
    MSR_BU_CFG2 = 0xC001102A,
    PSTATES = 3,     /* that software sees */
    LOWEST_FID = 16, /* 100 MHz * (fid + 16) >> did */
    MTRR_ALL_UC = 0x800,
    ERRATUM_721 = 1,
    TICKS_APART = 100000,
    ZEN5_SIGNATURE = 0x00B00F00, /* CPUID 1 EAX of Family 1Ah and of what follows */
};

/* Bits 24 TscFreqSel, 25 CpbDis (Linux arch/x86/include/asm/msr-index.h), 3 TlbCacheDis. */
#define HWCR_TSC_FREQ_SEL (1ull << 24)
#define HWCR_CPB_DIS      (1ull << 25)
#define HWCR_TLB_CACHE    (1ull << 3)
#define CC6_ENABLED       0x00404040ull /* of the three groups of C-states */
#define PSTATE_ENABLED    (1ull << 63)
#define SYSCFG_ENCRYPTED  (1ull << 23) /* Linux asm/msr-index.h, MSR_AMD64_SYSCFG_MEM_ENCRYPT, _SNP_EN */
#define SYSCFG_SNP        (1ull << 24)

/* Returns the fields of a clock as the processor's registers have them (Linux cpupower, get_cof); Zen's divisor, in
 * steps of an eighth, is 1. */
static uint64_t fields_of(const struct vpmu *vpmu, uint32_t mhz)
{
    return ZEN5_SIGNATURE <= vpmu->params->signature ? mhz / 5 : 8 << 8 | mhz / 25;
}

/* Returns software's P-state: P0 is the revision's clock, the others are half of a step, and the least. */
static uint64_t pstate(const struct vpmu *vpmu, unsigned n)
{
    static const uint64_t lower[PSTATES] = {0, 1 << 6 | 16, 1 << 6};
    static const uint32_t lower_mhz[PSTATES] = {0, 1600, 800};

    if (vpmu->params->events == EVENTS_ZEN)
        return fields_of(vpmu, n ? lower_mhz[n] : vpmu->params->mhz);
    return n ? lower[n] : vpmu->params->mhz / 100 - LOWEST_FID;
}

/* Returns a register; with boost the first is the boosted state's. */
static uint64_t pstate_register(const struct vpmu *vpmu, unsigned n)
{
    unsigned boosted = vpmu->params->boost_mhz != 0 && vpmu->params->events != EVENTS_ZEN;

    if (boosted && n == 0)
        return (vpmu->params->boost_mhz / 100 - LOWEST_FID) | PSTATE_ENABLED;
    return n - boosted < PSTATES ? pstate(vpmu, n - boosted) | PSTATE_ENABLED : 0;
}

static bool variable_mtrr(uint32_t msr)
{
    return msr >= MSR_MTRR_FIRST && msr <= MSR_MTRR_LAST;
}

/* Returns an MTRR of HOSTILE_CORE_MTRRS, or NULL. The real ones stay the boot core's. */
static uint64_t *own_mtrr(struct vpmu *vpmu, uint32_t msr)
{
    if (!vpmu->config.with || !hostile_has(vpmu->config.hostile, HOSTILE_CORE_MTRRS))
        return NULL;
    return variable_mtrr(msr)         ? &vpmu->mtrrs[msr - MSR_MTRR_FIRST]
           : msr == MSR_MTRR_DEF_TYPE ? &vpmu->mtrr_default
                                      : NULL;
}

/* Returns a register that keeps what is written, or NULL: MTRRs of another core, Family 10h's DE_CFG, in which firmware
 * has set bit 0 (erratum 721: FreeBSD sys/x86/x86, init_amd), else those with which software can switch Zen's IBS on,
 * or that firmware has left on. */
static uint64_t *kept_register(struct vpmu *vpmu, uint32_t msr)
{
    bool zen = vpmu->params->events == EVENTS_ZEN;
    uint64_t *mtrr = own_mtrr(vpmu, msr);

    if (mtrr)
        return mtrr;
    if (!params_later(vpmu->params))
        return msr == MSR_DE_CFG ? &vpmu->static_switch : NULL;
    if (zen && hostile_has(vpmu->config.hostile, HOSTILE_LEFT_ON) && (msr == MSR_SYSCFG || msr == MSR_WATCHDOG))
        return msr == MSR_SYSCFG ? &vpmu->memory_switch : &vpmu->watchdog;
    if (!zen || !hostile_has(vpmu->config.hostile, HOSTILE_IBS_OFF))
        return NULL;
    return msr == MSR_FEATURES        ? &vpmu->feature_bits
           : msr == MSR_LS_CFG        ? &vpmu->lock_map
           : msr == MSR_DE_CFG        ? &vpmu->static_switch
           : msr == MSR_CSTATE_CONFIG ? &vpmu->idle_switch
                                      : NULL;
}

static bool left_off(const struct vpmu *vpmu)
{
    return vpmu->params->events == EVENTS_ZEN && hostile_has(vpmu->config.hostile, HOSTILE_IBS_OFF);
}

bool silicon_ibs_off(const struct vpmu *vpmu)
{
    return left_off(vpmu) && !(vpmu->feature_bits >> 42 & 1);
}

/* Returns whether IBS runs. Without the other registers that is a choice: the source says that IBS takes them all. */
bool silicon_ibs_runs(const struct vpmu *vpmu)
{
    return !left_off(vpmu) || (!silicon_ibs_off(vpmu) && (vpmu->static_switch >> 19 & 1) &&
                               (vpmu->lock_map >> 54 & 1) && !(vpmu->idle_switch & CC6_ENABLED));
}

void silicon_init(struct vpmu *vpmu)
{
    bool slow = hostile_has(vpmu->config.hostile, HOSTILE_TSC_SLOW);

    vpmu->idle_switch = CC6_ENABLED;
    vpmu->memory_switch = SYSCFG_ENCRYPTED | SYSCFG_SNP;
    vpmu->watchdog = 1;
    vpmu->mtrr_default = MTRR_ALL_UC;
    vpmu->hwcr = slow ? 0 : HWCR_TSC_FREQ_SEL;
    vpmu->tsc_shift = slow;
    if (vpmu->config.with && params_later(vpmu->params) && hostile_has(vpmu->config.hostile, HOSTILE_TSC_APART))
        vpmu->tsc_ahead = TICKS_APART;
    if (hostile_has(vpmu->config.hostile, HOSTILE_REVISION_B))
        vpmu->hwcr |= HWCR_TLB_CACHE;
    else if (!params_later(vpmu->params))
        vpmu->static_switch = ERRATUM_721;
}

bool silicon_read(struct vpmu *vpmu, uint32_t msr, uint64_t *value)
{
    bool revision_b = hostile_has(vpmu->config.hostile, HOSTILE_REVISION_B);
    const uint64_t *kept = kept_register(vpmu, msr);

    if (kept)
        *value = *kept;
    else if (msr == MSR_HWCR)
        *value = vpmu->hwcr;
    else if (msr == MSR_PSTATE_LIMIT)
        *value = (PSTATES - 1) << 4;
    else if (msr == MSR_PSTATE_CONTROL || msr == MSR_PSTATE_STATUS)
        *value = vpmu->pstate;
    else if (msr >= MSR_PSTATE_FIRST && msr <= MSR_PSTATE_LAST)
        *value = pstate_register(vpmu, msr - MSR_PSTATE_FIRST);
    else if (msr == MSR_COFVID_STATUS)
        *value = pstate(vpmu, vpmu->pstate) | (uint64_t)vpmu->pstate << 16;
    else if (msr == MSR_BU_CFG)
        *value = revision_b ? 1 << 1 : 0;
    else if (msr == MSR_BU_CFG2)
        *value = revision_b ? 1 << 29 : 0;
    else if (hostile_has(vpmu->config.hostile, HOSTILE_MEMORY_UC) && (variable_mtrr(msr) || msr == MSR_MTRR_DEF_TYPE))
        *value = msr == MSR_MTRR_DEF_TYPE ? MTRR_ALL_UC : 0;
    else
        return false;
    return true;
}

bool silicon_write(struct vpmu *vpmu, uint32_t msr, uint64_t value)
{
    uint64_t *kept = kept_register(vpmu, msr);

    if (kept)
        *kept = value;
    else if (msr == MSR_HWCR)
        vpmu->hwcr = (vpmu->hwcr & ~HWCR_CPB_DIS) | (value & HWCR_CPB_DIS);
    else if (msr == MSR_PSTATE_CONTROL)
        vpmu->pstate = (value & 7) < PSTATES ? value & 7 : PSTATES - 1;
    else
        return false;
    return true;
}
