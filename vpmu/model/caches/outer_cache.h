/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A set-associative cache below the L1s, with LRU replacement: L2 and L3. Tags and states only.
 *
 * A set's lines are in a list by their last use, and eight bits of each line's address are kept together: to look for a
 * line, eight ways are compared at once, and no line's use is compared with another's.
 */
#ifndef VPMU_OUTER_CACHE_H
#define VPMU_OUTER_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define LINE_NONE UINT64_MAX

enum { OUTER_WAYS_MAX = 64, OUTER_WAYS_STEP = 8 };

struct outer_set {
    uint64_t empty;         /* bit n: way n has no line */
    uint8_t oldest, newest; /* ways; of a set with lines */
};

struct outer_cache {
    uint64_t *lines;        /* this and what follows by set, then way */
    uint64_t *hints;        /* a byte of each way's line, eight ways to a word */
    uint8_t *older, *newer; /* the way used before this one, and after it; of neighbours in the list */
    uint8_t *modified;      /* enum line_state */
    struct outer_set *set;
    uint32_t sets, ways; /* sets: a power of two; ways: a multiple of OUTER_WAYS_STEP */
    uint32_t shift;      /* 2^shift sets */
};

/* Returns the bytes that outer_init() needs, a multiple of 8. */
uint64_t outer_memory(uint32_t sets, uint32_t ways);
/* Makes an empty cache in outer_memory() bytes, aligned to 8; returns their end. */
void *outer_init(struct outer_cache *cache, void *memory, uint32_t sets, uint32_t ways);
/* Removes all lines. */
void outer_empty(struct outer_cache *cache);

/* Returns the index of the line in lines, or -1. */
int64_t outer_find(const struct outer_cache *cache, uint64_t line);
/* Removes the line with this index. */
void outer_drop(struct outer_cache *cache, int64_t at);
/* Removes the line, if present. */
bool outer_take(struct outer_cache *cache, uint64_t line, uint8_t *modified);
/* Makes the line the most recently used, if present. */
bool outer_touch(struct outer_cache *cache, uint64_t line);
/* Returns the evicted line, or LINE_NONE, and replaces the new line's state in *modified by the evicted line's. A line
 * that is present already is only made the most recently used. */
uint64_t outer_insert(struct outer_cache *cache, uint64_t line, uint8_t *modified);

#endif
