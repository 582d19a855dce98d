/* SPDX-License-Identifier: BSD-2-Clause */
/* The fields that a processor's samples have, and when they are valid, by bit numbers and by the capability words that
 * machines printed. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/ibs/ibs_field.h"

#define B(n)          (1ull << (n))
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static bool has(const struct ibs_machine *machine, const char *name)
{
    for (unsigned i = 0; i < ibs_field_count; i++)
        if (strcmp(ibs_fields[i].name, name) == 0)
            return ibs_field_exists(&ibs_fields[i], machine);
    fail_msg("no field %s", name);
    return false;
}

/* The machines: family, model, capabilities as printed (Zen 6's are those that Linux uses). */
static const struct {
    unsigned family, model, caps;
} machines[] = {
    {0x10, 4, 0x1F},     {0x14, 1, 0xFF},  {0x15, 1, 0xFF},     {0x15, 0x30, 0xFF},    {0x15, 0x60, 0x7FF},
    {0x17, 0x71, 0x3FF}, {0x19, 1, 0x3FF}, {0x19, 0x61, 0xBFF}, {0x1A, 0x44, 0x81BFF}, {0x1A, 0x50, 0x9FBFF},
};

TEST(fields_by_family_and_capability)
{
    static const struct {
        const char *name, *there; /* a character for each machine, x: the machine has the field */
    } fields[] = {
        {"IbsOpBrnResync", "x-x-------"},  {"IbsOpMispReturn", "x-x-------"}, {"IbsRipInvalid", "-xxxxxxxxx"},
        {"IbsOpBrnFuse", "----xxxxxx"},    {"IbsOpMicrocode", "----xxxxxx"},  {"DataSrc", "xxxxxxxxxx"},
        {"DataSrcHigh", "-------xxx"},     {"RmtNode", "x-xxxxxxxx"},         {"CacheHitSt", "x-xxxx-xxx"},
        {"RmtSocket", "---------x"},       {"IbsDcL1TlbHit2M", "xxxxxxxx--"}, {"IbsDcL1TlbHit1G", "x-xxxxxx--"},
        {"IbsDcPageSize", "--------xx"},   {"IbsDcL2tlbHit2M", "xxxxxxxx--"}, {"IbsDcL2tlbHit1G", "x-xxxxxx--"},
        {"IbsDcLdBnkCon", "x-x-------"},   {"IbsDcStBnkCon", "x---------"},   {"IbsDcStToLdFwd", "xxx-------"},
        {"IbsDcStToLdCan", "x-x-------"},  {"IbsDcMabHit", "xxx-------"},     {"DcMissNoMabAlloc", "---xxxxxxx"},
        {"IbsL2Miss", "---xxxxxxx"},       {"IbsOpMemWidth", "---xxxxxxx"},   {"IbsTlbRefillLat", "---xxxxxxx"},
        {"IbsDcMissLat", "xxxxxxxxxx"},    {"IbsBrTarget", "-xxxxxxxxx"},     {"IbsItlbRefillLat", "----xxxxxx"},
        {"IbsFetchL2Miss", "----xxxxxx"},  {"IbsFetchOcMiss", "-------xxx"},  {"IbsFetchL3MissOnly", "-------xxx"},
        {"IbsOpMaxCntExt", "-xxxxxxxxx"},  {"IbsOpCurCntExt", "-xxxxxxxxx"},  {"IbsOpLdLatEn", "--------xx"},
        {"IbsOpL3MissOnly", "-------xxx"},
    };

    for (size_t i = 0; i < LENGTH(fields); i++) {
        char got[LENGTH(machines) + 1] = "";

        for (size_t m = 0; m < LENGTH(machines); m++) {
            struct ibs_machine machine = ibs_machine_of(machines[m].family, machines[m].model, machines[m].caps);

            got[m] = has(&machine, fields[i].name) ? 'x' : '-';
        }
        if (strcmp(got, fields[i].there) != 0)
            print_message("%s\n", fields[i].name);
        assert_string_equal(got, fields[i].there);
    }
}

TEST(unknown_processors_have_no_fields)
{
    struct ibs_machine unknown = ibs_machine_of(0x1B, 0, 0xFFFFFFFF), unsaid = ibs_machine_of(0, 0, 0);
    struct sample_record record = {.kind = SAMPLE_OP, .reg = {[IBS_OP_DATA3] = ~0ull}};
    uint64_t valid[IBS_RECORD_REGS];

    assert_null(unknown.row);
    for (unsigned i = 0; i < ibs_field_count; i++)
        assert_false(ibs_field_exists(&ibs_fields[i], &unknown));
    ibs_valid_bits(&unknown, &record, valid);
    for (unsigned reg = 0; reg < IBS_RECORD_REGS; reg++)
        assert_int_equal(valid[reg], 0);
    assert_int_equal(ibs_source_of(&unknown, 3), IBS_SOURCE_RESERVED);
    assert_ptr_equal(unsaid.row, ibs_family_of(0x10, 0));
    /* The family ignores this capability. */
    assert_int_equal(ibs_machine_of(0x17, 1, 0x7FF).caps, 0x3FF);
}

/* Each row has a sample, and a bit that is valid or not in that sample. */
TEST(validity_follows_the_sample)
{
    static const struct {
        unsigned machine, kind; /* index into machines */
        uint64_t control_or_data3;
        unsigned reg, bit;
        bool valid;
    } cases[] = {
        /* For uncacheable accesses DcMiss, L2Miss, the source and the latency are not valid from Zen on. */
        {5, SAMPLE_OP, B(0) | B(7), IBS_OP_DATA3, 7, true},
        {5, SAMPLE_OP, B(0) | B(7) | B(14), IBS_OP_DATA3, 7, false},
        {5, SAMPLE_OP, B(0) | B(7) | B(14), IBS_OP_DATA3, 20, false},
        {5, SAMPLE_OP, B(0) | B(7) | B(14), IBS_OP_DATA3, 47, false},
        {5, SAMPLE_OP, B(0) | B(7) | B(14), IBS_OP_DATA3, 48, true},
        {5, SAMPLE_OP, B(0) | B(7) | B(14), IBS_OP_DATA2, 0, false},
        {0, SAMPLE_OP, B(0) | B(7) | B(14), IBS_OP_DATA3, 7, true},
        {0, SAMPLE_OP, B(0) | B(7) | B(14), IBS_OP_DATA2, 0, true},
        /* Erratum 1293: some bits are not valid without a miss buffer, or for a software prefetch. */
        {6, SAMPLE_OP, B(16), IBS_OP_DATA3, 20, false},
        {6, SAMPLE_OP, B(21), IBS_OP_DATA3, 31, false},
        {6, SAMPLE_OP, B(21), IBS_OP_DATA2, 2, false},
        {6, SAMPLE_OP, B(0), IBS_OP_DATA3, 20, true},
        {5, SAMPLE_OP, B(16), IBS_OP_DATA3, 20, true},
        /* Erratum 484: the source is not valid for write-combining accesses. */
        {1, SAMPLE_OP, B(13), IBS_OP_DATA2, 0, false},
        {2, SAMPLE_OP, B(13), IBS_OP_DATA2, 0, true},
        /* Erratum 717: a MAB hit is valid only for a miss, and the branch target never. */
        {2, SAMPLE_OP, 0, IBS_OP_DATA3, 16, false},
        {2, SAMPLE_OP, B(7), IBS_OP_DATA3, 16, true},
        {0, SAMPLE_OP, 0, IBS_OP_DATA3, 16, true},
        /* Capability bit 19: TLB misses and page size are valid only with a physical address. */
        {8, SAMPLE_OP, 0, IBS_OP_DATA3, 2, false},
        {8, SAMPLE_OP, B(18), IBS_OP_DATA3, 2, true},
        {8, SAMPLE_OP, 0, IBS_OP_DATA3, 4, false},
        {7, SAMPLE_OP, 0, IBS_OP_DATA3, 2, true},
        /* On Zen 4 the refill latency is valid only with a physical address, and the physical address only with a
         * linear one. */
        {7, SAMPLE_OP, 0, IBS_OP_DATA3, 48, false},
        {7, SAMPLE_OP, B(18), IBS_OP_DATA3, 48, true},
        {5, SAMPLE_OP, 0, IBS_OP_DATA3, 48, true},
        {7, SAMPLE_OP, B(18), IBS_OP_DCPHYSAD, 0, false},
        {7, SAMPLE_OP, B(18) | B(17), IBS_OP_DCPHYSAD, 0, true},
        {5, SAMPLE_OP, B(18), IBS_OP_DCPHYSAD, 0, true},
        /* Fetches: erratum 1238; on Zen 6 the status is valid only with a physical address. */
        {6, SAMPLE_FETCH, B(52), IBS_FETCH_CTL, 51, false},
        {5, SAMPLE_FETCH, 0, IBS_FETCH_CTL, 51, true},
        {9, SAMPLE_FETCH, B(50), IBS_FETCH_CTL, 51, false},
        {9, SAMPLE_FETCH, B(50), IBS_FETCH_CTL, 50, true},
        {9, SAMPLE_FETCH, B(50), IBS_FETCH_CTL, 60, false},
        {9, SAMPLE_FETCH, B(50) | B(52), IBS_FETCH_CTL, 60, true},
        {9, SAMPLE_FETCH, B(50), IBS_FETCH_CTL, 32, false},
        {8, SAMPLE_FETCH, B(50), IBS_FETCH_CTL, 32, true},
        {9, SAMPLE_FETCH, B(50), IBS_FETCH_EXTD, 0, false},
        {9, SAMPLE_FETCH, B(50) | B(52), IBS_FETCH_EXTD, 0, true},
        {9, SAMPLE_FETCH, B(52), IBS_FETCH_EXTD, 0, false},
        {8, SAMPLE_FETCH, B(50), IBS_FETCH_EXTD, 0, true},
        {0, SAMPLE_FETCH, 0, IBS_FETCH_PHYSAD, 12, false},
        {0, SAMPLE_FETCH, B(52), IBS_FETCH_PHYSAD, 12, true},
        {5, SAMPLE_FETCH, 0, IBS_FETCH_EXTD, 0, false},
        {5, SAMPLE_FETCH, B(50), IBS_FETCH_EXTD, 0, true},
        {0, SAMPLE_FETCH, 0, IBS_FETCH_CTL, 53, false},
        {0, SAMPLE_FETCH, B(52), IBS_FETCH_CTL, 53, true},
    };

    for (size_t i = 0; i < LENGTH(cases); i++) {
        unsigned m = cases[i].machine;
        struct ibs_machine machine = ibs_machine_of(machines[m].family, machines[m].model, machines[m].caps);
        struct sample_record record = {.kind = cases[i].kind};
        uint64_t valid[IBS_RECORD_REGS];

        record.reg[cases[i].kind == SAMPLE_OP ? (int)IBS_OP_DATA3 : (int)IBS_FETCH_CTL] = cases[i].control_or_data3;
        ibs_valid_bits(&machine, &record, valid);
        if ((valid[cases[i].reg] >> cases[i].bit & 1) != cases[i].valid)
            print_message("case %zu\n", i);
        assert_int_equal(valid[cases[i].reg] >> cases[i].bit & 1, cases[i].valid);
    }
}

/* The addresses of an op with an invalid RIP, and the target of an op that is no branch, are not valid. */
TEST(addresses_of_ops)
{
    struct ibs_machine zen = ibs_machine_of(0x17, 0x71, 0x3FF), first = ibs_machine_of(0x10, 4, 0x1F);
    struct sample_record record = {.kind = SAMPLE_OP, .reg = {[IBS_OP_DATA] = B(38)}};
    uint64_t valid[IBS_RECORD_REGS];

    ibs_valid_bits(&zen, &record, valid);
    assert_int_equal(valid[IBS_OP_RIP], 0);
    assert_int_equal(valid[IBS_OP_BRTARGET], 0);
    ibs_valid_bits(&first, &record, valid);
    assert_int_equal(valid[IBS_OP_RIP], ~0ull); /* the bit is reserved on this processor, and ignored */
    record.reg[IBS_OP_DATA] = B(37);
    ibs_valid_bits(&zen, &record, valid);
    assert_int_equal(valid[IBS_OP_RIP], ~0ull);
    assert_int_equal(valid[IBS_OP_BRTARGET], ~0ull);
}

TEST(sources_and_pages_are_decoded)
{
    struct ibs_machine zen = ibs_machine_of(0x17, 1, 0x3FF), zen4 = ibs_machine_of(0x19, 0x61, 0xBFF),
                       milan = ibs_machine_of(0x19, 1, 0x3FF), first = ibs_machine_of(0x10, 4, 0x1F);

    assert_int_equal(ibs_source_of(&first, 1), IBS_SOURCE_L3);
    assert_int_equal(ibs_source_of(&first, 2 | B(6)), IBS_SOURCE_CACHE); /* 7:6 are reserved */
    assert_int_equal(ibs_source_of(&zen, 2), IBS_SOURCE_NEAR);
    assert_int_equal(ibs_source_of(&zen, 4), IBS_SOURCE_FAR_CACHE);
    assert_int_equal(ibs_source_of(&zen4, 2), IBS_SOURCE_CACHE);
    assert_int_equal(ibs_source_of(&zen4, B(6)), IBS_SOURCE_EXTENSION);
    assert_int_equal(ibs_source_of(&zen4, 4 | B(6)), IBS_SOURCE_PEER);
    assert_int_equal(ibs_source_of(&zen4, 6), IBS_SOURCE_LONG_LATENCY);
    assert_int_equal(ibs_raw_source(&zen4, 7 | B(6) | B(7)), 31);
    zen4 = ibs_machine_of(0x19, 0x61, 0x3FF); /* without the capability that came with the wide source */
    assert_int_equal(ibs_raw_source(&zen4, 7 | B(6) | B(7)), 7);
    milan.caps = 0xBFF; /* has the bit of CPUID, but not the register's */
    assert_int_equal(ibs_raw_source(&milan, 7 | B(6) | B(7)), 7);
    for (uint64_t raw = 0; raw < 4; raw++) {
        static const uint64_t of_milan[] = {0, 3, 1, 2};

        assert_int_equal(ibs_page_size_as_first(&first, raw << 53 | B(50)), raw << 53 | B(50));
        assert_int_equal(ibs_page_size_as_first(&milan, raw << 53 | B(50)), of_milan[raw] << 53 | B(50));
    }
}

TEST(sources_have_words)
{
    static const char *const words[IBS_SOURCES] = {"reserved",         "",          "L3",   "cache",
                                                   "near cache",       "far cache", "DRAM", "long latency",
                                                   "extension memory", "peer",      "other"};

    for (unsigned source = 0; source < IBS_SOURCES; source++)
        assert_string_equal(ibs_source_text((enum ibs_source)source), words[source]);
}

RUN_TESTS(NULL, NULL)
