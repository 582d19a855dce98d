/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of rows: of functions, lines and instructions, and of places without such names. */
#include "tests/unit/test.h"

#include "tools/ibsprof/profile/rows.h"

/* Strings: "" at 0, "f" at 1, "src/f.c" at 3, "nop" at 11. */
static const struct codemap_func funcs[] = {{.rva = 0x10, .size = 4, .name = 1}};
static const uint32_t files[] = {3};
static const struct codemap_insn insns[] = {{.rva = 0x10, .text = 11, .line = 1, .length = 1},
                                            {.rva = 0x11, .text = 11, .line = 7, .length = 1},
                                            {.rva = 0x12, .text = 11, .line = 0, .length = 1},
                                            {.rva = 0x13, .text = 11, .line = 7, .file = 0xFFFF, .length = 1}};
static const struct codemap map = {.insns = insns,
                                   .funcs = funcs,
                                   .files = files,
                                   .strings = "\0f\0src/f.c\0nop",
                                   .insn_count = 4,
                                   .func_count = 1,
                                   .file_count = 1};
static const struct codemap *maps[] = {&map};
static const struct run_profile profile = {.maps = maps, .object_count = 1};

static void expect_names(struct profile_place place, const char *instruction, const char *line, const char *function)
{
    const struct row row = {.first = &place};
    char text[60];

    row_name(&profile, &row, PROFILE_INSTRUCTIONS, text, sizeof(text));
    assert_string_equal(text, instruction);
    row_name(&profile, &row, PROFILE_LINES, text, sizeof(text));
    assert_string_equal(text, line);
    row_name(&profile, &row, PROFILE_FUNCTIONS, text, sizeof(text));
    assert_string_equal(text, function);
}

TEST(rows_with_code)
{
    expect_names((struct profile_place){.rva = 0x10, .insn = 0}, "10 nop", "f.c:1  f", "f");
    expect_names((struct profile_place){.rva = 0x11, .insn = 1}, "11 nop", "f.c:7  f", "f");
    expect_names((struct profile_place){.rva = 0x12, .insn = 2}, "12 nop", "(line not known)  f", "f");
    expect_names((struct profile_place){.rva = 0x13, .insn = 3}, "13 nop", "(line not known)  f", "f");
}

TEST(rows_without_code)
{
    expect_names((struct profile_place){.rva = 0x12, .insn = -1}, "12  f", "12  f", "f");
    expect_names((struct profile_place){.rva = 0x50, .insn = -1, .func = -1}, "50", "50", "(no symbols)");
    expect_names((struct profile_place){.object = PROFILE_NO_OBJECT, .rva = 0x60, .insn = -1, .func = -1}, "60", "60",
                 "(no symbols)");
}

RUN_TESTS(NULL, NULL)
