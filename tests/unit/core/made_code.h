/* SPDX-License-Identifier: BSD-2-Clause */
/* A handmade ELF file of own code, ET_DYN or ET_REL: run, prepare and check, constants, data, relocations, a note. */
#ifndef TESTS_UNIT_CORE_MADE_CODE_H
#define TESTS_UNIT_CORE_MADE_CODE_H

#include <stdint.h>

#include "core/code/code.h"
#include "core/code/elf_format.h"

/* The numbers of the sections. */
enum {
    MADE_TEXT = 1,
    MADE_CONST,
    MADE_DATA,
    MADE_BSS,
    MADE_NOTE,
    MADE_RELA,
    MADE_SYMBOLS,
    MADE_NAMES,
    MADE_SECTION_NAMES,
    MADE_SECTIONS
};
enum { MADE_RUN = 1, MADE_PREPARE, MADE_CHECK, MADE_TABLE, MADE_OUTSIDE, MADE_WEAK, MADE_ABSOLUTE, MADE_SYMBOL_COUNT };

/* The file's parts, at fixed offsets, so that tests can change each. */
struct made_code {
    struct elf_header header;
    struct elf_segment segment[4]; /* text, const, data, one that is not loaded */
    struct elf_section section[MADE_SECTIONS];
    struct elf_symbol symbol[MADE_SYMBOL_COUNT];
    struct elf_rela rela[4];
    struct {
        uint32_t before; /* padding, so that the following members have no gap */
        uint32_t name_size, size, type;
        char owner[8];
        struct code_note note;
    } note;
    uint8_t text[64];
    uint8_t constant[32];
    uint8_t data[16];
    char names[64], section_names[96];
};

enum { MADE_NOTE_SIZE = 20 + sizeof(struct code_note) };

/* Fills in the file; relocatable: ET_REL. */
void made_code(struct made_code *file, int relocatable);

#endif
