/* SPDX-License-Identifier: BSD-2-Clause */
/* The sectors of a file in several pieces, addressed as one row. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/run/area.h"
#include "core/run/area_refusal.h"

enum { SECTORS = 40 };

static uint8_t bytes[SECTORS * DISK_SECTOR];
static uint64_t refused = ~0ull;

static int read_sectors(void *context, uint64_t sector, unsigned count, void *to)
{
    (void)context;
    assert_true(sector + count <= SECTORS);
    memcpy(to, bytes + sector * DISK_SECTOR, (size_t)count * DISK_SECTOR);
    return refused >= sector && refused < sector + count;
}

static int write_sectors(void *context, uint64_t sector, unsigned count, const void *from)
{
    (void)context;
    assert_true(sector + count <= SECTORS);
    memcpy(bytes + sector * DISK_SECTOR, from, (size_t)count * DISK_SECTOR);
    return refused >= sector && refused < sector + count;
}

static const struct disk_ops ops = {.read = read_sectors, .write = write_sectors};
static const struct disk_extent extents[] = {{30, 5}, {2, 1}, {3, 0}, {10, 8}};

/* The numbers of the disk's sectors in the order of the area. */
static const uint8_t order[] = {30, 31, 32, 33, 34, 2, 10, 11, 12, 13, 14, 15, 16, 17};

TEST(every_range)
{
    struct area area;
    uint8_t some[15 * DISK_SECTOR];

    area_init(&area, &ops, extents, 4);
    assert_int_equal(area.sectors, sizeof(order));
    for (unsigned first = 0; first <= sizeof(order); first++)
        for (unsigned count = 0; count <= sizeof(order) + 1; count++) {
            bool fits = first + count <= sizeof(order);

            memset(bytes, 0, sizeof(bytes));
            for (unsigned i = 0; i < count; i++)
                memset(some + i * DISK_SECTOR, (int)i + 1, DISK_SECTOR);
            assert_int_equal(area_write(&area, first, count, some), fits);
            for (unsigned i = 0; i < sizeof(order); i++)
                assert_int_equal(bytes[order[i] * DISK_SECTOR + 511],
                                 fits && i >= first && i < first + count ? i - first + 1 : 0);
            memset(some, 0, sizeof(some));
            assert_int_equal(area_read(&area, first, count, some), fits);
            for (unsigned i = 0; fits && i < count; i++)
                assert_int_equal(some[i * DISK_SECTOR], i + 1);
            assert_int_equal(bytes[0] | bytes[9 * DISK_SECTOR] | bytes[18 * DISK_SECTOR] | bytes[3 * DISK_SECTOR], 0);
        }
    assert_false(area_read(&area, ~0ull, 2, some));
    assert_false(area_write(&area, 1, ~0ull, some));
}

TEST(refusals)
{
    struct area area;
    uint8_t some[14 * DISK_SECTOR];

    area_init(&area, &ops, extents, 4);
    refused = 12;
    assert_true(area_read(&area, 0, 8, some));
    assert_false(area_read(&area, 0, 9, some));
    assert_true(area_write(&area, 9, 5, some));
    assert_false(area_write(&area, 8, 5, some));
    refused = ~0ull;
}

TEST(reasons)
{
    for (unsigned i = 0; i < AREA_REFUSAL_COUNT; i++) {
        assert_non_null(area_refusal_text((enum area_refusal)i));
        assert_string_not_equal(area_refusal_text((enum area_refusal)i), "unknown error");
        for (unsigned other = 0; other < i; other++)
            assert_string_not_equal(area_refusal_text((enum area_refusal)i),
                                    area_refusal_text((enum area_refusal)other));
    }
    assert_string_equal(area_refusal_text(AREA_NONE), "no error");
    assert_string_equal(area_refusal_text(AREA_REFUSAL_COUNT), "unknown error");
}

RUN_TESTS(NULL, NULL)
