/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/derived.h"

#include "core/ibs_regs.h"

/* clang-format off */
/* Gates. SET: all bits of 'yes' set and all bits of 'no' clear. ANY: at least one bit of the mask. */
#define SET(register, yes, no)   {.reg = (register), .mask = (yes) | (no), .value = (yes)}
#define ANY(register, bits)      {.reg = (register), .mask = (bits), .any = true}
#define FETCH(yes, no)           SET(IBS_FETCH_CTL, yes, no)
#define ATTEMPTED                ANY(IBS_FETCH_CTL, IBS_FETCH_REACHED)
#define BRANCH(yes)              SET(IBS_OP_DATA, IBS_OP_BRN_RET | (yes), 0)
#define LOAD_STORE               ANY(IBS_OP_DATA3, IBS_LD_OP | IBS_ST_OP)
#define DC(yes, no)              LOAD_STORE, SET(IBS_OP_DATA3, yes, no)
#define L1_PAGE(yes, no)         DC(IBS_DC_LIN_ADDR_VALID | (yes), IBS_DC_L1TLB_MISS | (no))
#define L2_PAGE(yes, no)         DC(IBS_DC_LIN_ADDR_VALID | IBS_DC_L1TLB_MISS | (yes), IBS_DC_L2TLB_MISS | (no))
/* Northbridge: loads that missed the DC and have a source. */
#define NB_STATUS                SET(IBS_OP_DATA3, IBS_LD_OP | IBS_DC_MISS, 0), ANY(IBS_OP_DATA2, IBS_NB_REQ_SRC)
#define NB(flags, source)        NB_STATUS, {.reg = IBS_OP_DATA2, .mask = (flags) | IBS_NB_REQ_SRC, .value = (source)}
#define NB_LOCAL                 NB_STATUS, SET(IBS_OP_DATA2, 0, IBS_NB_DST_PROC)
#define NB_REMOTE                NB_STATUS, SET(IBS_OP_DATA2, IBS_NB_DST_PROC, 0)
#define NB_LOCAL_FROM(source)    NB(IBS_NB_DST_PROC, source)
#define NB_REMOTE_FROM(source)   NB(IBS_NB_DST_PROC, IBS_NB_DST_PROC | (source))

#define EVENT(code_, since_, kind_, name_, abbreviation_, symbol_)                                                                  \
    .code = code_, .since = since_, .kind = kind_, .name = name_, .abbreviation = abbreviation_, .symbol = symbol_
#define F(code_, name_, abbreviation_, symbol_) EVENT(code_, 'B', SAMPLE_FETCH, name_, abbreviation_, symbol_)
#define O(code_, name_, abbreviation_, symbol_) EVENT(code_, 'B', SAMPLE_OP, name_, abbreviation_, symbol_)
#define C(code_, name_, abbreviation_, symbol_) EVENT(code_, 'C', SAMPLE_OP, name_, abbreviation_, symbol_)
#define CYCLES(register, shift) .unit = DERIVED_CYCLES, .field_reg = (register), .field_shift = (shift)

const struct derived_event derived_events[DERIVED_COUNT] = {
    /* Fetch: IbsFetchCtl. */
    [DERIVED_F000_FETCH_ALL] = {
        F("F000", "IBS all fetch samples", "IBS all fetch", "IBS_FETCH_ALL")},
    [DERIVED_F001_FETCH_KILLED] = {
        F("F001", "IBS fetch killed", "IBS fetch killed", "IBS_FETCH_KILLED"),
        .gate = {FETCH(0, IBS_FETCH_REACHED)}},
    [DERIVED_F002_FETCH_ATTEMPTED] = { /* oprofile's code counts every sample here */
        F("F002", "IBS fetch attempted", "IBS fetch attempt", "IBS_FETCH_ATTEMPTED"),
        .gate = {ATTEMPTED}},
    [DERIVED_F003_FETCH_COMPLETED] = {
        F("F003", "IBS fetch completed", "IBS fetch comp", "IBS_FETCH_COMPLETED"),
        .gate = {FETCH(IBS_FETCH_COMP, 0)}},
    [DERIVED_F004_FETCH_ABORTED] = { /* oprofile's code counts killed fetches too */
        F("F004", "IBS fetch aborted", "IBS fetch abort", "IBS_FETCH_ABORTED"),
        .gate = {ATTEMPTED, FETCH(0, IBS_FETCH_COMP)}},
    [DERIVED_F005_ITLB_L1_HIT] = {
        F("F005", "IBS L1 ITLB hit", "IBS L1 ITLB hit", "IBS_FETCH_ITLB_HITS"),
        .gate = {FETCH(IBS_FETCH_PHY_VALID, IBS_FETCH_L1TLB_MISS)}},
    [DERIVED_F006_ITLB_L1M_L2H] = {
        F("F006", "IBS L1 ITLB miss, L2 ITLB hit", "IBS ITLB L1M L2H", "IBS_FETCH_L1_ITLB_MISSES_L2_ITLB_HITS"),
        .gate = {FETCH(IBS_FETCH_L1TLB_MISS, IBS_FETCH_L2TLB_MISS)}},
    [DERIVED_F007_ITLB_L1M_L2M] = {
        F("F007", "IBS L1 ITLB miss, L2 ITLB miss", "IBS ITLB L1M L2M", "IBS_FETCH_L1_ITLB_MISSES_L2_ITLB_MISSES"),
        .gate = {FETCH(IBS_FETCH_L1TLB_MISS | IBS_FETCH_L2TLB_MISS, 0)}},
    [DERIVED_F008_IC_MISS] = {
        F("F008", "IBS instruction cache miss", "IBS IC miss", "IBS_FETCH_ICACHE_MISSES"),
        .gate = {FETCH(IBS_FETCH_IC_MISS, 0)}},
    [DERIVED_F009_IC_HIT] = {
        F("F009", "IBS instruction cache hit", "IBS IC hit", "IBS_FETCH_ICACHE_HITS"),
        .gate = {FETCH(IBS_FETCH_COMP, IBS_FETCH_IC_MISS)}},
    [DERIVED_F00A_FETCH_4K] = {
        F("F00A", "IBS 4K page translation", "IBS 4K page", "IBS_FETCH_4K_PAGE"),
        .gate = {FETCH(IBS_FETCH_PHY_VALID, IBS_FETCH_PG_SZ)}},
    [DERIVED_F00B_FETCH_2M] = {
        F("F00B", "IBS 2M page translation", "IBS 2M page", "IBS_FETCH_2M_PAGE"),
        .gate = {FETCH(IBS_FETCH_PHY_VALID | IBS_BIT(53), IBS_BIT(54))}},
    [DERIVED_F00E_FETCH_LATENCY] = { /* oprofile's code adds the latency of killed fetches too */
        F("F00E", "IBS fetch latency", "IBS fetch lat", "IBS_FETCH_LATENCY"), CYCLES(IBS_FETCH_CTL, 32),
        .gate = {ATTEMPTED}},

    /* Op: IbsOpData. */
    [DERIVED_F100_OP_ALL] = {
        O("F100", "IBS all op samples", "IBS all ops", "IBS_OP_ALL")},
    [DERIVED_F101_TAG_TO_RETIRE] = {
        O("F101", "IBS tag-to-retire cycles", "IBS tag-to-ret", "IBS_OP_TAG_TO_RETIRE"), CYCLES(IBS_OP_DATA, 16)},
    [DERIVED_F102_COMP_TO_RETIRE] = {
        O("F102", "IBS completion-to-retire cycles", "IBS comp-to-ret", "IBS_OP_COMP_TO_RET"), CYCLES(IBS_OP_DATA, 0)},
    [DERIVED_F103_BRANCH] = {
        O("F103", "IBS branch op", "IBS BR", "IBS_OP_BRANCH_RETIRED"),
        .gate = {BRANCH(0)}},
    [DERIVED_F104_BRANCH_MISPREDICTED] = {
        O("F104", "IBS mispredicted branch op", "IBS misp BR", "IBS_OP_MISPREDICTED_BRANCH"),
        .gate = {BRANCH(IBS_OP_BRN_MISP)}},
    [DERIVED_F105_BRANCH_TAKEN] = {
        O("F105", "IBS taken branch op", "IBS taken BR", "IBS_OP_TAKEN_BRANCH"),
        .gate = {BRANCH(IBS_OP_BRN_TAKEN)}},
    [DERIVED_F106_BRANCH_TAKEN_MISPREDICTED] = {
        O("F106", "IBS mispredicted taken branch op", "IBS misp taken BR", "IBS_OP_MISPREDICTED_BRANCH_TAKEN"),
        .gate = {BRANCH(IBS_OP_BRN_TAKEN | IBS_OP_BRN_MISP)}},
    [DERIVED_F107_RETURN] = {
        O("F107", "IBS return op", "IBS RET", "IBS_OP_RETURNS"),
        .gate = {BRANCH(IBS_OP_RETURN)}},
    [DERIVED_F108_RETURN_MISPREDICTED] = { /* bit 36, not 33 (IbsOpMispReturn) */
        O("F108", "IBS mispredicted return op", "IBS misp RET", "IBS_OP_MISPREDICTED_RETURNS"),
        .gate = {BRANCH(IBS_OP_RETURN | IBS_OP_BRN_MISP)}},
    [DERIVED_F109_RESYNC] = {
        O("F109", "IBS resync op", "IBS resync", "IBS_OP_RESYNC"),
        .gate = {SET(IBS_OP_DATA, IBS_OP_BRN_RESYNC, 0)}},

    /* Load/store: IbsOpData3. */
    [DERIVED_F200_LOAD_STORE] = {
        O("F200", "IBS all load/store ops", "IBS load/store", "IBS_OP_ALL_LOAD_STORE"),
        .gate = {LOAD_STORE}},
    [DERIVED_F201_LOAD] = {
        O("F201", "IBS load ops", "IBS load", "IBS_OP_LOAD"),
        .gate = {DC(IBS_LD_OP, 0)}},
    [DERIVED_F202_STORE] = {
        O("F202", "IBS store ops", "IBS store", "IBS_OP_STORE"),
        .gate = {DC(IBS_ST_OP, 0)}},
    [DERIVED_F203_DTLB_L1_HIT] = {
        O("F203", "IBS L1 DTLB hit", "IBS L1 DTLB hit", "IBS_OP_L1_DTLB_HITS"),
        .gate = {L1_PAGE(0, 0)}},
    [DERIVED_F204_DTLB_L1M_L2H] = {
        O("F204", "IBS L1 DTLB miss, L2 DTLB hit", "IBS DTLB L1M L2H", "IBS_OP_L1_DTLB_MISS_L2_DTLB_HIT"),
        .gate = {L2_PAGE(0, 0)}},
    [DERIVED_F205_DTLB_L1M_L2M] = {
        O("F205", "IBS L1 DTLB miss, L2 DTLB miss", "IBS DTLB L1M L2M", "IBS_OP_L1_L2_DTLB_MISS"),
        .gate = {DC(IBS_DC_LIN_ADDR_VALID | IBS_DC_L1TLB_MISS | IBS_DC_L2TLB_MISS, 0)}},
    [DERIVED_F206_DC_MISS] = {
        O("F206", "IBS DC miss", "IBS DC miss", "IBS_OP_DATA_CACHE_MISS"),
        .gate = {DC(IBS_DC_MISS, 0)}},
    [DERIVED_F207_DC_HIT] = { /* so also ops that never accessed the DC */
        O("F207", "IBS DC hit", "IBS DC hit", "IBS_OP_DATA_HITS"),
        .gate = {DC(0, IBS_DC_MISS)}},
    [DERIVED_F208_MISALIGNED] = {
        O("F208", "IBS misaligned access", "IBS misalign acc", "IBS_OP_MISALIGNED_DATA_ACC"),
        .gate = {DC(IBS_DC_MIS_ACC, 0)}},
    [DERIVED_F209_BANK_CONFLICT_LOAD] = {
        O("F209", "IBS bank conflict on load op", "IBS bank conf load", "IBS_OP_BANK_CONF_LOAD"),
        .gate = {DC(IBS_DC_LD_BNK_CON, 0)}},
    [DERIVED_F20A_BANK_CONFLICT_STORE] = {
        O("F20A", "IBS bank conflict on store op", "IBS bank conf store", "IBS_OP_BANK_CONF_STORE"),
        .gate = {DC(IBS_DC_ST_BNK_CON, 0)}},
    [DERIVED_F20B_FORWARDED] = {
        O("F20B", "IBS store-to-load forwarded", "IBS forwarded", "IBS_OP_FORWARD"),
        .gate = {DC(IBS_LD_OP | IBS_DC_ST_TO_LD_FWD, 0)}},
    [DERIVED_F20C_FORWARD_CANCELLED] = {
        O("F20C", "IBS store-to-load forwarding cancelled", "IBS STLF cancelled", "IBS_OP_CANCELLED"),
        .gate = {DC(IBS_LD_OP | IBS_DC_ST_TO_LD_CAN, 0)}},
    [DERIVED_F20D_UC_ACCESS] = {
        O("F20D", "IBS UC memory access", "IBS UC mem acc", "IBS_OP_DCUC_MEM_ACC"),
        .gate = {DC(IBS_DC_UC_MEM_ACC, 0)}},
    [DERIVED_F20E_WC_ACCESS] = {
        O("F20E", "IBS WC memory access", "IBS WC mem acc", "IBS_OP_DCWC_MEM_ACC"),
        .gate = {DC(IBS_DC_WC_MEM_ACC, 0)}},
    [DERIVED_F20F_LOCKED] = {
        O("F20F", "IBS locked operation", "IBS locked op", "IBS_OP_LOCKED"),
        .gate = {DC(IBS_DC_LOCKED_OP, 0)}},
    [DERIVED_F210_MAB_HIT] = {
        O("F210", "IBS MAB hit", "IBS MAB hit", "IBS_OP_MAB_HIT"),
        .gate = {DC(IBS_DC_MAB_HIT, 0)}},
    [DERIVED_F211_DTLB_L1_4K] = {
        O("F211", "IBS L1 DTLB 4K page", "IBS L1 DTLB 4K", "IBS_OP_L1_DTLB_4K"),
        .gate = {L1_PAGE(0, IBS_DC_L1TLB_HIT_2M | IBS_DC_L1TLB_HIT_1G)}},
    [DERIVED_F212_DTLB_L1_2M] = { /* the 1G bit is not tested */
        O("F212", "IBS L1 DTLB 2M page", "IBS L1 DTLB 2M", "IBS_OP_L1_DTLB_2M"),
        .gate = {L1_PAGE(IBS_DC_L1TLB_HIT_2M, 0)}},
    [DERIVED_F213_DTLB_L1_1G] = {
        O("F213", "IBS L1 DTLB 1G page", "IBS L1 DTLB 1G", "IBS_OP_L1_DTLB_1G"),
        .gate = {L1_PAGE(IBS_DC_L1TLB_HIT_1G, IBS_DC_L1TLB_HIT_2M)}},
    [DERIVED_F215_DTLB_L2_4K] = {
        O("F215", "IBS L2 DTLB 4K page", "IBS L2 DTLB 4K", "IBS_OP_L2_DTLB_4K"),
        .gate = {L2_PAGE(0, IBS_DC_L2TLB_HIT_2M | IBS_DC_L2TLB_HIT_1G)}},
    [DERIVED_F216_DTLB_L2_2M] = {
        O("F216", "IBS L2 DTLB 2M page", "IBS L2 DTLB 2M", "IBS_OP_L2_DTLB_2M"),
        .gate = {L2_PAGE(IBS_DC_L2TLB_HIT_2M, IBS_DC_L2TLB_HIT_1G)}},
    [DERIVED_F217_DTLB_L2_1G] = {
        C("F217", "IBS L2 DTLB 1G page", "IBS L2 DTLB 1G", "IBS_OP_L2_DTLB_1G"),
        .gate = {L2_PAGE(IBS_DC_L2TLB_HIT_1G, IBS_DC_L2TLB_HIT_2M)}},
    [DERIVED_F219_DC_LOAD_LATENCY] = {
        O("F219", "IBS DC miss load latency", "IBS DC load lat", "IBS_OP_DC_LOAD_LAT"), CYCLES(IBS_OP_DATA3, 32),
        .gate = {DC(IBS_LD_OP | IBS_DC_MISS, 0)}},

    /* Northbridge: IbsOpData2. There is no event for a remote L3: source 1 with the remote bit is in F241 only. */
    [DERIVED_F240_NB_LOCAL] = {
        O("F240", "IBS NB local", "IBS NB local", "IBS_OP_NB_LOCAL_ONLY"),
        .gate = {NB_LOCAL}},
    [DERIVED_F241_NB_REMOTE] = {
        O("F241", "IBS NB remote", "IBS NB remote", "IBS_OP_NB_REMOTE_ONLY"),
        .gate = {NB_REMOTE}},
    [DERIVED_F242_NB_LOCAL_L3] = {
        O("F242", "IBS NB local L3", "IBS NB local L3", "IBS_OP_NB_LOCAL_L3"),
        .gate = {NB_LOCAL_FROM(IBS_NB_L3)}},
    [DERIVED_F243_NB_LOCAL_CACHE] = {
        O("F243", "IBS NB local core L1 or L2 cache", "IBS NB local cache", "IBS_OP_NB_LOCAL_CACHE"),
        .gate = {NB_LOCAL_FROM(IBS_NB_CACHE)}},
    [DERIVED_F244_NB_REMOTE_CACHE] = {
        O("F244", "IBS NB remote L1, L2 or L3 cache", "IBS NB remote cache", "IBS_OP_NB_REMOTE_CACHE"),
        .gate = {NB_REMOTE_FROM(IBS_NB_CACHE)}},
    [DERIVED_F245_NB_LOCAL_DRAM] = {
        O("F245", "IBS NB local DRAM", "IBS NB local DRAM", "IBS_OP_NB_LOCAL_DRAM"),
        .gate = {NB_LOCAL_FROM(IBS_NB_DRAM)}},
    [DERIVED_F246_NB_REMOTE_DRAM] = {
        O("F246", "IBS NB remote DRAM", "IBS NB remote DRAM", "IBS_OP_NB_REMOTE_DRAM"),
        .gate = {NB_REMOTE_FROM(IBS_NB_DRAM)}},
    [DERIVED_F247_NB_LOCAL_OTHER] = {
        O("F247", "IBS NB local APIC/MMIO/Config/PCI", "IBS NB local other", "IBS_OP_NB_LOCAL_OTHER"),
        .gate = {NB_LOCAL_FROM(IBS_NB_OTHER)}},
    [DERIVED_F248_NB_REMOTE_OTHER] = {
        O("F248", "IBS NB remote MMIO/Config/PCI", "IBS NB remote other", "IBS_OP_NB_REMOTE_OTHER"),
        .gate = {NB_REMOTE_FROM(IBS_NB_OTHER)}},
    [DERIVED_F249_NB_CACHE_MODIFIED] = {
        O("F249", "IBS NB cache Modified state", "IBS NB cache M", "IBS_OP_NB_CACHE_MODIFIED"),
        .gate = {NB(IBS_NB_CACHE_HIT_ST, IBS_NB_CACHE)}},
    [DERIVED_F24A_NB_CACHE_OWNED] = {
        O("F24A", "IBS NB cache Owned state", "IBS NB cache O", "IBS_OP_NB_CACHE_OWNED"),
        .gate = {NB(IBS_NB_CACHE_HIT_ST, IBS_NB_CACHE_HIT_ST | IBS_NB_CACHE)}},
    /* Named "cache latency", but every source counts: L3, other cores, DRAM, MMIO. */
    [DERIVED_F24B_NB_LOCAL_LATENCY] = {
        O("F24B", "IBS NB local cache latency", "IBS NB local lat", "IBS_OP_NB_LOCAL_CACHE_LAT"), CYCLES(IBS_OP_DATA3, 32),
        .gate = {NB_LOCAL}},
    [DERIVED_F24C_NB_REMOTE_LATENCY] = {
        O("F24C", "IBS NB remote cache latency", "IBS NB remote lat", "IBS_OP_NB_REMOTE_CACHE_LAT"), CYCLES(IBS_OP_DATA3, 32),
        .gate = {NB_REMOTE}},

    /* Ours. */
    [DERIVED_X100_BRANCH_TAG_TO_RETIRE] = {
        O("X100", "tag-to-retire cycles of branch ops", "BR tag-to-ret", ""), CYCLES(IBS_OP_DATA, 16),
        .gate = {BRANCH(0)}},
    [DERIVED_X101_BRANCH_COMP_TO_RETIRE] = {
        O("X101", "completion-to-retire cycles of branch ops", "BR comp-to-ret", ""), CYCLES(IBS_OP_DATA, 0),
        .gate = {BRANCH(0)}},
    [DERIVED_X200_LOAD_DC_MISS] = {
        O("X200", "loads that missed the DC", "load DC miss", ""),
        .gate = {DC(IBS_LD_OP | IBS_DC_MISS, 0)}},
    [DERIVED_X201_LIN_ADDR_VALID] = {
        O("X201", "load/store ops with a valid linear address", "LS lin addr", ""),
        .gate = {DC(IBS_DC_LIN_ADDR_VALID, 0)}},
    [DERIVED_X202_LOAD_DTLB_L1M_L2M] = {
        O("X202", "loads that missed L1 and L2 DTLB", "load L1M L2M", ""),
        .gate = {DC(IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_L1TLB_MISS | IBS_DC_L2TLB_MISS, 0)}},
    [DERIVED_X203_DC_MISS_TAG_TO_RETIRE] = {
        O("X203", "tag-to-retire cycles of loads and stores that missed the DC", "DC miss tag-to-ret", ""),
        CYCLES(IBS_OP_DATA, 16),
        .gate = {DC(IBS_DC_MISS, 0)}},
    [DERIVED_X204_DC_MISS_COMP_TO_RETIRE] = {
        O("X204", "completion-to-retire cycles of loads and stores that missed the DC", "DC miss comp-to-ret", ""),
        CYCLES(IBS_OP_DATA, 0),
        .gate = {DC(IBS_DC_MISS, 0)}},
    [DERIVED_X240_NB_STATUS] = {
        O("X240", "loads with northbridge status", "load NB status", ""),
        .gate = {NB_STATUS}},
};
/* clang-format on */

_Static_assert(DERIVED_OFFERED == 60, "CodeAnalyst offers 60 derived events on Family 10h");

const char *derived_unit_name(const struct derived_event *event)
{
    return event->unit == DERIVED_CYCLES ? "cycles" : "samples";
}

bool derived_applies(const struct derived_event *event, const struct sample_record *record)
{
    if (record->kind != event->kind)
        return false;
    for (int i = 0; i < DERIVED_TESTS; i++) {
        const struct derived_test *test = &event->gate[i];
        uint64_t bits = record->reg[test->reg] & test->mask;

        if (test->mask && (test->any ? bits == 0 : bits != test->value))
            return false;
    }
    return true;
}

void derived_add(uint64_t counts[DERIVED_COUNT], const struct sample_record *record)
{
    for (int i = 0; i < DERIVED_COUNT; i++) {
        const struct derived_event *event = &derived_events[i];

        if (!derived_applies(event, record))
            continue;
        if (event->unit == DERIVED_CYCLES)
            counts[i] += IBS_FIELD(record->reg[event->field_reg], event->field_shift + 15, event->field_shift);
        else
            counts[i]++;
    }
}
