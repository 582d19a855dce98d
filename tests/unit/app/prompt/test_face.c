/* SPDX-License-Identifier: BSD-2-Clause */
/* Choices that each key makes in a list of 30 rows, of which 10 are shown. */
#include "app/prompt/face.h"
#include "tests/unit/test.h"

TEST(keys_of_a_list)
{
    static const struct {
        int key;
        unsigned chosen, top;
    } rows[] = {
        {KEY_UP, 0, 0},
        {KEY_DOWN, 1, 0},
        {KEY_PAGE_DOWN, 11, 2},
        {KEY_PAGE_DOWN, 21, 12},
        {KEY_PAGE_DOWN, 29, 20},
        {KEY_DOWN, 29, 20},
        {KEY_PAGE_UP, 19, 19},
        {KEY_PAGE_UP, 9, 9},
        {KEY_PAGE_UP, 0, 0},
        {KEY_END, 29, 20},
        {KEY_HOME, 0, 0},
        {'2', 1, 0},
        {'5', 24, 15},
        {'9', 8, 8},
        {KEY_UP, 7, 7},
        {'3', 2, 2},
        {'0', 29, 20},
        {KEY_HOME, 0, 0},
        {'0', 0, 0},
    };
    struct face_list list = {.count = 30, .rows = 10};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_true(face_list_take(&list, rows[i].key));
        if (list.chosen != rows[i].chosen || list.top != rows[i].top)
            fail_msg("key %zu: row %u of those from %u on", i, list.chosen, list.top);
    }
    assert_false(face_list_take(&list, 'x'));
    list = (struct face_list){.rows = 10};
    assert_true(face_list_take(&list, KEY_PAGE_DOWN));
    assert_int_equal(list.chosen, 0);
}

RUN_TESTS(NULL, NULL)
