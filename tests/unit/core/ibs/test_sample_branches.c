/* SPDX-License-Identifier: BSD-2-Clause */
/* Branch records: bits by number (Linux arch/x86/events/amd/lbr.c, struct branch_entry), and which records are left
 * out. */

#include "tests/unit/test.h"
#include "core/family/branch_regs.h"
#include "core/ibs/sample_branches.h"

TEST(bits)
{
    static const struct {
        uint64_t from, to;
        struct branch_record record;
    } rows[] = {
        {0x401000, 1ull << 63 | 0x402000, {0x401000, 0x402000, false, true, BRANCH_CERTAIN}},
        {1ull << 63 | 0x401000, 3ull << 62 | 0x402000, {0x401000, 0x402000, true, true, BRANCH_SPECULATIVE}},
        {0x401000, 1ull << 62 | 0x402000, {0x401000, 0x402000, false, true, BRANCH_WRONG_PATH}},
        /* The upper bits are not part of the address; the bits between are copies of bit 47. */
        {0x3Full << 57 | 0x401000,
         1ull << 63 | 1ull << 61 | 0x402000,
         {0x401000, 0x402000, false, true, BRANCH_CERTAIN}},
        {0xFFull << 47 | 0x1000,
         1ull << 63 | 1ull << 47,
         {~0ull << 47 | 0x1000, ~0ull << 47, false, true, BRANCH_CERTAIN}},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct sample_branches branches = {.entry[5] = {rows[i].from, rows[i].to}}; /* the others are empty */
        struct branch_record found[SAMPLE_BRANCHES_MAX];

        assert_int_equal(branches_decode(&branches, found), 1);
        assert_int_equal(found[0].from, rows[i].record.from);
        assert_int_equal(found[0].to, rows[i].record.to);
        assert_int_equal(found[0].mispredicted, rows[i].record.mispredicted);
        assert_int_equal(found[0].how, rows[i].record.how);
    }
}

TEST(sums)
{
    struct sample_branches branches = {.entry = {{1ull << 63 | 1, 3ull << 62},
                                                 {1ull << 63 | 2, 1ull << 62},
                                                 {1ull << 63 | 3, 0}, /* not recorded, whatever From holds */
                                                 {4, 1ull << 63},
                                                 {5, 3ull << 62}}};
    struct branch_record found[SAMPLE_BRANCHES_MAX];
    struct branch_sums total = {.mispredicted = 0};

    assert_int_equal(branches_decode(&branches, found), 4);
    assert_int_equal(found[2].from, 4);
    branches_add(&total, &branches, 5);
    branches_add(&total, &branches, 2);
    assert_int_equal(total.by_how[BRANCH_EMPTY], 1);
    assert_int_equal(total.by_how[BRANCH_WRONG_PATH], 2);
    assert_int_equal(total.by_how[BRANCH_CERTAIN], 1);
    assert_int_equal(total.by_how[BRANCH_SPECULATIVE], 3);
    assert_int_equal(total.mispredicted, 2);
    for (unsigned i = 0; i < SAMPLE_BRANCHES_MAX; i++)
        branches.entry[i].to = 1ull << 63;
    assert_int_equal(branches_decode(&branches, found), SAMPLE_BRANCHES_MAX);
}

/* On Zen 3 bits 63:61 of To are reserved; a record is valid if it has an address. */
TEST(marked)
{
    struct sample_branches branches = {.entry = {{0x401000, 5ull << 61 | 0x402000}, {0, 0x403000}, {0, 0}, {~0ull, 0}}};
    struct branch_record found[SAMPLE_BRANCHES_MAX];
    struct branch_sums total = {.mispredicted = 0};

    branches_mark_retired(&branches);
    assert_int_equal(branches_decode(&branches, found), 3);
    assert_int_equal(found[0].to, 0x402000);
    assert_int_equal(found[1].to, 0x403000);
    assert_int_equal(found[2].from, ~0ull);
    branches_add(&total, &branches, 16);
    assert_int_equal(total.by_how[BRANCH_CERTAIN], 3);
    assert_int_equal(total.by_how[BRANCH_EMPTY], 13);
    assert_int_equal(total.mispredicted, 0);
}

/* In Zen 3's C000_010F bit 5 says that there are records, and bits 19:16 which one is next. */
TEST(recorded)
{
    assert_int_equal(branch_sampling_recorded(0x38), 16);
    assert_int_equal(branch_sampling_recorded(1 << 16 | 0x3C), 1);
    assert_int_equal(branch_sampling_recorded(0x0FFF0000 | 0x3C), 15);
    assert_int_equal(branch_sampling_recorded(0x0FFF0000 | 0x1C), 0);
}

/* CPUID 8000_0022h: 6 counters, 16 records, 4 counters of the data fabric. */
TEST(capability)
{
    assert_int_equal(branch_records_of_cpuid(3, 0x4106), 16);
    assert_int_equal(branch_records_of_cpuid(2, 0xFFFFFFFF), 63);
    assert_int_equal(branch_records_of_cpuid(1, 0x4106), 0);
}

RUN_TESTS(NULL, NULL)
