/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/ibs/ibs_field.h"

#include "core/base/mem.h"
#include "core/family/ibs_regs.h"

#define OP(name_, register_, high_, low_, ...)                                                                         \
    {                                                                                                                  \
        .name = name_, .kind = SAMPLE_OP, .reg = IBS_OP_##register_, .high = high_, .low = low_, ##__VA_ARGS__         \
    }
#define OP_FLAG(name_, register_, bit_, ...) OP(name_, register_, bit_, bit_, ##__VA_ARGS__)
#define FETCH(name_, register_, high_, low_, ...)                                                                      \
    {                                                                                                                  \
        .name = name_, .kind = SAMPLE_FETCH, .reg = IBS_FETCH_##register_, .high = high_, .low = low_, ##__VA_ARGS__   \
    }
#define FETCH_FLAG(name_, bit_, ...) FETCH(name_, CTL, bit_, bit_, ##__VA_ARGS__)
#define CAP(name_)                   .caps = IBS_CAP_##name_
#define LATER                        .later = true

/* Bits and capabilities: Linux arch/x86/include/asm/amd/ibs.h; AMD_IBS_Toolkit include/ibs-uapi.h. */
// clang-format off
const struct ibs_field ibs_fields[] = {
    FETCH("IbsFetchMaxCnt", CTL, 15, 0),
    FETCH("IbsFetchCnt", CTL, 31, 16),
    FETCH("IbsFetchLat", CTL, 47, 32),
    FETCH_FLAG("IbsFetchEn", 48),
    FETCH_FLAG("IbsFetchVal", 49),
    FETCH_FLAG("IbsFetchComp", 50),
    FETCH_FLAG("IbsIcMiss", 51),
    FETCH_FLAG("IbsPhyAddrValid", 52),
    FETCH("IbsL1TlbPgSz", CTL, 54, 53),
    FETCH_FLAG("IbsL1TlbMiss", 55),
    FETCH_FLAG("IbsL2TlbMiss", 56),
    FETCH_FLAG("IbsRandEn", 57),
    FETCH_FLAG("IbsFetchL2Miss", 58, LATER),
    FETCH_FLAG("IbsFetchL3MissOnly", 59, CAP(L3MISSONLY), LATER),
    FETCH_FLAG("IbsFetchOcMiss", 60, CAP(L3MISSONLY), LATER),
    FETCH_FLAG("IbsFetchL3Miss", 61, CAP(L3MISSONLY), LATER),
    FETCH("IbsFetchLinAd", LINAD, 63, 0),
    FETCH("IbsFetchPhysAd", PHYSAD, 51, 0),
    FETCH("IbsItlbRefillLat", EXTD, 15, 0, CAP(FETCHCTLEXTD), LATER),

    OP("IbsOpMaxCnt", CTL, 15, 0),
    OP_FLAG("IbsOpL3MissOnly", CTL, 16, CAP(L3MISSONLY), LATER),
    OP_FLAG("IbsOpEn", CTL, 17),
    OP_FLAG("IbsOpVal", CTL, 18),
    OP_FLAG("IbsOpCntCtl", CTL, 19),
    OP("IbsOpMaxCntExt", CTL, 26, 20, CAP(OPCNTEXT), LATER),
    OP("IbsOpCurCnt", CTL, 51, 32),
    OP("IbsOpCurCntExt", CTL, 58, 52, CAP(OPCNTEXT), LATER),
    OP("IbsOpLdLatThrsh", CTL, 62, 59, CAP(LDLAT), LATER),
    OP_FLAG("IbsOpLdLatEn", CTL, 63, CAP(LDLAT), LATER),
    OP("IbsOpRip", RIP, 63, 0),
    OP("IbsCompToRetCtr", DATA, 15, 0),
    OP("IbsTagToRetCtr", DATA, 31, 16),
    OP_FLAG("IbsOpBrnResync", DATA, 32),
    OP_FLAG("IbsOpMispReturn", DATA, 33),
    OP_FLAG("IbsOpReturn", DATA, 34),
    OP_FLAG("IbsOpBrnTaken", DATA, 35),
    OP_FLAG("IbsOpBrnMisp", DATA, 36),
    OP_FLAG("IbsOpBrnRet", DATA, 37),
    OP_FLAG("IbsRipInvalid", DATA, 38, CAP(RIPINVALID), LATER),
    OP_FLAG("IbsOpBrnFuse", DATA, 39, CAP(OPBRNFUSE), LATER),
    OP_FLAG("IbsOpMicrocode", DATA, 40, LATER),
    OP("DataSrc", DATA2, 2, 0),
    OP_FLAG("RmtNode", DATA2, 4),
    OP_FLAG("CacheHitSt", DATA2, 5),
    OP("DataSrcHigh", DATA2, 7, 6, CAP(L3MISSONLY), LATER),
    OP_FLAG("StrmSt", DATA2, 8, CAP(STRMST), LATER),
    OP_FLAG("RmtSocket", DATA2, 9, CAP(STRMST), LATER),
    OP_FLAG("IbsLdOp", DATA3, 0),
    OP_FLAG("IbsStOp", DATA3, 1),
    OP_FLAG("IbsDcL1tlbMiss", DATA3, 2),
    OP_FLAG("IbsDcL2TlbMiss", DATA3, 3),
    OP_FLAG("IbsDcL1TlbHit2M", DATA3, 4, .not_caps = IBS_CAP_DTLB_PGSIZE),
    OP_FLAG("IbsDcL1TlbHit1G", DATA3, 5, .not_caps = IBS_CAP_DTLB_PGSIZE),
    OP("IbsDcPageSize", DATA3, 5, 4, CAP(DTLB_PGSIZE), LATER),
    OP_FLAG("IbsDcL2tlbHit2M", DATA3, 6, .not_caps = IBS_CAP_DTLB_PGSIZE),
    OP_FLAG("IbsDcMiss", DATA3, 7),
    OP_FLAG("IbsDcMissAcc", DATA3, 8),
    OP_FLAG("IbsDcLdBnkCon", DATA3, 9),
    OP_FLAG("IbsDcStBnkCon", DATA3, 10),
    OP_FLAG("IbsDcStToLdFwd", DATA3, 11),
    OP_FLAG("IbsDcStToLdCan", DATA3, 12),
    OP_FLAG("IbsDcWcMemAcc", DATA3, 13),
    OP_FLAG("IbsDcUcMemAcc", DATA3, 14),
    OP_FLAG("IbsDcLockedOp", DATA3, 15),
    OP_FLAG("IbsDcMabHit", DATA3, 16, .traits = IBS_TRAIT_MAB_HIT),
    OP_FLAG("DcMissNoMabAlloc", DATA3, 16, .traits = IBS_TRAIT_NO_MAB_ALLOC, LATER),
    OP_FLAG("IbsDcLinAddrValid", DATA3, 17),
    OP_FLAG("IbsDcPhyAddrValid", DATA3, 18),
    OP_FLAG("IbsDcL2tlbHit1G", DATA3, 19, .not_caps = IBS_CAP_DTLB_PGSIZE),
    OP_FLAG("IbsL2Miss", DATA3, 20, LATER),
    OP_FLAG("IbsSwPf", DATA3, 21, LATER),
    OP("IbsOpMemWidth", DATA3, 25, 22, LATER),
    OP("IbsOpDcMissOpenMemReqs", DATA3, 31, 26, LATER),
    OP("IbsDcMissLat", DATA3, 47, 32),
    OP("IbsTlbRefillLat", DATA3, 63, 48, LATER),
    OP("IbsDcLinAd", DCLINAD, 63, 0),
    OP("IbsDcPhysAd", DCPHYSAD, 51, 0),
    OP("IbsBrTarget", BRTARGET, 63, 0, CAP(BRNTRGT), LATER),
};

#define TLB        (IBS_DC_L1TLB_MISS | IBS_DC_L2TLB_MISS)
#define NO_MAB     IBS_DC_MAB_HIT
#define L2_MISS    IBS_BIT(20)
#define SW_PF      IBS_BIT(21)
#define OPEN_REQS  (0x3Full << 26)
#define REFILL_LAT (0xFFFFull << 48)
#define IF(register_, mask_, value_) .kind = SAMPLE_OP, .reg = IBS_OP_##register_, .mask = (mask_), .value = (value_)
#define IF_ANY(register_, mask_)     .kind = SAMPLE_OP, .reg = IBS_OP_##register_, .mask = (mask_), .any = true

const struct ibs_rule ibs_rules[] = {
    /* Linux arch/x86/events/amd/ibs.c, perf_ibs_get_mem_lvl: an uncacheable access has none of these. */
    {.traits = IBS_TRAIT_UC_FIRST, IF(DATA3, IBS_DC_UC_MEM_ACC, IBS_DC_UC_MEM_ACC),
     .invalid = {[IBS_OP_DATA2] = 0xFF, [IBS_OP_DATA3] = IBS_DC_MISS | L2_MISS | IBS_DC_MISS_LAT}},
    /* Sources as above, and tools/perf/util/amd-sample-raw.c. perf_ibs_get_mem_lvl goes on with IbsOpData2; AMD's text, which
     * amd-sample-raw.c follows, does not. */
    {.errata = IBS_E_1293, IF_ANY(DATA3, NO_MAB | SW_PF),
     .invalid = {[IBS_OP_DATA2] = ~0ull, [IBS_OP_DATA3] = L2_MISS | OPEN_REQS}},
    {.errata = IBS_E_484, IF(DATA3, IBS_DC_WC_MEM_ACC, IBS_DC_WC_MEM_ACC), .invalid = {[IBS_OP_DATA2] = ~0ull}},
    {.errata = IBS_E_717, IF(DATA3, IBS_DC_MISS, 0), .invalid = {[IBS_OP_DATA3] = IBS_DC_MAB_HIT}},
    {.errata = IBS_E_717, .kind = SAMPLE_OP, .invalid = {[IBS_OP_BRTARGET] = ~0ull}},
    /* Linux commit 0b347a4218da: with capability bit 19 only with a physical address. */
    {.caps = IBS_CAP_DTLB_PGSIZE, IF(DATA3, IBS_DC_PHY_ADDR_VALID, 0),
     .invalid = {[IBS_OP_DATA3] = TLB | IBS_DC_L1TLB_HIT_2M | IBS_DC_L1TLB_HIT_1G}},
    /* amd-sample-raw.c, pr_ibs_op_data3 and amd_dump_ibs_op. */
    {.traits = IBS_TRAIT_DC_BY_LIN, IF(DATA3, IBS_DC_PHY_ADDR_VALID, 0), .invalid = {[IBS_OP_DATA3] = REFILL_LAT}},
    {.traits = IBS_TRAIT_DC_BY_LIN, IF(DATA3, IBS_DC_LIN_ADDR_VALID, 0), .invalid = {[IBS_OP_DCPHYSAD] = ~0ull}},
    {IF(DATA3, IBS_DC_LIN_ADDR_VALID, 0), .invalid = {[IBS_OP_DCLINAD] = ~0ull}},
    {IF(DATA3, IBS_DC_PHY_ADDR_VALID, 0), .invalid = {[IBS_OP_DCPHYSAD] = ~0ull}},
    {.caps = IBS_CAP_RIPINVALID, IF(DATA, IBS_OP_RIP_INVALID, IBS_OP_RIP_INVALID), .invalid = {[IBS_OP_RIP] = ~0ull}},
    {.caps = IBS_CAP_BRNTRGT, IF(DATA, IBS_OP_BRN_RET, 0), .invalid = {[IBS_OP_BRTARGET] = ~0ull}},
    {.kind = SAMPLE_FETCH, .reg = IBS_FETCH_CTL, .mask = IBS_FETCH_PHY_VALID,
     .invalid = {[IBS_FETCH_PHYSAD] = ~0ull, [IBS_FETCH_CTL] = IBS_FETCH_PG_SZ}},
    {.errata = IBS_E_1238, .kind = SAMPLE_FETCH, .invalid = {[IBS_FETCH_CTL] = IBS_FETCH_IC_MISS}},
    {.caps = IBS_CAP_FETCHCTLEXTD, .kind = SAMPLE_FETCH, .reg = IBS_FETCH_CTL, .mask = IBS_FETCH_COMP,
     .invalid = {[IBS_FETCH_EXTD] = ~0ull}},
    /* amd-sample-raw.c, fetch_ctl_depends_on_phy_addr_valid: Zen 6. */
    {.traits = IBS_TRAIT_FETCH_BY_PHYS, .kind = SAMPLE_FETCH, .reg = IBS_FETCH_CTL, .mask = IBS_FETCH_PHY_VALID,
     .invalid = {[IBS_FETCH_CTL] = IBS_FETCH_LAT | IBS_FETCH_IC_MISS | IBS_FETCH_PG_SZ | IBS_FETCH_L1TLB_MISS |
                                   IBS_FETCH_L2TLB_MISS | IBS_BIT(58) | IBS_BIT(60) | IBS_BIT(61),
                 [IBS_FETCH_EXTD] = ~0ull}},
};
// clang-format on
const unsigned ibs_field_count = sizeof(ibs_fields) / sizeof(ibs_fields[0]);

enum { RULES = sizeof(ibs_rules) / sizeof(ibs_rules[0]) };
_Static_assert(RULES < 32, "ibs_machine.rules has a bit for each");

static uint64_t mask_of(const struct ibs_field *field)
{
    return IBS_FIELD(~0ull, field->high, field->low) << field->low;
}

/* Returns the bits of a family's row that are not reserved. Registers that are not listed are addresses, or by
 * capability alone.
 */
static uint64_t row_bits(const struct ibs_family *row, unsigned kind, unsigned reg)
{
    if (kind == SAMPLE_FETCH)
        return reg == IBS_FETCH_CTL ? row->fetch_ctl : ~0ull;
    switch (reg) {
    case IBS_OP_CTL:
        return row->op_ctl;
    case IBS_OP_DATA:
        return row->op_data;
    case IBS_OP_DATA2:
        return row->op_data2;
    case IBS_OP_DATA3:
        return row->op_data3;
    default:
        return ~0ull;
    }
}

static bool announced(const struct ibs_field *field, const struct ibs_machine *machine)
{
    return (machine->caps & field->caps) == field->caps && !(machine->caps & field->not_caps) &&
           (machine->row->traits & field->traits) == field->traits;
}

bool ibs_field_exists(const struct ibs_field *field, const struct ibs_machine *machine)
{
    return machine->row && announced(field, machine) &&
           (mask_of(field) & ~row_bits(machine->row, field->kind, field->reg)) == 0;
}

static bool is_of(const struct ibs_rule *rule, const struct ibs_machine *machine)
{
    if (!rule->traits && !rule->errata && !rule->caps)
        return true;
    return (machine->row->traits & rule->traits) || (machine->row->errata & rule->errata) ||
           (machine->caps & rule->caps);
}

static void clear_invalid(uint64_t bits[IBS_RECORD_REGS], const struct ibs_rule *rule)
{
    for (unsigned reg = 0; reg < IBS_RECORD_REGS; reg++)
        bits[reg] &= ~rule->invalid[reg];
}

static void find_rules(struct ibs_machine *machine)
{
    memcpy(machine->always, machine->bits, sizeof(machine->always));
    for (unsigned i = 0; i < RULES; i++) {
        const struct ibs_rule *rule = &ibs_rules[i];

        if (!is_of(rule, machine))
            continue;
        machine->rules[rule->kind] |= 1u << i;
        clear_invalid(machine->always[rule->kind], rule);
    }
}

struct ibs_machine ibs_machine_of(unsigned family, unsigned model, uint32_t caps)
{
    struct ibs_machine machine = {.row = ibs_family_of(family, model), .caps = caps};

    for (unsigned i = 0; family == 0 && (machine.row = ibs_family_row(i)); i++)
        if (machine.row->traits & IBS_TRAIT_DEFAULT)
            break;
    if (!machine.row)
        return machine;
    machine.caps &= ~machine.row->caps_ignored;
    for (unsigned i = 0; i < ibs_field_count; i++) {
        const struct ibs_field *field = &ibs_fields[i];

        if (!ibs_field_exists(field, &machine))
            continue;
        machine.bits[field->kind][field->reg] |= mask_of(field);
        if (!field->later)
            machine.first[field->kind][field->reg] |= mask_of(field);
    }
    find_rules(&machine);
    return machine;
}

bool ibs_rule_holds(const struct ibs_rule *rule, const struct sample_record *record)
{
    uint64_t bits = rule->mask ? record->reg[rule->reg] & rule->mask : 0;

    return rule->any ? bits != 0 : bits == rule->value;
}

void ibs_valid_bits(const struct ibs_machine *machine, const struct sample_record *record,
                    uint64_t valid[IBS_RECORD_REGS])
{
    memcpy(valid, machine->bits[record->kind], sizeof(machine->bits[0]));
    for (uint32_t rules = machine->rules[record->kind]; rules; rules &= rules - 1) {
        const struct ibs_rule *rule = &ibs_rules[__builtin_ctz(rules)];

        if (ibs_rule_holds(rule, record))
            clear_invalid(valid, rule);
    }
}

uint32_t ibs_raw_source(const struct ibs_machine *machine, uint64_t data2)
{
    bool wide = machine->row && (machine->caps & IBS_CAP_L3MISSONLY) && (machine->row->op_data2 & IBS_BIT(7));

    return ibs_nb_req_src(data2) | (wide ? (uint32_t)IBS_FIELD(data2, 7, 6) << 3 : 0);
}

enum ibs_source ibs_source_of(const struct ibs_machine *machine, uint64_t data2)
{
    return machine->row ? (enum ibs_source)machine->row->source[ibs_raw_source(machine, data2)] : IBS_SOURCE_RESERVED;
}

const char *ibs_source_text(enum ibs_source source)
{
    static const char *const words[IBS_SOURCES] = {
        [IBS_SOURCE_RESERVED] = "reserved",
        [IBS_SOURCE_NONE] = "",
        [IBS_SOURCE_L3] = "L3",
        [IBS_SOURCE_CACHE] = "cache",
        [IBS_SOURCE_NEAR] = "near cache",
        [IBS_SOURCE_FAR_CACHE] = "far cache",
        [IBS_SOURCE_DRAM] = "DRAM",
        [IBS_SOURCE_LONG_LATENCY] = "long latency",
        [IBS_SOURCE_EXTENSION] = "extension memory",
        [IBS_SOURCE_PEER] = "peer",
        [IBS_SOURCE_OTHER] = "other",
    };

    return words[source];
}

uint64_t ibs_page_size_as_first(const struct ibs_machine *machine, uint64_t fetch_ctl)
{
    uint64_t size = machine->row ? machine->row->page_size[ibs_fetch_pg_sz(fetch_ctl)] : ibs_fetch_pg_sz(fetch_ctl);

    return (fetch_ctl & ~IBS_FETCH_PG_SZ) | (size < IBS_PAGE_RESERVED ? size : IBS_PAGE_RESERVED) << 53;
}
