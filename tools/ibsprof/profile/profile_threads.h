/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts stretches of the file (input_next_stretch) in several threads. The result is the same as from one thread:
 * sums add up, and accesses are delivered in file order. Only for profile.c.
 *
 * Memory: some stretches of the file and a table of sums (profile_count.h) for each thread.
 */
#ifndef TOOLS_IBSPROF_PROFILE_THREADS_H
#define TOOLS_IBSPROF_PROFILE_THREADS_H

#include "tools/ibsprof/profile/profile_count.h"

struct threads;

enum { THREADS_MAX = 16 };

typedef void threads_counted_fn(void *context, const struct input_stretch *stretch, const uint32_t *accesses,
                                uint32_t count);

/* Returns the number of threads that this process may run at once, at most THREADS_MAX. */
unsigned threads_usable(void);

/* Starts threads; together with the caller's there are 'threads', or fewer if the system has no more. place->lock must
 * be set. The caller's thread calls counted() with each stretch, in order, and the offsets from 'begin' of the records
 * of its accesses. */
struct threads *threads_start(unsigned threads, struct input *input, const struct count_place *place,
                              threads_counted_fn *counted, void *context);

/* Queues a stretch for counting. */
void threads_give(struct threads *threads, const struct input_stretch *stretch);

/* Waits until everything is counted, and all accesses were delivered. Must precede spaces_item(), and other ways of
 * counting. */
void threads_wait(struct threads *threads);

/* Waits, adds all sums to 'count', and ends the threads. */
void threads_end(struct threads *threads, struct count *count);

#endif
