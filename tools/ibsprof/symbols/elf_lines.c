/* SPDX-License-Identifier: BSD-2-Clause */
/* The source lines of an ELF file; the contract is in elf_file.h. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/symbols/elf_parts.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/search.h"

struct lines {
    const struct elf_range *ranges;
    size_t range_count;
    struct elf_line *rows;
    size_t count;
};

static bool overlaps(const struct lines *lines, uint64_t start, uint64_t end)
{
    size_t at = search_first(lines->range_count, i, lines->ranges[i].end > start);

    return at < lines->range_count && lines->ranges[at].start < end;
}

/* Returns whether the unit may have code in one of the ranges; true if it does not say. */
static bool unit_matters(const struct lines *lines, Dwarf_Die *die)
{
    Dwarf_Addr base, start, end;
    ptrdiff_t at = 0;
    bool said = false;

    while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
        if (overlaps(lines, start, end))
            return true;
        said = true;
    }
    return !said;
}

/* Adds a row that is valid from its address up to 'until'. */
static void add_line(struct lines *lines, Dwarf_Line *line, Dwarf_Addr address, Dwarf_Addr until)
{
    const char *file;
    int number = 0;
    bool end = false;

    if (dwarf_lineno(line, &number) != 0 || dwarf_lineendsequence(line, &end) != 0)
        return;
    if (!overlaps(lines, address - (end && address > 0), until > address ? until : address + 1))
        return;
    file = end ? NULL : dwarf_linesrc(line, NULL, NULL);
    while (file && strncmp(file, "./", 2) == 0)
        file += 2;
    /* Several rows at one address: the last one of the line program is in force. */
    if (lines->count > 0 && lines->rows[lines->count - 1].address == address && !end &&
        lines->rows[lines->count - 1].file)
        lines->count--;
    *must_add(lines->rows, lines->count) = (struct elf_line){address, file, number};
}

static void add_lines(struct lines *lines, Dwarf_Lines *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Dwarf_Line *line = dwarf_onesrcline(all, i), *next = i + 1 < count ? dwarf_onesrcline(all, i + 1) : NULL;
        Dwarf_Addr address, until;
        bool end = false;

        if (dwarf_lineaddr(line, &address) != 0)
            continue;
        if (!next || dwarf_lineendsequence(line, &end) != 0 || end || dwarf_lineaddr(next, &until) != 0)
            until = address + 1;
        add_line(lines, line, address, until);
    }
}

/* Adds all tables of a file that has lines, but no units that assign them to code (a run's own ELF file). */
static void add_tables(struct lines *lines, Dwarf *dwarf)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Off offset = 0, next;
    Dwarf_Lines *all;
    size_t count;

    for (; dwarf_next_lines(dwarf, offset, &next, &unit, NULL, NULL, &all, &count) == 0; offset = next)
        add_lines(lines, all, count);
}

static int compare(const void *left, const void *right)
{
    const struct elf_line *a = left, *b = right;

    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    /* A sequence may end where the next begins: the beginning counts, so it comes last. */
    if ((!a->file) != (!b->file))
        return !a->file ? -1 : 1;
    return a->line - b->line;
}

struct elf_line *elf_file_lines(struct elf_file *file, const struct elf_range *ranges, size_t range_count,
                                size_t *ret_count)
{
    struct lines lines = {.ranges = ranges, .range_count = range_count};
    Dwarf_Off offset = 0, next;
    size_t header_size;
    bool units = false;

    if (!file->dwarf_tried) {
        file->dwarf_tried = true;
        file->dwarf = file->layout ? elf_layout_dwarf(file) : dwarf_begin_elf(file->elf, DWARF_C_READ, NULL);
    }
    *ret_count = 0;
    if (!file->dwarf || range_count == 0)
        return NULL;
    while (dwarf_nextcu(file->dwarf, offset, &next, &header_size, NULL, NULL, NULL) == 0) {
        Dwarf_Die die;
        Dwarf_Lines *all;
        size_t count;

        if (dwarf_offdie(file->dwarf, offset + header_size, &die) && unit_matters(&lines, &die) &&
            dwarf_getsrclines(&die, &all, &count) == 0)
            add_lines(&lines, all, count);
        units = true;
        offset = next; /* always larger: libdw checks that (dwarf_nextcu.c) */
    }
    if (!units)
        add_tables(&lines, file->dwarf);
    if (lines.count > 0)
        qsort(lines.rows, lines.count, sizeof(*lines.rows), compare);
    *ret_count = lines.count;
    return lines.rows;
}
