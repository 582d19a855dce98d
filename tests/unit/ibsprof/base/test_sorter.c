/* SPDX-License-Identifier: BSD-2-Clause */
/* More items than a sorter holds come back in order, from its file; without a file they stay in memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/base/rng.h"
#include "tests/unit/ibsprof/files.h"
#include "tools/ibsprof/base/sorter.h"

enum { ROOM = 100, ITEMS = 100000 };

struct item {
    uint32_t key;
    uint16_t more[5]; /* a size that divides no buffer */
};

static int by_key(const void *left, const void *right)
{
    const struct item *a = left, *b = right;

    return a->key < b->key ? -1 : a->key > b->key;
}

/* Sorts numbers in a random order, and returns the most items that were in memory. */
static uint32_t sorts(uint32_t room, uint32_t items, uint32_t *ret_runs)
{
    struct sorter *sorter = sorter_make(sizeof(struct item), room, by_key);
    uint32_t *keys = calloc(items + 1, sizeof(*keys)), most = 0;
    const struct item *item;
    struct rng rng;

    rng_seed(&rng, 7);
    for (uint32_t i = 0; i < items; i++) {
        uint32_t at = rng_below(&rng, i + 1);

        keys[i] = keys[at];
        keys[at] = i;
    }
    for (uint32_t i = 0; i < items; i++) {
        (void)sorter_make_room(sorter);
        sorter_add(sorter, &(struct item){.key = keys[i], .more = {(uint16_t)keys[i]}});
        most = sorter_count(sorter) > most ? sorter_count(sorter) : most;
    }
    sorter_sort(sorter);
    *ret_runs = sorter_runs(sorter);
    for (uint32_t i = 0; i < items; i++) {
        item = sorter_next(sorter);
        assert_non_null(item);
        assert_int_equal(item->key, i);
        assert_int_equal(item->more[0], (uint16_t)i);
    }
    assert_null(sorter_next(sorter));
    assert_null(sorter_next(sorter));
    sorter_free(sorter);
    free(keys);
    return most;
}

static void more_than_room(void **state)
{
    uint32_t runs;

    assert_int_equal(sorts(ROOM, ITEMS, &runs), ROOM);
    assert_int_equal(runs, ITEMS / ROOM);
    assert_int_equal(sorts(ROOM, ROOM + 1, &runs), ROOM);
    assert_int_equal(runs, 2);
    assert_int_equal(sorts(ROOM, ROOM, &runs), ROOM);
    assert_int_equal(runs, 0);
    assert_int_equal(sorts(ROOM, 0, &runs), 0);
    /* There are more runs than bytes in the buffer of each. */
    assert_int_equal(sorts(1, 1000, &runs), 1);
    assert_int_equal(runs, 1000);
}

static void without_file(void **state)
{
    uint32_t runs;

    setenv("TMPDIR", files_path("there-is-none"), 1);
    assert_int_equal(sorts(ROOM, 1000, &runs), 1000);
    assert_int_equal(runs, 0);
    unsetenv("TMPDIR");
    sorter_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(more_than_room), cmocka_unit_test(without_file)};

    return cmocka_run_group_tests(tests, NULL, files_end);
}
