/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/symbols/object_map.h"

#include <stdlib.h>
#include <string.h>

#include "tools/codemap/decode.h"
#include "tools/ibsprof/symbols/demangle.h"
#include "tools/ibsprof/base/search.h"
#include "tools/ibsprof/base/table.h"
#include "tools/ibsprof/symbols/object.h"

struct object_map {
    struct object_map *older;
    struct codemap map;
    struct codemap_insn *insns;
    struct codemap_func *funcs;
    uint32_t *files;
    char *strings;
    size_t string_size, string_room;
    struct table by_text; /* offset of a string plus one: equal ones are stored once */
};

static bool is_text(const void *map, uint32_t number, const void *text)
{
    return strcmp(((const struct object_map *)map)->strings + number - 1, text) == 0;
}

/* Returns the offset of a text among the map's strings. */
static uint32_t intern(struct object_map *map, const char *text)
{
    size_t size = strlen(text) + 1;
    uint32_t *number = table_find(&map->by_text, codemap_hash(text, (uint32_t)size - 1), is_text, map, text);

    if (*number)
        return *number - 1;
    if (map->string_size + size > map->string_room) {
        map->string_room = 2 * (map->string_room + size);
        map->strings = must_grow(map->strings, map->string_room, 1);
    }
    memcpy(map->strings + map->string_size, text, size);
    *number = (uint32_t)map->string_size + 1;
    map->string_size += size;
    return *number - 1;
}

static uint16_t file_index(struct object_map *map, const char *file)
{
    uint32_t string = intern(map, file);

    for (uint32_t i = map->map.file_count; i > 0; i--) /* the latest ones are needed most often */
        if (map->files[i - 1] == string)
            return (uint16_t)(i - 1);
    if (map->map.file_count == UINT16_MAX)
        return UINT16_MAX;
    *must_add(map->files, map->map.file_count) = string;
    return (uint16_t)(map->map.file_count - 1);
}

static const struct elf_line *line_of(const struct elf_line *lines, size_t count, uint64_t address)
{
    size_t after = search_first(count, i, lines[i].address > address);

    return after > 0 && lines[after - 1].file ? &lines[after - 1] : NULL;
}

static void add_function(struct object_map *map, const uint8_t *code, const struct elf_function *function,
                         const struct elf_line *lines, size_t line_count)
{
    uint16_t index = (uint16_t)map->map.func_count++;
    char *plain = demangle(function->name);

    map->funcs[index] = (struct codemap_func){(uint32_t)function->start, (uint32_t)function->size,
                                              intern(map, plain ? plain : function->name)};
    free(plain);
    for (uint64_t at = 0; code && at < function->size;) {
        uint64_t address = function->start + at;
        const struct elf_line *line = line_of(lines, line_count, address);
        struct decoded decoded;

        if (!decode(code + at, function->size - at, address, &decoded))
            decoded = (struct decoded){.insn = {.rva = (uint32_t)address, .length = 1}, .text = "(bad)"};
        decoded.insn.text = intern(map, decoded.text);
        decoded.insn.func = index;
        decoded.insn.file = line ? file_index(map, line->file) : UINT16_MAX;
        decoded.insn.line = line && line->line > 0 && line->line <= UINT16_MAX ? (uint16_t)line->line : 0;
        *must_add(map->insns, map->map.insn_count) = decoded.insn;
        at += decoded.insn.length;
    }
}

/* Bytes of functions, from a file or from memory. */
struct source {
    struct elf_file *code; /* NULL: 'memory' from address 0 on, or no bytes */
    const uint8_t *memory;
};

static const uint8_t *bytes_of(const struct source *source, const struct elf_function *function)
{
    if (source->code)
        return elf_file_code(source->code, function->start, function->size);
    return source->memory ? source->memory + function->start : NULL;
}

static struct object_map *make(struct object_map *older, const struct source *source, struct elf_file *symbols,
                               const struct elf_function *functions, size_t count)
{
    struct object_map *map = must_new(map);
    struct elf_range *ranges = must_alloc(count, sizeof(*ranges));
    struct elf_line *lines = NULL;
    size_t line_count = 0;

    map->older = older;
    map->funcs = must_alloc(count, sizeof(*map->funcs));
    (void)intern(map, "");
    for (size_t i = 0; i < count; i++)
        ranges[i] = (struct elf_range){functions[i].start, functions[i].start + functions[i].size};
    if (symbols && count > 0)
        lines = elf_file_lines(symbols, ranges, count, &line_count);
    for (size_t i = 0; i < count; i++)
        add_function(map, bytes_of(source, &functions[i]), &functions[i], lines, line_count);
    free(lines);
    free(ranges);
    map->map.insns = map->insns;
    map->map.funcs = map->funcs;
    map->map.files = map->files;
    map->map.strings = map->strings;
    if (count > 0) {
        map->map.text_rva = (uint32_t)functions[0].start;
        map->map.text_size = (uint32_t)(functions[count - 1].start + functions[count - 1].size - functions[0].start);
    }
    return map;
}

struct object_map *object_map_make(struct object_map *older, struct elf_file *code, struct elf_file *symbols,
                                   const struct elf_function *functions, size_t count)
{
    return make(older, &(struct source){.code = code}, symbols, functions, count);
}

struct object_map *object_map_of_memory(const uint8_t *memory, struct elf_file *symbols,
                                        const struct elf_function *functions, size_t count)
{
    return make(NULL, &(struct source){.memory = memory}, symbols, functions, count);
}

size_t object_map_strings(const struct object_map *map)
{
    return map->string_size;
}

const struct codemap *object_map_codemap(const struct object_map *map)
{
    return &map->map;
}

void object_maps_free(struct object_map *map)
{
    while (map) {
        struct object_map *older = map->older;

        free(map->insns);
        free(map->funcs);
        free(map->files);
        free(map->strings);
        table_free(&map->by_text);
        free(map);
        map = older;
    }
}
