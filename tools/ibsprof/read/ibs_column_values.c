/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/read/ibs_column_values.h"

#include <stddef.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata_read.h"

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

char *put_text(char *to, const char *text)
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

/* Returns whether the sample has a source: a load that missed the L2, or the L1 if L2 misses are not reported. For an
 * uncacheable access misses are invalid, and the source is valid only as I/O (Linux arch/x86/events/amd/ibs.c,
 * perf_ibs_get_mem_lvl). */
static bool has_source(const struct ibs_layout *layout, const struct perfdata_item *sample)
{
    enum { L2_MISS = 1 << 20 };
    uint64_t data3 = OP(sample, DATA3), valid[IBS_RECORD_REGS];
    const struct ibs_family *row = layout->machine.row;

    if (!ibs_ld_op(data3))
        return false;
    if (row->traits & IBS_TRAIT_UC_FIRST && ibs_dc_uc_mem_acc(data3))
        return ibs_source_of(&layout->machine, OP(sample, DATA2)) == IBS_SOURCE_OTHER &&
               !(row->errata & IBS_E_1293 && data3 & (IBS_DC_MAB_HIT | IBS_BIT(21)));
    if (!ibs_dc_miss(data3) || (layout->l2_miss_and_width && !(data3 & L2_MISS)))
        return false;
    ibs_valid_bits(&layout->machine, &sample->record, valid);
    return ibs_nb_req_src(valid[IBS_OP_DATA2]) != 0;
}

PUT(source)
{
    static const char *const names[IBS_SOURCES] = {
        [IBS_SOURCE_L3] = "local_L3",
        [IBS_SOURCE_CACHE] = "other_core_cache",
        [IBS_SOURCE_NEAR] = "local_node_cache",
        [IBS_SOURCE_FAR_CACHE] = "far_cache",
        [IBS_SOURCE_DRAM] = "DRAM",
        [IBS_SOURCE_LONG_LATENCY] = "long_latency",
        [IBS_SOURCE_EXTENSION] = "extension_memory",
        [IBS_SOURCE_PEER] = "peer_memory",
        [IBS_SOURCE_OTHER] = "Other",
    };
    uint64_t data2 = OP(sample, DATA2);
    const char *name = names[ibs_source_of(&layout->machine, data2)];

    if (!has_source(layout, sample) || ibs_raw_source(&layout->machine, data2) == 0)
        return put_text(to, "-");
    return name ? put_text(to, name) : put_decimal(put_text(to, "Reserved-"), ibs_raw_source(&layout->machine, data2));
}

/* Returns whether there is a raw source, and it is one of these. */
static bool is_from(const struct ibs_layout *layout, const struct perfdata_item *sample, uint32_t sources)
{
    return sources >> ibs_raw_source(&layout->machine, OP(sample, DATA2)) & 1 && has_source(layout, sample);
}
PUT(node)
{
    if (!is_from(layout, sample, layout->machine.row->node_sources))
        return put_text(to, "-");
    return put_text(to, ibs_nb_dst_proc(OP(sample, DATA2)) ? "other_node" : "same_node");
}
PUT(state)
{
    if (!is_from(layout, sample, layout->machine.row->state_sources))
        return put_text(to, "-");
    return put_text(to, ibs_nb_cache_hit_st(OP(sample, DATA2)) ? "O" : "M");
}
PUT(mab)
{
    uint64_t data3 = OP(sample, DATA3);
    bool erratum_717 = layout->machine.row->errata & IBS_E_717; /* wrong unless it is a miss */

    *to = ibs_dc_mab_hit(data3) && !(erratum_717 && !ibs_dc_miss(data3)) ? '1' : '0';
    return to + 1;
}
PUT(width)
{
    enum { WIDEST = 7 }; /* 64 bytes */
    uint64_t width = IBS_FIELD(OP(sample, DATA3), 25, 22);

    if (width > WIDEST)
        return put_decimal(put_text(to, "Reserved-"), width);
    return put_decimal(to, width ? 1u << (width - 1) : 0); /* bytes */
}
PUT(dc_page_size)
{
    static const char *const sizes[] = {"4 KB", "2 MB", "1 GB", "Reserved-3"};

    return put_text(to, sizes[IBS_FIELD(OP(sample, DATA3), 5, 4)]);
}

/* Writes an address within the family's width. Linux replaces addresses by 0 for users who may not know them. */
static char *put_physical(const struct ibs_layout *layout, uint64_t address, char *to)
{
    if (layout->later && address == 0)
        return put_text(to, "-");
    return put_hex(to, address & ((1ull << layout->machine.row->phys_bits) - 1));
}
PUT(phys_addr)
{
    return put_physical(layout, OP(sample, DCPHYSAD), to);
}

/* Returns a register that only caps announce; 0: the sample is too short for it. */
static uint64_t extra(const struct perfdata_item *sample, enum perfdata_extra which)
{
    int index = perfdata_extra_index((enum sample_kind)sample->record.kind, sample->caps, which);

    return index >= 0 && (uint32_t)index < sample->register_count ? sample->registers[index] : 0;
}
PUT(target)
{
    uint64_t target = extra(sample, PERFDATA_EXTRA_BRTARGET);

    return target ? put_hex(to, target) : put_text(to, "-"); /* 0: no branch, or taken out by Linux */
}
PUT(ld_resync)
{
    return put_decimal(to, extra(sample, PERFDATA_EXTRA_OPDATA4) & 1);
}

/* ---- fetches */

#define FETCH(sample, register) ((sample)->record.reg[IBS_FETCH_##register])

PUT(fetch_phys_addr)
{
    return put_physical(layout, FETCH(sample, PHYSAD), to);
}
PUT(fetch_max_cnt)
{
    return put_decimal(to, ibs_period(ibs_fetch_max_cnt(FETCH(sample, CTL))));
}
PUT(page_size)
{
    static const char *const sizes[] = {[IBS_PAGE_4K] = "4 KB",
                                        [IBS_PAGE_2M] = "2 MB",
                                        [IBS_PAGE_1G] = "1 GB",
                                        [IBS_PAGE_RESERVED] = "Reserved-3",
                                        [IBS_PAGE_16K] = "16 KB"};

    return put_text(to, sizes[layout->machine.row->page_size[ibs_fetch_pg_sz(FETCH(sample, CTL))]]);
}
PUT(itlb_latency)
{
    return put_decimal(to, extra(sample, PERFDATA_EXTRA_FETCHCTLEXTD) & 0xFFFF);
}
