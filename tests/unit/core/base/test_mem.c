/* SPDX-License-Identifier: BSD-2-Clause */
/* The image's own memory functions, under other names so that they can be compared with libc's. */
#include <string.h>

#include "tests/unit/core/check.h"

#define CORE_MEM_H /* the header's prototypes have libc's names */
#define memcpy     image_memcpy
#define memmove    image_memmove
#define memset     image_memset
#define memcmp     image_memcmp
#define strlen     image_strlen
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
size_t strlen(const char *text);
#include "core/base/mem.c"
#undef memcpy
#undef memmove
#undef memset
#undef memcmp
#undef strlen

enum { ROOM = 96 };

static void fill(unsigned char *bytes)
{
    for (int i = 0; i < ROOM; i++)
        bytes[i] = (unsigned char)(i * 7 + 1);
}

TEST(copies_every_length_and_alignment)
{
    for (size_t size = 0; size <= 40; size++)
        for (size_t to = 0; to < 9; to++)
            for (size_t from = 0; from < 9; from++) {
                unsigned char source[ROOM], got[ROOM] = {0}, want[ROOM] = {0};

                fill(source);
                assert_ptr_equal(image_memcpy(got + to, source + from, size), got + to);
                memcpy(want + to, source + from, size);
                assert_memory_equal(got, want, ROOM);
            }
}

TEST(moves_overlapping_memory)
{
    for (size_t size = 0; size <= 40; size++)
        for (size_t to = 0; to < 48; to++) {
            unsigned char got[ROOM], want[ROOM];

            fill(got);
            fill(want);
            assert_ptr_equal(image_memmove(got + to, got + 24, size), got + to);
            memmove(want + to, want + 24, size);
            assert_memory_equal(got, want, ROOM);
        }
}

TEST(sets_bytes)
{
    for (size_t size = 0; size <= 40; size++)
        for (size_t to = 0; to < 9; to++) {
            unsigned char got[ROOM] = {0}, want[ROOM] = {0};

            assert_ptr_equal(image_memset(got + to, 0x1A5, size), got + to);
            memset(want + to, 0xA5, size);
            assert_memory_equal(got, want, ROOM);
        }
}

TEST(compares_as_unsigned_bytes)
{
    assert_true(image_memcmp("\x80", "\x7F", 1) > 0);
    assert_true(image_memcmp("abc", "abd", 3) < 0);
    assert_int_equal(image_memcmp("abc", "abd", 2), 0);
    assert_int_equal(image_memcmp("a", "b", 0), 0);
}

TEST(measures_text)
{
    assert_int_equal(image_strlen(""), 0);
    assert_int_equal(image_strlen("four"), 4);
}

RUN_TESTS(NULL, NULL)
