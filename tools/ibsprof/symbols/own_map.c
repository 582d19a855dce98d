/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/symbols/own_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/code/code_map.h"
#include "tools/codemap/decode.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/symbols/elf_file.h"
#include "tools/ibsprof/symbols/object_map.h"

enum { LINE_MAX = 400 };

char *own_map_path(const char *path)
{
    size_t length = strlen(path);

    if (length > 4 && strcmp(path + length - 4, ".elf") == 0)
        length -= 4;
    return must_text("%.*s.map", (int)length, path);
}

/* State while one map is made. */
struct making {
    const char *path;
    uint8_t *file, *memory;
    size_t size;
    struct code code;
    struct elf_function *functions;
    size_t count;
};

static bool read_file(struct making *making)
{
    FILE *file = fopen(making->path, "rb");
    size_t room = (size_t)CODE_FILE_MAX + 1;

    if (file) {
        making->file = must_alloc(room, 1);
        making->size = fread(making->file, 1, room, file);
        if (ferror(file)) {
            (void)fclose(file);
            file = NULL;
        } else {
            (void)fclose(file);
            return true;
        }
    }
    complain("%s: it cannot be read: %m", making->path);
    return false;
}

static bool load(struct making *making)
{
    char line[LINE_MAX];
    struct out_memory problems;

    out_memory_init(&problems, line, sizeof(line));
    if (code_read(making->file, making->size, &making->code, &problems.out)) {
        making->memory = must_alloc(making->code.memory, 1);
        if (code_load(&making->code, making->memory, CODE_ADDRESS, &problems.out))
            return true;
    }
    complain("%s: %.*s", making->path, (int)strcspn(line, "\n"), line);
    return false;
}

/* Returns a symbol's size, if it is smaller than the distance to the next function. */
static uint32_t size_of(const struct code *code, const struct codemap_func *func)
{
    struct code_function function;
    uint32_t size = func->size;

    for (uint64_t i = 0; code_function_at(code, i, &function); i++)
        if (function.name && function.rva == func->rva && function.size && function.size < size)
            size = function.size;
    return size;
}

static void find_functions(struct making *making)
{
    void *memory = must_alloc(code_plain_size(&making->code), 1);
    struct codemap plain;

    code_plain_make(&making->code, memory, &plain);
    for (uint32_t i = 0; i < plain.func_count; i++)
        *must_add(making->functions, making->count) =
            (struct elf_function){.start = plain.funcs[i].rva,
                                  .size = size_of(&making->code, &plain.funcs[i]),
                                  .name = must_copy(plain.strings + plain.funcs[i].name)};
    free(memory);
}

static void note_problems(const struct making *making, own_map_note *note)
{
    for (size_t i = 0; i < making->count; i++) {
        const struct elf_function *function = &making->functions[i];
        struct decoded decoded;

        for (uint64_t at = 0; at < function->size; at += decoded.insn.length) {
            uint64_t rva = function->start + at;
            char place[LINE_MAX];

            if (!decode(making->memory + rva, function->size - at, rva, &decoded))
                decoded = (struct decoded){.insn.length = 1, .problem = "no instruction", .text = "(bad)"};
            (void)snprintf(place, sizeof(place), "%s+0x%llx", function->name, (unsigned long long)at);
            if (code_forbidden(decoded.text))
                note(place, decoded.text, code_forbidden(decoded.text), "ibsboot refuses the file");
            else if (decoded.problem)
                note(place, decoded.text, decoded.problem, "the virtual PMU times it as something else");
        }
    }
}

/* Copies fields one by one: bytes between them are 0 in the file, so that equal files have equal maps. */
static void put_insn(struct codemap_insn *to, const struct codemap_insn *from)
{
    to->reads = from->reads;
    to->writes = from->writes;
    to->rva = from->rva;
    to->text = from->text;
    to->target = from->target < CODE_MEMORY_MAX ? from->target : 0;
    to->func = from->func;
    to->file = from->file;
    to->line = from->line;
    to->length = from->length;
    to->op_size = from->op_size;
    to->ops = from->ops ? from->ops : 1; /* 0 for bytes that are no instruction */
    to->path = from->path;
    to->unit = from->unit;
    to->branch = from->branch;
    to->flags = from->flags;
    to->mems = from->mems;
    memcpy(to->mem, from->mem, sizeof(to->mem));
}

static void put_all(const struct codemap *map, size_t string_bytes, uint64_t elf_hash, struct own_map *ret_map)
{
    struct code_map_header header = {.insn_count = map->insn_count,
                                     .func_count = map->func_count,
                                     .file_count = map->file_count,
                                     .string_bytes = (uint32_t)string_bytes};
    uint8_t *at;

    ret_map->size = code_map_size(&header);
    ret_map->bytes = must_alloc(ret_map->size, 1);
    at = (uint8_t *)ret_map->bytes + sizeof(header);
    for (uint32_t i = 0; i < map->insn_count; i++, at += sizeof(*map->insns))
        put_insn((struct codemap_insn *)at, &map->insns[i]);
    memcpy(at, map->funcs, map->func_count * sizeof(*map->funcs));
    at += map->func_count * sizeof(*map->funcs);
    if (map->file_count)
        memcpy(at, map->files, map->file_count * sizeof(*map->files));
    at += map->file_count * sizeof(*map->files);
    memcpy(at, map->strings, string_bytes);
    code_map_seal(ret_map->bytes, map, (uint32_t)string_bytes, elf_hash);
    ret_map->functions = map->func_count;
    ret_map->instructions = map->insn_count;
}

/* Reads the map with ibsboot's reader. */
static bool is_readable(const struct making *making, const struct own_map *made)
{
    char line[LINE_MAX];
    struct out_memory problems;
    struct codemap map;
    uint64_t hash;

    out_memory_init(&problems, line, sizeof(line));
    if (made->instructions > CODE_MAP_INSNS_MAX)
        complain("%s: it has %u instructions, but a map at most %u: leave out code that run() does not call",
                 making->path, made->instructions, CODE_MAP_INSNS_MAX);
    else if (made->size > CODE_MAP_FILE_MAX || !code_map_read(made->bytes, made->size, &map, &hash, &problems.out))
        complain("%s: no map can be made from it", making->path);
    else
        return true;
    return false;
}

bool own_map_make(const char *path, own_map_note *note, struct own_map *ret_map)
{
    struct making making = {.path = path};
    const char *why;
    struct object_map *map;
    struct elf_file *symbols;
    bool good = false;

    *ret_map = (struct own_map){0};
    if (read_file(&making) && load(&making)) {
        find_functions(&making);
        note_problems(&making, note);
        symbols = elf_file_open(path, &why);
        map = object_map_of_memory(making.memory, symbols, making.functions, making.count);
        put_all(object_map_codemap(map), object_map_strings(map), code_hash(&making.code), ret_map);
        good = is_readable(&making, ret_map);
        object_maps_free(map);
        elf_file_close(symbols);
    }
    for (size_t i = 0; i < making.count; i++)
        free((char *)making.functions[i].name);
    free(making.functions);
    free(making.memory);
    free(making.file);
    return good;
}
