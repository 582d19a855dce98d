/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions and variables of an ELF file; the contract is in elf_file.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/symbols/demangle.h"
#include "tools/ibsprof/symbols/elf_parts.h"
#include "tools/ibsprof/base/must.h"

struct candidate {
    struct elf_function function;
    uint8_t bind;
    size_t number; /* in the table */
};

/* Returns the end of the section of code, or of data, at the address; 0: none. */
static uint64_t end_of(const struct elf_file *file, bool data, uint64_t address)
{
    for (size_t i = 0; i < (data ? file->data_count : file->code_count); i++) {
        struct elf_range range = data ? file->data[i] : (struct elf_range){file->code[i].start, file->code[i].end};

        if (address >= range.start && address < range.end)
            return range.end;
    }
    return 0;
}

/* Calls visit() for every symbol defined in a section, until it returns false. */
static void each_symbol(const struct elf_file *file, Elf_Scn *section,
                        bool (*visit)(void *context, const char *name, const GElf_Sym *symbol), void *context)
{
    GElf_Shdr header;
    Elf_Data *data;

    if (!section || !gelf_getshdr(section, &header) || header.sh_entsize == 0 || !(data = elf_getdata(section, NULL)))
        return;
    for (size_t i = 0; i < data->d_size / header.sh_entsize; i++) {
        GElf_Sym symbol;
        const char *name;

        if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS)
            continue;
        if (file->layout && !elf_layout_symbol(file, &symbol))
            continue;
        name = elf_strptr(file->elf, header.sh_link, symbol.st_name);
        if (name && name[0] != '\0' && !visit(context, name, &symbol))
            return;
    }
}

/* Returns whether to list a symbol: like perf, labels of assembly code too, unless they are hidden. */
static bool is_wanted(const GElf_Sym *symbol, bool data)
{
    switch (GELF_ST_TYPE(symbol->st_info)) {
    case STT_FUNC:
    case STT_GNU_IFUNC:
        return !data;
    case STT_OBJECT:
        return data;
    case STT_NOTYPE:
        return GELF_ST_VISIBILITY(symbol->st_other) != STV_HIDDEN &&
               GELF_ST_VISIBILITY(symbol->st_other) != STV_INTERNAL;
    default:
        return false;
    }
}

struct candidates {
    struct elf_file *file;
    bool data;
    struct candidate *rows;
    size_t count;
};

static bool collect(void *context, const char *name, const GElf_Sym *symbol)
{
    struct candidates *all = context;
    uint64_t end = end_of(all->file, all->data, symbol->st_value);
    struct candidate *row;

    if (!is_wanted(symbol, all->data) || end == 0)
        return true;
    row = must_add(all->rows, all->count);
    *row = (struct candidate){.function = {symbol->st_value, symbol->st_size, name},
                              .bind = GELF_ST_BIND(symbol->st_info),
                              .number = all->count};
    if (row->function.size > end - row->function.start)
        row->function.size = end - row->function.start;
    return true;
}

/* Adds an entry, which ends where the next one begins. */
static void collect_plt(void *context, const char *name, uint64_t address)
{
    struct candidates *all = context;
    struct elf_file *file = all->file;
    struct candidate *row;
    char *made;

    if (end_of(file, false, address) == 0)
        return;
    made = must_text("%s@plt", name);
    *must_add(file->made_names, file->made_count) = made;
    row = must_add(all->rows, all->count);
    *row = (struct candidate){.function = {address, 0, made}, .bind = STB_LOCAL, .number = all->count};
}

static size_t underscores(const char *name)
{
    return strspn(name, "_");
}

/* Sorts by address, the preferred symbol first. */
static int compare(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    const struct elf_function *f = &a->function, *g = &b->function;
    size_t f_length, g_length;

    if (f->start != g->start)
        return f->start < g->start ? -1 : 1;
    if ((f->size == 0) != (g->size == 0))
        return f->size == 0 ? 1 : -1;
    if ((a->bind == STB_WEAK) != (b->bind == STB_WEAK))
        return a->bind == STB_WEAK ? 1 : -1;
    if ((a->bind == STB_GLOBAL) != (b->bind == STB_GLOBAL))
        return a->bind == STB_GLOBAL ? -1 : 1;
    if (underscores(f->name) != underscores(g->name))
        return underscores(f->name) < underscores(g->name) ? -1 : 1;
    f_length = strlen(f->name);
    g_length = strlen(g->name);
    if (f_length != g_length)
        return f_length > g_length ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void set_ends(const struct candidates *all, struct elf_function *functions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct elf_function *function = &functions[i];
        uint64_t end = end_of(all->file, all->data, function->start);

        if (i + 1 < count && functions[i + 1].start < end)
            end = functions[i + 1].start;
        if (function->size == 0 || function->size > end - function->start)
            function->size = end - function->start;
    }
}

/* Selects one symbol for each address. */
static struct elf_function *choose(struct candidates *all, size_t *ret_count)
{
    struct elf_function *functions = must_alloc(all->count, sizeof(*functions));
    size_t count = 0;

    if (all->count > 0)
        qsort(all->rows, all->count, sizeof(*all->rows), compare);
    for (size_t i = 0; i < all->count; i++)
        if (i == 0 || all->rows[i].function.start != all->rows[i - 1].function.start)
            functions[count++] = all->rows[i].function;
    free(all->rows);
    set_ends(all, functions, count);
    *ret_count = count;
    return functions;
}

const struct elf_function *elf_file_functions(struct elf_file *file, size_t *ret_count)
{
    struct candidates all = {.file = file};

    if (!file->functions_read) {
        file->functions_read = true;
        each_symbol(file, file->symtab ? file->symtab : file->dynsym, collect, &all);
        elf_plt_each(file, collect_plt, &all);
        file->functions = choose(&all, &file->function_count);
    }
    *ret_count = file->function_count;
    return file->functions;
}

const struct elf_function *elf_file_variables(struct elf_file *file, size_t *ret_count)
{
    struct candidates all = {.file = file, .data = true};

    if (!file->variables_read) {
        file->variables_read = true;
        each_symbol(file, file->symtab ? file->symtab : file->dynsym, collect, &all);
        file->variables = choose(&all, &file->variable_count);
        for (size_t i = 0; i < file->variable_count; i++) {
            char *plain = demangle(file->variables[i].name);

            if (plain)
                file->variables[i].name = *must_add(file->made_names, file->made_count) = plain;
        }
    }
    *ret_count = file->variable_count;
    return file->variables;
}

struct wanted {
    const char *name;
    uint64_t value;
    bool found;
};

static bool match(void *context, const char *name, const GElf_Sym *symbol)
{
    struct wanted *wanted = context;

    if (strcmp(name, wanted->name) == 0) {
        wanted->value = symbol->st_value;
        wanted->found = true;
    }
    return !wanted->found;
}

bool elf_file_symbol(const struct elf_file *file, const char *name, uint64_t *ret_value)
{
    struct wanted wanted = {.name = name};

    each_symbol(file, file->symtab, match, &wanted);
    if (wanted.found)
        *ret_value = wanted.value;
    return wanted.found;
}
