/* SPDX-License-Identifier: BSD-2-Clause */
/* codemap_find and codemap_hash: boundaries, the straddle rule, padding between functions, published hash vectors. */
#include <string.h>

#include "tests/unit/test.h"
#include "core/ibs/codemap.h"

/* Two functions with padding between them: 1000h..1007h and 1010h..1012h. */
static const struct codemap_insn insns[] = {
    {.rva = 0x1000, .length = 3},
    {.rva = 0x1003, .length = 5},
    {.rva = 0x1010, .length = 1},
    {.rva = 0x1011, .length = 2},
};
static const struct codemap map = {.insns = insns, .insn_count = 4};

TEST(test_find)
{
    static const struct {
        uint64_t rva;
        int32_t index;
    } rows[] = {
        {0, -1},      {0xfff, -1},                    /* before the map */
        {0x1000, 0},  {0x1001, 0},       {0x1002, 0}, /* start, and inside: the straddle rule */
        {0x1003, 1},  {0x1007, 1},                    /* next instruction, its last byte */
        {0x1008, -1}, {0x100f, -1},                   /* padding */
        {0x1010, 2},  {0x1011, 3},       {0x1012, 3},
        {0x1013, -1}, {0x100001003, -1}, {UINT64_MAX, -1}, /* past the end; no 32-bit wrap */
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (codemap_find(&map, rows[i].rva) != rows[i].index) {
            fail_msg("row %zu: rva %llx gives %d, not %d", i, (unsigned long long)rows[i].rva,
                     (int)codemap_find(&map, rows[i].rva), (int)rows[i].index);
        }
    }
}

TEST(test_find_in_empty_map)
{
    static const struct codemap empty;
    assert_int_equal(codemap_find(&empty, 0), -1);
    assert_int_equal(codemap_find(&empty, 0x1000), -1);
}

TEST(test_hash)
{
    /* The test vectors are those of draft-eastlake-fnv, appendix C (FNV-1a, 64 bits, strings without their NUL). */
    static const struct {
        const char *text;
        uint64_t hash;
    } rows[] = {
        {"", 0xcbf29ce484222325u},
        {"a", 0xaf63dc4c8601ec8cu},
        {"b", 0xaf63df4c8601f1a5u},
        {"foobar", 0x85944171f73967e8u},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(codemap_hash(rows[i].text, (uint32_t)strlen(rows[i].text)), rows[i].hash);
}

RUN_TESTS(NULL, NULL)
