/* SPDX-License-Identifier: BSD-2-Clause */
/* State of a file, shared only by elf_file.c, elf_symbols.c, elf_plt.c and elf_lines.c. */
#ifndef TOOLS_IBSPROF_ELF_PARTS_H
#define TOOLS_IBSPROF_ELF_PARTS_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "core/code/code.h"
#include "tools/ibsprof/symbols/elf_file.h"

struct elf_code { /* a section of code */
    uint64_t start, end;
    const uint8_t *bytes; /* NULL: not in this file */
};

struct elf_file {
    int fd;
    Elf *elf;
    Dwarf *dwarf;
    Dwfl *dwfl;          /* owns 'dwarf' of own code that is not linked; NULL for other files */
    struct code *layout; /* where ibsboot's loader puts own code that is not linked (ET_REL); NULL: other files */
    uint8_t *loaded;     /* the loaded bytes, from address 0 on */
    uint8_t made_id[CODE_BUILD_ID];
    bool has_made_id;
    bool dwarf_tried, functions_read, variables_read, has_code;
    GElf_Phdr *segments; /* PT_LOAD */
    size_t segment_count;
    struct elf_code *code;
    size_t code_count;
    struct elf_range *data; /* sections that are loaded and have no code: .rodata, .data, .bss */
    size_t data_count;
    Elf_Scn *symtab, *dynsym;
    struct elf_function *functions;
    size_t function_count;
    struct elf_function *variables;
    size_t variable_count;
    char **made_names; /* names of functions without a symbol, and of C++ */
    size_t made_count;
};

/* Reads the layout of own code that is not linked. Returns false for other files. */
bool elf_layout_read(struct elf_file *file);

/* Computes the ID by which a run names own code without a build-id. */
void elf_layout_make_id(struct elf_file *file);

/* Makes segments and code sections from the loaded pieces. */
void elf_layout_pieces(struct elf_file *file);

/* Moves a symbol from its section to the loaded address. Returns false if the section is not loaded. */
bool elf_layout_symbol(const struct elf_file *file, GElf_Sym *symbol);

/* Returns the DWARF, relocated to the layout; NULL: none. */
Dwarf *elf_layout_dwarf(struct elf_file *file);
void elf_layout_free(struct elf_file *file);

/* Calls add() for each entry of the procedure linkage table, with its target's name and its address. */
void elf_plt_each(struct elf_file *file, void (*add)(void *context, const char *name, uint64_t address), void *context);

#endif
