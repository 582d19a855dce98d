/* SPDX-License-Identifier: BSD-2-Clause */
/* Maps of a process that are cut, compared with a list of each page's file. */
#include "tests/unit/test.h"

#include <string.h>

#include "core/base/rng.h"
#include "tools/ibsprof/profile/spaces/space.h"

enum { PAGES = 24, PAGE = 0x1000, ROUNDS = 3000 };

struct page {
    bool there;
    uint32_t file;
    uint64_t offset;
};

static struct page plain[PAGES];

static void check(const struct space *space)
{
    for (uint32_t i = 0; i < space->count; i++) {
        assert_true(space->maps[i].start < space->maps[i].end);
        assert_true(i == 0 || space->maps[i - 1].end <= space->maps[i].start);
    }
    for (uint64_t n = 0; n < PAGES; n++)
        for (uint64_t at = n * PAGE; at < (n + 1) * PAGE; at += PAGE - 1) {
            const struct map *map = space_at(space, at);

            assert_int_equal(map != NULL, plain[n].there);
            if (!map)
                continue;
            assert_int_equal(map->file, plain[n].file);
            assert_int_equal(map->page_offset + (at - map->start), plain[n].offset + at % PAGE);
        }
}

/* Each remaining part is complete: of a map that is cut at its beginning, at its end, in its middle, or completely. */
TEST(maps_are_cut)
{
    struct space *space = space_new(NULL);
    struct rng rng;

    rng_seed(&rng, 1);
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t first = rng_below(&rng, PAGES), end = first + 1 + rng_below(&rng, PAGES - first);
        struct map map = {first * PAGE, end * PAGE, rng_below(&rng, 100) * PAGE, round, false};
        bool maps = rng_below(&rng, 3) > 0;

        space_cut(space, map.start, map.end);
        memset(plain + first, 0, (end - first) * sizeof(*plain));
        check(space);
        if (!maps)
            continue;
        space_insert(space, space_behind(space, map.start), &map);
        for (uint64_t n = first; n < end; n++)
            plain[n] = (struct page){true, round, map.page_offset + (n - first) * PAGE};
        check(space);
    }
    space_drop(space);
}

RUN_TESTS(NULL, NULL)
