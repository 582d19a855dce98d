/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/data/allocations.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bytes.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/table.h"

enum { TRACEPOINT = 2 /* PERF_TYPE_TRACEPOINT */, ENTRY_ARGUMENTS = 16, RETURN_ARGUMENTS = 24, ARGUMENTS_MOST = 2 };

enum role { NOTHING, ENTERS, RETURNS, FREES };

/* Bytes [start, end) of a process. */
struct block {
    uint64_t start, end, caller;
    uint32_t pid;
};

/* The size that a thread requested last. */
struct asked {
    uint64_t size;
    uint32_t tid, number; /* number of the function */
};

struct allocations {
    uint8_t *roles;    /* by event: enum role */
    uint32_t *numbers; /* number of the event's function, from 1 */
    void *blocks;      /* for tsearch: blocks do not overlap, and overlapping ones compare as equal */
    struct asked *asked;
    uint32_t asked_count;
    struct table by_thread;
};

static const char *const functions[] = {"malloc", "calloc", "realloc", "aligned_alloc", "_Znwm", "_Znam"};
enum { FUNCTIONS = sizeof(functions) / sizeof(functions[0]) };

/* Returns the role of "probe_libc:malloc__return". */
static enum role role_of(const struct input_event *event, uint32_t *ret_number)
{
    static const char back[] = "__return";
    const char *name = strrchr(event->name, ':');

    if (event->type != TRACEPOINT || !name++)
        return NOTHING;
    if (strcmp(name, "free") == 0)
        return FREES;
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        size_t length = strlen(functions[i]);

        *ret_number = i + 1;
        if (strncmp(name, functions[i], length) != 0)
            continue;
        if (name[length] == '\0')
            return ENTERS;
        if (strcmp(name + length, back) == 0)
            return RETURNS;
    }
    return NOTHING;
}

struct allocations *allocations_make(const struct input_facts *facts)
{
    struct allocations *allocations = must_new(allocations);
    bool returns = false;

    allocations->roles = must_alloc(facts->event_count, sizeof(*allocations->roles));
    allocations->numbers = must_alloc(facts->event_count, sizeof(*allocations->numbers));
    for (uint32_t i = 0; i < facts->event_count; i++) {
        enum role role = role_of(&facts->events[i], &allocations->numbers[i]);

        allocations->roles[i] = (uint8_t)role;
        returns |= role == RETURNS;
    }
    if (returns)
        return allocations;
    allocations_free(allocations);
    return NULL;
}

void allocations_free(struct allocations *allocations)
{
    if (!allocations)
        return;
    tdestroy(allocations->blocks, free);
    table_free(&allocations->by_thread);
    free(allocations->asked);
    free(allocations->numbers);
    free(allocations->roles);
    free(allocations);
}

static int in_order(const void *left, const void *right)
{
    const struct block *a = left, *b = right;

    if (a->pid != b->pid)
        return a->pid < b->pid ? -1 : 1;
    return a->end <= b->start ? -1 : a->start >= b->end;
}

static const struct block *block_at(const struct allocations *allocations, const struct block *where)
{
    struct block *const *found = tfind(where, &allocations->blocks, in_order);

    return found ? *found : NULL;
}

/* Removes all blocks that overlap this one. */
static void forget(struct allocations *allocations, const struct block *where)
{
    const struct block *old;

    while ((old = block_at(allocations, where))) {
        (void)tdelete(old, &allocations->blocks, in_order);
        free((void *)(uintptr_t)old);
    }
}

static bool is_thread(const void *context, uint32_t number, const void *key)
{
    return ((const struct allocations *)context)->asked[number - 1].tid == *(const uint32_t *)key;
}

static struct asked *asked_by(struct allocations *allocations, uint32_t tid)
{
    uint32_t *number = table_find(&allocations->by_thread, table_hash(tid), is_thread, allocations, &tid);

    if (*number == 0) {
        *must_add(allocations->asked, allocations->asked_count) = (struct asked){.tid = tid};
        *number = allocations->asked_count;
    }
    return &allocations->asked[*number - 1];
}

/* Returns the product of the arguments, because calloc() has a number and a size; 0: no arguments. */
static uint64_t size_of(const struct perfdata_item *sample)
{
    uint32_t words = sample->raw_size > ENTRY_ARGUMENTS ? (sample->raw_size - ENTRY_ARGUMENTS) / 8 : 0;
    uint64_t size = words > 0;

    for (uint32_t i = 0; i < words && i < ARGUMENTS_MOST; i++)
        if (__builtin_mul_overflow(size, bytes_read64(sample->raw + ENTRY_ARGUMENTS + 8 * i), &size))
            return 0;
    return size;
}

static void add_block(struct allocations *allocations, const struct perfdata_item *sample, uint64_t size)
{
    struct block *block;
    uint64_t start = bytes_read64(sample->raw + RETURN_ARGUMENTS);

    if (start == 0 || size == 0 || start + size < start)
        return;
    block = must_new(block);
    *block = (struct block){.start = start, .end = start + size, .caller = sample->ip, .pid = sample->pid};
    forget(allocations, block);
    (void)must_have(tsearch(block, &allocations->blocks, in_order));
}

void allocations_sample(struct allocations *allocations, const struct perfdata_item *sample)
{
    enum role role = (enum role)allocations->roles[sample->event];
    struct asked *asked;

    if (role == FREES && sample->raw_size >= ENTRY_ARGUMENTS + 8) {
        uint64_t start = bytes_read64(sample->raw + ENTRY_ARGUMENTS);

        forget(allocations, &(struct block){.start = start, .end = start + 1, .pid = sample->pid});
    }
    if (role != ENTERS && role != RETURNS)
        return;
    asked = asked_by(allocations, sample->tid);
    if (role == ENTERS)
        *asked = (struct asked){size_of(sample), sample->tid, allocations->numbers[sample->event]};
    else if (asked->number == allocations->numbers[sample->event] && sample->raw_size >= RETURN_ARGUMENTS + 8)
        add_block(allocations, sample, asked->size);
    if (role == RETURNS)
        asked->number = 0;
}

bool allocations_find(const struct allocations *allocations, uint32_t pid, uint64_t address, uint64_t *ret_caller)
{
    const struct block *block =
        block_at(allocations, &(struct block){.start = address, .end = address + 1, .pid = pid});

    if (block)
        *ret_caller = block->caller;
    return block != NULL;
}
