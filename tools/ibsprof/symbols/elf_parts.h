/* SPDX-License-Identifier: BSD-2-Clause */
/* State of a file that elf_file.c, elf_symbols.c, elf_plt.c and elf_lines.c share. For them only. */
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
    Dwfl *dwfl;          /* owns 'dwarf' of own code that is not linked; NULL: the file has its own */
    struct code *layout; /* own code that is not linked (ET_REL): where ibsboot's loader puts it; NULL: other files */
    uint8_t *loaded;     /* and what it loads, from address 0 on */
    uint8_t made_id[CODE_BUILD_ID];
    bool has_made_id;
    bool dwarf_tried, functions_read, variables_read, has_code;
    GElf_Phdr *segments; /* PT_LOAD */
    size_t segment_count;
    struct elf_code *code;
    size_t code_count;
    struct elf_range *data; /* what is loaded and not executed: .rodata, .data, .bss */
    size_t data_count;
    Elf_Scn *symtab, *dynsym;
    struct elf_function *functions;
    size_t function_count;
    struct elf_function *variables;
    size_t variable_count;
    char **made_names; /* of functions that have no symbol, and of C++ */
    size_t made_count;
};

/* Reads the layout of own code that is not linked. False: it is no such file. */
bool elf_layout_read(struct elf_file *file);

/* Makes the id by which a run names own code that has no build-id. */
void elf_layout_make_id(struct elf_file *file);

/* Makes segments and sections of code of the pieces that are loaded. */
void elf_layout_pieces(struct elf_file *file);

/* Moves a symbol from its section to where that is loaded; false: it is not. */
bool elf_layout_symbol(const struct elf_file *file, GElf_Sym *symbol);

/* Returns the DWARF, relocated to the layout. NULL: none. */
Dwarf *elf_layout_dwarf(struct elf_file *file);
void elf_layout_free(struct elf_file *file);

/* Entries of the procedure linkage table: what they jump to, and where they are. */
void elf_plt_each(struct elf_file *file, void (*add)(void *context, const char *name, uint64_t address), void *context);

#endif
