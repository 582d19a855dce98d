/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the map of own code, a file that ibsboot reads beside the ELF file (core/code/code_map.h). */
#ifndef TOOLS_IBSPROF_OWN_MAP_H
#define TOOLS_IBSPROF_OWN_MAP_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the map's path beside FILE.elf, or FILE: FILE.map; free it. */
char *own_map_path(const char *path);

struct own_map {
    void *bytes; /* free it */
    size_t size;
    unsigned functions, instructions;
};

/* Told of each instruction that the virtual PMU does not model as it is, or that ibsboot refuses: its place and text,
 * why, and what follows. */
typedef void own_map_note(const char *place, const char *text, const char *why, const char *effect);

/* False after complain() says what is wrong. */
bool own_map_make(const char *path, own_map_note *note, struct own_map *ret_map);

#endif
