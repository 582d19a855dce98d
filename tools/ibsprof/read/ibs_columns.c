/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/read/ibs_columns.h"

#include <stddef.h>

#include "core/family/ibs_regs.h"
#include "tools/ibsprof/read/ibs_column_values.h"

struct ibs_column {
    const char *name;
    /* A field of a register, from its high to its low bit, unless rules of ibs_rules make it invalid in a sample. A
     * function, if any, makes the value. */
    uint8_t reg, high, low;
    bool has_field;
    bool text; /* the value may be text */
    char *(*put)(const struct ibs_layout *layout, const struct perfdata_item *sample, char *to);
    uint16_t when, unless; /* offsets of bools in struct ibs_layout; 0: none */
    /* "-" unless one of these bits is set, except on the first family, like Linux tools/perf/util/amd-sample-raw.c. */
    uint8_t gate_reg;
    uint64_t gate;
};

/* Decimal number or text made by a function; field of a register, or the whole register as an address. AT: the field of
 * a function's value. */
#define NUMBER(name_, maker_)           .name = name_, .put = put_##maker_
#define WORD(name_, maker_)             .name = name_, .put = put_##maker_, .text = true
#define AT(reg_, high_, low_)           .reg = IBS_##reg_, .high = high_, .low = low_, .has_field = true
#define FIELD(name_, reg_, high_, low_) .name = name_, AT(reg_, high_, low_)
#define FLAG(name_, reg_, bit_)         FIELD(name_, reg_, bit_, bit_)
#define ADDRESS(name_, reg_)            .name = name_, AT(reg_, 63, 0), .text = true
#define WHEN(field_)                    .when = offsetof(struct ibs_layout, field_)
#define UNLESS(field_)                  .unless = offsetof(struct ibs_layout, field_)
#define GATE(reg_, mask_)               .gate_reg = IBS_##reg_, .gate = (mask_)
#define BRANCH                          GATE(OP_DATA, IBS_OP_BRN_RET)
_Static_assert(offsetof(struct ibs_layout, family) == 0, "0: no condition");

static const struct ibs_column op_columns[] = {
    {NUMBER("TSC", time)},
    {NUMBER("CPU_Number", cpu)},
    {NUMBER("TID", tid)},
    {NUMBER("PID", pid)},
    {NUMBER("Kern_mode", kernel)},
    {ADDRESS("IbsOpRip", OP_RIP)},
    {NUMBER("IbsOpMaxCnt[19:0]", op_max_cnt), UNLESS(op_cnt_ext)},
    {NUMBER("IbsOpMaxCnt[26:0]", op_max_cnt), WHEN(op_cnt_ext)},
    {FLAG("IbsOpL3MissOnly", OP_CTL, 16), WHEN(op_l3_miss_only)},
    {FIELD("IbsOpLdLatThrsh", OP_CTL, 62, 59), WHEN(ld_lat)}, /* (n + 1) * 128 cycles */
    {FLAG("IbsOpLdLatEn", OP_CTL, 63), WHEN(ld_lat)},
    {FIELD("IbsCompToRetCtr", OP_DATA, 15, 0)},
    {FIELD("IbsTagToRetCtr", OP_DATA, 31, 16)},
    {FLAG("IbsOpBrnResync", OP_DATA, 32), WHEN(brn_resync)},
    {FLAG("IbsOpMispReturn", OP_DATA, 33), WHEN(misp_return)},
    {FLAG("IbsOpReturn", OP_DATA, 34), BRANCH},
    {FLAG("IbsOpBrnTaken", OP_DATA, 35), BRANCH},
    {FLAG("IbsOpBrnMisp", OP_DATA, 36), BRANCH},
    {FLAG("IbsOpBrnRet", OP_DATA, 37)},
    {FLAG("IbsRipInvalid", OP_DATA, 38), WHEN(rip_invalid)},
    {FLAG("IbsOpBrnFuse", OP_DATA, 39), WHEN(brn_fuse)},
    {FLAG("IbsOpMicrocode", OP_DATA, 40), WHEN(microcode)},
    {WORD("NbIbsReqSrc", source), WHEN(nb_status)},
    {WORD("DataSrc", source), WHEN(no_nb_status)},
    {WORD("NbIbsReqDstNode", node), WHEN(node), UNLESS(no_nb_status)},
    {WORD("NbIbsReqCacheHitSt", state), WHEN(state), UNLESS(no_nb_status)},
    {WORD("RmtNode", node), WHEN(node), UNLESS(nb_status)},
    {WORD("CacheHitSt", state), WHEN(state), UNLESS(nb_status)},
    {FLAG("StrmSt", OP_DATA2, 8), WHEN(remote)},
    {FLAG("RmtSocket", OP_DATA2, 9), WHEN(remote)},
    {FLAG("IbsLdOp", OP_DATA3, 0)},
    {FLAG("IbsStOp", OP_DATA3, 1)},
    {FLAG("IbsDcL1tlbMiss", OP_DATA3, 2)},
    {FLAG("IbsDcL2TlbMiss", OP_DATA3, 3)},
    {FLAG("IbsDcL1TlbHit2M", OP_DATA3, 4), WHEN(dc_hit_2m)},
    {FLAG("IbsDcL1TlbHit1G", OP_DATA3, 5), WHEN(dc_hit_1g)},
    {WORD("IbsDcPageSize", dc_page_size), AT(OP_DATA3, 5, 4), WHEN(dc_page_size)},
    {FLAG("IbsDcL2tlbHit2M", OP_DATA3, 6), WHEN(dc_hit_2m)},
    {FLAG("IbsDcMiss", OP_DATA3, 7)},
    {FLAG("IbsDcMissAcc", OP_DATA3, 8)},
    {FLAG("IbsDcLdBnkCon", OP_DATA3, 9), WHEN(ld_bnk_con)},
    {FLAG("IbsDcStBnkCon", OP_DATA3, 10), WHEN(st_bnk_con)},
    {FLAG("IbsDcStToLdFwd", OP_DATA3, 11), WHEN(st_to_ld_fwd)},
    {FLAG("IbsDcStToLdCan", OP_DATA3, 12), WHEN(st_to_ld_can)},
    {FLAG("IbsDcWcMemAcc", OP_DATA3, 13)},
    {FLAG("IbsDcUcMemAcc", OP_DATA3, 14)},
    {FLAG("IbsDcLockedOp", OP_DATA3, 15)},
    {NUMBER("IbsDcMabHit", mab), WHEN(mab_hit)},
    {NUMBER("DcMissNoMabAlloc", mab), WHEN(no_mab_alloc)},
    {FLAG("IbsDcLinAddrValid", OP_DATA3, 17)},
    {FLAG("IbsDcPhyAddrValid", OP_DATA3, 18)},
    {FLAG("IbsDcL2tlbHit1G", OP_DATA3, 19), WHEN(dc_hit_1g)},
    {FLAG("IbsL2Miss", OP_DATA3, 20), WHEN(l2_miss_and_width)},
    {FLAG("IbsSwPf", OP_DATA3, 21), WHEN(l2_miss_and_width)},
    {WORD("IbsOpMemWidth", width), AT(OP_DATA3, 25, 22), GATE(OP_DATA3, 0xFull << 22), WHEN(l2_miss_and_width)},
    {FIELD("IbsOpDcMissOpenMemReqs", OP_DATA3, 31, 26), WHEN(l2_miss_and_width)},
    {FIELD("IbsDcMissLat", OP_DATA3, 47, 32)},
    {FIELD("IbstlbRefillLat", OP_DATA3, 63, 48), WHEN(l2_miss_and_width)},
    {ADDRESS("IbsDcLinAd", OP_DCLINAD)},
    {WORD("IbsDcPhysAd", phys_addr), AT(OP_DCPHYSAD, 51, 0)},
    {WORD("IbsBrnTarget", target), AT(OP_BRTARGET, 63, 0), WHEN(brn_target)},
    {NUMBER("IbsOpLdResync", ld_resync), WHEN(op_data4)},
};

static const struct ibs_column fetch_columns[] = {
    {NUMBER("TSC", time)},
    {NUMBER("CPU_Number", cpu)},
    {NUMBER("TID", tid)},
    {NUMBER("PID", pid)},
    {NUMBER("Kern_mode", kernel)},
    {FLAG("IbsPhyAddrValid", FETCH_CTL, 52)},
    {ADDRESS("IbsFetchLinAd", FETCH_LINAD)},
    {WORD("IbsFetchPhysAd", fetch_phys_addr), AT(FETCH_PHYSAD, 51, 0)},
    {NUMBER("IbsFetchMaxCnt[19:0]", fetch_max_cnt)},
    {FIELD("IbsFetchLat", FETCH_CTL, 47, 32)},
    {FLAG("IbsFetchComp", FETCH_CTL, 50)},
    {FLAG("IbsIcMiss", FETCH_CTL, 51), WHEN(ic_miss)},
    {WORD("IbsL1TlbPgSz", page_size), AT(FETCH_CTL, 54, 53)},
    {FLAG("IbsL1TlbMiss", FETCH_CTL, 55)},
    {FLAG("IbsL2TlbMiss", FETCH_CTL, 56)},
    {FLAG("IbsFetchL2Miss", FETCH_CTL, 58), GATE(FETCH_CTL, IBS_FETCH_COMP), WHEN(fetch_l2_miss)},
    {FLAG("IbsFetchL3MissOnly", FETCH_CTL, 59), WHEN(fetch_l3_miss)},
    {FLAG("IbsFetchOcMiss", FETCH_CTL, 60), WHEN(fetch_l3_miss)},
    {FLAG("IbsFetchL3Miss", FETCH_CTL, 61), WHEN(fetch_l3_miss)},
    {WORD("IbsItlbRefillLat", itlb_latency), AT(FETCH_EXTD, 15, 0), WHEN(fetch_ctl_extd)},
};

/* Columns of a processor without a row. */
static const struct ibs_column raw_op_columns[] = {
    {NUMBER("TSC", time)},
    {NUMBER("CPU_Number", cpu)},
    {NUMBER("TID", tid)},
    {NUMBER("PID", pid)},
    {NUMBER("Kern_mode", kernel)},
    {ADDRESS("IbsOpCtl", OP_CTL)},
    {ADDRESS("IbsOpRip", OP_RIP)},
    {ADDRESS("IbsOpData", OP_DATA)},
    {ADDRESS("IbsOpData2", OP_DATA2)},
    {ADDRESS("IbsOpData3", OP_DATA3)},
    {ADDRESS("IbsDcLinAd", OP_DCLINAD)},
    {ADDRESS("IbsDcPhysAd", OP_DCPHYSAD)},
};

static const struct ibs_column raw_fetch_columns[] = {
    {NUMBER("TSC", time)},
    {NUMBER("CPU_Number", cpu)},
    {NUMBER("TID", tid)},
    {NUMBER("PID", pid)},
    {NUMBER("Kern_mode", kernel)},
    {ADDRESS("IbsFetchCtl", FETCH_CTL)},
    {ADDRESS("IbsFetchLinAd", FETCH_LINAD)},
    {ADDRESS("IbsFetchPhysAd", FETCH_PHYSAD)},
};

static bool flag(const struct ibs_layout *layout, size_t offset)
{
    return *(const bool *)((const char *)layout + offset);
}

static bool is_there(const struct ibs_column *column, const struct ibs_layout *layout)
{
    return (!column->when || flag(layout, column->when)) && (!column->unless || !flag(layout, column->unless));
}

static bool is_gated(const struct ibs_columns *columns, const struct ibs_column *column)
{
    return column->gate && columns->layout.later;
}

/* Erratum 1197: the state of a fetch at 0 was lost. */
static bool is_lost_at_0(const struct ibs_columns *columns, const struct ibs_column *column)
{
    return columns->kind == SAMPLE_FETCH && column->has_field && columns->layout.known &&
           columns->layout.machine.row->errata & IBS_E_1197;
}

static void add_rules(struct ibs_columns *columns, unsigned index, enum sample_kind kind)
{
    const struct ibs_column *column = columns->column[index];
    uint64_t mask = column->has_field ? IBS_FIELD(~0ull, column->high, column->low) << column->low : 0;

    for (unsigned i = 0; columns->layout.machine.rules[kind] >> i; i++)
        if ((columns->layout.machine.rules[kind] >> i & 1) && ibs_rules[i].invalid[column->reg] & mask &&
            columns->rule_count[index] < IBS_COLUMN_RULES)
            columns->rule[index][columns->rule_count[index]++] = (uint8_t)i;
    columns->conditional[index] =
        columns->rule_count[index] || is_gated(columns, column) || is_lost_at_0(columns, column);
}

struct ibs_columns ibs_columns_of(enum sample_kind kind, const struct ibs_layout *layout, bool ticks)
{
#define TABLE(table) table, sizeof(table) / sizeof(table[0])
    static const struct {
        const struct ibs_column *columns;
        unsigned size;
    } tables[2][2] = {{{TABLE(raw_fetch_columns)}, {TABLE(fetch_columns)}},
                      {{TABLE(raw_op_columns)}, {TABLE(op_columns)}}};
    const struct ibs_column *table = tables[kind == SAMPLE_OP][layout->known].columns;
    struct ibs_columns columns = {.layout = *layout, .kind = kind, .ticks = ticks};

    for (unsigned i = 0; i < tables[kind == SAMPLE_OP][layout->known].size; i++)
        if (is_there(&table[i], layout)) {
            columns.column[columns.count] = &table[i];
            add_rules(&columns, columns.count++, kind);
        }
    return columns;
}

const char *ibs_column_name(const struct ibs_columns *columns, unsigned index)
{
    return columns->column[index]->put == put_time && !columns->ticks ? "Time_ns" : columns->column[index]->name;
}

bool ibs_column_is_number(const struct ibs_columns *columns, unsigned index)
{
    return !columns->column[index]->text;
}

/* Returns whether the column's field is valid in this sample. */
static bool is_valid(const struct ibs_columns *columns, unsigned index, const struct perfdata_item *sample)
{
    const struct ibs_column *column = columns->column[index];

    if (is_gated(columns, column) && !(sample->record.reg[column->gate_reg] & column->gate))
        return false;
    for (unsigned i = 0; i < columns->rule_count[index]; i++)
        if (ibs_rule_holds(&ibs_rules[columns->rule[index][i]], &sample->record))
            return false;
    return !(is_lost_at_0(columns, column) && sample->record.reg[IBS_FETCH_LINAD] == 0);
}

char *ibs_column_value(const struct ibs_columns *columns, unsigned index, const struct perfdata_item *sample, char *to)
{
    const struct ibs_column *column = columns->column[index];

    if (columns->conditional[index] && !is_valid(columns, index, sample))
        return put_text(to, "-");
    if (column->put)
        return column->put(&columns->layout, sample, to);
    if (column->text)
        return put_hex(to, sample->record.reg[column->reg]);
    return put_decimal(to, IBS_FIELD(sample->record.reg[column->reg], column->high, column->low));
}
