/* SPDX-License-Identifier: BSD-2-Clause */
/* L2 and L3 are compared with a plain cache of time stamps: what is found, what leaves, and in which state. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"
#include "vpmu/model/caches/outer_cache.h"

enum { SETS = 4, WAYS_MOST = 64, LINES = 2000, OPERATIONS = 200000 };

/* A line; 'used' is the number of the operation that used it last. */
struct plain {
    bool there;
    uint64_t line, used;
    uint8_t modified;
};

static struct plain plain[SETS][WAYS_MOST];
static struct outer_cache cache;
static uint32_t ways;

static struct plain *look(uint64_t line)
{
    for (uint32_t i = 0; i < ways; i++)
        if (plain[line % SETS][i].there && plain[line % SETS][i].line == line)
            return &plain[line % SETS][i];
    return NULL;
}

/* Returns an empty place, or the line that was used longest ago. */
static struct plain *room(uint64_t line)
{
    struct plain *set = plain[line % SETS], *oldest = &set[0];

    for (uint32_t i = 0; i < ways; i++) {
        if (!set[i].there)
            return &set[i];
        if (set[i].used < oldest->used)
            oldest = &set[i];
    }
    return oldest;
}

static void insert(uint64_t line, uint8_t state, uint64_t now)
{
    struct plain *at = look(line);
    uint8_t modified = state;
    uint64_t leaving = outer_insert(&cache, line, &modified);

    if (at) {
        assert_true(leaving == LINE_NONE);
        assert_int_equal(modified, at->modified);
        at->modified |= state;
        at->used = now;
        return;
    }
    at = room(line);
    assert_true(leaving == (at->there ? at->line : LINE_NONE));
    if (at->there)
        assert_int_equal(modified, at->modified);
    *at = (struct plain){true, line, now, state};
}

static void touch(uint64_t line, uint64_t now)
{
    struct plain *at = look(line);

    assert_int_equal(outer_touch(&cache, line), at != NULL);
    if (at)
        at->used = now;
}

static void take(uint64_t line)
{
    struct plain *at = look(line);
    uint8_t modified = 0;

    assert_int_equal(outer_take(&cache, line, &modified), at != NULL);
    if (!at)
        return;
    assert_int_equal(modified, at->modified);
    at->there = false;
}

static void find(uint64_t line)
{
    struct plain *at = look(line);
    int64_t found = outer_find(&cache, line);

    assert_int_equal(found >= 0, at != NULL);
    if (!at)
        return;
    assert_true(cache.lines[found] == line);
    assert_int_equal(cache.modified[found], at->modified);
}

/* Returns a line; half of the lines differ from others only above the byte that is compared first. */
static uint64_t some_line(void)
{
    uint64_t line = (uint64_t)rand() % LINES;

    return rand() % 2 ? line : line | (uint64_t)(rand() % 3) << 40;
}

TEST(as_a_plain_cache)
{
    static const uint32_t sizes[] = {8, 16, 48, 64};

    srand(1);
    for (unsigned n = 0; n < sizeof(sizes) / sizeof(sizes[0]); n++) {
        void *memory;

        ways = sizes[n];
        memory = malloc(outer_memory(SETS, ways));
        memset(&cache, 0xA5, sizeof(cache));
        assert_ptr_equal(outer_init(&cache, memory, SETS, ways), (char *)memory + outer_memory(SETS, ways));
        memset(plain, 0, sizeof(plain));
        for (uint64_t now = 1; now <= OPERATIONS; now++) {
            uint64_t line = some_line();

            switch (rand() % 8) {
            case 0:
                take(line);
                break;
            case 1:
                touch(line, now);
                break;
            case 2:
                find(line);
                break;
            default:
                insert(line, (uint8_t)(rand() % 4), now);
            }
        }
        outer_empty(&cache);
        for (uint64_t line = 0; line < LINES; line++)
            assert_int_equal(outer_find(&cache, line), -1);
        free(memory);
    }
}

/* A processor without an L3 has one of no ways: each line leaves it at once. */
TEST(no_ways)
{
    uint64_t memory[2 * SETS];
    uint8_t modified = 3;

    assert_int_equal(outer_memory(SETS, 0), sizeof(memory));
    (void)outer_init(&cache, memory, SETS, 0);
    assert_int_equal(outer_insert(&cache, 77, &modified), 77);
    assert_int_equal(modified, 3);
    assert_int_equal(outer_find(&cache, 77), -1);
    assert_false(outer_touch(&cache, 77));
    assert_false(outer_take(&cache, 77, &modified));
}

RUN_TESTS(NULL, NULL)
