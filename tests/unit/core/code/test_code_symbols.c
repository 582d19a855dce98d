/* SPDX-License-Identifier: BSD-2-Clause */
/* Own code: where symbols are, and how places and names are shown. */
#include <stdbool.h>
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/core/made_code.h"

#include "core/code/code_parts.h"

static struct made_code file;
static struct code code;
static char said[600];

static bool read_code(void)
{
    struct out_memory problems;

    out_memory_init(&problems, said, sizeof(said));
    return code_read(&file, sizeof(file), &code, &problems.out);
}

/* A symbol is within what was loaded, or has no place. */
TEST(places_symbols)
{
    struct elf_symbol symbol = {.section = MADE_TEXT};
    static const struct {
        bool relocatable;
        uint64_t value;
        uint32_t rva; /* 0: no place */
    } rows[] = {{false, 0, 0},           {false, 0xfff, 0},
                {false, 0x1000, 0x1000}, {false, 0x103f, 0x103f},
                {false, 0x1040, 0},      {false, 0x400f, 0x400f},
                {false, 0x4010, 0},      {true, 1, 1},
                {true, 64, 64},          {true, 65, 0}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint32_t rva = 0;

        made_code(&file, rows[i].relocatable);
        assert_true(read_code());
        symbol.value = rows[i].value;
        assert_int_equal(code_symbol_rva(&code, &symbol, &rva), rows[i].rva != 0);
        assert_int_equal(rva, rows[i].rva);
    }
}

TEST(names_places)
{
    char text[80];
    struct out_memory memory;

    made_code(&file, 0);
    assert_true(read_code());
    out_memory_init(&memory, text, sizeof(text));
    code_write_place(&memory.out, &code, 0x1000);
    out_printf(&memory.out, " ");
    code_write_place(&memory.out, &code, 0x1013);
    out_printf(&memory.out, " ");
    code_write_place(&memory.out, &code, 0xfff);
    assert_string_equal(text, "run+0x0 prepare+0x3 +0xfff");
}

/* A name may contain line ends, or characters that control a terminal. */
TEST(names_are_shown_as_text)
{
    char text[80];
    struct out_memory memory;

    made_code(&file, 1);
    file.section[MADE_DATA].alignment = 24;
    file.section_names[file.section[MADE_DATA].name + 1] = '\n';
    assert_false(read_code());
    assert_string_equal(said, "section .?ata is aligned to 24, which is not a power of two up to a page\n");
    made_code(&file, 0);
    file.names[file.symbol[MADE_PREPARE].name] = 0x1b;
    file.names[file.symbol[MADE_PREPARE].name + 1] = 0x7f;
    file.names[file.symbol[MADE_PREPARE].name + 2] = (char)0xc3;
    assert_true(read_code());
    out_memory_init(&memory, text, sizeof(text));
    code_write_place(&memory.out, &code, 0x1013);
    assert_string_equal(text, "??\xc3pare+0x3");
}

RUN_TESTS(NULL, NULL)
