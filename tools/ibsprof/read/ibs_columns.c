/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/read/ibs_columns.h"

#include <stddef.h>
#include <string.h>

#include "core/ibs_regs.h"
#include "core/perfdata_read.h"

struct ibs_column {
    const char *name;
    /* A field of a register, high to low bit; or, when there is a function, what that makes of the sample. */
    uint8_t reg, high, low;
    bool text; /* the value may be no number */
    char *(*put)(const struct ibs_layout *layout, const struct perfdata_item *sample, char *to);
    uint8_t when, unless; /* bools of struct ibs_layout, their offset; 0: none */
};

char *put_decimal(char *to, uint64_t value)
{
    char digits[20];
    unsigned count = 0;

    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (count)
        *to++ = digits[--count];
    return to;
}

char *put_hex(char *to, uint64_t value)
{
    int shift = 60;

    *to++ = '0';
    *to++ = 'x';
    while (shift > 0 && value >> shift == 0)
        shift -= 4;
    for (; shift >= 0; shift -= 4)
        *to++ = "0123456789abcdef"[value >> shift & 15];
    return to;
}

static char *put_text(char *to, const char *text)
{
    size_t size = strlen(text);

    memcpy(to, text, size);
    return to + size;
}

static char *put_signed(char *to, uint32_t value)
{
    if (value >> 31)
        *to++ = '-';
    return put_decimal(to, value >> 31 ? 0u - value : value);
}

#define PUT(name)            static char *put_##name(const struct ibs_layout *layout, const struct perfdata_item *sample, char *to)
#define OP(sample, register) ((sample)->record.reg[IBS_OP_##register])

/* ---- of both kinds */

PUT(time)
{
    return put_decimal(to, sample->time);
}
PUT(cpu)
{
    return sample->cpu == PERFDATA_NO_CPU ? put_text(to, "-") : put_signed(to, sample->cpu);
}
PUT(tid)
{
    return put_signed(to, sample->tid);
}
PUT(pid)
{
    return put_signed(to, sample->pid);
}
PUT(kernel)
{
    *to = sample->mode == MODE_KERNEL ? '1' : '0';
    return to + 1;
}

/* ---- ops */

PUT(op_max_cnt)
{
    uint64_t extension = layout->op_cnt_ext ? OP(sample, CTL) & IBS_OP_MAX_CNT_EXT : 0;

    return put_decimal(to, ibs_period(ibs_op_max_cnt(OP(sample, CTL))) + extension);
}

/* The northbridge's answer: of loads that missed the L2, or the L1 where it is not told which. */
static bool has_source(const struct ibs_layout *layout, const struct perfdata_item *sample)
{
    enum { L2_MISS = 1 << 20 };
    uint64_t data3 = OP(sample, DATA3);

    if (!ibs_ld_op(data3) || !ibs_dc_miss(data3))
        return false;
    if (layout->l2_miss_and_width && !(data3 & L2_MISS))
        return false;
    return !(layout->family == 0x14 && ibs_dc_wc_mem_acc(data3)); /* erratum 484 */
}

static uint32_t source_of(const struct ibs_layout *layout, const struct perfdata_item *sample)
{
    uint64_t data2 = OP(sample, DATA2);

    return ibs_nb_req_src(data2) | (layout->wide_source ? (uint32_t)(data2 >> 6 & 3) << 3 : 0);
}

PUT(source)
{
    /* Linux arch/x86/include/asm/amd/ibs.h: IBS_DATA_SRC_EXT_*, from Zen 4 on. */
    static const char *const wide[32] = {
        [1] = "local_L3", [2] = "other_core_cache", [3] = "DRAM",        [5] = "far_cache", [6] = "long_latency",
        [7] = "Other",    [8] = "extension_memory", [12] = "peer_memory"};
    static const char *const narrow[8] = {[2] = "other_core_cache", [3] = "DRAM", [7] = "Other"};
    uint32_t source = source_of(layout, sample);
    const char *name = layout->wide_source ? wide[source] : narrow[source];

    if (!has_source(layout, sample) || source == 0)
        return put_text(to, "-");
    if (source == IBS_NB_L3 && (layout->family == 0x10 || (layout->family == 0x15 && layout->model < 0x10)))
        name = "local_L3";
    return name ? put_text(to, name) : put_decimal(put_text(to, "Reserved-"), source);
}
PUT(node)
{
    if (!has_source(layout, sample) || source_of(layout, sample) == 0)
        return put_text(to, "-");
    return put_text(to, ibs_nb_dst_proc(OP(sample, DATA2)) ? "other_node" : "same_node");
}
PUT(state)
{
    if (!has_source(layout, sample) || source_of(layout, sample) != IBS_NB_CACHE)
        return put_text(to, "-");
    return put_text(to, ibs_nb_cache_hit_st(OP(sample, DATA2)) ? "O" : "M");
}
PUT(mab)
{
    uint64_t data3 = OP(sample, DATA3);
    bool erratum_717 = layout->family == 0x15 && layout->model <= 1; /* wrong unless it is a miss */

    *to = ibs_dc_mab_hit(data3) && !(erratum_717 && !ibs_dc_miss(data3)) ? '1' : '0';
    return to + 1;
}
PUT(width)
{
    uint64_t width = IBS_FIELD(OP(sample, DATA3), 25, 22);

    if (width > 5)
        return put_decimal(put_text(to, "Reserved-"), width);
    return put_decimal(to, width ? 1u << (width - 1) : 0); /* bytes */
}
PUT(lin_addr)
{
    return ibs_dc_lin_addr_valid(OP(sample, DATA3)) ? put_hex(to, OP(sample, DCLINAD)) : put_text(to, "-");
}
PUT(phys_addr)
{
    return ibs_dc_phy_addr_valid(OP(sample, DATA3)) ? put_hex(to, ibs_physad(OP(sample, DCPHYSAD))) : put_text(to, "-");
}

/* A register that only caps tells of; 0 in a sample that is too short for it. */
static uint64_t extra(const struct perfdata_item *sample, enum perfdata_extra which)
{
    int index = perfdata_extra_index((enum sample_kind)sample->record.kind, sample->caps, which);

    return index >= 0 && (uint32_t)index < sample->register_count ? sample->registers[index] : 0;
}
PUT(target)
{
    if (!ibs_op_brn_ret(OP(sample, DATA)))
        return put_text(to, "-");
    return put_hex(to, extra(sample, PERFDATA_EXTRA_BRTARGET));
}
PUT(ld_resync)
{
    return put_decimal(to, extra(sample, PERFDATA_EXTRA_OPDATA4) & 1);
}

/* ---- fetches */

#define FETCH(sample, register) ((sample)->record.reg[IBS_FETCH_##register])

PUT(fetch_phys_addr)
{
    return ibs_fetch_phy_valid(FETCH(sample, CTL)) ? put_hex(to, ibs_physad(FETCH(sample, PHYSAD))) : put_text(to, "-");
}
PUT(fetch_max_cnt)
{
    return put_decimal(to, ibs_period(ibs_fetch_max_cnt(FETCH(sample, CTL))));
}
PUT(page_size)
{
    static const char *const sizes[] = {"4 KB", "2 MB", "1 GB", "Reserved-3"};
    uint32_t size = ibs_fetch_pg_sz(FETCH(sample, CTL));

    if (!ibs_fetch_phy_valid(FETCH(sample, CTL)))
        return put_text(to, "-");
    return put_text(to, size == 3 && layout->family == 0x17 ? "16 KB" : sizes[size]);
}
PUT(itlb_latency)
{
    if (!ibs_fetch_comp(FETCH(sample, CTL)))
        return put_text(to, "-");
    return put_decimal(to, extra(sample, PERFDATA_EXTRA_FETCHCTLEXTD) & 0xFFFF);
}

/* ---- the tables */

/* A decimal number, text or an address that a function makes; a field of a register, or all of it as an address. */
#define NUMBER(name_, maker_)           .name = name_, .put = put_##maker_
#define WORD(name_, maker_)             .name = name_, .put = put_##maker_, .text = true
#define FIELD(name_, reg_, high_, low_) .name = name_, .reg = IBS_##reg_, .high = high_, .low = low_
#define FLAG(name_, reg_, bit_)         FIELD(name_, reg_, bit_, bit_)
#define ADDRESS(name_, reg_)            .name = name_, .reg = IBS_##reg_, .text = true
#define WHEN(field_)                    .when = offsetof(struct ibs_layout, field_)
#define UNLESS(field_)                  .unless = offsetof(struct ibs_layout, field_)
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
    {FIELD("IbsCompToRetCtr", OP_DATA, 15, 0)},
    {FIELD("IbsTagToRetCtr", OP_DATA, 31, 16)},
    {FLAG("IbsOpBrnResync", OP_DATA, 32), WHEN(brn_resync)},
    {FLAG("IbsOpMispReturn", OP_DATA, 33), WHEN(misp_return)},
    {FLAG("IbsOpReturn", OP_DATA, 34)},
    {FLAG("IbsOpBrnTaken", OP_DATA, 35)},
    {FLAG("IbsOpBrnMisp", OP_DATA, 36)},
    {FLAG("IbsOpBrnRet", OP_DATA, 37)},
    {FLAG("IbsRipInvalid", OP_DATA, 38), WHEN(rip_invalid)},
    {FLAG("IbsOpBrnFuse", OP_DATA, 39), WHEN(brn_fuse)},
    {FLAG("IbsOpMicrocode", OP_DATA, 40), WHEN(microcode)},
    {WORD("NbIbsReqSrc", source), WHEN(before_zen)},
    {WORD("DataSrc", source), WHEN(zen)},
    {WORD("NbIbsReqDstNode", node), WHEN(node_and_state), UNLESS(zen)},
    {WORD("NbIbsReqCacheHitSt", state), WHEN(node_and_state), UNLESS(zen)},
    {WORD("RmtNode", node), WHEN(node_and_state), UNLESS(before_zen)},
    {WORD("CacheHitSt", state), WHEN(node_and_state), UNLESS(before_zen)},
    {FLAG("IbsLdOp", OP_DATA3, 0)},
    {FLAG("IbsStOp", OP_DATA3, 1)},
    {FLAG("IbsDcL1tlbMiss", OP_DATA3, 2)},
    {FLAG("IbsDcL2TlbMiss", OP_DATA3, 3)},
    {FLAG("IbsDcL1TlbHit2M", OP_DATA3, 4)},
    {FLAG("IbsDcL1TlbHit1G", OP_DATA3, 5)},
    {FLAG("IbsDcL2tlbHit2M", OP_DATA3, 6)},
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
    {NUMBER("DcMissNoMabAlloc", mab), UNLESS(mab_hit)},
    {FLAG("IbsDcLinAddrValid", OP_DATA3, 17)},
    {FLAG("IbsDcPhyAddrValid", OP_DATA3, 18)},
    {FLAG("IbsDcL2tlbHit1G", OP_DATA3, 19)},
    {FLAG("IbsL2Miss", OP_DATA3, 20), WHEN(l2_miss_and_width)},
    {FLAG("IbsSwPf", OP_DATA3, 21), WHEN(l2_miss_and_width)},
    {WORD("IbsOpMemWidth", width), WHEN(l2_miss_and_width)},
    {FIELD("IbsOpDcMissOpenMemReqs", OP_DATA3, 31, 26), WHEN(l2_miss_and_width)},
    {FIELD("IbsDcMissLat", OP_DATA3, 47, 32)},
    {FIELD("IbstlbRefillLat", OP_DATA3, 63, 48), WHEN(l2_miss_and_width)},
    {WORD("IbsDcLinAd", lin_addr)},
    {WORD("IbsDcPhysAd", phys_addr)},
    {WORD("IbsBrnTarget", target), WHEN(brn_target)},
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
    {WORD("IbsFetchPhysAd", fetch_phys_addr)},
    {NUMBER("IbsFetchMaxCnt[19:0]", fetch_max_cnt)},
    {FIELD("IbsFetchLat", FETCH_CTL, 47, 32)},
    {FLAG("IbsFetchComp", FETCH_CTL, 50)},
    {FLAG("IbsIcMiss", FETCH_CTL, 51)},
    {WORD("IbsL1TlbPgSz", page_size)},
    {FLAG("IbsL1TlbMiss", FETCH_CTL, 55)},
    {FLAG("IbsL2TlbMiss", FETCH_CTL, 56)},
    {FLAG("IbsFetchL2Miss", FETCH_CTL, 58), WHEN(fetch_l2_miss)},
    {WORD("IbsItlbRefillLat", itlb_latency), WHEN(fetch_ctl_extd)},
};

static bool flag(const struct ibs_layout *layout, size_t offset)
{
    return *(const bool *)((const char *)layout + offset);
}

struct ibs_columns ibs_columns_of(enum sample_kind kind, const struct ibs_layout *layout, bool ticks)
{
    const struct ibs_column *table = kind == SAMPLE_OP ? op_columns : fetch_columns;
    unsigned size = kind == SAMPLE_OP ? sizeof(op_columns) / sizeof(op_columns[0])
                                      : sizeof(fetch_columns) / sizeof(fetch_columns[0]);
    struct ibs_columns columns = {.layout = *layout, .ticks = ticks};

    for (unsigned i = 0; i < size; i++)
        if ((!table[i].when || flag(layout, table[i].when)) && (!table[i].unless || !flag(layout, table[i].unless)))
            columns.column[columns.count++] = &table[i];
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

char *ibs_column_value(const struct ibs_columns *columns, unsigned index, const struct perfdata_item *sample, char *to)
{
    const struct ibs_column *column = columns->column[index];

    if (column->put)
        return column->put(&columns->layout, sample, to);
    if (column->text)
        return put_hex(to, sample->record.reg[column->reg]);
    return put_decimal(to, IBS_FIELD(sample->record.reg[column->reg], column->high, column->low));
}
