/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads from untrusted bytes, for the files of this room. */
#ifndef CORE_CODE_CODE_PARTS_H
#define CORE_CODE_CODE_PARTS_H

#include "core/code/code.h"
#include "core/code/elf_format.h"

/* Returns bytes of the file; NULL if it has fewer. */
const uint8_t *code_bytes(const struct code *code, uint64_t offset, uint64_t size);

/* Read section header or symbol n, which is below the count that code_read() has checked. */
struct elf_section code_section(const struct code *code, uint64_t n);
struct elf_symbol code_symbol(const struct code *code, uint64_t n);

/* Return the name of a symbol or section, terminated within the file; "" if it has none. */
const char *code_symbol_name(const struct code *code, const struct elf_symbol *symbol);
const char *code_section_name(const struct code *code, const struct elf_section *section);

/* A name as messages show it: its first 60 bytes, '?' for each that would end a line or steer a terminal. */
struct code_shown {
    char text[61];
};
struct code_shown code_shown(const char *name);

/* Returns the piece as which section n was loaded (ET_REL); NULL if it was not. */
const struct code_piece *code_piece_of(const struct code *code, uint64_t n);

/* Finds the rva of a symbol; returns false if it is in no piece. */
bool code_symbol_rva(const struct code *code, const struct elf_symbol *symbol, uint32_t *ret_rva);

/* Returns the rva of the function of that name, or CODE_NONE. */
uint32_t code_find(const struct code *code, const char *name);

void code_find_build_id(struct code *code);

#endif
