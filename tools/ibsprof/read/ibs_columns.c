/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/read/ibs_columns.h"

#include <string.h>

#include "core/ibs_regs.h"
#include "core/perfdata_read.h"

struct ibs_column {
    const char *name;
    /* A field of a register, high to low bit; or, when there is a function, what that makes of the sample. */
    uint8_t reg, high, low;
    bool text; /* the function's value may be no number */
    char *(*put)(const struct ibs_layout *layout, const struct perfdata_item *sample, char *to);
    bool (*when)(const struct ibs_layout *layout); /* NULL: always */
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

PUT(op_rip)
{
    return put_hex(to, OP(sample, RIP));
}
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

PUT(fetch_lin_addr)
{
    return put_hex(to, FETCH(sample, LINAD));
}
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

#define WHEN(field)                                                                                                    \
    static bool has_##field(const struct ibs_layout *layout)                                                           \
    {                                                                                                                  \
        return layout->field;                                                                                          \
    }
WHEN(brn_resync)
WHEN(misp_return)
WHEN(brn_target)
WHEN(op_cnt_ext)
WHEN(rip_invalid)
WHEN(brn_fuse)
WHEN(microcode)
WHEN(op_data4)
WHEN(ld_bnk_con)
WHEN(st_bnk_con)
WHEN(st_to_ld_fwd)
WHEN(st_to_ld_can)
WHEN(l2_miss_and_width)
WHEN(fetch_l2_miss)
WHEN(fetch_ctl_extd)
static bool has_short_count(const struct ibs_layout *layout)
{
    return !layout->op_cnt_ext;
}
static bool is_before_zen(const struct ibs_layout *layout)
{
    return layout->family < 0x17;
}
static bool is_zen(const struct ibs_layout *layout)
{
    return layout->family >= 0x17;
}
static bool has_old_node(const struct ibs_layout *layout)
{
    return layout->node_and_state && is_before_zen(layout);
}
static bool has_zen_node(const struct ibs_layout *layout)
{
    return layout->node_and_state && is_zen(layout);
}
static bool has_mab_hit(const struct ibs_layout *layout)
{
    return layout->family <= 0x12 || (layout->family == 0x15 && layout->model < 0x20);
}
static bool has_no_mab(const struct ibs_layout *layout)
{
    return !has_mab_hit(layout);
}

#define NUMBER(name, put, when)                                                                                        \
    {                                                                                                                  \
        name, 0, 0, 0, false, put_##put, when                                                                          \
    }
#define WORD(name, put, when)                                                                                          \
    {                                                                                                                  \
        name, 0, 0, 0, true, put_##put, when                                                                           \
    }
#define FIELD(name, reg, high, low, when)                                                                              \
    {                                                                                                                  \
        name, IBS_##reg, high, low, false, NULL, when                                                                  \
    }
#define FLAG(name, reg, bit, when) FIELD(name, reg, bit, bit, when)

static const struct ibs_column op_columns[] = {
    NUMBER("TSC", time, NULL),
    NUMBER("CPU_Number", cpu, NULL),
    NUMBER("TID", tid, NULL),
    NUMBER("PID", pid, NULL),
    NUMBER("Kern_mode", kernel, NULL),
    WORD("IbsOpRip", op_rip, NULL),
    NUMBER("IbsOpMaxCnt[19:0]", op_max_cnt, has_short_count),
    NUMBER("IbsOpMaxCnt[26:0]", op_max_cnt, has_op_cnt_ext),
    FIELD("IbsCompToRetCtr", OP_DATA, 15, 0, NULL),
    FIELD("IbsTagToRetCtr", OP_DATA, 31, 16, NULL),
    FLAG("IbsOpBrnResync", OP_DATA, 32, has_brn_resync),
    FLAG("IbsOpMispReturn", OP_DATA, 33, has_misp_return),
    FLAG("IbsOpReturn", OP_DATA, 34, NULL),
    FLAG("IbsOpBrnTaken", OP_DATA, 35, NULL),
    FLAG("IbsOpBrnMisp", OP_DATA, 36, NULL),
    FLAG("IbsOpBrnRet", OP_DATA, 37, NULL),
    FLAG("IbsRipInvalid", OP_DATA, 38, has_rip_invalid),
    FLAG("IbsOpBrnFuse", OP_DATA, 39, has_brn_fuse),
    FLAG("IbsOpMicrocode", OP_DATA, 40, has_microcode),
    WORD("NbIbsReqSrc", source, is_before_zen),
    WORD("DataSrc", source, is_zen),
    WORD("NbIbsReqDstNode", node, has_old_node),
    WORD("NbIbsReqCacheHitSt", state, has_old_node),
    WORD("RmtNode", node, has_zen_node),
    WORD("CacheHitSt", state, has_zen_node),
    FLAG("IbsLdOp", OP_DATA3, 0, NULL),
    FLAG("IbsStOp", OP_DATA3, 1, NULL),
    FLAG("IbsDcL1tlbMiss", OP_DATA3, 2, NULL),
    FLAG("IbsDcL2TlbMiss", OP_DATA3, 3, NULL),
    FLAG("IbsDcL1TlbHit2M", OP_DATA3, 4, NULL),
    FLAG("IbsDcL1TlbHit1G", OP_DATA3, 5, NULL),
    FLAG("IbsDcL2tlbHit2M", OP_DATA3, 6, NULL),
    FLAG("IbsDcMiss", OP_DATA3, 7, NULL),
    FLAG("IbsDcMissAcc", OP_DATA3, 8, NULL),
    FLAG("IbsDcLdBnkCon", OP_DATA3, 9, has_ld_bnk_con),
    FLAG("IbsDcStBnkCon", OP_DATA3, 10, has_st_bnk_con),
    FLAG("IbsDcStToLdFwd", OP_DATA3, 11, has_st_to_ld_fwd),
    FLAG("IbsDcStToLdCan", OP_DATA3, 12, has_st_to_ld_can),
    FLAG("IbsDcWcMemAcc", OP_DATA3, 13, NULL),
    FLAG("IbsDcUcMemAcc", OP_DATA3, 14, NULL),
    FLAG("IbsDcLockedOp", OP_DATA3, 15, NULL),
    NUMBER("IbsDcMabHit", mab, has_mab_hit),
    NUMBER("DcMissNoMabAlloc", mab, has_no_mab),
    FLAG("IbsDcLinAddrValid", OP_DATA3, 17, NULL),
    FLAG("IbsDcPhyAddrValid", OP_DATA3, 18, NULL),
    FLAG("IbsDcL2tlbHit1G", OP_DATA3, 19, NULL),
    FLAG("IbsL2Miss", OP_DATA3, 20, has_l2_miss_and_width),
    FLAG("IbsSwPf", OP_DATA3, 21, has_l2_miss_and_width),
    WORD("IbsOpMemWidth", width, has_l2_miss_and_width),
    FIELD("IbsOpDcMissOpenMemReqs", OP_DATA3, 31, 26, has_l2_miss_and_width),
    FIELD("IbsDcMissLat", OP_DATA3, 47, 32, NULL),
    FIELD("IbstlbRefillLat", OP_DATA3, 63, 48, has_l2_miss_and_width),
    WORD("IbsDcLinAd", lin_addr, NULL),
    WORD("IbsDcPhysAd", phys_addr, NULL),
    WORD("IbsBrnTarget", target, has_brn_target),
    NUMBER("IbsOpLdResync", ld_resync, has_op_data4),
};

static const struct ibs_column fetch_columns[] = {
    NUMBER("TSC", time, NULL),
    NUMBER("CPU_Number", cpu, NULL),
    NUMBER("TID", tid, NULL),
    NUMBER("PID", pid, NULL),
    NUMBER("Kern_mode", kernel, NULL),
    FLAG("IbsPhyAddrValid", FETCH_CTL, 52, NULL),
    WORD("IbsFetchLinAd", fetch_lin_addr, NULL),
    WORD("IbsFetchPhysAd", fetch_phys_addr, NULL),
    NUMBER("IbsFetchMaxCnt[19:0]", fetch_max_cnt, NULL),
    FIELD("IbsFetchLat", FETCH_CTL, 47, 32, NULL),
    FLAG("IbsFetchComp", FETCH_CTL, 50, NULL),
    FLAG("IbsIcMiss", FETCH_CTL, 51, NULL),
    WORD("IbsL1TlbPgSz", page_size, NULL),
    FLAG("IbsL1TlbMiss", FETCH_CTL, 55, NULL),
    FLAG("IbsL2TlbMiss", FETCH_CTL, 56, NULL),
    FLAG("IbsFetchL2Miss", FETCH_CTL, 58, has_fetch_l2_miss),
    WORD("IbsItlbRefillLat", itlb_latency, has_fetch_ctl_extd),
};

struct ibs_columns ibs_columns_of(enum sample_kind kind, const struct ibs_layout *layout, bool ticks)
{
    const struct ibs_column *table = kind == SAMPLE_OP ? op_columns : fetch_columns;
    unsigned size = kind == SAMPLE_OP ? sizeof(op_columns) / sizeof(op_columns[0])
                                      : sizeof(fetch_columns) / sizeof(fetch_columns[0]);
    struct ibs_columns columns = {.layout = *layout, .ticks = ticks};

    for (unsigned i = 0; i < size; i++)
        if (!table[i].when || table[i].when(layout))
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
    return put_decimal(to, IBS_FIELD(sample->record.reg[column->reg], column->high, column->low));
}
