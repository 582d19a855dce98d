/* SPDX-License-Identifier: BSD-2-Clause */
/* Own code: where it is loaded, each kind of relocation, and the line for those that are refused. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/core/made_code.h"

#define ADDRESS 0x404000000000ull

static struct made_code file;
static struct code code;
static uint8_t *memory;
static char said[600];

/* Loads into memory of exactly the size that the code asks for. */
static bool load(void)
{
    struct out_memory problems;

    out_memory_init(&problems, said, sizeof(said));
    assert_true(code_read(&file, sizeof(file), &code, &problems.out));
    free(memory);
    memory = malloc(code.memory);
    memset(memory, 0xcc, code.memory);
    bool good = code_load(&code, memory, ADDRESS, &problems.out);
    static char checked[sizeof(said)];

    memcpy(checked, said, sizeof(said));
    out_memory_init(&problems, said, sizeof(said));
    assert_int_equal(code_check(&code, ADDRESS, &problems.out), good); /* the check gives the same answer */
    assert_string_equal(said, checked);
    return good;
}

static uint64_t word(uint32_t rva, unsigned bytes)
{
    uint64_t value = 0;

    memcpy(&value, memory + rva, bytes);
    return value;
}

TEST(loads_pieces)
{
    for (int relocatable = 0; relocatable < 2; relocatable++) {
        uint32_t text = relocatable ? 0 : 0x1000;

        made_code(&file, relocatable);
        assert_true(load());
        assert_memory_equal(memory + text, file.text, sizeof(file.text));
        assert_int_equal(memory[text + sizeof(file.text)], 0);
        assert_memory_equal(memory + text + 0x1000, file.constant, sizeof(file.constant));
        assert_memory_equal(memory + text + 0x2000, file.data, sizeof(file.data));
        for (unsigned i = 16; i < 0x1010; i++)
            assert_int_equal(memory[text + 0x2000 + i], 0);
    }
}

struct row {
    bool relocatable;
    uint32_t type, symbol;
    uint64_t offset;
    int64_t addend;
    unsigned bytes;
    uint64_t value;   /* the value wanted at that place, or: */
    const char *said; /* how the line begins */
};

/* In ET_DYN files the place is an address; in ET_REL files an offset in .data, which is at 2000h, with the table at
 * 1008h. */
static const struct row rows[] = {
    {false, ELF_R_RELATIVE, 0, 0x3008, 0x2010, 8, ADDRESS + 0x2010, NULL},
    {false, ELF_R_64, MADE_TABLE, 0x3000, 4, 8, ADDRESS + 0x200c, NULL},
    {false, ELF_R_GLOB_DAT, MADE_TABLE, 0x3000, 4, 8, ADDRESS + 0x2008, NULL},
    {false, ELF_R_JUMP_SLOT, MADE_CHECK, 0x3000, 0, 8, ADDRESS + 0x1020, NULL},
    {false, ELF_R_GLOB_DAT, MADE_WEAK, 0x3000, 0, 8, 0, NULL},
    {false, ELF_R_64, MADE_ABSOLUTE, 0x3000, 1, 8, 0x1235, NULL},
    {false, ELF_R_64, 0, 0x3000, 7, 8, 7, NULL},
    {false, ELF_R_64, MADE_TABLE, 0x4008, 0, 8, ADDRESS + 0x2008, NULL},
    {false, ELF_R_64, MADE_TABLE, 0x4009, 0, 8, 0, "relocation R_X86_64_64 (1) at check+0x2fe9: it reaches beyond"},
    {false, ELF_R_64, MADE_TABLE, 0x4010, 0, 8, 0, "relocation R_X86_64_64 (1) at check+0x2ff0: nothing is loaded"},
    {false, ELF_R_64, MADE_TABLE, UINT64_MAX, 0, 8, 0, "relocation R_X86_64_64 (1) at check+0xffffefdf: nothing is"},
    {false, ELF_R_64, MADE_OUTSIDE, 0x1004, 0, 8, 0,
     "relocation R_X86_64_64 (1) at run+0x4: 'memcpy' is not defined here: link its definition"},
    {false, ELF_R_64, MADE_SYMBOL_COUNT, 0x1004, 0, 8, 0,
     "relocation R_X86_64_64 (1) at run+0x4: its symbol is missing"},
    {false, 5, MADE_TABLE, 0x3000, 0, 8, 0, "relocation R_X86_64_COPY (5) at check+0x1fe0: this kind is not supported"},
    {false, 16, MADE_TABLE, 0x1000, 0, 8, 0, "relocation R_X86_64_DTPMOD64 (16) at run+0x0: this kind"},
    {false, 99, MADE_TABLE, 0x1000, 0, 8, 0, "relocation R_X86_64_of an unknown number (99) at run+0x0: this kind"},
    {true, ELF_R_64, MADE_TABLE, 8, -1, 8, ADDRESS + 0x1007, NULL},
    {true, ELF_R_PC32, MADE_TABLE, 8, -4, 4, 0xfffff000 - 4, NULL},
    {true, ELF_R_PLT32, MADE_RUN, 8, 0, 4, 0xffffdff8, NULL},
    {true, ELF_R_PC64, MADE_RUN, 8, 0, 8, -0x2008ull, NULL},
    {true, ELF_R_PC32, MADE_ABSOLUTE, 8, 0, 4, 0, "relocation R_X86_64_PC32 (2) at check+0x1fe8: its target is too"},
    {true, ELF_R_PC32, MADE_TABLE, 13, 0, 4, 0, "relocation R_X86_64_PC32 (2) at check+0x1fed: it reaches beyond"},
    {true, ELF_R_32, MADE_ABSOLUTE, 8, 1, 4, 0x1235, NULL},
    {true, ELF_R_32, MADE_ABSOLUTE, 8, -0x1235, 4, 0,
     "relocation R_X86_64_32 (10) at check+0x1fe8: code is above 4 GB"},
    {true, ELF_R_32, MADE_ABSOLUTE, 8, 0xffffffff - 0x1234, 4, 0xffffffff, NULL},
    {true, ELF_R_32, MADE_ABSOLUTE, 8, 0x100000000 - 0x1234, 4, 0,
     "relocation R_X86_64_32 (10) at check+0x1fe8: code is above 4 GB"},
    {true, ELF_R_32S, MADE_ABSOLUTE, 8, 0x7fffffff - 0x1234, 4, 0x7fffffff, NULL},
    {true, ELF_R_32S, MADE_ABSOLUTE, 8, 0x80000000 - 0x1234, 4, 0,
     "relocation R_X86_64_32S (11) at check+0x1fe8: code is above 4 GB"},
    {true, ELF_R_32S, MADE_ABSOLUTE, 8, -0x80000000ll - 0x1234, 4, 0x80000000, NULL},
    {true, ELF_R_32S, MADE_ABSOLUTE, 8, -0x1235, 4, 0xffffffff, NULL},
    {true, ELF_R_32S, MADE_TABLE, 8, 0, 4, 0,
     "relocation R_X86_64_32S (11) at check+0x1fe8: code is above 4 GB here: "
     "compile with -fPIE"},
    {true, ELF_R_GOTPCREL, MADE_TABLE, 8, 0, 4, 0, "relocation R_X86_64_GOTPCREL (9) at check+0x1fe8: this kind"},
    {true, ELF_R_GOTPCRELX, MADE_TABLE, 8, 0, 4, 0, "relocation R_X86_64_GOTPCRELX (41) at check+0x1fe8: not in a mov"},
    {true, ELF_R_NONE, MADE_OUTSIDE, 8, 0, 1, '8', NULL},
};

TEST(relocates)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct row *row = &rows[i];
        uint32_t place = (uint32_t)row->offset + (row->relocatable ? 0x2000 : 0);

        made_code(&file, row->relocatable);
        file.rela[2] = (struct elf_rela){row->offset, (uint64_t)row->symbol << 32 | row->type, row->addend};
        if (load() == (row->said != NULL) || (row->said && strncmp(said, row->said, strlen(row->said)) != 0))
            fail_msg("row %zu: wanted '%s', said '%s'", i, row->said ? row->said : "", said);
        if (!row->said && word(place, row->bytes) != row->value)
            fail_msg("row %zu: %llx", i, (unsigned long long)word(place, row->bytes));
    }
}

/* The instruction is mov 0(%rip), %rax; the relocation applies to its displacement. */
TEST(needs_no_table_of_addresses)
{
    made_code(&file, 1);
    file.section[MADE_RELA].info = MADE_TEXT;
    memcpy(file.text + 16, "\x48\x8b\x05", 3);
    file.rela[0] = (struct elf_rela){19, (uint64_t)MADE_TABLE << 32 | ELF_R_REX_GOTPCRELX, -4};
    assert_true(load());
    assert_int_equal(memory[17], 0x8d);
    assert_int_equal(word(19, 4), 0x1008 - 23);
    file.rela[0].offset = 1;
    assert_false(load());
}

/* In ET_REL files relocations of sections that are not loaded, such as DWARF's, are ignored. */
TEST(passes_over_others)
{
    made_code(&file, 1);
    file.section[MADE_RELA].info = MADE_NOTE;
    file.rela[0] = (struct elf_rela){4, (uint64_t)MADE_OUTSIDE << 32 | ELF_R_64, 0};
    assert_true(load());
    made_code(&file, 0);
    file.section[MADE_RELA].flags = 0;
    file.rela[0] = (struct elf_rela){0x3000, (uint64_t)MADE_OUTSIDE << 32 | ELF_R_64, 0};
    assert_true(load());
    assert_memory_equal(memory + 0x3000, file.data, 16);
}

TEST(refuses_cut_relocations)
{
    made_code(&file, 0);
    file.section[MADE_RELA].size = sizeof(file);
    assert_false(load());
    assert_string_equal(said,
                        "its relocations are outside of the file, which may have been cut short: copy it again\n");
    made_code(&file, 0);
    file.section[MADE_RELA].entry_size = 16;
    assert_false(load());
    made_code(&file, 1);
    file.symbol[MADE_OUTSIDE].section = ELF_COMMON;
    file.rela[0] = (struct elf_rela){0, (uint64_t)MADE_OUTSIDE << 32 | ELF_R_64, 0};
    assert_false(load());
    assert_string_equal(said, "relocation R_X86_64_64 (1) at check+0x1fe0: 'memcpy' is a common variable: compile with "
                              "-fno-common\n");
}

RUN_TESTS(NULL, NULL)
