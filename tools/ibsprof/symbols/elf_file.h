/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One ELF file, read with libelf and libdw: its segments, code, functions and source lines. For object*.c and
 * own_map.c, and for snippets.
 *
 * Nothing in the file is trusted: what is not within a section of the file is left out.
 */
#ifndef TOOLS_IBSPROF_ELF_FILE_H
#define TOOLS_IBSPROF_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_function {
    uint64_t start, size; /* none overlaps the next one */
    const char *name;     /* lives as long as the file */
};

struct elf_line {
    uint64_t address;
    const char *file; /* as the compiler wrote it, without a "./" before it; NULL where a sequence of lines ends */
    int line;
};

struct elf_range {
    uint64_t start, end;
};

struct elf_file;

/* NULL, with a reason, when it is no regular file or no ELF file for x86-64. One that is not linked is taken when it is
 * own code (docs/own-code.md): its addresses are those that ibsboot loads it at. */
struct elf_file *elf_file_open(const char *path, const char **ret_problem);
void elf_file_close(struct elf_file *file);

/* Bytes of the build-id at *ret_id, 0 when it has none; of own code without, that which ibsboot makes of its bytes. */
size_t elf_file_build_id(const struct elf_file *file, const uint8_t **ret_id);

bool elf_file_has_code(const struct elf_file *file);    /* a file of debugging information alone has none */
bool elf_file_has_symbols(const struct elf_file *file); /* .symtab: not only what is linked to */

/* Place in the file to address; false when no segment has it. */
bool elf_file_address(const struct elf_file *file, uint64_t offset, uint64_t *ret_address);

/* Likewise of memory that is mapped behind the end of a segment's bytes in the file, where .bss is. */
bool elf_file_memory_address(const struct elf_file *file, uint64_t offset, uint64_t *ret_address);

/* The bytes of code at an address, NULL when size bytes are not there. */
const uint8_t *elf_file_code(const struct elf_file *file, uint64_t address, uint64_t size);

/* Functions, ascending. Where several symbols have the same address, the one that perf prefers
 * (tools/perf/util/symbol.c: with a size, not weak, global, with fewer underscores before it, longer, first in the
 * table). One without size ends where the next begins. Entries of the procedure linkage table are "name@plt".
 */
const struct elf_function *elf_file_functions(struct elf_file *file, size_t *ret_count);

/* Variables in sections that are not executed, those of C++ as "space::name", chosen among symbols of the same address,
 * and ended, as functions are.
 */
const struct elf_function *elf_file_variables(struct elf_file *file, size_t *ret_count);

/* The value of a symbol of any kind; false when there is none. */
bool elf_file_symbol(const struct elf_file *file, const char *name, uint64_t *ret_value);

/* The source lines within ranges (ascending, not overlapping), ascending by address; free() them. */
struct elf_line *elf_file_lines(struct elf_file *file, const struct elf_range *ranges, size_t range_count,
                                size_t *ret_count);

#endif
