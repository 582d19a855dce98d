/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The workload's memory, in pages of the requested size as far as Linux grants it.
 *
 * It has the image's address (drivers/cpu/paging.c), the first free multiple of 512 GB from 64 TB on, so that linear
 * addresses of both are equal; the stack is its top, as in the image (drivers/session/session.h). Linux chooses the
 * page frames.
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
    bool reserved;  /* taken from the pool of huge pages (MAP_HUGETLB) */
    char got[120];  /* page sizes in words, after arena_look() */
};

/* Allocates zeroed memory. Returns false after an error message. */
bool arena_open(struct arena *arena, size_t bytes, enum twin_pages pages);

/* Reads the current page sizes of the arena from /proc/self/smaps. */
void arena_look(struct arena *arena);

void arena_close(struct arena *arena);

/* Calls function(base, params) on the arena's stack, at the same depth as in the image. */
void arena_call(const struct arena *arena, void (*function)(void *, const uint32_t *), const uint32_t *params);

#endif
