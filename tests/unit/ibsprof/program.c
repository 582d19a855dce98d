/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/ibsprof/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/ibsprof/files.h"

const uint8_t program_id[20] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a,
                                0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14};

static void make(const char *path, const char *source, const char *as_options, const char *ld_options)
{
    char command[4096];

    if (ld_options == NULL)
        snprintf(command, sizeof(command), "as %s %s -o %s", as_options, source, path);
    else
        snprintf(command, sizeof(command), "as %s %s -o %s.o && ld %s -o %s %s.o && rm %s.o", as_options, source, path,
                 ld_options, path, path, path);
    if (system(command) != 0)
        abort();
}

const char *program_make(const char *name)
{
    const char *path = files_path(name);

    make(path, "tests/unit/ibsprof/program.s", "",
         "-Ttext=0x401000 --build-id=0x0102030405060708090a0b0c0d0e0f1011121314");
    return path;
}

const char *program_of(const char *name, const char *assembly, const char *as_options, const char *ld_options)
{
    char source[600];
    const char *path = files_path(name);

    snprintf(source, sizeof(source), "%s", files_write("program.s", assembly, strlen(assembly)));
    make(path, source, as_options, ld_options);
    return path;
}

bool program_function(struct object *object, uint64_t rva, uint64_t *ret_start, uint64_t *ret_size,
                      const char **ret_name)
{
    const struct codemap *map = object_codemap(object, &rva, 1);

    for (uint32_t i = 0; i < map->func_count; i++) {
        *ret_start = object->base + map->funcs[i].rva;
        *ret_size = map->funcs[i].size;
        *ret_name = map->strings + map->funcs[i].name;
        if (rva - *ret_start < *ret_size)
            return true;
    }
    return false;
}

struct codemap *program_part(const struct codemap *map, uint64_t start, uint64_t end)
{
    uint8_t *taken = calloc(map->func_count, sizeof(*taken));
    struct codemap *part;

    for (uint32_t i = 0; i < map->func_count; i++)
        taken[i] = map->funcs[i].rva >= start && map->funcs[i].rva < end;
    part = codemap_select(map, taken);
    free(taken);
    return part;
}
