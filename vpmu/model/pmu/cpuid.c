/* SPDX-License-Identifier: BSD-2-Clause */
/* CPUID of the modelled processor. Cache and TLB descriptors: AMD CPUID specification 25481, Fn8000_0005/6/19. */
#include "vpmu/model/pmu/contrary.h"
#include "vpmu/model/state.h"

enum { EAX, EBX, ECX, EDX };

enum { EXTENDED_OF_HOST = 0x8000001A }; /* the highest of -cpu phenom that is passed on */

/* Associativity codes of Fn8000_0006 and Fn8000_0019; WAYS_OWN_LEAF: Fn8000_001D says it (AMD APM vol. 3). */
enum {
    WAYS_2 = 0x2,
    WAYS_4 = 0x4,
    WAYS_8 = 0x6,
    WAYS_16 = 0x8,
    WAYS_OWN_LEAF = 0x9,
    WAYS_32 = 0xA,
    WAYS_48 = 0xB,
    WAYS_64 = 0xC,
    WAYS_FULL = 0xF,
};

static uint32_t four_letters(const char *text)
{
    return (uint32_t)(uint8_t)text[0] | (uint32_t)(uint8_t)text[1] << 8 | (uint32_t)(uint8_t)text[2] << 16 |
           (uint32_t)(uint8_t)text[3] << 24;
}

static void brand(const struct vpmu *vpmu, uint32_t part, uint32_t regs[4])
{
    char text[48] = {0};

    for (uint32_t i = 0; i < sizeof(text) - 1 && vpmu->params->brand[i]; i++)
        text[i] = vpmu->params->brand[i];
    for (uint32_t i = 0; i < 4; i++)
        regs[i] = four_letters(text + part * 16 + i * 4);
}

static uint32_t ways_code(uint32_t ways)
{
    return ways >= 64   ? WAYS_64
           : ways >= 48 ? WAYS_48
           : ways >= 32 ? WAYS_32
           : ways >= 16 ? WAYS_16
           : ways >= 8  ? WAYS_8
           : ways >= 4  ? WAYS_4
                        : WAYS_2;
}

static uint32_t kilobytes(const struct cache_shape *shape)
{
    return shape->sets * shape->ways >> (10 - LINE_SHIFT);
}

/* Returns Fn8000_0005 ECX and EDX. */
static uint32_t l1_word(const struct cache_shape *shape)
{
    return kilobytes(shape) << 24 | shape->ways << 16 | 1 << 8 | 1 << LINE_SHIFT;
}

/* Answers Fn8000_001D (AMD APM vol. 3): L1D, L1I, L2, L3. */
static void caches_one_by_one(const struct vpmu *vpmu, uint32_t subleaf, uint32_t regs[4])
{
    const struct vpmu_params *params = vpmu->params;
    const struct cache_shape shapes[] = {params->l1d, params->l1i, params->l2, {params->l3_sets, params->l3_ways}};
    static const uint32_t kinds[] = {1 | 1 << 5, 2 | 1 << 5, 3 | 2 << 5, 3 | 3 << 5}; /* data, code, both; its level */
    enum { SUBLEAF_L2 = 2, SUBLEAF_L3 };

    if (subleaf > SUBLEAF_L3 || !shapes[subleaf].ways)
        return;
    regs[EAX] = kinds[subleaf] | 1 << 8;
    if (subleaf == SUBLEAF_L3)
        regs[EAX] |= (vpmu->caches.node->cores - 1) << 14;
    regs[EBX] = (shapes[subleaf].ways - 1) << 22 | ((1 << LINE_SHIFT) - 1);
    regs[ECX] = shapes[subleaf].sets - 1;
    if (subleaf >= SUBLEAF_L2) /* bit 1: inclusive; bit 0: WBINVD does not empty the caches below */
        regs[EDX] = subleaf == SUBLEAF_L2 && params->l2_has == L2_INCLUSIVE ? 2 : 1;
}

/* Returns whether CPUID counts entries of the L2 TLBs in units of 32, as 12 bits hold no more (AMD APM vol. 3,
 * Fn8000_0021 EAX, L2TlbSizeX32). */
static bool entries_by_32(const struct vpmu_params *params)
{
    return params->l2_dtlb[PAGE_4K].entries > 0xFFF;
}

/* Returns half a register: an L2 TLB's ways and entries. */
static uint32_t l2_tlb(const struct tlb_shape *shape)
{
    uint32_t ways = shape->ways == shape->entries ? WAYS_FULL : ways_code(shape->ways);

    return shape->told || !shape->entries ? shape->told : ways << 12 | shape->entries;
}

/* Returns ways and entries of an L1 TLB, which is fully associative, in Fn8000_0005. */
static uint32_t l1_tlb(uint8_t entries)
{
    return entries ? 0xFF00u | entries : 0;
}

static uint32_t l1_tlb_1g(uint8_t entries)
{
    return entries ? (uint32_t)WAYS_FULL << 12 | entries : 0;
}

static void caches_and_tlbs(const struct vpmu *vpmu, uint32_t leaf, uint32_t regs[4])
{
    const struct vpmu_params *params = vpmu->params;

    if (leaf == 0x80000005) {
        regs[EAX] = l1_tlb(params->l1_dtlb[PAGE_2M]) << 16 | l1_tlb(params->l1_itlb[PAGE_2M]);
        regs[EBX] = l1_tlb(params->l1_dtlb[PAGE_4K]) << 16 | l1_tlb(params->l1_itlb[PAGE_4K]);
        regs[ECX] = l1_word(&params->l1d);
        regs[EDX] = l1_word(&params->l1i);
    } else if (leaf == 0x80000006) {
        uint32_t ways = params->l3_ways, code = params->l3_own_leaf ? WAYS_OWN_LEAF : ways_code(ways);

        regs[EAX] = l2_tlb(&params->l2_dtlb[PAGE_2M]) << 16 | l2_tlb(&params->l2_itlb[PAGE_2M]);
        regs[EBX] = l2_tlb(&params->l2_dtlb[PAGE_4K]) << 16 | l2_tlb(&params->l2_itlb[PAGE_4K]);
        regs[ECX] = kilobytes(&params->l2) << 16 | ways_code(params->l2.ways) << 12 | 1 << 8 | 1 << LINE_SHIFT;
        regs[EDX] = ways ? params->l3_half_mb << 18 | code << 12 | 1 << 8 | 1 << LINE_SHIFT : 0;
    } else {
        regs[EAX] = l1_tlb_1g(params->l1_dtlb[PAGE_1G]) << 16 | l1_tlb_1g(params->l1_itlb[PAGE_1G]);
        regs[EBX] = l2_tlb(&params->l2_dtlb[PAGE_1G]) << 16 | l2_tlb(&params->l2_itlb[PAGE_1G]);
        regs[ECX] = regs[EDX] = 0;
    }
}

/* Returns the bits of an APIC ID that number the cores of a node, which is a processor (AMD CPUID specification 25481,
 * Fn8000_0008 ECX: 7:0 NC, 15:12 ApicIdCoreIdSize; Fn0000_0001 EBX 23:16 LogicalProcessorCount). With one node the
 * host's own numbers are kept. */
static uint32_t cores_of_processor(const struct vpmu *vpmu)
{
    return vpmu->nodes->cores / vpmu->nodes->count;
}

static void topology(const struct vpmu *vpmu, uint32_t leaf, uint32_t regs[4])
{
    uint32_t cores = cores_of_processor(vpmu), bits = 0;

    if (vpmu->nodes->count == 1 || cores == 0)
        return;
    while (1u << bits < cores)
        bits++;
    if (leaf == 0x00000001)
        regs[EBX] = (regs[EBX] & ~0xFF0000u) | cores << 16;
    else
        regs[ECX] = bits << 12 | (cores - 1);
}

/* Answers the hypervisor's leaves, the model's words on itself. subleaf is ECX. */
static void hypervisor(const struct vpmu *vpmu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
    static const char signature[12] = VPMU_HYPERVISOR_SIGNATURE; /* the rest is 0 */

    regs[EAX] = regs[EBX] = regs[ECX] = regs[EDX] = 0;
    if (leaf == VPMU_LEAF_SIGNATURE) {
        regs[EAX] = VPMU_LEAF_PREPARED;
        regs[EBX] = four_letters(signature);
        regs[ECX] = four_letters(signature + 4);
        regs[EDX] = four_letters(signature + 8);
    } else if (leaf == VPMU_LEAF_EVENTS) {
        regs[EAX] = pmc_models(vpmu, subleaf & 0xFFF, (subleaf >> 16) & 0xFF);
    } else if (leaf == VPMU_LEAF_CLOCKS) {
        regs[EAX] = vpmu_tsc_khz(vpmu) >> vpmu->tsc_shift;
        regs[EBX] = APIC_TIMER_MHZ * 1000;
    } else if (leaf == VPMU_LEAF_PREPARED) {
        regs[EAX] = VPMU_MSR_PREPARED;
        regs[EBX] = VPMU_MSR_FORGET;
        regs[ECX] = VPMU_MSR_PART;
        regs[EDX] = VPMU_MSR_CODE;
    }
}

/* Answers leaves that QEMU's processor does not have. */
static void upper(const struct vpmu *vpmu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
    const struct vpmu_params *params = vpmu->params;

    regs[EAX] = regs[EBX] = regs[ECX] = regs[EDX] = 0;
    if (leaf == 0x8000001B) {
        regs[EAX] = silicon_ibs_off(vpmu) ? 0 : params->ibs_caps;
    } else if (leaf == 0x8000001D && leaf <= params->max_extended_leaf) {
        caches_one_by_one(vpmu, subleaf, regs);
    } else if (leaf == 0x80000021 && leaf <= params->max_extended_leaf) {
        regs[EAX] = entries_by_32(params) ? 1u << 14 : 0;
    } else if (leaf == 0x80000022 &&
               params->pmc_version >= 2) { /* Linux arch/x86/events/amd/core.c, amd_core_pmu_init */
        regs[EAX] = params->branches ? 3 : 1;
        regs[EBX] = params->pmc_count | (uint32_t)params->branches << 4 | shared_counters_numbers(vpmu);
        regs[ECX] = shared_counters_controllers(vpmu);
    }
}

static void processor(const struct vpmu *vpmu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
    switch (leaf) {
    case 0x00000000:
    case 0x80000000:
        regs[EBX] = four_letters("Auth");
        regs[EDX] = four_letters("enti");
        regs[ECX] = four_letters("cAMD");
        if (leaf == 0x80000000)
            regs[EAX] = vpmu->params->max_extended_leaf;
        break;
    case 0x00000001:
        regs[EAX] = vpmu->params->signature;
        topology(vpmu, leaf, regs);
        break;
    case 0x80000008: /* EBX[31]: Branch Sampling (Linux arch/x86/include/asm/cpufeatures.h, X86_FEATURE_BRS) */
        regs[EBX] = (regs[EBX] & ~(1u << 31 | 1u << 27)) | (uint32_t)vpmu->params->branch_sampling << 31;
        topology(vpmu, leaf, regs);
        regs[EBX] |= power_features(vpmu, leaf);
        break;
    case 0x80000001:
        regs[EAX] = vpmu->params->signature;
        regs[ECX] = (regs[ECX] & ~(1u << 10)) | (silicon_ibs_off(vpmu) ? 0 : 1u << 10); /* IBS */
        /* PerfCtrExtCore, PerfCtrExtNB, PerfCtrExtLLC (AMD APM vol. 3, Fn8000_0001 ECX): more counters. Before Zen
         * those of the northbridge are not modelled. */
        if (params_later(vpmu->params))
            regs[ECX] = (regs[ECX] & ~(1u << 28 | 3u << 23)) | (vpmu->params->pmc_version ? 1u << 23 : 0) |
                        shared_counters_features(vpmu);
        break;
    case 0x80000002:
    case 0x80000003:
    case 0x80000004:
        brand(vpmu, leaf - 0x80000002, regs);
        break;
    case 0x80000007: /* EDX: 7 P-states, 8 the TSC is invariant, 9 boost (AMD CPUID specification 25481) */
        regs[EDX] = (regs[EDX] & ~(1u << 14 | 0x380u)) | 1 << 7 | (vpmu->tsc_shift ? 0u : 1u << 8) |
                    (vpmu->params->boost_mhz ? 1u << 9 : 0u) | power_features(vpmu, leaf);
        break;
    case 0x80000005:
    case 0x80000006:
    case 0x80000019:
        caches_and_tlbs(vpmu, leaf, regs);
        break;
    default:
        if (leaf > EXTENDED_OF_HOST && leaf <= 0x8000FFFF)
            upper(vpmu, leaf, subleaf, regs);
        break;
    }
}

void vpmu_cpuid(const struct vpmu *vpmu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
    if (leaf >= VPMU_LEAF_SIGNATURE && leaf <= VPMU_LEAF_LAST) {
        hypervisor(vpmu, leaf, subleaf, regs);
        return;
    }
    processor(vpmu, leaf, subleaf, regs);
    if (params_later(vpmu->params))
        contrary_cpuid(vpmu, leaf, regs);
}
