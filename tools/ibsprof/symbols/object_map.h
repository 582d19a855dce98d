/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the code map of functions of an ELF file. For object.c and own_map.c only. */
#ifndef TOOLS_IBSPROF_OBJECT_MAP_H
#define TOOLS_IBSPROF_OBJECT_MAP_H

#include "core/ibs/codemap.h"
#include "tools/ibsprof/symbols/elf_file.h"

struct object_map;

/* functions: ascending, not overlapping, below 2^32. code and symbols may be NULL: no instructions, no lines. 'older'
 * is kept after the new one until object_maps_free. */
struct object_map *object_map_make(struct object_map *older, struct elf_file *code, struct elf_file *symbols,
                                   const struct elf_function *functions, size_t count);
/* Makes one of functions within memory whose first byte is at address 0. */
struct object_map *object_map_of_memory(const uint8_t *memory, struct elf_file *symbols,
                                        const struct elf_function *functions, size_t count);
size_t object_map_strings(const struct object_map *map); /* bytes of all strings */
const struct codemap *object_map_codemap(const struct object_map *map);
void object_maps_free(struct object_map *map); /* and all older ones */

#endif
