/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sorts more items than memory should hold. Once 'room' items are there, they are sorted and written to an unnamed file
 * in TMPDIR as a run; at the end all runs are read at the same time, the first of their items first (merge sort). Where
 * no file can be made or written, the items stay in memory.
 *
 * Memory: 'room' items, or, while runs are read, SORTER_READ bytes in all.
 */
#ifndef TOOLS_IBSPROF_SORTER_H
#define TOOLS_IBSPROF_SORTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SORTER_READ = 4 << 20 };

struct sorter;

/* Makes a sorter of items of 'size' bytes; order: as for qsort(), without equal items, or their order does not
 * matter. */
struct sorter *sorter_make(size_t size, uint32_t room, int (*order)(const void *left, const void *right));
void sorter_free(struct sorter *sorter); /* NULL: nothing */

/* Return the items in memory, in the order of their adding, which may be changed as they are there; and their
 * number. */
void *sorter_items(const struct sorter *sorter);
uint32_t sorter_count(const struct sorter *sorter);

/* Writes the items in memory to the file if there are 'room' of them. Returns whether none are in memory now. */
bool sorter_make_room(struct sorter *sorter);

/* Adds an item to those in memory. */
void sorter_add(struct sorter *sorter, const void *item);

/* Sorts. Nothing can be added after it. */
void sorter_sort(struct sorter *sorter);

/* Returns the next item, which is valid until the next call; NULL: there are no more. Ends the program with a line if
 * the file cannot be read. */
const void *sorter_next(struct sorter *sorter);

/* Returns the number of runs in the file. */
uint32_t sorter_runs(const struct sorter *sorter);

#endif
