/* SPDX-License-Identifier: BSD-2-Clause */
/* Maps that a process has at a time. For spaces.c only. */
#ifndef TOOLS_IBSPROF_SPACE_H
#define TOOLS_IBSPROF_SPACE_H

#include <stdbool.h>
#include <stdint.h>

struct map {
    uint64_t start, end, page_offset;
    uint32_t file;
    bool special; /* no file: the address itself is the place */
};

/* Holds what is mapped at a time. Shared by a process and the children that it forked, until one of them changes it. */
struct space {
    struct map *maps; /* ascending, not overlapping */
    uint32_t count, users;
};

/* Makes a copy, or an empty space of NULL. */
struct space *space_new(const struct space *copied);

/* Ends one use of the space; frees the space after the last one. */
void space_drop(struct space *space);

/* Returns the index of the first map that ends after the address. */
uint32_t space_behind(const struct space *space, uint64_t address);

/* Returns the map of the address; NULL: there is none. */
const struct map *space_at(const struct space *space, uint64_t address);

/* Puts the map in front of that of the index. */
void space_insert(struct space *space, uint32_t at, const struct map *map);

/* Cuts out start to end. */
void space_cut(struct space *space, uint64_t start, uint64_t end);

#endif
