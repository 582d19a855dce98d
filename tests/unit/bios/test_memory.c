/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of memory, compared with a map of single pages that is kept beside them. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"
#include "bios/memory.h"

enum { PAGES = 512, NONE = 255 };

static struct memory memory;
static uint8_t pages[PAGES]; /* the type of each page */

static void same(void)
{
    uint64_t at = 0;

    for (unsigned i = 0; i < memory.rows; i++) {
        const struct memory_row *row = &memory.row[i];

        assert_true(row->base < row->end && row->base % MEMORY_PAGE == 0 && row->end % MEMORY_PAGE == 0);
        assert_true(row->base >= at);
        assert_true(i == 0 || row->base > row[-1].end || row->type != row[-1].type);
        for (; at < row->base; at += MEMORY_PAGE)
            assert_int_equal(pages[at / MEMORY_PAGE], NONE);
        for (; at < row->end; at += MEMORY_PAGE)
            assert_int_equal(pages[at / MEMORY_PAGE], row->type);
    }
    for (; at < (uint64_t)PAGES * MEMORY_PAGE; at += MEMORY_PAGE)
        assert_int_equal(pages[at / MEMORY_PAGE], NONE);
}

static void fill(unsigned from, unsigned count, uint8_t type)
{
    memset(pages + from, type, count);
}

TEST(ranges_overlap)
{
    static const struct boot_range ranges[] = {
        {0x5000, 0x2000, 2}, /* inside the next range */
        {0x1800, 0x8000, 1}, /* 1800h to 97FFh: whole pages are 2 to 8 */
        {0x8fff, 2, 3},      /* one byte in each of two pages */
        {0x20000, 0x3000, 4}, {0x22000, 0x4000, 1}, {0x21000, 0x1000, 7}, {UINT64_MAX - 100, UINT64_MAX, 1},
        {0x30000, 0, 1},      {0x31000, 0xfff, 1},
    };

    memset(pages, NONE, sizeof pages);
    fill(2, 7, MEMORY_FREE);
    fill(5, 2, MEMORY_RESERVED);
    fill(8, 2, MEMORY_ACPI);
    fill(0x22, 4, MEMORY_FREE);
    fill(0x20, 3, MEMORY_NVS);
    fill(0x21, 1, MEMORY_RESERVED);
    memory_init(&memory, ranges, sizeof ranges / sizeof ranges[0]);
    same();
    assert_int_equal(memory_left(&memory), (4 + 3) * MEMORY_PAGE);
    assert_int_equal(memory_top(&memory), 0x26000);
}

/* Memory that was never free cannot be allocated, and neither can the end of free memory plus one page. */
TEST(never_free)
{
    static const struct boot_range ranges[] = {
        {0x10000, 0x10000, 1}, {0x30000, 0x1000, 2}, {0x40000, 0x1000, 3}, {0x50000, 0x1000, 4}};

    for (unsigned rows = 1; rows <= 4; rows++) {
        memory_init(&memory, ranges, rows);
        assert_int_equal(memory_top(&memory), 0x20000);
        assert_false(memory_give(&memory, ranges[rows - 1].base, 1));
    }
    memory_init(&memory, ranges, 0);
    assert_int_equal(memory_top(&memory), 0);
}

static void one_range(void)
{
    static const struct boot_range range = {0x10000, 0x20000, 1};

    memory_init(&memory, &range, 1);
    memset(pages, NONE, sizeof pages);
    fill(16, 32, MEMORY_FREE);
    same();
}

TEST(highest_first)
{
    one_range();
    assert_int_equal(memory_take(&memory, 2, 0, UINT64_MAX, 1), 0x2e000);
    fill(46, 2, 1);
    assert_int_equal(memory_take(&memory, 1, 0, 0x20001, 2), 0x1f000); /* the limit is rounded down */
    fill(31, 1, 2);
    same();
    assert_int_equal(memory_take(&memory, 15, 0, UINT64_MAX, 1), 0x10000); /* the upper piece has only 14 pages */
    assert_int_equal(memory_take(&memory, 15, 0, UINT64_MAX, 1), 0);
    assert_int_equal(memory_take(&memory, 0, 0, UINT64_MAX, 1), 0);
    assert_int_equal(memory_take(&memory, UINT64_MAX / 2, 0, UINT64_MAX, 1), 0);
    assert_int_equal(memory_take(&memory, 1, 0x2d001, UINT64_MAX, 1), 0);
    assert_int_equal(memory_take(&memory, 1, 0x2d000, UINT64_MAX, 1), 0x2d000);
}

TEST(never_page_0)
{
    static const struct boot_range range = {0, 3 * MEMORY_PAGE, 1};

    memory_init(&memory, &range, 1);
    assert_int_equal(memory_take(&memory, 3, 0, UINT64_MAX, 1), 0);
    assert_int_equal(memory_left(&memory), 3 * MEMORY_PAGE);
    assert_int_equal(memory_take(&memory, 2, 0, UINT64_MAX, 1), MEMORY_PAGE);
}

TEST(just_there)
{
    one_range();
    assert_true(memory_take_at(&memory, 0x18000, 2, 3));
    fill(24, 2, 3);
    same();
    assert_false(memory_take_at(&memory, 0x19000, 1, 3));
    assert_false(memory_take_at(&memory, 0x17000, 2, 3));
    assert_false(memory_take_at(&memory, 0x1a800, 1, 3));
    assert_false(memory_take_at(&memory, 0x30000, 1, 3));
    assert_false(memory_take_at(&memory, 0x2f000, 2, 3));
    assert_false(memory_take_at(&memory, 0x1a000, 0, 3));
    same();
}

TEST(given_back)
{
    static const struct boot_range ranges[] = {{0x10000, 0x20000, 1}, {0x30000, 0x1000, 3}, {0x31000, 0x1000, 2}};

    memory_init(&memory, ranges, 3);
    memset(pages, NONE, sizeof pages);
    fill(16, 32, MEMORY_FREE);
    fill(48, 1, MEMORY_ACPI);
    fill(49, 1, MEMORY_RESERVED);
    assert_true(memory_take_at(&memory, 0x12000, 4, 1));
    assert_true(memory_give(&memory, 0x13000, 1)); /* from the middle of the piece */
    fill(18, 4, 1);
    fill(19, 1, MEMORY_FREE);
    same();
    assert_false(memory_give(&memory, 0x13000, 1)); /* the page is already free */
    assert_false(memory_give(&memory, 0x14000, 3)); /* the last page is already free */
    assert_false(memory_give(&memory, 0x30000, 1)); /* these pages were never allocated */
    assert_false(memory_give(&memory, 0x31000, 1));
    assert_true(memory_give(&memory, 0x12000, 1));
    assert_true(memory_give(&memory, 0x14000, 2));
    fill(18, 4, MEMORY_FREE);
    same();
    assert_int_equal(memory.rows, 3);
}

/* Pages that are not free keep their type. */
TEST(reserved)
{
    one_range();
    assert_true(memory_take_at(&memory, 0x14000, 1, 4));
    assert_true(memory_reserve(&memory, 0x13001, 0x16001, 1));
    fill(19, 4, 1);
    fill(20, 1, 4);
    same();
    assert_true(memory_reserve(&memory, 0, 0x1000000, 0));
    fill(16, 3, 0);
    fill(23, 25, 0);
    same();
    assert_int_equal(memory_left(&memory), 0);
    /* The first row joins the next one, which already has the type; the row after these is reserved, too. */
    one_range();
    assert_true(memory_take_at(&memory, 0x11000, 1, 1));
    assert_true(memory_reserve(&memory, 0x10000, 0x14000, 1));
    fill(16, 4, 1);
    same();
}

/* Makes 20,000 random calls. */
TEST(random_calls)
{
    one_range();
    fill(0, PAGES, NONE);
    memory_init(&memory, &(struct boot_range){0, (uint64_t)PAGES * MEMORY_PAGE, 1}, 1);
    fill(0, PAGES, MEMORY_FREE);
    srand(1);
    for (unsigned i = 0; i < 20000; i++) {
        unsigned from = (unsigned)rand() % PAGES, count = 1 + (unsigned)rand() % 9;
        uint8_t type = (uint8_t)(1 + rand() % 4);
        bool free = from + count <= PAGES, taken = free;

        for (unsigned k = from; k < from + count && k < PAGES; k++) {
            free = free && pages[k] == MEMORY_FREE;
            taken = taken && pages[k] == pages[from] && pages[k] != MEMORY_FREE;
        }
        if (rand() % 2) {
            assert_int_equal(memory_take_at(&memory, (uint64_t)from * MEMORY_PAGE, count, type), free);
            if (free)
                fill(from, count, type);
        } else {
            assert_int_equal(memory_give(&memory, (uint64_t)from * MEMORY_PAGE, count), taken);
            if (taken)
                fill(from, count, MEMORY_FREE);
        }
        if (i % 64 == 0)
            same();
    }
    same();
}

/* Without room for rows the call fails, and everything is as before. */
TEST(full)
{
    struct memory before;

    memory_init(&memory, &(struct boot_range){0, 1ull << 40, 1}, 1);
    for (uint64_t i = 0; memory.rows + 2 <= MEMORY_ROWS; i++)
        assert_true(memory_take_at(&memory, i * 2 * MEMORY_PAGE, 1, 1));
    before = memory;
    assert_false(memory_take_at(&memory, 1 << 30, 1, 1));
    assert_int_equal(memory_take(&memory, 1, 0, 1 << 30, 1), 0);
    assert_false(memory_reserve(&memory, 1 << 30, (1 << 30) + 1, 1));
    assert_memory_equal(&before, &memory, sizeof memory);
}

RUN_TESTS(NULL, NULL)
