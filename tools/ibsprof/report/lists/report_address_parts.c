/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/lists/report_address_rows.h"

#include <stdlib.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/search.h"

void address_add_counts(struct row *row, const struct kind *kind, const struct access *access)
{
    row->samples += access->counts[kind->population];
    for (unsigned i = 0; i < kind->column_count; i++) {
        const struct column *column = &kind->columns[i];

        row->part[i] +=
            column->answers ? access->load && column->answers >> access->answer & 1 : access->counts[column->event];
        row->whole[i] += column->of >= 0 ? access->counts[column->of] : 0;
    }
    row->answered[access->answer] += access->load;
    row->modified += access->modified;
}

static int line_order(const struct row *a, const struct row *b)
{
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->pid < b->pid ? -1 : a->pid > b->pid;
}

/* Sorts by row, offset and core. */
static int compare(const struct row *a, const struct row *b)
{
    int line = line_order(a, b);

    if (line != 0)
        return line;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
}

static bool is_part(const void *context, uint32_t number, const void *wanted)
{
    return compare(&((const struct list *)context)->parts[number - 1], wanted) == 0;
}

void address_part_add(struct list *list, const struct row *row, uint32_t cpu, const struct access *access)
{
    struct row part = {.key = row->key, .address = access->address % CACHE_LINE, .cpu = cpu, .pid = row->pid};
    uint64_t hash = table_hash(part.key + part.address * LINE_CORES + cpu + part.pid * 31ull);
    uint32_t *number = table_find(&list->part_table, hash, is_part, list, &part);

    if (*number == 0) {
        *must_add(list->parts, list->part_count) = part;
        *number = list->part_count;
    }
    address_add_counts(&list->parts[*number - 1], list->kind, access);
}

static int in_order(const void *left, const void *right)
{
    return compare(left, right);
}

void address_parts_sort(struct list *list)
{
    table_free(&list->part_table);
    if (list->part_count > 0)
        qsort(list->parts, list->part_count, sizeof(*list->parts), in_order);
}

const struct row *address_parts(const struct list *list, const struct row *row, uint32_t *ret_count)
{
    uint32_t low = (uint32_t)search_first(list->part_count, i, line_order(&list->parts[i], row) >= 0);

    for (*ret_count = 0; low + *ret_count < list->part_count && line_order(&list->parts[low + *ret_count], row) == 0;)
        ++*ret_count;
    return list->parts + low;
}

unsigned address_cores(const struct row *row)
{
    unsigned cores = 0;

    for (unsigned i = 0; i < LINE_CORES / 64; i++)
        cores += (unsigned)__builtin_popcountll(row->cores[i]);
    return cores;
}

/* Returns the number of samples that stored. */
static uint64_t stores(const struct list *list, const struct row *row)
{
    for (unsigned i = 0; i < list->kind->column_count; i++)
        if (list->kind->columns[i].event == DERIVED_F202_STORE)
            return row->part[i];
    return 0;
}

bool address_is_false_sharing(const struct list *list, const struct row *row)
{
    uint32_t count;
    const struct row *part = address_parts(list, row, &count);

    for (uint32_t i = 1; i < count; i++)
        if (part[i].address == part[i - 1].address)
            return false;
    return address_cores(row) > 1 && stores(list, row) > 0;
}
