/* SPDX-License-Identifier: BSD-2-Clause */
/* TLBs: capacities, levels, page sizes, the page directory cache, and when page tables are read. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/stream.h"

static struct machine machine;
static struct translation result;

static int setup(void **state)
{
    machine_init(&machine, VPMU_REV_C, &paper_map, 1);
    return 0;
}

static int teardown(void **state)
{
    machine_free(&machine);
    return 0;
}

static unsigned data_level(uint64_t linear)
{
    static const uint8_t shifts[PAGE_SIZES] = {12, 21, 30};
    struct vpmu *vpmu = machine.vpmu;

    memset(&result, 0xA5, sizeof(result)); /* every field must be filled in */
    if (!tlbs_find_recent(&vpmu->tlbs, linear)) {
        tlbs_data_missed(&vpmu->tlbs, &vpmu->caches, &vpmu->config, linear, &result);
        return result.level;
    }
    result = (struct translation){.level = TLB_L1, .shift = shifts[vpmu->tlbs.recent.size]};
    (void)tlbs_recent(&vpmu->tlbs, linear, &result.physical);
    return TLB_L1;
}

static unsigned code_level(uint64_t linear)
{
    struct vpmu *vpmu = machine.vpmu;

    memset(&result, 0xA5, sizeof(result));
    tlbs_fetch(&vpmu->tlbs, &vpmu->caches, &vpmu->config, linear, &result);
    return result.level;
}

/* Touches pages 0..count-1 of the given size, and returns the level at which page 0 is then found. */
static unsigned after(unsigned (*level)(uint64_t), unsigned shift, unsigned count)
{
    for (uint64_t page = 0; page < count; page++)
        level(page << shift);
    return level(0);
}

TEST_WITH(test_data_capacity, setup, teardown)
{
    static const struct {
        unsigned shift, pages, level;
    } rows[] = {
        {12, 48, TLB_L1}, {12, 49, TLB_L2},   {12, 512, TLB_L2}, {12, 513, TLB_WALK},
        {21, 48, TLB_L1}, {21, 49, TLB_L2},   {21, 128, TLB_L2}, {21, 129, TLB_WALK},
        {30, 48, TLB_L1}, {30, 49, TLB_WALK}, /* 16 entries after 48 */
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        space_init(&machine.space, rows[i].shift, FRAMES_CONTIGUOUS);
        vpmu_flush_tlb(machine.vpmu);
        assert_int_equal(after(data_level, rows[i].shift, rows[i].pages), rows[i].level);
    }
}

TEST_WITH(test_least_recently_used_leaves, setup, teardown)
{
    for (uint64_t page = 0; page < 48; page++)
        data_level(page << 12);
    assert_int_equal(data_level(0), TLB_L1); /* used again, so page 1 is the oldest now */
    data_level(100 << 12);
    assert_int_equal(data_level(0), TLB_L1);
    assert_int_equal(data_level(1 << 12), TLB_L2);
    assert_int_equal(data_level(1 << 12), TLB_L1); /* a page that hits in the L2 moves up */
}

/* Pages of one set of a second-level TLB. Between two of them the first level is filled with pages of other sets, which
 * have room for these pages, so that the second level is looked up. */
struct second_level {
    unsigned (*level)(uint64_t);
    unsigned shift, sets, ways;
    unsigned first_level; /* entries */
};

static void leave_the_first_level(const struct second_level *tlb)
{
    for (uint64_t page = 1; page <= tlb->first_level; page++)
        tlb->level(page << tlb->shift);
}

static unsigned of_one_set(const struct second_level *tlb, uint64_t n)
{
    unsigned level = tlb->level((n * tlb->sets) << tlb->shift);

    leave_the_first_level(tlb);
    return level;
}

TEST_WITH(test_second_level_least_recently_used_leaves, setup, teardown)
{
    static const struct second_level rows[] = {
        {data_level, 12, 128, 4, 48}, {data_level, 21, 64, 2, 48}, {code_level, 12, 128, 4, 32}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct second_level *tlb = &rows[i];

        space_init(&machine.space, tlb->shift, FRAMES_CONTIGUOUS);
        vpmu_flush_tlb(machine.vpmu);
        leave_the_first_level(tlb);
        for (uint64_t n = 0; n < tlb->ways; n++)
            assert_int_equal(of_one_set(tlb, n), TLB_WALK);
        assert_int_equal(of_one_set(tlb, 0), TLB_L2); /* used again, so number 1 is the oldest now */
        assert_int_equal(of_one_set(tlb, tlb->ways), TLB_WALK);
        assert_int_equal(of_one_set(tlb, 0), TLB_L2);
        assert_int_equal(of_one_set(tlb, 1), TLB_WALK);
    }
}

/* By docs/model.md a hit in the second level takes 3 cycles, and one in the first level none. */
TEST_WITH(test_cost_of_hits, setup, teardown)
{
    static const struct {
        unsigned (*level)(uint64_t);
        unsigned shift, first_level;
    } rows[] = {{data_level, 12, 48}, {data_level, 21, 48}, {code_level, 12, 32}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        space_init(&machine.space, rows[i].shift, FRAMES_CONTIGUOUS);
        vpmu_flush_tlb(machine.vpmu);
        assert_int_equal(after(rows[i].level, rows[i].shift, rows[i].first_level + 1), TLB_L2);
        assert_int_equal(result.cycles, 3);
        assert_int_equal(result.shift, rows[i].shift);
        assert_int_equal(rows[i].level(0), TLB_L1);
        assert_int_equal(result.cycles, 0);
        assert_int_equal(result.shift, rows[i].shift);
    }
}

/* The ITLB has no entries of 1 GB: it holds such a page in pieces of 2 MB, up to 16. */
TEST_WITH(test_code_of_one_gigabyte_pages, setup, teardown)
{
    space_init(&machine.space, 30, FRAMES_CONTIGUOUS);
    assert_int_equal(code_level(0), TLB_WALK);
    assert_int_equal(result.shift, 21);
    assert_int_equal(code_level(0x1FF000), TLB_L1);
    assert_int_equal(result.shift, 21);
    assert_int_equal(code_level(0x200000), TLB_WALK);
    assert_int_equal(result.physical, 0x200000);
    vpmu_flush_tlb(machine.vpmu);
    assert_int_equal(after(code_level, 21, 16), TLB_L1);
    vpmu_flush_tlb(machine.vpmu);
    assert_int_equal(after(code_level, 21, 17), TLB_WALK);
}

TEST_WITH(test_code_capacity, setup, teardown)
{
    static const struct {
        unsigned shift, pages, level;
    } rows[] = {
        {12, 32, TLB_L1},    {12, 33, TLB_L2}, {12, 512, TLB_L2},
        {12, 513, TLB_WALK}, {21, 16, TLB_L1}, {21, 17, TLB_WALK},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        space_init(&machine.space, rows[i].shift, FRAMES_CONTIGUOUS);
        vpmu_flush_tlb(machine.vpmu);
        assert_int_equal(after(code_level, rows[i].shift, rows[i].pages), rows[i].level);
    }
}

TEST_WITH(test_one_gigabyte_pages_by_revision, setup, teardown)
{
    space_init(&machine.space, 30, FRAMES_CONTIGUOUS);
    after(data_level, 30, 50);
    assert_int_equal(data_level(40ull << 30), TLB_L1);
    assert_int_equal(data_level(2ull << 30), TLB_WALK);
    after(data_level, 30, 60);
    assert_int_equal(data_level(11ull << 30), TLB_WALK);

    /* After a flood of 4 KB pages 10 pages have left the L1, and only revision C has them in the L2. */
    for (unsigned revision = VPMU_REV_B; revision <= VPMU_REV_C; revision++) {
        machine_free(&machine);
        machine_init(&machine, (enum vpmu_revision)revision, &paper_map, 1);
        space_init(&machine.space, 30, FRAMES_CONTIGUOUS);
        after(data_level, 30, 10);
        space_init(&machine.space, 12, FRAMES_CONTIGUOUS);
        for (uint64_t page = 0; page < 60; page++)
            data_level((20ull << 30) + (page << 12));
        space_init(&machine.space, 30, FRAMES_CONTIGUOUS);
        assert_int_equal(data_level(3ull << 30), revision == VPMU_REV_B ? TLB_WALK : TLB_L2);
        assert_int_equal(result.shift, 30);
    }
}

TEST_WITH(test_translation, setup, teardown)
{
    space_init(&machine.space, 12, FRAMES_SHUFFLED);
    for (uint64_t linear = 0x123456; linear < 0x800000; linear += 0x3333) {
        uint64_t expected = (uint64_t)machine.space.frame[linear >> 12] << 12 | (linear & 0xFFF);

        for (unsigned again = 0; again < 2; again++) {
            data_level(linear);
            assert_int_equal(result.physical, expected);
            code_level(linear);
            assert_int_equal(result.physical, expected);
        }
    }
}

TEST_WITH(test_page_tables_are_read_on_misses_only, setup, teardown)
{
    for (unsigned i = 0; i < 100; i++)
        data_level(0x5000 + i);
    assert_int_equal(machine.space.calls, 1);
    vpmu_flush_tlb(machine.vpmu);
    data_level(0x5000);
    assert_int_equal(machine.space.calls, 2);
}

TEST_WITH(test_walk_cost, setup, teardown)
{
    struct tlbs *tlbs = &machine.vpmu->tlbs;

    assert_int_equal(data_level(0x5000), TLB_WALK);
    assert_int_equal(tlbs->walk_reads, 4);
    assert_int_equal(result.cycles, 3 + 4 * 165); /* nothing cached yet */
    assert_int_equal(data_level(0x6000), TLB_WALK);
    assert_int_equal(tlbs->walk_reads, 5); /* the page directory entry is cached, and the entry's line is in the L2 */
    assert_int_equal(result.cycles, 3 + 15);
    assert_int_equal(data_level(0x200000), TLB_WALK); /* the next 2 MB: another directory entry */
    assert_int_equal(tlbs->walk_reads, 9);
}

TEST_WITH(test_page_directory_cache_has_24_entries, setup, teardown)
{
    struct tlbs *tlbs = &machine.vpmu->tlbs;
    uint64_t before;

    for (uint64_t i = 0; i < 24; i++)
        data_level(i << 21);
    before = tlbs->walk_reads;
    data_level(0x1000);
    assert_int_equal(tlbs->walk_reads - before, 1);
    for (uint64_t i = 1; i < 25; i++)
        data_level((i << 21) + 0x1000);
    before = tlbs->walk_reads;
    data_level(0x2000);
    assert_int_equal(tlbs->walk_reads - before, 4);
}

TEST_WITH(test_not_mapped, setup, teardown)
{
    assert_int_equal(data_level(1ull << 41), TLB_FAULT);
    assert_int_equal(data_level(1ull << 41), TLB_FAULT); /* nothing was cached */
    assert_int_equal(code_level(1ull << 41), TLB_FAULT);
}

TEST_WITH(test_arming_flushes, setup, teardown)
{
    data_level(0x5000);
    machine_wrmsr(&machine, 0xC0011033, 1 << 17 | 100);
    assert_int_equal(data_level(0x5000), TLB_WALK);
    machine_wrmsr(&machine, 0xC0011030, 1ull << 48 | 100); /* armed before */
    assert_int_equal(data_level(0x5000), TLB_L1);
}

/* A page of 1 GB is held in pieces of 2 MB where the L1 TLB has no entries of 1 GB. */
TEST_WITH(test_pieces_of_large_pages, setup, teardown)
{
    static const struct {
        const char *name;
        unsigned shift;
    } rows[] = {{"14h", 21}, {"16h", 21}, {"15h-00", 30}, {"zen4", 30}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        machine_start(&machine, rows[i].name, 0);
        space_init(&machine.space, 30, FRAMES_CONTIGUOUS);
        assert_int_equal(data_level(0x1000), TLB_WALK);
        assert_int_equal(result.shift, rows[i].shift);
        assert_int_equal(result.physical & 0xFFFFF, 0x1000);
        assert_int_equal(data_level((1 << 21) - 1), TLB_L1);
        assert_int_equal(result.shift, rows[i].shift);
        assert_int_equal(data_level(1 << 21), rows[i].shift == 21 ? TLB_WALK : TLB_L1);
        assert_int_equal(code_level(0x1000), TLB_WALK);
    }
}

/* The second levels use all of the memory that they ask for. */
TEST(test_memory)
{
    for (enum vpmu_revision revision = VPMU_REV_B; revision <= VPMU_REV_LAST; revision++) {
        machine_init(&machine, revision, &paper_map, 1);
        assert_int_equal(machine.vpmu->tlbs.count * sizeof(struct set_entry), tlbs_memory(vpmu_params_of(revision)));
        machine_free(&machine);
    }
}

RUN_TESTS(NULL, NULL)
