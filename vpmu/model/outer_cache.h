/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A set-associative cache below the L1s, with LRU replacement: L2 and L3. Tags and states only.
 */
#ifndef VPMU_OUTER_CACHE_H
#define VPMU_OUTER_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define LINE_NONE UINT64_MAX

struct outer_cache {
    uint64_t *lines;
    uint32_t *stamps;
    uint8_t *modified;   /* enum line_state */
    uint32_t sets, ways; /* sets: a power of two */
    uint32_t clock;
};

/* lines: memory for sets * ways; returns its end. The caller sets stamps and modified. */
uint64_t *outer_init(struct outer_cache *cache, uint64_t *lines, uint32_t sets, uint32_t ways);

/* Index of the line in lines, or -1. */
int64_t outer_find(const struct outer_cache *cache, uint64_t line);
/* Removes the line, if present. */
bool outer_take(struct outer_cache *cache, uint64_t line, uint8_t *modified);
/* Makes the line the most recently used, if present. */
bool outer_touch(struct outer_cache *cache, uint64_t line);
/* Returns the evicted line, or LINE_NONE, and replaces the new line's state in *modified by the evicted line's. A line
 * that is present already is only made the most recently used. */
uint64_t outer_insert(struct outer_cache *cache, uint64_t line, uint8_t *modified);

#endif
