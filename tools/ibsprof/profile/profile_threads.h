/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts stretches of the file (input_next_stretch) in several threads. What comes out is the same as from one thread:
 * sums add up, and accesses are handed out in the order of the file. For profile.c only.
 *
 * Memory: some stretches of the file, and a table of sums (profile_count.h), for each thread.
 */
#ifndef TOOLS_IBSPROF_PROFILE_THREADS_H
#define TOOLS_IBSPROF_PROFILE_THREADS_H

#include "tools/ibsprof/profile/profile_count.h"

struct threads;

enum { THREADS_MAX = 16 };

typedef void threads_counted_fn(void *context, uint64_t begin, uint64_t end, const uint32_t *accesses, uint32_t count);

/* Threads that this process may run at once, THREADS_MAX at most. */
unsigned threads_usable(void);

/* Starts threads, so that they are 'threads' together with the caller. place->lock must be set. counted is called, in
 * the caller's thread and in order, with each stretch, and with where the records of its accesses are in the file, less
 * begin. When the system has no more threads, with fewer. */
struct threads *threads_start(unsigned threads, struct input *input, const struct count_place *place,
                              threads_counted_fn *counted, void *context);

/* Counts a stretch; not now, maybe. */
void threads_give(struct threads *threads, uint64_t begin, uint64_t end);

/* Until all is counted and all accesses were handed out. Must be called before spaces_item, and before samples are
 * counted in another way. */
void threads_wait(struct threads *threads);

/* Waits, adds all sums to 'count', and ends the threads. */
void threads_end(struct threads *threads, struct count *count);

#endif
