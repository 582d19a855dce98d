/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/core/made_code.h"

#include <stddef.h>
#include <string.h>

#define AT(member) offsetof(struct made_code, member)

/* Appends a string and returns where it is. */
static uint32_t text(char *all, const char *more)
{
    uint32_t at = 1;

    while (all[at])
        at += (uint32_t)strlen(all + at) + 1;
    strcpy(all + at, more);
    return at;
}

static void section(struct made_code *file, int number, const char *name, uint32_t type, uint64_t flags,
                    uint64_t offset, uint64_t size, uint64_t address)
{
    file->section[number] = (struct elf_section){.name = text(file->section_names, name),
                                                 .type = type,
                                                 .flags = flags,
                                                 .offset = offset,
                                                 .size = size,
                                                 .address = address,
                                                 .alignment = 8};
}

static void symbol(struct made_code *file, int number, const char *name, uint8_t info, uint16_t in, uint64_t value,
                   uint64_t size)
{
    file->symbol[number] =
        (struct elf_symbol){.name = text(file->names, name), .info = info, .section = in, .value = value, .size = size};
}

void made_code(struct made_code *file, int relocatable)
{
    uint64_t base[] = {relocatable ? 0 : 0x1000, relocatable ? 0 : 0x2000, relocatable ? 0 : 0x3000};

    memset(file, 0, sizeof(*file));
    file->header = (struct elf_header){.ident = {0x7f, 'E', 'L', 'F', 2, 1, 1},
                                       .type = relocatable ? ELF_TYPE_REL : ELF_TYPE_DYN,
                                       .machine = 62,
                                       .segments = AT(segment),
                                       .sections = AT(section),
                                       .segment_size = 56,
                                       .segment_count = 4,
                                       .section_size = 64,
                                       .section_count = MADE_SECTIONS,
                                       .section_names = MADE_SECTION_NAMES};
    file->segment[0] = (struct elf_segment){1, 5, AT(text), 0x1000, 0, 64, 64, 0x1000};
    file->segment[1] = (struct elf_segment){1, 4, AT(constant), 0x2000, 0, 32, 32, 0x1000};
    file->segment[2] = (struct elf_segment){1, 6, AT(data), 0x3000, 0, 16, 0x1010, 0x1000};
    file->segment[3] = (struct elf_segment){0x6474e551, 6, 0, 0, 0, 0, 0, 16}; /* GNU_STACK */
    section(file, MADE_TEXT, ".text", 1, 6, AT(text), 64, base[0]);
    section(file, MADE_CONST, ".rodata", 1, 2, AT(constant), 32, base[1]);
    section(file, MADE_DATA, ".data", 1, 3, AT(data), 16, base[2]);
    section(file, MADE_BSS, ".bss", 8, 3, 0, 0x1000, base[2] + 16);
    section(file, MADE_NOTE, ".note.ibsboot", 7, 0, AT(note.name_size), MADE_NOTE_SIZE, 0);
    section(file, MADE_RELA, ".rela", 4, relocatable ? 0 : 2, AT(rela), sizeof(file->rela), 0);
    section(file, MADE_SYMBOLS, ".symtab", 2, 0, AT(symbol), sizeof(file->symbol), 0);
    section(file, MADE_NAMES, ".strtab", 3, 0, AT(names), sizeof(file->names), 0);
    section(file, MADE_SECTION_NAMES, ".shstrtab", 3, 0, AT(section_names), sizeof(file->section_names), 0);
    for (int i = MADE_TEXT; i <= MADE_DATA; i++)
        file->section[i].alignment = CODE_PAGE; /* more than they have in the file: each begins a page */
    file->section[MADE_SYMBOLS].entry_size = 24;
    file->section[MADE_SYMBOLS].link = MADE_NAMES;
    file->section[MADE_RELA].entry_size = 24;
    file->section[MADE_RELA].link = MADE_SYMBOLS;
    file->section[MADE_RELA].info = relocatable ? MADE_DATA : 0;
    symbol(file, MADE_RUN, "run", 0x12, MADE_TEXT, base[0], 16);
    symbol(file, MADE_PREPARE, "prepare", 0x12, MADE_TEXT, base[0] + 16, 16);
    symbol(file, MADE_CHECK, "check", 0x12, MADE_TEXT, base[0] + 32, 16);
    symbol(file, MADE_TABLE, "table", 0x11, MADE_CONST, base[1] + 8, 8);
    symbol(file, MADE_OUTSIDE, "memcpy", 0x10, 0, 0, 0);
    symbol(file, MADE_WEAK, "maybe", 0x20, 0, 0, 0);
    symbol(file, MADE_ABSOLUTE, "number", 0x10, 0xfff1, 0x1234, 0);
    file->note.name_size = 8;
    file->note.size = sizeof(struct code_note);
    file->note.type = 1;
    strcpy(file->note.owner, "ibsboot");
    strcpy(file->note.note.name, "made");
    strcpy(file->note.note.title, "made by hand");
    strcpy(file->note.note.unit, "units");
    file->note.note.arena = 4096;
    file->note.note.parameter[0] = (struct code_parameter){"passes", "how often", 1, 100, 10, 0, 0, 1};
    file->note.note.parameter[1] = (struct code_parameter){"kb", "size", 4, 64, 8, 4, 1024, 1};
    memset(file->text, 0x90, sizeof(file->text));
    memcpy(file->constant, "constants that are not changed", 31);
    memcpy(file->data, "0123456789abcdef", 16);
}
