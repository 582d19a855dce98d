/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/base/out.h"

static char text[1024];
static struct out_memory memory;

static struct out *fresh(void)
{
    out_memory_init(&memory, text, sizeof(text));
    return &memory.out;
}

/* Compares every conversion of the contract with libc's. */
#define SAME(...)                                                                                                      \
    do {                                                                                                               \
        char want[1024];                                                                                               \
        snprintf(want, sizeof(want), __VA_ARGS__);                                                                     \
        out_printf(fresh(), __VA_ARGS__);                                                                              \
        assert_string_equal(text, want);                                                                               \
    } while (0)

TEST(prints_as_libc_does)
{
    SAME("plain");
    SAME("%%|%c|%5c|%-5c|", 'a', 'b', 'c');
    SAME("%s|%8s|%-8s|%.3s|%8.3s|%-8.3s|%.0s|", "text", "text", "text", "text", "text", "text", "text");
    SAME("%*s|%*s|%.*s|%-*s|", 8, "a", -8, "b", 2, "text", 6, "c");
    SAME("%d|%d|%d|%6d|%-6d|%06d|%06d", 0, 7, -7, -42, -42, -42, 42);
    SAME("%d|%d", INT32_MAX, INT32_MIN);
    SAME("%ld|%lld|%lld", INT64_MIN, (long long)INT64_MIN, (long long)INT64_MAX);
    SAME("%u|%lu|%llu|%zu", UINT32_MAX, UINT64_MAX, (unsigned long long)UINT64_MAX, SIZE_MAX);
    SAME("%x|%X|%08x|%16llX|%-8x|%2x", 0xbeef, 0xBEEF, 0xbeef, 0x123456789ABCDEFull, 0xa, 0x12345);
    SAME("%20llu|%-20llu|%020llu|", 1ull, 2ull, 3ull);
    SAME("%*d|%0*d", 5, 3, 5, 3);
}

TEST(leaves_the_unknown_as_it_stands)
{
    const char *volatile none = NULL; /* volatile, so that gcc does not see the NULL */
    /* The formats are not literals, because gcc would refuse them. Widths have five digits at most. */
    static const char *const odd[] = {"%q %", "100%", "%5.2f", "%l", "%100001d", "%.100001s"};

    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        const char *format = odd[i];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
        out_printf(fresh(), format);
#pragma GCC diagnostic pop
        assert_string_equal(text, odd[i]);
    }
    out_printf(fresh(), "%s", none);
    assert_string_equal(text, "(null)");
}

TEST(memory_is_never_overrun)
{
    char small[8] = "xxxxxxx", none = 'x';

    out_memory_init(&memory, small, 5);
    assert_string_equal(small, "");
    out_printf(&memory.out, "abc");
    out_printf(&memory.out, "def");
    out_printf(&memory.out, "ghi");
    assert_string_equal(small, "abcd");
    assert_int_equal(memory.needed, 9);
    assert_int_equal(small[5], 'x');

    out_memory_init(&memory, &none, 0);
    out_printf(&memory.out, "abc");
    assert_int_equal(none, 'x');
    assert_int_equal(memory.needed, 3);
}

/* Long lines reach the sink in few pieces and in order. */
TEST(long_text_is_whole)
{
    char want[700];

    memset(want, 'y', 600);
    strcpy(want + 600, " end");
    out_printf(fresh(), "%.600s%s", want, want + 600);
    assert_string_equal(text, want);
    out_printf(fresh(), "%300d", 1);
    assert_int_equal(strlen(text), 300);
}

/* Notes how many bytes each call of the sink brought. */
static size_t brought[4];
static unsigned calls;

static void note(struct out *out, const char *piece, size_t size)
{
    (void)out;
    (void)piece;
    assert_in_range(calls, 0, 3);
    brought[calls++] = size;
}

/* The sink is called once for each 120 bytes, not once for each character, and not at all for an empty text. */
TEST(pieces_are_full)
{
    struct out out = {note};

    calls = 0;
    out_printf(&out, "%s", "");
    assert_int_equal(calls, 0);
    out_printf(&out, "%120d", 1);
    assert_int_equal(calls, 1);
    assert_int_equal(brought[0], 120);
    out_printf(&out, "%241d", 1);
    assert_int_equal(calls, 4);
    assert_int_equal(brought[1], 120);
    assert_int_equal(brought[2], 120);
    assert_int_equal(brought[3], 1);
}

TEST(ratios)
{
    static const struct {
        uint64_t numerator, denominator;
        uint32_t scale;
        int decimals, width;
        const char *want;
    } rows[] = {
        {892, 4090, 100, 1, 6, "  21.8"},
        {92465, 892, 1, 2, 8, "  103.66"}, /* the paper's average */
        {1, 3, 100, 2, 0, "33.33"},
        {2, 3, 100, 2, 0, "66.67"},
        {1, 8, 1, 2, 0, "0.13"}, /* halves are rounded up */
        {1, 2, 1, 0, 3, "  1"},
        {0, 5, 100, 1, 6, "   0.0"},
        {5, 0, 100, 1, 6, "     -"},
        {0, 0, 1, 0, 3, "  -"},
        {1, 1000, 1, 2, 0, "0.00"},
        {5, 1000, 1, 2, 0, "0.01"},
        {7, 7, 100, 1, 0, "100.0"},
        {1, UINT64_MAX, 100, 1, 0, "0.0"},
        {UINT64_MAX, UINT64_MAX, 100, 1, 0, "100.0"}, /* beyond the exact range: still near the quotient */
        {UINT64_MAX, 1, 0, 0, 0, "0"},
        {1ull << 40, 1ull << 42, 100, 2, 0, "25.00"},
        {UINT64_MAX, 1, 10, 0, 0, "11529215046068469750"}, /* 2^60 - 1, ten times: the most that 64 bits hold */
        {UINT64_MAX, 3, 10, 0, 0, "11529215046068469750"},
        {UINT64_MAX / 5, 1, 5, 0, 0, "18446744073709551615"}, /* 64 bits just hold the product: nothing is lost */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        out_ratio(fresh(), rows[i].numerator, rows[i].denominator, rows[i].scale, rows[i].decimals, rows[i].width);
        assert_string_equal(text, rows[i].want);
    }
}

RUN_TESTS(NULL, NULL)
