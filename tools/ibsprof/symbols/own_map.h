/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the map of own code, which ibsboot reads together with the ELF file (core/code/code_map.h). */
#ifndef TOOLS_IBSPROF_OWN_MAP_H
#define TOOLS_IBSPROF_OWN_MAP_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the map's path for FILE.elf, or FILE: FILE.map; to be freed. */
char *own_map_path(const char *path);

struct own_map {
    void *bytes; /* to be freed */
    size_t size;
    unsigned functions, instructions;
};

/* Called for each instruction that the virtual PMU does not model exactly, or that ibsboot refuses: place, text,
 * reason, and effect. */
typedef void own_map_note(const char *place, const char *text, const char *why, const char *effect);

/* Returns false after complain(). */
bool own_map_make(const char *path, own_map_note *note, struct own_map *ret_map);

#endif
