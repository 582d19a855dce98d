/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/export/autofdo.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/terminal.h"

/* A line of a function, or (line and discriminator 0, entry set) only its entry. */
struct entry {
    char *function;
    uint32_t offset, discriminator;
    uint64_t count, head;
};

struct entries {
    struct entry *entry;
    uint32_t count;
    uint64_t inlined, unknown; /* samples */
};

/* Returns the linker's name: C++ has another one in the source. */
static const char *name_of(Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    const char *name = NULL;

    if (dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute))
        name = dwarf_formstring(&attribute);
    return name ? name : dwarf_diename(function);
}

/* Finds the function with this code. Returns false for inlined code, or without debug information. */
static bool find_function(Dwarf_Die *unit, uint64_t address, Dwarf_Die *function, bool *inlined)
{
    Dwarf_Die *scopes;
    int count = dwarf_getscopes(unit, address, &scopes);
    bool found = false;

    *inlined = false;
    for (int i = 0; i < count && !found; i++) {
        *inlined |= dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine;
        found = dwarf_tag(&scopes[i]) == DW_TAG_subprogram;
        if (found)
            *function = scopes[i];
    }
    if (count > 0)
        free(scopes);
    return found && !*inlined;
}

static void add_place(struct entries *entries, Dwarf *dwarf, const struct profile_place *place)
{
    uint64_t count = place->counts[DERIVED_F100_OP_ALL];
    int line_number = 0, declared = 0;
    unsigned discriminator = 0;
    Dwarf_Die unit, function;
    Dwarf_Addr start;
    Dwarf_Line *line;
    bool inlined = false;

    if (!dwarf_addrdie(dwarf, place->rva, &unit) || !find_function(&unit, place->rva, &function, &inlined) ||
        !name_of(&function) || dwarf_decl_line(&function, &declared) != 0 ||
        !(line = dwarf_getsrc_die(&unit, place->rva)) || dwarf_lineno(line, &line_number) != 0 ||
        line_number < declared) {
        *(inlined ? &entries->inlined : &entries->unknown) += count;
        return;
    }
    (void)dwarf_linediscriminator(line, &discriminator);
    *must_add(entries->entry, entries->count) = (struct entry){
        .function = must_copy(name_of(&function)),
        .offset = (uint32_t)(line_number - declared),
        .discriminator = discriminator,
        .count = count,
        .head = dwarf_entrypc(&function, &start) == 0 && start == place->rva ? count : 0,
    };
}

static void add_object(struct entries *entries, const struct run_profile *profile, uint32_t object)
{
    int file = open(profile->objects[object]->path, O_RDONLY | O_CLOEXEC);
    Dwarf *dwarf = file >= 0 ? dwarf_begin(file, DWARF_C_READ) : NULL;

    for (uint32_t i = 0; i < profile->place_count; i++) {
        const struct profile_place *place = &profile->places[i];

        if (place->object != object || !place->workload || place->counts[DERIVED_F100_OP_ALL] == 0)
            continue;
        if (dwarf)
            add_place(entries, dwarf, place);
        else
            entries->unknown += place->counts[DERIVED_F100_OP_ALL];
    }
    dwarf_end(dwarf);
    if (file >= 0)
        close(file);
}

static int by_line(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int names = strcmp(a->function, b->function);

    if (names != 0)
        return names;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->discriminator < b->discriminator ? -1 : a->discriminator > b->discriminator;
}

/* Joins entries of one line; the largest count remains. */
static void join_lines(struct entries *entries)
{
    uint32_t joined = 0;

    for (uint32_t i = 1; i < entries->count; i++) {
        struct entry *to = &entries->entry[joined], *entry = &entries->entry[i];

        if (by_line(to, entry) != 0) {
            entries->entry[++joined] = *entry;
            continue;
        }
        to->count = entry->count > to->count ? entry->count : to->count;
        to->head += entry->head;
        free(entry->function);
    }
    entries->count = entries->count ? joined + 1 : 0;
}

/* Writes the function whose entries begin at 'first'. Returns where the next one begins. */
static uint32_t write_function(FILE *file, const struct entries *entries, uint32_t first)
{
    uint64_t total = 0, head = 0;
    uint32_t end = first;

    for (; end < entries->count && strcmp(entries->entry[end].function, entries->entry[first].function) == 0; end++) {
        total += entries->entry[end].count;
        head += entries->entry[end].head;
    }
    fprintf(file, "%s:%" PRIu64 ":%" PRIu64 "\n", entries->entry[first].function, total, head);
    for (uint32_t i = first; i < end; i++) {
        fprintf(file, " %" PRIu32, entries->entry[i].offset);
        if (entries->entry[i].discriminator)
            fprintf(file, ".%" PRIu32, entries->entry[i].discriminator);
        fprintf(file, ": %" PRIu64 "\n", entries->entry[i].count);
    }
    return end;
}

bool export_autofdo(FILE *file, const struct run_profile *profile)
{
    struct entries entries = {0};

    for (uint32_t object = 0; object < profile->object_count; object++)
        if (profile->objects[object]->path)
            add_object(&entries, profile, object);
    if (entries.count == 0) {
        complain("%s: no op sample is in a function with a declaration in the debug information (build with -g)",
                 profile->facts->path);
        return false;
    }
    qsort(entries.entry, entries.count, sizeof(*entries.entry), by_line);
    join_lines(&entries);
    if (input_figures(profile->facts))
        fprintf(file, "# %s\n", input_figures(profile->facts));
    if (entries.inlined + entries.unknown > 0)
        fprintf(file, "# left out: %" PRIu64 " samples of inlined code, %" PRIu64 " whose function is not known\n",
                entries.inlined, entries.unknown);
    for (uint32_t i = 0; i < entries.count;)
        i = write_function(file, &entries, i);
    for (uint32_t i = 0; i < entries.count; i++)
        free(entries.entry[i].function);
    free(entries.entry);
    return true;
}
