/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the code map of an ELF file's functions. Only for object.c and own_map.c. */
#ifndef TOOLS_IBSPROF_OBJECT_MAP_H
#define TOOLS_IBSPROF_OBJECT_MAP_H

#include "core/ibs/codemap.h"
#include "tools/ibsprof/symbols/elf_file.h"

struct object_map;

/* Makes a map. functions: ascending, without overlap, below 2^32. code and symbols may be NULL: no instructions, no
 * lines. The new map keeps 'older' until object_maps_free(). */
struct object_map *object_map_make(struct object_map *older, struct elf_file *code, struct elf_file *symbols,
                                   const struct elf_function *functions, size_t count);
/* Makes a map of functions in memory, whose first byte has address 0. */
struct object_map *object_map_of_memory(const uint8_t *memory, struct elf_file *symbols,
                                        const struct elf_function *functions, size_t count);
size_t object_map_strings(const struct object_map *map); /* returns bytes of all strings */
const struct codemap *object_map_codemap(const struct object_map *map);
void object_maps_free(struct object_map *map); /* frees all older ones, too */

#endif
