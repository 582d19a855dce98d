/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/symbols/object_map.h"

#include <stdlib.h>
#include <string.h>

#include "tools/codemap/decode.h"
#include "tools/ibsprof/symbols/demangle.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/symbols/object.h"

struct object_map {
    struct object_map *older;
    struct codemap map;
    struct codemap_insn *insns;
    struct codemap_func *funcs;
    uint32_t *files;
    char *strings;
    size_t insn_room, string_size, string_room;
    uint32_t *buckets; /* offset of a string + 1: equal ones are stored once */
    size_t bucket_count, interned;
};

static uint64_t hash_of(const char *text, size_t length)
{
    return codemap_hash(text, (uint32_t)length);
}

static void rehash(struct object_map *map)
{
    size_t at = 0;

    free(map->buckets);
    map->bucket_count = map->bucket_count ? 4 * map->bucket_count : 1024;
    map->buckets = must_alloc(map->bucket_count, sizeof(*map->buckets));
    while (at < map->string_size) {
        size_t length = strlen(map->strings + at);
        size_t bucket = hash_of(map->strings + at, length) % map->bucket_count;

        while (map->buckets[bucket])
            bucket = (bucket + 1) % map->bucket_count;
        map->buckets[bucket] = (uint32_t)at + 1;
        at += length + 1;
    }
}

/* Offset of a text among the map's strings. */
static uint32_t intern(struct object_map *map, const char *text)
{
    size_t length = strlen(text), bucket;

    if (2 * map->interned >= map->bucket_count)
        rehash(map);
    bucket = hash_of(text, length) % map->bucket_count;
    for (; map->buckets[bucket]; bucket = (bucket + 1) % map->bucket_count)
        if (strcmp(map->strings + map->buckets[bucket] - 1, text) == 0)
            return map->buckets[bucket] - 1;
    if (map->string_size + length + 1 > map->string_room) {
        map->string_room = 2 * (map->string_room + length + 1);
        map->strings = must_grow(map->strings, map->string_room, 1);
    }
    memcpy(map->strings + map->string_size, text, length + 1);
    map->buckets[bucket] = (uint32_t)map->string_size + 1;
    map->interned++;
    map->string_size += length + 1;
    return (uint32_t)(map->string_size - length - 1);
}

static uint16_t file_index(struct object_map *map, const char *file)
{
    uint32_t string = intern(map, file);

    for (uint32_t i = map->map.file_count; i > 0; i--) /* the last ones are asked for most */
        if (map->files[i - 1] == string)
            return (uint16_t)(i - 1);
    if (map->map.file_count == UINT16_MAX)
        return UINT16_MAX;
    map->files = must_grow(map->files, map->map.file_count + 1, sizeof(*map->files));
    map->files[map->map.file_count] = string;
    return (uint16_t)map->map.file_count++;
}

static const struct elf_line *line_of(const struct elf_line *lines, size_t count, uint64_t address)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (lines[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && lines[low - 1].file ? &lines[low - 1] : NULL;
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
        if (map->map.insn_count == map->insn_room) {
            map->insn_room = map->insn_room ? 2 * map->insn_room : 1024;
            map->insns = must_grow(map->insns, map->insn_room, sizeof(*map->insns));
        }
        map->insns[map->map.insn_count++] = decoded.insn;
        at += decoded.insn.length;
    }
}

struct object_map *object_map_make(struct object_map *older, struct elf_file *code, struct elf_file *symbols,
                                   const struct elf_function *functions, size_t count)
{
    struct object_map *map = must_alloc(1, sizeof(*map));
    struct elf_range *ranges = must_alloc(count, sizeof(*ranges));
    struct elf_line *lines = NULL;
    size_t line_count = 0;

    map->older = older;
    map->funcs = must_alloc(count, sizeof(*map->funcs));
    map->files = must_alloc(1, sizeof(*map->files));
    map->insns = must_alloc(1, sizeof(*map->insns));
    map->insn_room = 1;
    (void)intern(map, "");
    for (size_t i = 0; i < count; i++)
        ranges[i] = (struct elf_range){functions[i].start, functions[i].start + functions[i].size};
    if (symbols && count > 0)
        lines = elf_file_lines(symbols, ranges, count, &line_count);
    for (size_t i = 0; i < count; i++)
        add_function(map, code ? elf_file_code(code, functions[i].start, functions[i].size) : NULL, &functions[i],
                     lines, line_count);
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
        free(map->buckets);
        free(map);
        map = older;
    }
}
