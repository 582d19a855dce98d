/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/base/sorter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/temporary.h"

/* A sorted part of the file, of which 'bytes' has the next items. */
struct run {
    uint64_t at, end; /* offsets of what is not yet in memory */
    uint8_t *bytes;
    uint32_t next, count; /* items in 'bytes' */
};

struct sorter {
    size_t size;
    uint32_t room, count, next;
    int (*order)(const void *left, const void *right);
    uint8_t *items;
    FILE *file;  /* NULL: none yet */
    bool failed; /* no more is written */
    uint64_t written;
    struct run *runs; /* while they are read: a heap, the run with the first item on top */
    uint32_t run_count, heap_count;
    uint32_t read_items; /* of a run at a time */
    bool passed;         /* the file's item that was returned last has been left */
};

struct sorter *sorter_make(size_t size, uint32_t room, int (*order)(const void *left, const void *right))
{
    struct sorter *sorter = must_new(sorter);

    *sorter = (struct sorter){.size = size, .room = room, .order = order, .passed = true};
    return sorter;
}

void sorter_free(struct sorter *sorter)
{
    if (!sorter)
        return;
    for (uint32_t i = 0; i < sorter->run_count; i++)
        free(sorter->runs[i].bytes);
    if (sorter->file)
        fclose(sorter->file);
    free(sorter->runs);
    free(sorter->items);
    free(sorter);
}

void *sorter_items(const struct sorter *sorter)
{
    return sorter->items;
}

uint32_t sorter_count(const struct sorter *sorter)
{
    return sorter->count;
}

uint32_t sorter_runs(const struct sorter *sorter)
{
    return sorter->run_count;
}

static void sort_items(struct sorter *sorter)
{
    if (sorter->count > 0)
        qsort(sorter->items, sorter->count, sorter->size, sorter->order);
}

/* Writes the items in memory as a run. If that fails they stay there. */
static void write_run(struct sorter *sorter)
{
    uint64_t end = sorter->written + (uint64_t)sorter->count * sorter->size;

    if (!sorter->file)
        sorter->file = temporary_open();
    sort_items(sorter);
    if (!sorter->file || fseeko(sorter->file, (off_t)sorter->written, SEEK_SET) != 0 ||
        fwrite(sorter->items, sorter->size, sorter->count, sorter->file) != sorter->count ||
        fflush(sorter->file) != 0) {
        sorter->failed = true;
        return;
    }
    *must_add(sorter->runs, sorter->run_count) = (struct run){.at = sorter->written, .end = end};
    sorter->written = end;
    sorter->count = 0;
}

bool sorter_make_room(struct sorter *sorter)
{
    if (sorter->count >= sorter->room && !sorter->failed)
        write_run(sorter);
    return sorter->count == 0;
}

void sorter_add(struct sorter *sorter, const void *item)
{
    sorter->items = must_have_room(sorter->items, sorter->count, sorter->size);
    memcpy(sorter->items + sorter->count++ * sorter->size, item, sorter->size);
}

/* ---------------------------------------------------------------- merging */

/* Returns the next item of a run; NULL: it has no more. */
static const uint8_t *head(struct sorter *sorter, struct run *run)
{
    size_t bytes = (size_t)sorter->read_items * sorter->size;

    if (run->next < run->count)
        return run->bytes + run->next * sorter->size;
    if (run->at == run->end)
        return NULL;
    if (!run->bytes)
        run->bytes = must_alloc(bytes, 1);
    if (bytes > run->end - run->at)
        bytes = (size_t)(run->end - run->at);
    if (pread(fileno(sorter->file), run->bytes, bytes, (off_t)run->at) != (ssize_t)bytes) {
        fputs("ibsprof: a temporary file in TMPDIR cannot be read again\n", stderr);
        exit(1);
    }
    run->at += bytes;
    run->count = (uint32_t)(bytes / sorter->size);
    run->next = 0;
    return run->bytes;
}

/* Moves the run at this place of the heap down to where its item belongs. */
static void sink(struct sorter *sorter, uint32_t at)
{
    struct run *runs = sorter->runs;

    for (uint32_t least = at;; at = least) {
        struct run run;

        for (uint32_t child = 2 * at + 1; child <= 2 * at + 2 && child < sorter->heap_count; child++)
            if (sorter->order(head(sorter, &runs[child]), head(sorter, &runs[least])) < 0)
                least = child;
        if (least == at)
            return;
        run = runs[at];
        runs[at] = runs[least];
        runs[least] = run;
    }
}

void sorter_sort(struct sorter *sorter)
{
    if (sorter->run_count > 0 && sorter->count > 0 && !sorter->failed)
        write_run(sorter);
    if (sorter->count > 0)
        sort_items(sorter);
    if (sorter->run_count == 0)
        return;
    if (sorter->count == 0) {
        free(sorter->items);
        sorter->items = NULL;
    }
    sorter->read_items = (uint32_t)(SORTER_READ / sorter->run_count / sorter->size);
    sorter->read_items += sorter->read_items == 0;
    sorter->heap_count = sorter->run_count;
    for (uint32_t i = sorter->run_count; i-- > 0;)
        sink(sorter, i);
}

/* Leaves the item that was returned last. */
static void pass(struct sorter *sorter)
{
    struct run *top = &sorter->runs[0];

    top->next++;
    sorter->passed = true;
    if (!head(sorter, top)) {
        struct run ended = *top;

        *top = sorter->runs[--sorter->heap_count];
        sorter->runs[sorter->heap_count] = ended;
    }
    sink(sorter, 0);
}

const void *sorter_next(struct sorter *sorter)
{
    const uint8_t *of_file, *of_memory = NULL;

    if (!sorter->passed)
        pass(sorter);
    of_file = sorter->heap_count > 0 ? head(sorter, &sorter->runs[0]) : NULL;
    if (sorter->next < sorter->count)
        of_memory = sorter->items + sorter->next * sorter->size;
    if (of_memory && (!of_file || sorter->order(of_memory, of_file) < 0)) {
        sorter->next++;
        return of_memory;
    }
    sorter->passed = of_file == NULL;
    return of_file;
}
