/* SPDX-License-Identifier: BSD-2-Clause */
/* * Registers of other families than 10h: which fields exist, names of a load's source, and errata. Sources:
 * AMD_IBS_Toolkit tools/ibs_monitor/ibs_monitor.c (which fields), tools/ibs_decoder (text forms, errata 484 and 717),
 * Linux arch/x86/include/asm/amd/ibs.h (IBS_DATA_SRC_*, IBS_DATA_SRC_EXT_*) and arch/x86/events/amd/ibs.c
 * (perf_ibs_get_mem_lvl, erratum 1293). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/family/ibs_regs.h"
#include "tools/ibsprof/read/ibs_columns.h"
#include "tools/ibsprof/profile/profile.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Returns bits for the table below, in its order. */
static const char *flags_of(const struct ibs_layout *l)
{
    static char text[16];
    const bool flags[] = {l->brn_resync,        l->misp_return,  l->microcode,    l->node,
                          l->ld_bnk_con,        l->st_bnk_con,   l->st_to_ld_fwd, l->st_to_ld_can,
                          l->l2_miss_and_width, l->fetch_l2_miss};

    for (size_t i = 0; i < COUNT(flags); i++)
        text[i] = flags[i] ? '1' : '0';
    text[COUNT(flags)] = '\0';
    return text;
}

static void layouts(void **state)
{
    static const struct {
        uint32_t family, model;
        /* resync, mispredicted return, microcode, node and state; bank conflicts of loads, of stores; forwarded,
         * cancelled; L2 miss and width; L2 miss of fetches */
        const char *flags;
    } rows[] = {
        {0x10, 4, "1101111100"},    {0x12, 1, "1100111100"},    {0x14, 2, "0000001000"},    {0x15, 0x0, "1101101100"},
        {0x15, 0xf, "1101101100"},  {0x15, 0x10, "0001000000"}, {0x15, 0x2f, "0001000000"}, {0x15, 0x30, "0001000010"},
        {0x15, 0x5f, "0001000010"}, {0x15, 0x60, "0011000011"}, {0x15, 0x70, "0011000011"}, {0x16, 0, "0000001010"},
        {0x17, 1, "0011000011"},    {0x19, 0x21, "0011000011"}, {0x0f, 1, "0000000000"},    {0x11, 3, "0000000000"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ibs_layout layout = ibs_layout_of(rows[i].family, rows[i].model, 0);

        if (strcmp(flags_of(&layout), rows[i].flags) != 0)
            fail_msg("family %x model %x: %s, not %s", rows[i].family, rows[i].model, flags_of(&layout), rows[i].flags);
        assert_int_equal(layout.family, rows[i].family);
        assert_int_equal(layout.model, rows[i].model);
        assert_false(layout.brn_target || layout.op_cnt_ext || layout.rip_invalid || layout.brn_fuse ||
                     layout.op_data4 || layout.wide_source || layout.fetch_ctl_extd);
    }
    /* Each of these fields has a bit in caps. */
    assert_true(ibs_layout_of(0x17, 0, 1 << 5).brn_target && !ibs_layout_of(0x17, 0, ~(1u << 5)).brn_target);
    assert_true(ibs_layout_of(0x17, 0, 1 << 6).op_cnt_ext && !ibs_layout_of(0x17, 0, ~(1u << 6)).op_cnt_ext);
    assert_true(ibs_layout_of(0x17, 0, 1 << 7).rip_invalid && !ibs_layout_of(0x17, 0, ~(1u << 7)).rip_invalid);
    assert_true(ibs_layout_of(0x17, 0, 1 << 8).brn_fuse && !ibs_layout_of(0x17, 0, ~(1u << 8)).brn_fuse);
    assert_true(ibs_layout_of(0x17, 0, 1 << 9).fetch_ctl_extd && !ibs_layout_of(0x17, 0, ~(1u << 9)).fetch_ctl_extd);
    assert_true(ibs_layout_of(0x15, 0x60, 1 << 10).op_data4 && !ibs_layout_of(0x15, 0x60, ~(1u << 10)).op_data4);
    assert_true(ibs_layout_of(0x19, 0x61, 1 << 11).wide_source && !ibs_layout_of(0x19, 0x61, ~(1u << 11)).wide_source);
}

/* ---------------------------------------------------------------- columns */

enum { ALL_CAPS = 0xfff };

static const char *value(const struct ibs_layout *layout, const struct perfdata_item *sample, const char *name)
{
    static char text[IBS_VALUE_MAX + 1];
    struct ibs_columns columns = ibs_columns_of((enum sample_kind)sample->record.kind, layout, false);

    for (unsigned i = 0; i < columns.count; i++)
        if (strcmp(ibs_column_name(&columns, i), name) == 0) {
            *ibs_column_value(&columns, i, sample, text) = '\0';
            return text;
        }
    return "none";
}

static struct perfdata_item op(uint64_t data, uint64_t data2, uint64_t data3)
{
    struct perfdata_item sample = {.record.kind = SAMPLE_OP};

    sample.record.reg[IBS_OP_DATA] = data;
    sample.record.reg[IBS_OP_DATA2] = data2;
    sample.record.reg[IBS_OP_DATA3] = data3;
    return sample;
}

enum { LD = 1, ST = 2, MISS = 1 << 7, WC = 1 << 13, UC = 1 << 14, MAB = 1 << 16, L2_MISS = 1 << 20, SW_PF = 1 << 21 };

static void sources(void **state)
{
    static const struct {
        uint32_t family, model, caps;
        uint64_t data2, data3;
        const char *column, *source, *node, *hit;
    } rows[] = {
        /* Family 10h has three bits of source, the node, and the state of another cache's line. */
        {0x10, 4, 0, 0, LD | MISS, "NbIbsReqSrc", "-", "-", "-"},
        {0x10, 4, 0, 1, LD | MISS, "NbIbsReqSrc", "local_L3", "same_node", "-"},
        {0x10, 4, 0, 0x12, LD | MISS, "NbIbsReqSrc", "other_core_cache", "other_node", "M"},
        {0x10, 4, 0, 0x22, LD | MISS, "NbIbsReqSrc", "other_core_cache", "same_node", "O"},
        {0x10, 4, 0, 0x33, LD | MISS, "NbIbsReqSrc", "DRAM", "other_node", "-"},
        {0x10, 4, 0, 4, LD | MISS, "NbIbsReqSrc", "Reserved-4", "same_node", "-"},
        {0x10, 4, 0, 7, LD | MISS, "NbIbsReqSrc", "Other", "same_node", "-"},
        {0x10, 4, 0, 3, LD, "NbIbsReqSrc", "-", "-", "-"},
        {0x10, 4, 0, 3, ST | MISS, "NbIbsReqSrc", "-", "-", "-"},
        {0x10, 4, 0, 0xc3, LD | MISS, "NbIbsReqSrc", "DRAM", "same_node", "-"}, /* 7:6 are no part of the source */
        /* The L3's name is known for Family 10h and the first models of 15h. */
        {0x15, 0xf, 0, 1, LD | MISS, "NbIbsReqSrc", "local_L3", "same_node", "-"},
        {0x15, 0x10, 0, 1, LD | MISS, "NbIbsReqSrc", "Reserved-1", "same_node", "-"},
        {0x12, 1, 0, 1, LD | MISS, "NbIbsReqSrc", "Reserved-1", "none", "none"},
        /* An L2 miss is reported only where it exists; erratum 484 of Family 14h. */
        {0x15, 0x30, 0, 3, LD | MISS, "NbIbsReqSrc", "-", "-", "-"},
        {0x15, 0x30, 0, 3, LD | MISS | L2_MISS, "NbIbsReqSrc", "DRAM", "same_node", "-"},
        {0x14, 1, 0, 3, LD | MISS, "NbIbsReqSrc", "DRAM", "none", "none"},
        {0x14, 1, 0, 3, LD | MISS | WC, "NbIbsReqSrc", "-", "none", "none"},
        {0x10, 1, 0, 3, LD | MISS | WC, "NbIbsReqSrc", "DRAM", "same_node", "-"},
        /* Zen has other names of columns, the node for memory alone, and the state for caches. */
        {0x17, 1, 0, 0x12, LD | MISS | L2_MISS, "DataSrc", "local_node_cache", "-", "M"},
        {0x17, 1, 0, 0x13, LD | MISS | L2_MISS, "DataSrc", "DRAM", "other_node", "-"},
        {0x17, 1, 0, 4, LD | MISS | L2_MISS, "DataSrc", "far_cache", "-", "-"},
        {0x17, 1, 0, 1, LD | MISS | L2_MISS, "DataSrc", "Reserved-1", "-", "-"},
        /* An uncacheable access has I/O or no source, and its misses are not valid. */
        {0x17, 1, 0, 3, LD | MISS | L2_MISS | UC, "DataSrc", "-", "-", "-"},
        {0x17, 1, 0, 7, LD | UC, "DataSrc", "Other", "-", "-"},
        {0x10, 4, 0, 3, LD | MISS | UC, "NbIbsReqSrc", "DRAM", "same_node", "-"},
        /* Zen 3 has no valid state; by erratum 1293 the source is not valid on models up to 0Fh. */
        {0x19, 0x21, 0, 2, LD | MISS | L2_MISS, "DataSrc", "local_node_cache", "-", "none"},
        {0x19, 0x21, 0, 3, LD | MISS | L2_MISS | MAB, "DataSrc", "DRAM", "same_node", "none"},
        {0x19, 1, 0, 3, LD | MISS | L2_MISS, "DataSrc", "DRAM", "same_node", "none"},
        {0x19, 1, 0, 3, LD | MISS | L2_MISS | MAB, "DataSrc", "-", "-", "none"},
        {0x19, 1, 0, 3, LD | MISS | L2_MISS | SW_PF, "DataSrc", "-", "-", "none"},
        {0x19, 1, 0, 7, LD | UC | SW_PF, "DataSrc", "-", "-", "none"},
        /* From Zen 4 on the source has five bits. */
        {0x19, 0x61, ALL_CAPS, 1, LD | MISS | L2_MISS, "DataSrc", "local_L3", "-", "M"},
        {0x19, 0x61, ALL_CAPS, 0x22, LD | MISS | L2_MISS, "DataSrc", "other_core_cache", "-", "O"},
        {0x19, 0x61, ALL_CAPS, 3, LD | MISS | L2_MISS, "DataSrc", "DRAM", "same_node", "-"},
        {0x19, 0x61, ALL_CAPS, 4, LD | MISS | L2_MISS, "DataSrc", "Reserved-4", "-", "-"},
        {0x19, 0x61, ALL_CAPS, 5, LD | MISS | L2_MISS, "DataSrc", "far_cache", "-", "M"},
        {0x19, 0x61, ALL_CAPS, 0x16, LD | MISS | L2_MISS, "DataSrc", "long_latency", "other_node", "-"},
        {0x19, 0x61, ALL_CAPS, 7, LD | MISS | L2_MISS, "DataSrc", "Other", "-", "-"},
        {0x19, 0x61, ALL_CAPS, 0x40, LD | MISS | L2_MISS, "DataSrc", "extension_memory", "same_node", "-"},
        {0x19, 0x61, ALL_CAPS, 0x44, LD | MISS | L2_MISS, "DataSrc", "peer_memory", "-", "-"},
        {0x19, 0x61, ALL_CAPS, 0xc7, LD | MISS | L2_MISS, "DataSrc", "Reserved-31", "-", "-"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ibs_layout layout = ibs_layout_of(rows[i].family, rows[i].model, rows[i].caps);
        struct perfdata_item sample = op(0, rows[i].data2, rows[i].data3);
        bool zen = rows[i].family >= 0x17;

        assert_string_equal(value(&layout, &sample, rows[i].column), rows[i].source);
        assert_string_equal(value(&layout, &sample, zen ? "NbIbsReqSrc" : "DataSrc"), "none");
        assert_string_equal(value(&layout, &sample, zen ? "RmtNode" : "NbIbsReqDstNode"), rows[i].node);
        assert_string_equal(value(&layout, &sample, zen ? "CacheHitSt" : "NbIbsReqCacheHitSt"), rows[i].hit);
    }
}

/* Erratum 717 of Family 15h up to model 0Fh: a MAB hit is valid only for a miss. */
static void miss_address_buffer(void **state)
{
    static const struct {
        uint32_t family, model;
        uint64_t data3;
        const char *column, *value;
    } rows[] = {
        {0x10, 0, MAB, "IbsDcMabHit", "1"},         {0x10, 0, 0, "IbsDcMabHit", "0"},
        {0x15, 1, MAB, "IbsDcMabHit", "0"},         {0x15, 1, MAB | MISS, "IbsDcMabHit", "1"},
        {0x15, 0xf, MAB, "IbsDcMabHit", "0"},       {0x15, 0x1f, MAB, "IbsDcMabHit", "1"},
        {0x15, 0x30, MAB, "DcMissNoMabAlloc", "1"}, {0x17, 1, MAB, "DcMissNoMabAlloc", "1"},
        {0x14, 1, MAB, "IbsDcMabHit", "1"},         {0x12, 1, MAB, "IbsDcMabHit", "1"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ibs_layout layout = ibs_layout_of(rows[i].family, rows[i].model, 0);
        struct perfdata_item sample = op(0, 0, rows[i].data3);

        assert_string_equal(value(&layout, &sample, rows[i].column), rows[i].value);
        assert_string_equal(
            value(&layout, &sample, strcmp(rows[i].column, "IbsDcMabHit") == 0 ? "DcMissNoMabAlloc" : "IbsDcMabHit"),
            "none");
    }
}

static void widths_and_pages(void **state)
{
    static const char *const widths[] = {"-", "1", "2", "4", "8", "16", "32", "64", "Reserved-8"};
    static const char *const pages[] = {"4 KB", "2 MB", "1 GB", "Reserved-3"};
    struct ibs_layout zen = ibs_layout_of(0x17, 1, ALL_CAPS), old = ibs_layout_of(0x10, 4, 0);
    struct perfdata_item fetch = {.record.kind = SAMPLE_FETCH};

    for (uint64_t i = 0; i < COUNT(widths); i++) {
        struct perfdata_item sample = op(0, 0, i << 22);

        assert_string_equal(value(&zen, &sample, "IbsOpMemWidth"), widths[i]);
        assert_string_equal(value(&old, &sample, "IbsOpMemWidth"), "none");
    }
    for (uint64_t i = 0; i < COUNT(pages); i++) {
        fetch.record.reg[IBS_FETCH_CTL] = i << 53 | 1ull << 52;
        assert_string_equal(value(&old, &fetch, "IbsL1TlbPgSz"), pages[i]);
        assert_string_equal(value(&zen, &fetch, "IbsL1TlbPgSz"), i == 3 ? "16 KB" : pages[i]);
        fetch.record.reg[IBS_FETCH_CTL] = i << 53;
        assert_string_equal(value(&old, &fetch, "IbsL1TlbPgSz"), "-");
    }
}

/* Registers after those of all families follow caps. */
static void extra_registers(void **state)
{
    struct ibs_layout layout = ibs_layout_of(0x15, 0x60, ALL_CAPS);
    struct perfdata_item sample = op(1ull << 37, 0, 0), fetch = {.record.kind = SAMPLE_FETCH};

    sample.caps = fetch.caps = ALL_CAPS;
    sample.register_count = 9;
    sample.registers[7] = 0xabc;
    sample.registers[8] = 3;
    assert_string_equal(value(&layout, &sample, "IbsBrnTarget"), "0xabc");
    assert_string_equal(value(&layout, &sample, "IbsOpLdResync"), "1");
    sample.registers[8] = 2;
    assert_string_equal(value(&layout, &sample, "IbsOpLdResync"), "0");
    sample.register_count = 7; /* too short for these registers */
    assert_string_equal(value(&layout, &sample, "IbsBrnTarget"), "-");
    sample.register_count = 8;
    assert_string_equal(value(&layout, &sample, "IbsBrnTarget"), "0xabc");
    sample.record.reg[IBS_OP_DATA] = 0; /* the op is no branch */
    assert_string_equal(value(&layout, &sample, "IbsBrnTarget"), "-");
    sample.caps = 0;
    assert_string_equal(value(&layout, &sample, "IbsOpLdResync"), "0");
    fetch.register_count = 4;
    fetch.registers[3] = 0x5000a;
    fetch.record.reg[IBS_FETCH_CTL] = 1ull << 50;
    assert_string_equal(value(&layout, &fetch, "IbsItlbRefillLat"), "10");
    fetch.record.reg[IBS_FETCH_CTL] = 0;
    assert_string_equal(value(&layout, &fetch, "IbsItlbRefillLat"), "-");
}

/* Periods have 27 bits: 26:20 are the upper bits of the same number. */
static void long_periods(void **state)
{
    struct ibs_layout with = ibs_layout_of(0x17, 1, ALL_CAPS), without = ibs_layout_of(0x10, 1, 0);
    struct perfdata_item sample = op(0, 0, 0);

    sample.record.reg[IBS_OP_CTL] = 0x7f << 20 | 0x1234;
    assert_string_equal(value(&with, &sample, "IbsOpMaxCnt[26:0]"), "133243712"); /* 0x7f12340 */
    assert_string_equal(value(&with, &sample, "IbsOpMaxCnt[19:0]"), "none");
    assert_string_equal(value(&without, &sample, "IbsOpMaxCnt[19:0]"), "74560"); /* 0x12340 */
}

/* Each field belongs to one register: a bit set in it appears in its column, and in no other. */
static void every_field(void **state)
{
    static const struct {
        const char *name;
        uint8_t reg, high, low;
    } fields[] = {
        {"IbsCompToRetCtr", IBS_OP_DATA, 15, 0},
        {"IbsTagToRetCtr", IBS_OP_DATA, 31, 16},
        {"IbsOpReturn", IBS_OP_DATA, 34, 34},
        {"IbsOpBrnTaken", IBS_OP_DATA, 35, 35},
        {"IbsOpBrnMisp", IBS_OP_DATA, 36, 36},
        {"IbsOpBrnRet", IBS_OP_DATA, 37, 37},
        {"IbsRipInvalid", IBS_OP_DATA, 38, 38},
        {"IbsOpBrnFuse", IBS_OP_DATA, 39, 39},
        {"IbsOpMicrocode", IBS_OP_DATA, 40, 40},
        {"IbsLdOp", IBS_OP_DATA3, 0, 0},
        {"IbsStOp", IBS_OP_DATA3, 1, 1},
        {"IbsDcL1tlbMiss", IBS_OP_DATA3, 2, 2},
        {"IbsDcL2TlbMiss", IBS_OP_DATA3, 3, 3},
        {"IbsDcL1TlbHit2M", IBS_OP_DATA3, 4, 4},
        {"IbsDcL1TlbHit1G", IBS_OP_DATA3, 5, 5},
        {"IbsDcL2tlbHit2M", IBS_OP_DATA3, 6, 6},
        {"IbsDcMiss", IBS_OP_DATA3, 7, 7},
        {"IbsDcMissAcc", IBS_OP_DATA3, 8, 8},
        {"IbsDcWcMemAcc", IBS_OP_DATA3, 13, 13},
        {"IbsDcUcMemAcc", IBS_OP_DATA3, 14, 14},
        {"IbsDcLockedOp", IBS_OP_DATA3, 15, 15},
        {"IbsDcLinAddrValid", IBS_OP_DATA3, 17, 17},
        {"IbsDcPhyAddrValid", IBS_OP_DATA3, 18, 18},
        {"IbsDcL2tlbHit1G", IBS_OP_DATA3, 19, 19},
        {"IbsL2Miss", IBS_OP_DATA3, 20, 20},
        {"IbsSwPf", IBS_OP_DATA3, 21, 21},
        {"IbsOpDcMissOpenMemReqs", IBS_OP_DATA3, 31, 26},
        {"IbsDcMissLat", IBS_OP_DATA3, 47, 32},
        {"IbstlbRefillLat", IBS_OP_DATA3, 63, 48},
    };
    struct ibs_layout layout = ibs_layout_of(0x17, 1, ALL_CAPS);

    /* The op has all bits of a branch, because its flags are otherwise not shown. For an uncacheable access no field of
     * a miss is shown. */
    for (uint8_t reg = IBS_OP_DATA; reg <= IBS_OP_DATA3; reg++)
        for (unsigned bit = 0; bit < 64; bit++) {
            struct perfdata_item sample = op(IBS_OP_BRN_RET, 0, 0);
            bool uc = reg == IBS_OP_DATA3 && bit == 14;

            sample.record.reg[reg] |= 1ull << bit;
            for (size_t i = 0; i < COUNT(fields); i++) {
                bool in = fields[i].reg == reg && bit >= fields[i].low && bit <= fields[i].high;
                bool branch = fields[i].reg == IBS_OP_DATA && fields[i].low == 37;
                bool miss = fields[i].reg == IBS_OP_DATA3 && strstr("IbsDcMiss IbsL2Miss IbsDcMissLat", fields[i].name);
                char wanted[24];

                snprintf(wanted, sizeof(wanted), "%llu", in ? 1ull << (bit - fields[i].low) : branch);
                assert_string_equal(value(&layout, &sample, fields[i].name), uc && miss ? "-" : wanted);
            }
        }
    for (unsigned i = 0; i < 3; i++) {
        struct perfdata_item sample = op(~IBS_OP_BRN_RET, 0, 0);

        assert_string_equal(
            value(&layout, &sample, ((const char *[]){"IbsOpReturn", "IbsOpBrnTaken", "IbsOpBrnMisp"})[i]), "-");
    }
}

/* Fields of the latest families, and fields that the first family lacks, each with the bits that make them valid. */
static void later_fields(void **state)
{
    enum { PHYS = 1 << 18, LIN = 1 << 17 };
    struct ibs_layout zen6 = ibs_layout_of(0x1a, 0x50, 0x9fbff), zen5 = ibs_layout_of(0x1a, 0x44, 0x81bff),
                      zen4 = ibs_layout_of(0x19, 0x61, 0xbff), zen3 = ibs_layout_of(0x19, 1, 0x3ff),
                      unknown = ibs_layout_of(0x33, 1, 0x3ff);
    /* Erratum 717 affects only the first models of Family 15h. */
    bool bulldozer = ibs_layout_of(0x15, 1, 0xff).brn_target, piledriver = ibs_layout_of(0x15, 0x10, 0xff).brn_target;
    struct perfdata_item sample = op(0, 0x300, PHYS | 2 << 4 | 7ull << 48), fetch = {.record.kind = SAMPLE_FETCH};

    sample.record.reg[IBS_OP_CTL] = 1 << 16 | 5ull << 59;
    sample.record.reg[IBS_OP_DCPHYSAD] = 0xfff3000000001000;
    sample.record.reg[IBS_OP_RIP] = 0x1234;
    assert_false(bulldozer);
    assert_true(piledriver);
    assert_string_equal(value(&zen6, &sample, "StrmSt"), "1");
    assert_string_equal(value(&zen6, &sample, "RmtSocket"), "1");
    assert_string_equal(value(&zen5, &sample, "StrmSt"), "none");
    assert_string_equal(value(&zen5, &sample, "IbsOpL3MissOnly"), "1");
    assert_string_equal(value(&zen5, &sample, "IbsOpLdLatThrsh"), "5");
    assert_string_equal(value(&zen5, &sample, "IbsOpLdLatEn"), "0");
    assert_string_equal(value(&zen4, &sample, "IbsOpLdLatEn"), "none");
    assert_string_equal(value(&zen3, &sample, "IbsOpL3MissOnly"), "none");
    assert_string_equal(value(&zen5, &sample, "IbsDcPageSize"), "1 GB");
    assert_string_equal(value(&zen5, &sample, "IbsDcL1TlbHit1G"), "none");
    assert_string_equal(value(&zen4, &sample, "IbsDcPageSize"), "none");
    assert_string_equal(value(&zen5, &sample, "IbstlbRefillLat"), "7");
    assert_string_equal(value(&zen5, &sample, "IbsOpRip"), "0x1234");
    /* The physical address has 52 bits, and from Zen 4 on is valid only with a linear one. */
    assert_string_equal(value(&zen5, &sample, "IbsDcPhysAd"), "-");
    assert_string_equal(value(&zen3, &sample, "IbsDcPhysAd"), "0x3000000001000");
    sample.record.reg[IBS_OP_DATA3] |= LIN;
    assert_string_equal(value(&zen5, &sample, "IbsDcPhysAd"), "0x3000000001000");
    sample.record.reg[IBS_OP_DCPHYSAD] = 0; /* removed */
    assert_string_equal(value(&zen5, &sample, "IbsDcPhysAd"), "-");
    sample.record.reg[IBS_OP_DATA3] &= ~(uint64_t)PHYS;
    assert_string_equal(value(&zen5, &sample, "IbsDcPageSize"), "-");
    assert_string_equal(value(&zen5, &sample, "IbsDcL1tlbMiss"), "-");
    assert_string_equal(value(&zen5, &sample, "IbstlbRefillLat"), "-");
    assert_string_equal(value(&zen3, &sample, "IbstlbRefillLat"), "7");
    sample.record.reg[IBS_OP_DATA] = IBS_OP_RIP_INVALID;
    assert_string_equal(value(&zen5, &sample, "IbsOpRip"), "-");

    fetch.record.reg[IBS_FETCH_CTL] = 7ull << 59 | 1ull << 58 | 1ull << 51 | 0x12ull << 32;
    fetch.record.reg[IBS_FETCH_LINAD] = 0x5678;
    assert_string_equal(value(&zen4, &fetch, "IbsFetchL3MissOnly"), "1");
    assert_string_equal(value(&zen4, &fetch, "IbsFetchOcMiss"), "1");
    assert_string_equal(value(&zen4, &fetch, "IbsFetchL3Miss"), "1");
    assert_string_equal(value(&zen4, &fetch, "IbsFetchL2Miss"), "-"); /* not complete */
    assert_string_equal(value(&zen4, &fetch, "IbsIcMiss"), "1");
    assert_string_equal(value(&zen3, &fetch, "IbsIcMiss"), "none"); /* erratum 1238 */
    assert_string_equal(value(&zen3, &fetch, "IbsFetchOcMiss"), "none");
    /* On Zen 6 everything needs a physical address. */
    assert_string_equal(value(&zen6, &fetch, "IbsIcMiss"), "-");
    assert_string_equal(value(&zen6, &fetch, "IbsFetchLat"), "-");
    assert_string_equal(value(&zen6, &fetch, "IbsFetchL3MissOnly"), "1");
    fetch.record.reg[IBS_FETCH_CTL] |= 1ull << 52 | 1ull << 50 | 1ull << 53;
    assert_string_equal(value(&zen6, &fetch, "IbsIcMiss"), "1");
    assert_string_equal(value(&zen6, &fetch, "IbsFetchLat"), "18");
    assert_string_equal(value(&zen6, &fetch, "IbsFetchL2Miss"), "1");
    /* Erratum 1347 changes page sizes. By erratum 1197 a fetch at 0 is lost. */
    assert_string_equal(value(&zen6, &fetch, "IbsL1TlbPgSz"), "2 MB");
    assert_string_equal(value(&zen3, &fetch, "IbsL1TlbPgSz"), "16 KB");
    assert_string_equal(value(&zen3, &fetch, "IbsFetchLat"), "18");
    fetch.record.reg[IBS_FETCH_LINAD] = 0;
    assert_string_equal(value(&zen3, &fetch, "IbsFetchLat"), "-");
    assert_string_equal(value(&zen3, &fetch, "IbsFetchLinAd"), "-");
    assert_string_equal(value(&zen6, &fetch, "IbsFetchLinAd"), "0x0");

    /* A family without a row has only registers. */
    assert_string_equal(value(&unknown, &sample, "IbsOpData2"), "0x300");
    assert_string_equal(value(&unknown, &sample, "DataSrc"), "none");
    assert_string_equal(value(&unknown, &fetch, "IbsFetchLinAd"), "0x0");
    assert_string_equal(value(&unknown, &fetch, "IbsIcMiss"), "none");
}

static void numbers(void **state)
{
    static const struct {
        uint64_t value;
        const char *decimal, *hex;
    } rows[] = {{0, "0", "0x0"},
                {9, "9", "0x9"},
                {10, "10", "0xa"},
                {16, "16", "0x10"},
                {0x100000000, "4294967296", "0x100000000"},
                {UINT64_MAX, "18446744073709551615", "0xffffffffffffffff"}};
    static const struct {
        uint32_t value;
        const char *text;
    } ids[] = {{0, "0"}, {0x7fffffff, "2147483647"}, {0x80000000, "-2147483648"}, {UINT32_MAX, "-1"}};
    struct ibs_layout layout = ibs_layout_of(0x10, 4, 0);
    char text[40];

    for (size_t i = 0; i < COUNT(rows); i++) {
        *put_decimal(text, rows[i].value) = '\0';
        assert_string_equal(text, rows[i].decimal);
        *put_hex(text, rows[i].value) = '\0';
        assert_string_equal(text, rows[i].hex);
    }
    for (size_t i = 0; i < COUNT(ids); i++) {
        struct perfdata_item sample = op(0, 0, 0);

        sample.cpu = sample.tid = sample.pid = ids[i].value;
        assert_string_equal(value(&layout, &sample, "CPU_Number"), ids[i].text);
        assert_string_equal(value(&layout, &sample, "TID"), ids[i].text);
        assert_string_equal(value(&layout, &sample, "PID"), ids[i].text);
    }
}

/* Columns that are numbers have no quotes in JSON. */
static void kinds_of_columns(void **state)
{
    static const char *const words[] = {"IbsOpRip",      "DataSrc",        "RmtNode",      "CacheHitSt",
                                        "IbsOpMemWidth", "IbsDcLinAd",     "IbsDcPhysAd",  "IbsBrnTarget",
                                        "IbsFetchLinAd", "IbsFetchPhysAd", "IbsL1TlbPgSz", "IbsItlbRefillLat"};
    struct ibs_layout layout = ibs_layout_of(0x17, 1, ALL_CAPS);

    for (int kind = SAMPLE_FETCH; kind <= SAMPLE_OP; kind++) {
        struct ibs_columns columns = ibs_columns_of((enum sample_kind)kind, &layout, true);

        for (unsigned i = 0; i < columns.count; i++) {
            bool word = false;

            for (size_t k = 0; k < COUNT(words); k++)
                word |= strcmp(ibs_column_name(&columns, i), words[k]) == 0;
            assert_int_equal(ibs_column_is_number(&columns, i), !word);
        }
        assert_string_equal(ibs_column_name(&columns, 0), "TSC");
        columns = ibs_columns_of((enum sample_kind)kind, &layout, false);
        assert_string_equal(ibs_column_name(&columns, 0), "Time_ns");
    }
}

/* ---------------------------------------------------------------- where data came from */

static void data_sources(void **state)
{
    static const struct {
        uint32_t family, model, caps;
        uint64_t data2, data3;
        enum data_source wanted;
    } rows[] = {
        {0x10, 4, 0, 3, LD, SOURCE_L1},
        {0x10, 4, 0, 0, MISS, SOURCE_L2},
        {0x10, 4, 0, 1, MISS, SOURCE_L3},
        {0x10, 4, 0, 0x11, MISS, SOURCE_REMOTE_CACHE},
        {0x10, 4, 0, 2, MISS, SOURCE_CACHE},
        {0x10, 4, 0, 0x12, MISS, SOURCE_REMOTE_CACHE},
        {0x10, 4, 0, 3, MISS, SOURCE_DRAM},
        {0x10, 4, 0, 0x13, MISS, SOURCE_REMOTE_DRAM},
        {0x10, 4, 0, 7, MISS, SOURCE_OTHER},
        {0x10, 4, 0, 5, MISS, SOURCE_OTHER},
        {0, 0, 0, 3, MISS, SOURCE_DRAM}, /* a file that does not name its family counts as Family 10h's */
        /* Up to Family 16h the northbridge's answer counts; from 15h models 30h on, and on 16h, the L2 miss is
         * reported. */
        {0x12, 1, 0, 0, MISS, SOURCE_L2},
        {0x12, 1, 0, 1, MISS, SOURCE_UNKNOWN},
        {0x12, 1, 0, 0x13, MISS, SOURCE_DRAM}, /* the node is not valid */
        {0x14, 1, 0, 3, MISS, SOURCE_DRAM},
        {0x14, 1, 0, 3, MISS | WC, SOURCE_UNKNOWN}, /* erratum 484 */
        {0x15, 1, 0, 1, MISS, SOURCE_L3},
        {0x15, 1, 0, 0x13, MISS, SOURCE_REMOTE_DRAM},
        {0x15, 0x10, 0, 1, MISS, SOURCE_UNKNOWN},
        {0x15, 0x30, 0, 3, MISS, SOURCE_L2},
        {0x15, 0x30, 0, 3, MISS | L2_MISS, SOURCE_DRAM},
        {0x16, 1, 0, 3, LD, SOURCE_L1},
        {0x16, 1, 0, 2, MISS | L2_MISS, SOURCE_CACHE},
        {0x16, 1, 0, 3, MISS | UC, SOURCE_L2},
        /* Zen to Zen 3 */
        {0x17, 1, 0, 3, MISS, SOURCE_L2},
        {0x17, 1, 0, 1, MISS | L2_MISS, SOURCE_UNKNOWN},
        {0x17, 1, 0, 2, MISS | L2_MISS, SOURCE_NEAR},
        {0x17, 1, 0, 3, MISS | L2_MISS, SOURCE_DRAM},
        {0x17, 1, 0, 0x13, MISS | L2_MISS, SOURCE_REMOTE_DRAM},
        {0x17, 1, 0, 4, MISS | L2_MISS, SOURCE_REMOTE_CACHE},
        {0x17, 1, 0, 7, MISS | L2_MISS, SOURCE_OTHER},
        {0x17, 1, 0, 0, MISS | L2_MISS, SOURCE_UNKNOWN},
        /* For an uncacheable access only I/O is valid. */
        {0x17, 1, 0, 3, LD | UC, SOURCE_UNCACHED},
        {0x17, 1, 0, 3, MISS | UC, SOURCE_UNCACHED},
        {0x17, 1, 0, 7, MISS | L2_MISS | UC, SOURCE_OTHER},
        {0x1A, 1, ALL_CAPS, 0x47, MISS | L2_MISS | UC, SOURCE_UNCACHED}, /* 15: reserved */
        /* By erratum 1293 of Family 19h, models 0 to 0Fh, without a MAB, or for a software prefetch, neither the L2
         * miss nor the source is valid. */
        {0x19, 0xf, 0, 3, MISS | MAB, SOURCE_UNKNOWN},
        {0x19, 0xf, 0, 3, MISS | SW_PF, SOURCE_UNKNOWN},
        {0x19, 0xf, 0, 3, MISS, SOURCE_L2},
        {0x19, 0x10, 0, 3, MISS | MAB, SOURCE_L2},
        {0x17, 0xf, 0, 3, MISS | MAB, SOURCE_L2},
        /* Zen 4: five bits */
        {0x19, 0x11, ALL_CAPS, 1, MISS | L2_MISS, SOURCE_L3},
        {0x19, 0x11, ALL_CAPS, 2, MISS | L2_MISS, SOURCE_CACHE},
        {0x19, 0x11, ALL_CAPS, 3, MISS | L2_MISS, SOURCE_DRAM},
        {0x19, 0x11, ALL_CAPS, 0x13, MISS | L2_MISS, SOURCE_REMOTE_DRAM},
        {0x19, 0x11, ALL_CAPS, 5, MISS | L2_MISS, SOURCE_REMOTE_CACHE},
        {0x19, 0x11, ALL_CAPS, 6, MISS | L2_MISS, SOURCE_LONG_LATENCY},
        {0x19, 0x11, ALL_CAPS, 7, MISS | L2_MISS, SOURCE_OTHER},
        {0x19, 0x11, ALL_CAPS, 0x40, MISS | L2_MISS, SOURCE_EXTENSION},
        {0x19, 0x11, ALL_CAPS, 0x44, MISS | L2_MISS, SOURCE_PEER},
        {0x19, 0x11, ALL_CAPS, 0x41, MISS | L2_MISS, SOURCE_UNKNOWN},
        {0x19, 0x11, ALL_CAPS, 0x81, MISS | L2_MISS, SOURCE_UNKNOWN},
        {0x1B, 0, ALL_CAPS, 3, MISS | L2_MISS, SOURCE_UNKNOWN}, /* a family without a row */
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ibs_machine machine = ibs_machine_of(rows[i].family, rows[i].model, rows[i].caps);
        struct data_sources sources = data_sources_of(&machine);
        enum data_source got = data_source_by(&sources, rows[i].data2, rows[i].data3);

        if (got != rows[i].wanted)
            fail_msg("row %zu: %s", i, data_source_name(got));
        assert_int_equal(sources.count,
                         machine.row && machine.row->traits & IBS_TRAIT_UC_FIRST ? SOURCES : SOURCES_FIRST);
    }
    assert_string_equal(data_source_name(SOURCE_UNKNOWN), "not decoded for this processor");
    assert_string_equal(data_source_name(SOURCES), "?");
}

/* ---------------------------------------------------------------- bins of latencies */

static void bins(void **state)
{
    uint64_t counts[LATENCY_BINS] = {0};

    /* There is a bin for each cycle up to 1023; then 64 per octave, of 16, 32, ... cycles. */
    for (uint32_t i = 0; i < LATENCY_SINGLES; i++) {
        assert_int_equal(latency_bin(i), i);
        assert_int_equal(latency_bin_low(i), i);
    }
    for (uint32_t i = LATENCY_SINGLES; i < LATENCY_BINS; i++) {
        uint32_t octave = (i - LATENCY_SINGLES) / 64, at = (i - LATENCY_SINGLES) % 64,
                 low = (1024 << octave) + at * (16 << octave);

        assert_int_equal(latency_bin_low(i), low);
        assert_int_equal(latency_bin(low), i);
        assert_int_equal(latency_bin(low + (16 << octave) - 1), i);
    }
    assert_int_equal(latency_bin(65535), LATENCY_BINS - 1);
    assert_int_equal(latency_bin(70000), LATENCY_BINS - 1);
    /* Quantiles: of nothing; of values; within a bin in proportion, from its lowest to its highest value. */
    assert_int_equal(latency_quantile(counts, 0.5), 0);
    counts[10] = 3;
    counts[20] = 1;
    assert_int_equal(latency_quantile(counts, 0.75), 10);
    assert_int_equal(latency_quantile(counts, 0.76), 20);
    assert_int_equal(latency_quantile(counts, 1), 20);
    assert_int_equal(latency_quantile(counts, 0), 10);
    counts[latency_bin(2048)] = 8; /* 2048 to 2079 */
    assert_int_equal(latency_quantile(counts, 4 / 12.0), 20);
    assert_int_equal(latency_quantile(counts, 8 / 12.0), 2064); /* 2048 + 31 / 2, rounded */
    assert_int_equal(latency_quantile(counts, 1), 2079);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts),          cmocka_unit_test(sources),         cmocka_unit_test(miss_address_buffer),
        cmocka_unit_test(widths_and_pages), cmocka_unit_test(extra_registers), cmocka_unit_test(later_fields),
        cmocka_unit_test(long_periods),     cmocka_unit_test(every_field),     cmocka_unit_test(numbers),
        cmocka_unit_test(kinds_of_columns), cmocka_unit_test(data_sources),    cmocka_unit_test(bins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
