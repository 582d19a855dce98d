/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads from untrusted bytes, for the files of this room. */
#ifndef CORE_CODE_CODE_PARTS_H
#define CORE_CODE_CODE_PARTS_H

#include "core/code/code.h"
#include "core/code/elf_format.h"

/* Bytes of the file; NULL: it has fewer. */
const uint8_t *code_bytes(const struct code *code, uint64_t offset, uint64_t size);

/* The n-th section header or symbol; n is below the count of its table, which code_read() has checked. */
struct elf_section code_section(const struct code *code, uint64_t n);
struct elf_symbol code_symbol(const struct code *code, uint64_t n);

/* The name of a symbol, or of a section, with an end within the file; "" for what has none. */
const char *code_symbol_name(const struct code *code, const struct elf_symbol *symbol);
const char *code_section_name(const struct code *code, const struct elf_section *section);

/* A name as lines show it: its first 60 bytes, '?' in place of each that would end a line or steer a terminal. */
struct code_shown {
    char text[61];
};
struct code_shown code_shown(const char *name);

/* The piece that section n was loaded as (ET_REL); NULL: it was not. */
const struct code_piece *code_piece_of(const struct code *code, uint64_t n);

/* Where a symbol is; false: it is in no piece. */
bool code_symbol_rva(const struct code *code, const struct elf_symbol *symbol, uint32_t *ret_rva);

/* The rva of the function of that name; CODE_NONE: there is none. */
uint32_t code_find(const struct code *code, const char *name);

void code_find_build_id(struct code *code);

#endif
