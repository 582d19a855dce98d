/* SPDX-License-Identifier: BSD-2-Clause */
/* Arrays that grow, looked up by hash and by order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tools/ibsprof/base/search.h"
#include "tools/ibsprof/base/table.h"

enum { COUNT = 1000 };

static void arrays_grow(void **state)
{
    uint32_t *values = NULL, count = 0;

    for (uint32_t i = 0; i < COUNT; i++) {
        *must_add(values, count) = i * i;
        assert_int_equal(count, i + 1);
    }
    count = 5; /* the array continues after some were removed */
    for (uint32_t i = 5; i < COUNT; i++)
        *must_add(values, count) = i;
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(values[i], i < 5 ? i * i : i);
    free(values);
}

static bool is_value(const void *values, uint32_t number, const void *key)
{
    return ((const uint64_t *)values)[number - 1] == *(const uint64_t *)key;
}

/* Returns a hash: half of the values have the same one, including the first that does not fit into its place. */
static uint64_t hash_of(uint64_t value)
{
    return value % 2 ? 63 : table_hash(value);
}

static void elements_are_found(void **state)
{
    struct table table = {0};
    uint64_t *values = NULL;
    uint32_t count = 0;

    for (uint64_t value = 0; value < 2 * COUNT; value++) {
        uint64_t wanted = value % COUNT;
        uint32_t *number = table_find(&table, hash_of(wanted), is_value, values, &wanted);

        if (value < COUNT) {
            assert_int_equal(*number, 0);
            *must_add(values, count) = wanted;
            *number = count;
        }
        assert_int_equal(*number, wanted + 1);
    }
    assert_int_equal(table.used, COUNT);
    table_free(&table);
    assert_int_equal(table.used, 0);
    free(values);
}

static void first_is_found(void **state)
{
    static const int values[] = {1, 3, 3, 3, 8};
    static const struct {
        int value;
        size_t first;
    } rows[] = {{0, 0}, {1, 0}, {2, 1}, {3, 1}, {4, 4}, {8, 4}, {9, 5}};

    for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++)
        assert_int_equal(search_first(5, i, values[i] >= rows[row].value), rows[row].first);
    assert_int_equal(search_first(0, i, values[i] > 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrays_grow), cmocka_unit_test(elements_are_found),
                                       cmocka_unit_test(first_is_found)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
