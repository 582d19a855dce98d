/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/symbols/kallsyms.h"

#include <ctype.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"

enum { TEXT_MAX = 1 << 26, ID_MAX = 20, PAGE = 4096 };

struct symbol {
    struct elf_function function;
    const char *module; /* NULL: the kernel itself */
    size_t number;      /* in the file */
};

/* Chooses symbols as perf 6.1 does (tools/perf/util/symbol.c, symbol_type__filter; of equal addresses only the last one
 * gets a size). */
static bool is_symbol(char type, const char *name)
{
    return strchr("TWDB", toupper((unsigned char)type)) && name[0] != '$';
}

/* Parses "ffffffff81000000 T _stext" or "ffffffffa0001000 t name\t[module]" in place. Returns false for other lines. */
static bool parse_line(char *line, struct symbol *symbol, char *ret_type)
{
    char *rest, *module;

    symbol->function.start = strtoull(line, &rest, 16);
    if (rest == line || rest[0] != ' ' || rest[1] == '\0' || rest[2] != ' ' || rest[3] == '\0')
        return false;
    *ret_type = rest[1];
    symbol->function.name = rest + 3;
    symbol->function.size = 0;
    module = strchr(rest + 3, '\t');
    symbol->module = module ? module + 1 : NULL;
    if (module)
        *module = '\0';
    return true;
}

static int by_address(const void *left, const void *right)
{
    const struct symbol *a = left, *b = right;

    if (a->function.start != b->function.start)
        return a->function.start < b->function.start ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static bool of_one_module(const struct symbol *a, const struct symbol *b)
{
    if (!a->module || !b->module)
        return a->module == b->module;
    return strcmp(a->module, b->module) == 0;
}

/* Returns the next symbol's start within a module, otherwise the end of the page after it (tools/perf/util/symbol.c,
 * symbols__fixup_end). */
static uint64_t end_of(const struct symbol *symbol, const struct symbol *next)
{
    uint64_t start = symbol->function.start;
    uint64_t last = start < UINT64_MAX - 2 * PAGE ? (start + 2 * PAGE - 1) / PAGE * PAGE : UINT64_MAX;

    return next && (of_one_module(symbol, next) || next->function.start < last) ? next->function.start : last;
}

struct kallsyms *kallsyms_parse(char *text, const char *reference_name, uint64_t reference)
{
    struct kallsyms *kallsyms = must_new(kallsyms);
    struct symbol *symbols = NULL, symbol;
    size_t count = 0;
    uint64_t here = 0;
    char *next, type;

    for (char *line = text; line && *line != '\0'; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        if (!parse_line(line, &symbol, &type))
            continue;
        if (here == 0 && !symbol.module && strcmp(symbol.function.name, reference_name) == 0)
            here = symbol.function.start;
        if (!is_symbol(type, symbol.function.name))
            continue;
        symbol.number = count;
        *must_add(symbols, count) = symbol;
    }
    kallsyms->text = text;
    /* Without the reference symbol the common distance is not known; the kernel shows zeros to users without
     * permission. */
    if (count > 0 && here != 0 && reference != 0) {
        qsort(symbols, count, sizeof(*symbols), by_address);
        kallsyms->functions = must_alloc(count, sizeof(*kallsyms->functions));
        for (size_t i = 0; i < count; i++) {
            struct elf_function function = symbols[i].function;

            if (function.start < KALLSYMS_BASE || (i + 1 < count && symbols[i + 1].function.start == function.start))
                continue;
            function.size = end_of(&symbols[i], i + 1 < count ? &symbols[i + 1] : NULL) - function.start;
            function.start += reference - here;
            if (function.start >= KALLSYMS_BASE && function.start < UINT64_MAX - function.size)
                kallsyms->functions[kallsyms->count++] = function;
        }
    }
    free(symbols);
    if (kallsyms->count == 0) {
        kallsyms_free(kallsyms);
        return NULL;
    }
    return kallsyms;
}

void kallsyms_free(struct kallsyms *kallsyms)
{
    if (!kallsyms)
        return;
    free(kallsyms->functions);
    free(kallsyms->text);
    free(kallsyms);
}

/* Reads to the end, because files below /proc report a size of 0. */
char *kallsyms_text(const char *path, size_t *ret_size)
{
    FILE *file = fopen(path, "r");
    size_t size = 0, room = 1 << 20, got;
    char *text;

    if (!file)
        return NULL;
    text = must_alloc(room, 1);
    while ((got = fread(text + size, 1, room - 1 - size, file)) > 0) {
        size += got;
        if (size == room - 1 && room < TEXT_MAX)
            text = must_grow(text, room *= 2, 1);
    }
    fclose(file);
    text[size] = '\0';
    *ret_size = size;
    return text;
}

static struct kallsyms *try_file(const char *path, const char *reference_name, uint64_t reference)
{
    size_t size;
    char *text = kallsyms_text(path, &size);

    return text ? kallsyms_parse(text, reference_name, reference) : NULL;
}

/* Returns whether this is the build-id in the running kernel's notes. */
static bool is_running(const uint8_t *id, size_t size)
{
    size_t bytes, at = 0;
    char *notes = kallsyms_text("/sys/kernel/notes", &bytes);
    bool found = false;

    while (notes && !found && at + sizeof(GElf_Nhdr) <= bytes) {
        GElf_Nhdr note;
        size_t name = at + sizeof(note), content;

        memcpy(&note, notes + at, sizeof(note));
        content = name + ((size_t)note.n_namesz + 3) / 4 * 4;
        at = content + ((size_t)note.n_descsz + 3) / 4 * 4;
        found = at <= bytes && note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
                memcmp(notes + name, "GNU", 4) == 0 && note.n_descsz >= size && memcmp(notes + content, id, size) == 0;
    }
    free(notes);
    return found;
}

struct kallsyms *kallsyms_find(const struct object_search *search, const uint8_t *build_id, size_t build_id_size,
                               const char *reference_name, uint64_t reference)
{
    const char *home = getenv("HOME");
    char id[2 * ID_MAX + 1] = "", path[PATH_MAX], own[PATH_MAX] = "";
    struct kallsyms *found = NULL;

    if (build_id_size < 2 || build_id_size > ID_MAX)
        return NULL;
    for (size_t i = 0; i < build_id_size; i++)
        snprintf(id + 2 * i, 3, "%02x", build_id[i]);
    if (home)
        snprintf(own, sizeof(own), "%s/.debug", home);
    for (size_t i = 0; !found; i++) {
        const char *folder = search->debug_dirs ? search->debug_dirs[i] : NULL;
        bool last = !folder;

        if (last)
            folder = own;
        if (folder[0] != '\0' &&
            snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s/kallsyms", folder, id, id + 2) < (int)sizeof(path))
            found = try_file(path, reference_name, reference);
        if (!found && folder[0] != '\0' &&
            snprintf(path, sizeof(path), "%s/[kernel.kallsyms]/%s/kallsyms", folder, id) < (int)sizeof(path))
            found = try_file(path, reference_name, reference);
        if (last)
            break;
    }
    if (!found && is_running(build_id, build_id_size))
        found = try_file("/proc/kallsyms", reference_name, reference);
    return found;
}
