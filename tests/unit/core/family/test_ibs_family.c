/* SPDX-License-Identifier: BSD-2-Clause */
/* The families' rows, compared with a second statement of them: bits by number, a line for each range of models,
 * written from the sources that core/family/ibs_family.h names, not from the rows. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/family/ibs_family.h"
#include "core/family/ibs_regs.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* 'x' marks a bit that the family has, '-' a bit that it lacks. */
struct expected {
    uint8_t family, first, last;
    const char *data;    /* IbsOpData 32 33 38 39 40 */
    const char *data2;   /* IbsOpData2 4 5 6 7 8 9 */
    const char *data3;   /* IbsOpData3 5 9 10 11 12 16 19 20 21 31 63 */
    const char *fetch;   /* IbsFetchCtl 57 58 59 60 61 62 */
    const char *control; /* IbsOpCtl 16 20 26 51 52 58 59 63 */
    const char *sources; /* raw 0 to 15: - none, 3 L3, c cache, n near, f far cache, D DRAM, L long latency, x
                            extension, p peer, o other, . reserved */
    const char *nodes, *states, *pages;
    const char *pmc; /* count, version */
};

static const unsigned data_bits[] = {32, 33, 38, 39, 40}, data2_bits[] = {4, 5, 6, 7, 8, 9},
                      data3_bits[] = {5, 9, 10, 11, 12, 16, 19, 20, 21, 31, 63},
                      fetch_bits[] = {57, 58, 59, 60, 61, 62}, control_bits[] = {16, 20, 26, 51, 52, 58, 59, 63};

#define NB      "-.cD...o........"
#define NB_3    "-3cD...o........"
#define ZEN     "-.nDf..o........"
#define ZEN4    "-3cD.fLox...p..."
#define ANY     "-xxxxxxx--------"
#define NONE    "----------------"
#define DRAM    "---x------------"
#define CACHE   "--x-------------"
#define MEMORY  "---x--x-x-------"
#define CACHES4 "-xx--x----------"

static const struct expected expected[] = {
    {0x10, 0x00, 0xFF, "xx---", "xx----", "xxxxxxx----", "x-----", "---x----", NB_3, ANY, CACHE, "421-", "41"},
    {0x12, 0x00, 0xFF, "xxx--", "------", "xxxxxxx----", "x-----", "-xxxxx--", NB, NONE, NONE, "421-", "41"},
    {0x14, 0x00, 0xFF, "--x--", "------", "---x-x-----", "x-----", "-xxxxx--", NB, NONE, NONE, "421-", "41"},
    {0x15, 0x00, 0x0F, "xxx--", "xx----", "xx-xxxx----", "x-----", "-xxxxx--", NB_3, ANY, CACHE, "421-", "61"},
    {0x15, 0x10, 0x1F, "--x--", "xx----", "x----xx----", "x-----", "-xxxxx--", NB, ANY, CACHE, "421-", "61"},
    {0x15, 0x30, 0x3F, "--x--", "xx----", "x----xxxxxx", "x-----", "-xxxxx--", NB, ANY, CACHE, "421-", "61"},
    {0x15, 0x60, 0x7F, "--xxx", "xx----", "x----xxxxxx", "xx----", "-xxxxx--", NB, ANY, CACHE, "421-", "61"},
    {0x16, 0x00, 0xFF, "--x--", "------", "x--x-xxxxxx", "x-----", "-xxxxx--", NB, NONE, NONE, "421-", "41"},
    {0x17, 0x00, 0xFF, "--xxx", "xx----", "x----xxxxxx", "xx----", "-xxxxx--", ZEN, DRAM, CACHE, "421k", "61"},
    {0x18, 0x00, 0xFF, "--xxx", "xx----", "x----xxxxxx", "xx----", "-xxxxx--", ZEN, DRAM, CACHE, "421k", "61"},
    {0x19, 0x00, 0x0F, "--xxx", "x-----", "x----xxxxxx", "xx----", "-xxxxx--", ZEN, DRAM, NONE, "4k21", "61"},
    {0x19, 0x20, 0x5F, "--xxx", "x-----", "x----xxxxxx", "xx----", "-xxxxx--", ZEN, DRAM, NONE, "421k", "61"},
    {0x19, 0x10, 0x1F, "--xxx", "xxxx--", "x----xxxxxx", "xxxxx-", "xxxxxx--", ZEN4, MEMORY, CACHES4, "421k", "62"},
    {0x19, 0x60, 0xAF, "--xxx", "xxxx--", "x----xxxxxx", "xxxxx-", "xxxxxx--", ZEN4, MEMORY, CACHES4, "421k", "62"},
    {0x1A, 0x00, 0xFF, "--xxx", "xxxxxx", "x----xxxxxx", "xxxxx-", "xxxxxxxx", ZEN4, MEMORY, CACHES4, "421k", "62"},
};

static void bits(uint64_t mask, const unsigned *bit, size_t count, const char *want)
{
    char got[24] = "";

    for (size_t i = 0; i < count; i++)
        got[i] = mask >> bit[i] & 1 ? 'x' : '-';
    assert_string_equal(got, want);
}

static void sources(const struct ibs_family *row, const struct expected *want)
{
    static const char letters[IBS_SOURCES + 1] = ".-3cnfDLxpo";
    char got[17] = "", nodes[17] = "", states[17] = "";

    for (unsigned i = 0; i < 16; i++) {
        got[i] = letters[row->source[i]];
        nodes[i] = row->node_sources >> i & 1 ? 'x' : '-';
        states[i] = row->state_sources >> i & 1 ? 'x' : '-';
    }
    assert_string_equal(got, want->sources);
    assert_string_equal(nodes, want->nodes);
    assert_string_equal(states, want->states);
    for (unsigned i = 16; i < IBS_SOURCE_VALUES; i++)
        assert_int_equal(row->source[i], IBS_SOURCE_RESERVED);
}

TEST(rows_are_as_the_sources_say)
{
    for (size_t i = 0; i < LENGTH(expected); i++) {
        const struct expected *want = &expected[i];

        for (unsigned model = want->first; model <= want->last; model++) {
            const struct ibs_family *row = ibs_family_of(want->family, model);
            char pages[5] = "", pmc[16];

            assert_non_null(row);
            bits(row->op_data, data_bits, LENGTH(data_bits), want->data);
            bits(row->op_data2, data2_bits, LENGTH(data2_bits), want->data2);
            bits(row->op_data3, data3_bits, LENGTH(data3_bits), want->data3);
            bits(row->fetch_ctl, fetch_bits, LENGTH(fetch_bits), want->fetch);
            bits(row->op_ctl, control_bits, LENGTH(control_bits), want->control);
            sources(row, want);
            for (unsigned page = 0; page < 4; page++)
                pages[page] = "421-k"[row->page_size[page]];
            assert_string_equal(pages, want->pages);
            snprintf(pmc, sizeof(pmc), "%u%u", row->pmc.count, row->pmc.version);
            assert_string_equal(pmc, want->pmc);
            assert_int_equal(row->traits & IBS_TRAIT_MAB_HIT ? row->traits & IBS_TRAIT_NO_MAB_ALLOC : 0, 0);
            assert_true(row->traits & (IBS_TRAIT_MAB_HIT | IBS_TRAIT_NO_MAB_ALLOC));
            assert_int_equal(!(row->traits & IBS_TRAIT_NB_STATUS), want->family >= 0x17);
            assert_int_equal(!(row->traits & IBS_TRAIT_UC_FIRST), want->family < 0x17);
            assert_int_equal(!(row->traits & IBS_TRAIT_SILICON_KNOWN), want->family != 0x10);
            assert_int_equal(row->phys_bits, want->family == 0x10 ? 48 : 52);
            assert_int_equal(row->cur_cnt_bits, want->family == 0x10 ? 20 : 27);
            assert_int_equal(row->lvt, want->family == 0x10 ? IBS_LVT_OS : IBS_LVT_FIRMWARE);
            assert_int_equal(row->nodes, want->family < 0x17 ? IBS_NODES_NORTHBRIDGE : IBS_NODES_CPUID);
            assert_int_equal(row->caps_ignored, want->family == 0x10  ? 1u << 9 | 1u << 19
                                                : want->family < 0x17 ? 0
                                                                      : 1u << 10);
            assert_int_equal(row->pmc.ctl, row->pmc.count == 6 ? 0xC0010200 : 0xC0010000);
            assert_int_equal(row->pmc.ctr - row->pmc.ctl, row->pmc.count == 6 ? 1 : 4);
            assert_int_equal(row->pmc.stride, row->pmc.count == 6 ? 2 : 1);
            assert_int_equal(row->pmc.count_mask_max, row->pmc.count == 6 ? 0x7F : 3);
        }
    }
}

/* Family and models of each erratum. */
#define ZEN5_ERRATA (IBS_E_1606 | IBS_E_1569 | IBS_E_1583 | IBS_E_1587)
TEST(errata_are_where_the_sources_say)
{
    static const struct {
        uint32_t flag;
        uint8_t family, first, last;
    } errata[] = {
        {IBS_E_420, 0x10, 0, 0xFF},           {IBS_E_FETCH_LINAD, 0x10, 0, 0xFF}, {IBS_E_484, 0x14, 0, 0xFF},
        {IBS_E_717, 0x15, 0, 0x0F},           {IBS_E_718, 0x15, 0, 0x1F},         {IBS_E_719, 0x15, 0x10, 0x1F},
        {IBS_E_FETCH_REARM, 0x16, 0, 0xFF},   {IBS_E_FETCH_REARM, 0x17, 0, 0xFF}, {IBS_E_FETCH_REARM, 0x18, 0, 0xFF},
        {IBS_E_SPEC_LOCK_MAP, 0x17, 0, 0xFF}, {IBS_E_1197, 0x19, 0, 0x0F},        {IBS_E_1238, 0x19, 0, 0x0F},
        {IBS_E_1293, 0x19, 0, 0x0F},          {IBS_E_1347, 0x19, 0, 0x0F},        {IBS_E_HIT_STATE, 0x19, 0, 0x0F},
        {IBS_E_HIT_STATE, 0x19, 0x20, 0x5F},  {ZEN5_ERRATA, 0x1A, 0, 0x4F},       {ZEN5_ERRATA, 0x1A, 0x60, 0x7F},
        {ZEN5_ERRATA, 0x1A, 0xB0, 0xBF},      {ZEN5_ERRATA, 0x1A, 0xD0, 0xFF},    {IBS_E_721, 0x10, 0, 0xFF},
        {IBS_E_721, 0x12, 0, 0xFF},
    };

    for (unsigned family = 0x10; family <= 0x1A; family++) {
        for (unsigned model = 0; model < 0x100; model++) {
            const struct ibs_family *row = ibs_family_of(family, model);
            uint32_t want = 0;

            if (!row || (family == 0x15 && model >= 0x20 && model < 0x30))
                continue;
            for (size_t i = 0; i < LENGTH(errata); i++)
                if (errata[i].family == family && model >= errata[i].first && model <= errata[i].last)
                    want |= errata[i].flag;
            assert_int_equal(row->errata, want);
        }
    }
    for (unsigned i = 0; i < IBS_ERRATA; i++) {
        const struct ibs_erratum_text *text = &ibs_errata[i];

        assert_true(text->name[0] && text->effect[0] && text->action[0] && text->source[0]);
    }
}

/* Only Zen 6 has fetch status by physical address. */
TEST(zen_6_is_three_ranges)
{
    for (unsigned model = 0; model < 0x100; model++) {
        bool zen6 = (model >= 0x50 && model <= 0x5F) || (model >= 0x80 && model <= 0xAF) || (model >> 4) == 0xC;

        assert_int_equal(!(ibs_family_of(0x1A, model)->traits & IBS_TRAIT_FETCH_BY_PHYS), !zen6);
    }
}

/* The capabilities are those of Fn8000_001B EAX as Linux printed it on machines of the family; bit 8 of 15h models
 * 30h-3Fh and of 16h is the toolkit's ("KV+, BT+"). For Zen 6 they are what Linux says of 1Ah as a whole. */
TEST(capabilities_are_as_printed)
{
    static const struct {
        uint8_t family, first, last;
        uint32_t caps;
    } rows[] = {
        {0x10, 0x00, 0xFF, 0},      {0x12, 0x00, 0xFF, 0xFF},    {0x14, 0x00, 0xFF, 0xFF},   {0x15, 0x00, 0x1F, 0xFF},
        {0x15, 0x30, 0x3F, 0x1FF},  {0x15, 0x60, 0x7F, 0x7FF},   {0x16, 0x00, 0xFF, 0x1FF},  {0x17, 0x00, 0xFF, 0x3FF},
        {0x19, 0x00, 0x0F, 0x3FF},  {0x19, 0x20, 0x5F, 0x3FF},   {0x19, 0x10, 0x1F, 0xBFF},  {0x19, 0x60, 0xAF, 0xBFF},
        {0x1A, 0x00, 0x0F, 0x1BFF}, {0x1A, 0x44, 0x44, 0x81BFF}, {0x1A, 0x50, 0x5F, 0x1BFF},
    };

    for (size_t i = 0; i < LENGTH(rows); i++)
        for (unsigned model = rows[i].first; model <= rows[i].last; model++)
            assert_int_equal(ibs_family_of(rows[i].family, model)->caps_known, rows[i].caps);
}

TEST(unknown_ones_have_no_row)
{
    static const unsigned unknown[] = {0, 0x0F, 0x11, 0x13, 0x1B, 0x110};
    unsigned rows = 0;

    for (size_t i = 0; i < LENGTH(unknown); i++)
        assert_null(ibs_family_of(unknown[i], 0));
    for (const struct ibs_family *row; (row = ibs_family_row(rows)); rows++)
        assert_true(row->family >= 0x10 && row->model_first <= row->model_last && row->name && row->op_data);
    assert_int_equal(rows, 1 + 1 + 1 + 4 + 1 + 5 + 4 + 5);
    assert_null(ibs_family_row(rows + 1));
}

/* The event that counts interrupts taken is 0CFh (BKDG 31116 section 3.13) or, from Family 17h on, 02Ch (PPR,
 * PMCx02C). */
TEST(interrupts_are_counted_by_an_event)
{
    for (size_t i = 0; i < LENGTH(expected); i++) {
        struct ibs_machine machine = ibs_machine_of(expected[i].family, expected[i].first, 0x3F);
        unsigned want = expected[i].family == 0x10 ? 0x0CF : expected[i].family >= 0x17 ? 0x02C : 0;

        assert_int_equal(machine.row->interrupts, want);
    }
}

RUN_TESTS(NULL, NULL)
