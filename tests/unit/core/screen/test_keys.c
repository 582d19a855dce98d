/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys of terminals, whole, cut, and in any disorder. */
#include <string.h>

#include "core/base/rng.h"
#include "core/screen/keys.h"
#include "tests/unit/test.h"

enum { KEYS = 200 };

/* Returns the number of keys that these characters are if they arrive without a pause, and the keys. */
static unsigned decode(const char *text, size_t length, int (*ret_keys)[KEYS])
{
    struct keys keys = {0};
    unsigned count = 0;

    for (size_t i = 0; i < length || keys.held;) {
        int given = keys.held ? keys.held : (unsigned char)text[i], key;

        i += !keys.held;
        keys.held = KEY_NONE;
        key = keys_take(&keys, given);
        if (key)
            (*ret_keys)[count++] = key;
        assert_true(count < KEYS);
    }
    if (keys_begun(&keys)) {
        int key = keys_expire(&keys);

        if (key)
            (*ret_keys)[count++] = key;
    }
    assert_false(keys_begun(&keys));
    return count;
}

/* xterm, rxvt, VT100 in both modes, VT220, Linux' console, PuTTY. */
TEST(keys_of_terminals)
{
    static const struct {
        const char *sent;
        int keys[5];
    } rows[] = {
        {"a", {'a'}},
        {"\n\b\t", {KEY_ENTER, KEY_BACKSPACE, KEY_TAB}},
        {"\x1b[A\x1b[B\x1b[C\x1b[D", {KEY_UP, KEY_DOWN, KEY_RIGHT, KEY_LEFT}},
        {"\x1bOA\x1bOB\x1bOC\x1bOD", {KEY_UP, KEY_DOWN, KEY_RIGHT, KEY_LEFT}},
        {"\x1b[H\x1b[F\x1bOH\x1bOF", {KEY_HOME, KEY_END, KEY_HOME, KEY_END}},
        {"\x1b[1~\x1b[4~\x1b[7~\x1b[8~", {KEY_HOME, KEY_END, KEY_HOME, KEY_END}},
        {"\x1b[3~\x1b[5~\x1b[6~", {KEY_DELETE, KEY_PAGE_UP, KEY_PAGE_DOWN}},
        {"\x1b[1;5C\x1b[3;2~x", {KEY_RIGHT, KEY_DELETE, 'x'}},
        {"\x1b[2~\x1b[15~\x1bOP\x1b[Z", {KEY_OTHER, KEY_OTHER, KEY_OTHER, KEY_OTHER}},
        {"\x1b[[Ax\x1b[[E", {KEY_OTHER, 'x', KEY_OTHER}},
        {"\x1b", {KEY_ESCAPE}},
        {"\x1b\x1b", {KEY_ESCAPE, KEY_ESCAPE}},
        {"\x1b\x1b[A", {KEY_ESCAPE, KEY_UP}},
        {"\x1bq", {KEY_ESCAPE, 'q'}},
        {"\x1b\n", {KEY_ESCAPE, KEY_ENTER}},
        {"\x1b[", {0}},
        {"\x1b[1;", {0}},
        {"\x1bO", {0}},
        {"\x1bO3~", {KEY_OTHER, '~'}},
        {"\x1b[\n", {KEY_OTHER, KEY_ENTER}},
        {"\x1b[1\x1b[B", {KEY_OTHER, KEY_DOWN}},
        {"\x1b[33~\x1b[99999999999999~\x1b[4294967299~", {KEY_OTHER, KEY_OTHER, KEY_OTHER}},
        {"\x1b[;3~", {KEY_OTHER}},
        {"\x1b[?3~", {KEY_DELETE}},
        {"\x1b[\x80", {KEY_OTHER, 0x80}},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        int keys[KEYS];
        unsigned count = decode(rows[i].sent, strlen(rows[i].sent), &keys), wanted = 0;

        while (wanted < 5 && rows[i].keys[wanted])
            wanted++;
        if (count != wanted)
            fail_msg("row %zu: %u keys", i, count);
        for (unsigned k = 0; k < count; k++)
            if (keys[k] != rows[i].keys[k])
                fail_msg("row %zu: key %u is %x", i, k, (unsigned)keys[k]);
    }
}

/* A key that the firmware names is passed on unchanged, and ends a sequence. */
TEST(keys_of_a_firmware)
{
    struct keys keys = {0};

    assert_int_equal(keys_take(&keys, KEY_PAGE_DOWN), KEY_PAGE_DOWN);
    assert_false(keys_begun(&keys));
    assert_int_equal(keys_take(&keys, KEY_ESCAPE), KEY_NONE);
    assert_true(keys_begun(&keys));
    assert_int_equal(keys_take(&keys, KEY_UP), KEY_ESCAPE);
    assert_int_equal(keys.held, KEY_UP);
    assert_int_equal(keys_take(&keys, keys.held), KEY_UP);
    assert_int_equal(keys.held, KEY_NONE);
    assert_int_equal(keys_expire(&keys), KEY_NONE);
}

/* A sequence without an end is dropped, and the characters after it count. */
TEST(a_sequence_without_an_end)
{
    char text[KEYS] = "\x1b[";
    int keys[KEYS];

    memset(text + 2, '1', 100);
    assert_int_equal(decode(text, 102, &keys), 1 + 102 - KEYS_SEQUENCE_MAX - 1);
    assert_int_equal(keys[0], KEY_OTHER);
    assert_int_equal(keys[1], '1');
}

/* Noise on a line gives keys, at most as many as characters, and after a pause the next key is read correctly. */
TEST(noise)
{
    static const char letters[] = "\x1b[O~;0123456789ABCDHFZ\n\b\t qx\x7f\xff";
    struct rng rng;

    rng_seed(&rng, 5);
    for (unsigned n = 0; n < 20000; n++) {
        char text[64];
        int keys[KEYS];
        size_t length = rng_next(&rng) % sizeof(text);

        for (size_t i = 0; i < length; i++)
            text[i] = letters[rng_next(&rng) % (sizeof(letters) - 1)];
        assert_in_range(decode(text, length, &keys), 0, length);
    }
}

RUN_TESTS(NULL, NULL)
