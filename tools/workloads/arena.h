/*
 * The workload's memory, in pages of the size asked for as far as Linux grants it.
 *
 * It lies where the image maps it (drivers/paging.c): at the first free multiple of 512 GB from 64 TB on, so that
 * linear addresses of both are equal; the stack is its top, as in the image (drivers/session.h). Which frames are under
 * it is Linux's choice.
 */
#ifndef TOOLS_WORKLOADS_ARENA_H
#define TOOLS_WORKLOADS_ARENA_H

#include "tools/workloads/twin.h"

struct arena {
    void *base;
    void *stack_top;
    size_t size;    /* of arena and stack, as in the image */
    size_t mapped;  /* rounded up to pages */
    uint32_t asked; /* enum twin_pages */
    bool reserved;  /* from the pool of huge pages (MAP_HUGETLB) */
    char got[120];  /* in words, after arena_look() */
};

/* Zeroed memory. False after a line. */
bool arena_open(struct arena *arena, size_t bytes, enum twin_pages pages);

/* Reads from /proc/self/smaps what pages are under it now. */
void arena_look(struct arena *arena);

void arena_close(struct arena *arena);

/* function(base, params) on the arena's stack, which is as deep at its first instruction as in the image. */
void arena_call(const struct arena *arena, void (*function)(void *, const uint32_t *), const uint32_t *params);

#endif
