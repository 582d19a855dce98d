/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads one ELF file with libelf and libdw: segments, code, functions and source lines. For object*.c, own_map.c, and
 * snippets.
 *
 * Nothing in the file is trusted: what is not within a section of the file is omitted.
 */
#ifndef TOOLS_IBSPROF_ELF_FILE_H
#define TOOLS_IBSPROF_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_function {
    uint64_t start, size; /* does not overlap the next one */
    const char *name;     /* valid as long as the file */
};

struct elf_line {
    uint64_t address;
    const char *file; /* as the compiler wrote it, without a leading "./"; NULL ends a sequence of lines */
    int line;
};

struct elf_range {
    uint64_t start, end;
};

struct elf_file;

/* Opens a file. Returns NULL, with a reason, if it is not a regular file or not an ELF file for x86-64. A file that is
 * not linked must be own code (docs/own-code.md), and has the addresses at which ibsboot loads it. */
struct elf_file *elf_file_open(const char *path, const char **ret_problem);
void elf_file_close(struct elf_file *file);

/* Returns the size of the build-id at *ret_id in bytes; 0: none. Own code without one has the ID that ibsboot computes
 * from its bytes. */
size_t elf_file_build_id(const struct elf_file *file, const uint8_t **ret_id);

bool elf_file_has_code(const struct elf_file *file);    /* false for pure debugging information */
bool elf_file_has_symbols(const struct elf_file *file); /* has .symtab: more than dynamic symbols */

/* Converts a file offset to an address. Returns false if no segment contains it. */
bool elf_file_address(const struct elf_file *file, uint64_t offset, uint64_t *ret_address);

/* Converts likewise for memory mapped beyond a segment's bytes in the file, as for .bss. */
bool elf_file_memory_address(const struct elf_file *file, uint64_t offset, uint64_t *ret_address);

/* Returns 'size' bytes of code at an address; NULL: not all are there. */
const uint8_t *elf_file_code(const struct elf_file *file, uint64_t address, uint64_t size);

/* Returns the functions, ascending. Among several symbols at one address it chooses like perf
 * (tools/perf/util/symbol.c: with a size, not weak, global, with fewer leading underscores, longer, first in the
 * table). A function without a size ends where the next begins. Entries of the procedure linkage table are
 * "name@plt". */
const struct elf_function *elf_file_functions(struct elf_file *file, size_t *ret_count);

/* Returns the variables in sections without code, those of C++ as "space::name", chosen and ended like functions. */
const struct elf_function *elf_file_variables(struct elf_file *file, size_t *ret_count);

/* Finds the value of a symbol of any kind. Returns false if there is none. */
bool elf_file_symbol(const struct elf_file *file, const char *name, uint64_t *ret_value);

/* Returns the source lines within 'ranges' (ascending, without overlap), ascending by address; to be freed. */
struct elf_line *elf_file_lines(struct elf_file *file, const struct elf_range *ranges, size_t range_count,
                                size_t *ret_count);

#endif
