/*
 * A set-associative cache behind the L1s, least recently used: L2 and L3. Tags and states only.
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

/* lines: memory for sets * ways; returns what is behind them. stamps and modified are the caller's to set. */
uint64_t *outer_init(struct outer_cache *cache, uint64_t *lines, uint32_t sets, uint32_t ways);

/* Index into lines of a line's place, or -1. */
int64_t outer_find(const struct outer_cache *cache, uint64_t line);
/* The line leaves, if it is there. */
bool outer_take(struct outer_cache *cache, uint64_t line, uint8_t *modified);
/* It has been used, if it is there. */
bool outer_touch(struct outer_cache *cache, uint64_t line);
/* Returns the line that had to leave, or LINE_NONE, and in *modified its state instead of the new one's. A line that is
 * already there is only made the most recent one. */
uint64_t outer_insert(struct outer_cache *cache, uint64_t line, uint8_t *modified);

#endif
