/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A hash table with open addressing. The caller has the elements; the table has a number for each, never 0: mostly its
 * index in an array, plus one.
 *
 * profile/tally.h has its own table: its look-up for every sample finds the element itself, in one cache line.
 */
#ifndef TOOLS_IBSPROF_TABLE_H
#define TOOLS_IBSPROF_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "tools/ibsprof/base/must.h"

struct table_slot {
    uint64_t hash;
    uint32_t number; /* 0: free */
};

/* Zeroed: an empty table. */
struct table {
    struct table_slot *slots;
    uint32_t room, used;
};

static inline uint64_t table_hash(uint64_t value)
{
    return value * 0x9E3779B97F4A7C15u >> 20;
}

static inline void table_free(struct table *table)
{
    free(table->slots);
    *table = (struct table){0};
}

static inline void table_grow(struct table *table)
{
    struct table old = *table;

    table->room = old.room ? 2 * old.room : 64;
    table->slots = must_alloc(table->room, sizeof(*table->slots));
    for (uint32_t i = 0; i < old.room; i++) {
        uint32_t at = (uint32_t)old.slots[i].hash & (table->room - 1);

        while (old.slots[i].number && table->slots[at].number)
            at = (at + 1) & (table->room - 1);
        if (old.slots[i].number)
            table->slots[at] = old.slots[i];
    }
    free(old.slots);
}

/* Finds the element with this hash for which is(context, number, key) holds. Returns the address of its number; 0
 * there: none, and the caller must store the new element's number. The address is valid until the next call. */
static inline uint32_t *table_find(struct table *table, uint64_t hash,
                                   bool (*is)(const void *context, uint32_t number, const void *key),
                                   const void *context, const void *key)
{
    uint32_t at;

    if (2 * table->used >= table->room)
        table_grow(table);
    for (at = (uint32_t)hash & (table->room - 1); table->slots[at].number; at = (at + 1) & (table->room - 1))
        if (table->slots[at].hash == hash && is(context, table->slots[at].number, key))
            return &table->slots[at].number;
    table->slots[at].hash = hash;
    table->used++;
    return &table->slots[at].number;
}

#endif
