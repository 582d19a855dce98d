/* SPDX-License-Identifier: BSD-2-Clause */
/* The order of places by the names of their functions: each pair, in both directions. */
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/compare/compare_alignment.h"

static struct alignment w;

/* Returns a place in a function that begins at 'start'. */
static struct named_place at(const char *function, const char *object, uint64_t start, uint64_t offset)
{
    static struct profile_place places[64];
    static unsigned count;
    struct profile_place *place = &places[count++ % 64];

    place->rva = start + offset;
    return (struct named_place){.function = function, .object = object, .offset = offset, .place = place};
}

static int end(void **state)
{
    for (uint32_t i = 0; i < w.ambiguous_count; i++)
        free(w.ambiguous[i].name);
    free(w.ambiguous);
    memset(&w, 0, sizeof(w));
    return 0;
}

static void expect_order(struct named_place a, struct named_place b, int order, bool same_function)
{
    int got = named_place_compare(&w, &a, &b), back = named_place_compare(&w, &b, &a);

    assert_int_equal((got > 0) - (got < 0), order);
    assert_int_equal((back > 0) - (back < 0), -order);
    assert_int_equal(named_place_same_function(&w, &a, &b), same_function);
    assert_int_equal(named_place_same_function(&w, &b, &a), same_function);
}

/* Functions with one name are one function, wherever they are; then the offset decides. Places without a name come
 * last, by their objects. */
TEST_WITH(one_function_of_a_name, NULL, end)
{
    expect_order(at("f", "x", 0x10, 4), at("g", "x", 0x20, 0), -1, false);
    expect_order(at("f", "x", 0x10, 4), at("f", "y", 0x20, 4), 0, true);
    expect_order(at("f", "x", 0x10, 4), at("f", "y", 0x20, 5), -1, true);
    expect_order(at("f", "x", 0x10, 4), at(NULL, "a", 0x20, 0), -1, false);
    expect_order(at(NULL, "a", 0, 4), at(NULL, "b", 0, 0), -1, false);
    expect_order(at(NULL, "a", 0, 4), at(NULL, "a", 0, 0), 1, true);
}

/* Objects distinguish functions of one name; offsets are compared after that. */
TEST_WITH(a_name_in_two_objects, NULL, end)
{
    ambiguous_name_add(&w, "f", false);
    expect_order(at("f", "x", 0x10, 4), at("f", "y", 0x10, 0), -1, false);
    expect_order(at("f", "x", 0x10, 4), at("f", "x", 0x30, 4), 0, true);
    expect_order(at("g", "x", 0x10, 4), at("g", "y", 0x10, 4), 0, true);
}

/* Within one object the start of the function decides. */
TEST_WITH(a_name_twice_in_one_object, NULL, end)
{
    ambiguous_name_add(&w, "f", true);
    ambiguous_name_add(&w, "f", false); /* this call removes nothing */
    assert_int_equal(w.ambiguous_count, 1);
    expect_order(at("f", "x", 0x10, 9), at("f", "x", 0x20, 0), -1, false);
    expect_order(at("f", "x", 0x10, 1), at("f", "x", 0x10, 2), -1, true);
    expect_order(at("f", "x", 0x20, 1), at("f", "y", 0x10, 1), -1, false);
    assert_int_equal(named_place_start(&(struct named_place){.offset = 4, .place = at("f", "x", 0x10, 4).place}), 0x10);
}

RUN_TESTS(NULL, NULL)
