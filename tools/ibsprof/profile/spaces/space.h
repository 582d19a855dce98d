/* SPDX-License-Identifier: BSD-2-Clause */
/* Mappings of a process at one time. Only for spaces.c. */
#ifndef TOOLS_IBSPROF_SPACE_H
#define TOOLS_IBSPROF_SPACE_H

#include <stdbool.h>
#include <stdint.h>

struct map {
    uint64_t start, end, page_offset;
    uint32_t file;
    bool special; /* no file: the address is the place */
};

/* Holds the mappings. A process and its forked children share it until one of them changes it. */
struct space {
    struct map *maps; /* ascending, without overlap */
    uint32_t count, users;
};

/* Makes a copy, or, from NULL, an empty space. */
struct space *space_new(const struct space *copied);

/* Ends one use of the space; frees the space after the last one. */
void space_drop(struct space *space);

/* Returns the index of the first map that ends after the address. */
uint32_t space_behind(const struct space *space, uint64_t address);

/* Returns the map of the address; NULL: none. */
const struct map *space_at(const struct space *space, uint64_t address);

/* Inserts the map before that of the index. */
void space_insert(struct space *space, uint32_t at, const struct map *map);

/* Unmaps start..end. */
void space_cut(struct space *space, uint64_t start, uint64_t end);

#endif
