/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/base/csv_map.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"

enum { INSNS_MAX = 1 << 20, LENGTH_MAX = 15 };

static uint32_t keep(struct csv_map *map, const char *text)
{
    uint32_t length = (uint32_t)strlen(text) + 1, at;

    if (map->string_size == 0)
        map->string_size = 1; /* offset 0: "" */
    if (map->string_size + length > map->string_room) {
        map->string_room = 2 * (map->string_room + map->string_size + length);
        map->strings = must_grow(map->strings, map->string_room, 1);
        map->strings[0] = '\0';
    }
    at = map->string_size;
    memcpy(map->strings + at, text, length);
    map->string_size += length;
    return at;
}

static uint16_t file_of(struct csv_map *map, const char *name)
{
    if (name[0] == '\0')
        return UINT16_MAX;
    for (uint32_t i = 0; i < map->file_count; i++)
        if (strcmp(map->strings + map->files[i], name) == 0)
            return (uint16_t)i;
    if (map->file_count == UINT16_MAX)
        return UINT16_MAX;
    *must_add(map->files, map->file_count) = keep(map, name);
    return (uint16_t)(map->file_count - 1);
}

static uint32_t name_of(struct csv_map *map, const char *name)
{
    uint32_t last = map->insn_count;

    return last > 0 && strcmp(map->strings + map->names[last - 1], name) == 0 ? map->names[last - 1] : keep(map, name);
}

const char *csv_map_add(struct csv_map *map, char *const fields[])
{
    uint64_t rva = strtoull(fields[0], NULL, 16);
    struct codemap_insn insn;

    if (rva > UINT32_MAX || map->insn_count == INSNS_MAX)
        return "more instructions than a run has";
    if (map->insn_count == map->insn_room) {
        map->insn_room = map->insn_room ? 2 * map->insn_room : 1024;
        map->insns = must_grow(map->insns, map->insn_room, sizeof(*map->insns));
        map->names = must_grow(map->names, map->insn_room, sizeof(*map->names));
    }
    insn = (struct codemap_insn){.rva = (uint32_t)rva, .length = 1, .line = (uint16_t)strtoul(fields[3], NULL, 10)};
    insn.file = file_of(map, fields[2]);
    insn.text = keep(map, fields[4]);
    map->names[map->insn_count] = name_of(map, fields[1]);
    map->insns[map->insn_count++] = insn;
    return NULL;
}

bool csv_map_has(const struct csv_file *csv)
{
    static const char *const columns[CSV_MAP_FIELDS] = {"rva", "function", "file", "line", "instruction"};

    return csv->columns > CSV_MAP_FIELDS && csv_has_columns(csv, columns, CSV_MAP_FIELDS);
}

bool csv_map_read(struct csv_map *map, FILE *file)
{
    struct csv_file csv;
    bool good = csv_begin(&csv, file) && csv_map_has(&csv);

    while (good && csv_next(&csv))
        good = csv.field[0][0] == '\0' || !csv_map_add(map, csv.field);
    good &= !csv.problem || (csv.cut_short && csv.columns > 0);
    csv_end(&csv);
    return good;
}

static int by_rva(const void *left, const void *right)
{
    const struct codemap_insn *a = *(const struct codemap_insn *const *)left,
                              *b = *(const struct codemap_insn *const *)right;

    if (a->rva != b->rva)
        return a->rva < b->rva ? -1 : 1;
    return a < b ? -1 : a > b;
}

void csv_map_copy(struct csv_map *map, const struct csv_map *from)
{
    for (uint32_t i = 0; i < from->map.insn_count; i++) {
        const struct codemap_insn *insn = &from->map.insns[i];
        char rva[16], line[16];
        char *const fields[CSV_MAP_FIELDS] = {rva, from->strings + from->map.funcs[insn->func].name,
                                              insn->file == UINT16_MAX ? (char *)""
                                                                       : from->strings + from->map.files[insn->file],
                                              line, from->strings + insn->text};

        snprintf(rva, sizeof(rva), "%x", insn->rva);
        snprintf(line, sizeof(line), "%u", insn->line);
        (void)csv_map_add(map, fields);
    }
}

/* Sorts rows by address, and removes duplicates. */
static void sort(struct csv_map *map)
{
    struct codemap_insn **order = must_alloc(map->insn_count, sizeof(struct codemap_insn *));
    struct codemap_insn *sorted = must_alloc(map->insn_count, sizeof(*sorted));
    uint32_t *names = must_alloc(map->insn_count, sizeof(*names)), count = 0;

    for (uint32_t i = 0; i < map->insn_count; i++)
        order[i] = &map->insns[i];
    if (map->insn_count > 0)
        qsort(order, map->insn_count, sizeof(struct codemap_insn *), by_rva);
    for (uint32_t i = 0; i < map->insn_count; i++) {
        if (i > 0 && order[i]->rva == sorted[count - 1].rva)
            continue;
        names[count] = map->names[order[i] - map->insns];
        sorted[count++] = *order[i];
    }
    free(order);
    free(map->insns);
    free(map->names);
    map->insns = sorted;
    map->names = names;
    map->insn_count = map->insn_room = count;
}

void csv_map_finish(struct csv_map *map)
{
    uint32_t funcs = 0;

    (void)keep(map, "");
    sort(map);
    map->funcs = must_alloc(map->insn_count, sizeof(*map->funcs));
    for (uint32_t i = 0; i < map->insn_count; i++) {
        struct codemap_insn *insn = &map->insns[i];
        const char *name = map->strings + map->names[i];

        if (i + 1 < map->insn_count && insn[1].rva - insn->rva <= LENGTH_MAX)
            insn->length = (uint8_t)(insn[1].rva - insn->rva);
        if ((funcs == 0 || strcmp(map->strings + map->funcs[funcs - 1].name, name) != 0) && funcs < UINT16_MAX)
            map->funcs[funcs++] = (struct codemap_func){.rva = insn->rva, .name = map->names[i]};
        insn->func = (uint16_t)(funcs - 1);
        map->funcs[funcs - 1].size = insn->rva + insn->length - map->funcs[funcs - 1].rva;
    }
    map->map = (struct codemap){.insns = map->insns,
                                .funcs = map->funcs,
                                .files = map->files,
                                .strings = map->strings,
                                .insn_count = map->insn_count,
                                .func_count = funcs,
                                .file_count = map->file_count};
}

void csv_map_free(struct csv_map *map)
{
    free(map->insns);
    free(map->funcs);
    free(map->files);
    free(map->names);
    free(map->strings);
    *map = (struct csv_map){0};
}
