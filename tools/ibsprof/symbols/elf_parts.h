/* SPDX-License-Identifier: BSD-2-Clause */
/* State of a file that elf_file.c, elf_symbols.c, elf_plt.c and elf_lines.c share. For them only. */
#ifndef TOOLS_IBSPROF_ELF_PARTS_H
#define TOOLS_IBSPROF_ELF_PARTS_H

#include <elfutils/libdw.h>
#include <gelf.h>

#include "tools/ibsprof/symbols/elf_file.h"

struct elf_code { /* a section of code */
    uint64_t start, end;
    const uint8_t *bytes; /* NULL: not in this file */
};

struct elf_file {
    int fd;
    Elf *elf;
    Dwarf *dwarf;
    bool dwarf_tried, functions_read, has_code;
    GElf_Phdr *segments; /* PT_LOAD */
    size_t segment_count;
    struct elf_code *code;
    size_t code_count;
    Elf_Scn *symtab, *dynsym;
    struct elf_function *functions;
    size_t function_count;
    char **made_names; /* of functions that have no symbol */
    size_t made_count;
};

/* Entries of the procedure linkage table: what they jump to, and where they are. */
void elf_plt_each(struct elf_file *file, void (*add)(void *context, const char *name, uint64_t address), void *context);

#endif
