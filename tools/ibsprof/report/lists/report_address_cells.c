/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/lists/report_address_rows.h"

#include <stdlib.h>

#include "tools/ibsprof/base/must.h"

enum { REGION_GAP = 1 << 20 };

/* Bits of a shape, which samples of a cell have in common: their columns, of the columns' denominators, and of the
 * access. */
enum { WHOLE = COLUMNS_MAX, ANSWER = 2 * COLUMNS_MAX, LOAD = ANSWER + 4, MODIFIED };
_Static_assert(ANSWERS <= 16 && MODIFIED < 32, "a word has them");

/* Equal samples of a row: of a line, those of one core at one offset. A mean's column adds its cycles; all others add
 * the samples. */
struct cell {
    uint64_t key, address, last;
    uint64_t samples, cycles;
    uint32_t pid, cpu, offset, shape;
};

/* ---------------------------------------------------------------- cells */

static uint32_t shape_of(const struct kind *kind, const struct access *access)
{
    uint32_t shape =
        (uint32_t)access->answer << ANSWER | (uint32_t)access->load << LOAD | (uint32_t)access->modified << MODIFIED;

    for (unsigned i = 0; i < kind->column_count; i++) {
        const struct column *column = &kind->columns[i];

        if (column->answers ? access->load && column->answers >> access->answer & 1
                            : column->of < 0 && access->counts[column->event])
            shape |= 1u << i;
        if (column->of >= 0 && access->counts[column->of])
            shape |= 1u << (WHOLE + i);
    }
    return shape;
}

static uint64_t cycles_of(const struct kind *kind, const struct access *access)
{
    for (unsigned i = 0; i < kind->column_count; i++)
        if (kind->columns[i].of >= 0)
            return access->counts[kind->columns[i].event];
    return 0;
}

static int row_order(const struct cell *a, const struct cell *b)
{
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->pid < b->pid ? -1 : a->pid > b->pid;
}

/* Sorts by row, offset, core and shape. */
static int by_row(const void *left, const void *right)
{
    const struct cell *a = left, *b = right;
    int row = row_order(a, b);

    if (row != 0)
        return row;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    if (a->cpu != b->cpu)
        return a->cpu < b->cpu ? -1 : 1;
    return a->shape < b->shape ? -1 : a->shape > b->shape;
}

/* Sorts by address, of cells that have their rows'. */
static int by_address(const void *left, const void *right)
{
    const struct cell *a = left, *b = right;

    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return by_row(left, right);
}

static bool is_cell(const void *context, uint32_t number, const void *wanted)
{
    const struct cell *cell = (const struct cell *)sorter_items(context) + number - 1;

    return by_row(cell, wanted) == 0;
}

static uint64_t hash_of(const struct cell *cell)
{
    return table_hash(cell->key + cell->pid * 31ull + ((uint64_t)cell->shape << 20 ^ (uint64_t)cell->cpu << 6) +
                      cell->offset);
}

/* Finds the cell of these samples, a new one without samples if needed. */
static struct cell *find(struct list *list, const struct cell *wanted)
{
    uint64_t hash = hash_of(wanted);
    struct cell empty = *wanted;
    uint32_t *number = table_find(&list->table, hash, is_cell, list->cells, wanted);

    if (*number == 0) {
        empty.samples = empty.cycles = 0;
        if (sorter_make_room(list->cells)) { /* the table is of cells that are in memory */
            table_free(&list->table);
            number = table_find(&list->table, hash, is_cell, list->cells, wanted);
        }
        sorter_add(list->cells, &empty);
        *number = sorter_count(list->cells);
    }
    return (struct cell *)sorter_items(list->cells) + *number - 1;
}

void address_begin(struct list *list, uint32_t room)
{
    list->room = room;
    list->cells = sorter_make(sizeof(struct cell), room, by_row);
    list->ahead = must_new(list->ahead);
}

static void add_counts(struct row *row, const struct kind *kind, const struct cell *cell)
{
    row->samples += cell->samples;
    for (unsigned i = 0; i < kind->column_count; i++) {
        row->part[i] += kind->columns[i].of >= 0 ? cell->cycles : cell->shape >> i & 1 ? cell->samples : 0;
        row->whole[i] += cell->shape >> (WHOLE + i) & 1 ? cell->samples : 0;
    }
    row->answered[cell->shape >> ANSWER & 15] += cell->shape >> LOAD & 1 ? cell->samples : 0;
    row->modified += cell->shape >> MODIFIED & 1 ? cell->samples : 0;
}

void address_add(struct list *list, const struct address_place *place, const struct access *access)
{
    const struct kind *kind = list->kind;
    struct cell cell = {.key = place->key,
                        .address = place->address,
                        .last = access->address,
                        .samples = 1,
                        .cycles = cycles_of(kind, access),
                        .pid = place->pid,
                        .cpu = kind->parts ? place->cpu : 0,
                        .offset = kind->parts ? access->address % CACHE_LINE : 0,
                        .shape = shape_of(kind, access)};
    struct cell *to = find(list, &cell);

    to->samples++;
    to->cycles += cell.cycles;
    to->address = cell.address < to->address ? cell.address : to->address;
    to->last = cell.last > to->last ? cell.last : to->last;
    add_counts(&list->all, kind, &cell);
}

static bool is_named(const void *context, uint32_t number, const void *key)
{
    return ((const struct list *)context)->named[number - 1].key == *(const uint64_t *)key;
}

/* Returns the place for the name of an object. */
static struct data_object *name_of(struct list *list, uint64_t key)
{
    uint32_t *number = table_find(&list->by_key, table_hash(key), is_named, list, &key);

    if (*number == 0) {
        *must_add(list->named, list->named_count) = (struct data_object){.key = key};
        *number = list->named_count;
    }
    return &list->named[*number - 1];
}

void address_add_object(struct list *list, const struct data_object *object, const struct access *access)
{
    struct data_object *named = name_of(list, object->key);

    if (!named->name)
        *named = *object;
    address_add(list, &(struct address_place){.key = object->key, .address = access->address}, access);
}

/* ---------------------------------------------------------------- rows */

/* Takes the next cell of the file or of memory: the same one may be in several runs. */
static bool take(struct list *list)
{
    const struct cell *cell = sorter_next(list->cells);

    if (cell)
        *list->ahead = *cell;
    return cell != NULL;
}

static void add_part(struct list *list, const struct cell *cell)
{
    struct row *part = list->part_count ? &list->parts[list->part_count - 1] : NULL;

    if (!part || part->address != cell->offset || part->cpu != cell->cpu) {
        part = must_add(list->parts, list->part_count);
        *part = (struct row){.address = cell->offset, .cpu = cell->cpu};
    }
    add_counts(part, list->kind, cell);
}

static void add_cell(struct list *list, const struct cell *cell)
{
    struct row *row = &list->row;

    row->cores[cell->cpu % LINE_CORES / 64] |= 1ull << cell->cpu % 64;
    row->address = cell->address < row->address ? cell->address : row->address;
    row->last = cell->last > row->last ? cell->last : row->last;
    add_counts(row, list->kind, cell);
    if (list->kind->parts)
        add_part(list, cell);
}

/* Returns whether the next cell belongs to the row; a region goes on to where a megabyte has no accesses. */
static bool goes_on(const struct list *list, const struct cell *first)
{
    uint64_t address = list->ahead->address, last = list->row.last;

    return row_order(first, list->ahead) == 0 ||
           (list->kind->size == 0 && (address < last || address - last < REGION_GAP));
}

static bool next_of_cells(struct list *list)
{
    struct cell first;

    if (!list->more)
        return false;
    first = *list->ahead;
    list->row = (struct row){.key = first.key, .address = first.address, .pid = first.pid};
    list->part_count = 0;
    do {
        add_cell(list, list->ahead);
        list->more = take(list);
    } while (list->more && goes_on(list, &first));
    if (list->objects)
        list->row.object = *name_of(list, first.key);
    return true;
}

/* Sorts the cells of whole rows by the lowest address of the row, which is known when all of its cells are. */
static void sort_by_address(struct list *list)
{
    struct sorter *sorted = sorter_make(sizeof(struct cell), list->room, by_address);
    struct cell *cells = NULL;

    while (list->more) {
        uint64_t least = UINT64_MAX;
        uint32_t count = 0;

        do {
            least = list->ahead->address < least ? list->ahead->address : least;
            *must_add(cells, count) = *list->ahead;
            list->more = take(list);
        } while (list->more && row_order(&cells[0], list->ahead) == 0);
        for (uint32_t i = 0; i < count; i++) {
            cells[i].address = least;
            (void)sorter_make_room(sorted);
            sorter_add(sorted, &cells[i]);
        }
    }
    free(cells);
    sorter_free(list->cells);
    list->cells = sorted;
    sorter_sort(sorted);
    list->more = take(list);
}

static void begin_rows(struct list *list)
{
    table_free(&list->table);
    sorter_sort(list->cells);
    list->more = take(list);
}

void address_sort(struct list *list)
{
    begin_rows(list);
    if (list->kind->parts)
        sort_by_address(list); /* others have it in their key */
}

/* Sorts rows, and frees those after the first 'most'. Returns how many are left. */
static uint32_t shorten(struct kept_row *kept, uint32_t count, uint32_t most,
                        int (*order)(const void *left, const void *right))
{
    if (count > 0)
        qsort(kept, count, sizeof(*kept), order);
    while (count > most)
        free(kept[--count].parts);
    return count;
}

uint32_t address_keep(struct list *list, uint32_t most, int (*order)(const void *left, const void *right))
{
    struct kept_row *kept = NULL;
    uint32_t count = 0, all = 0;

    begin_rows(list);
    for (; next_of_cells(list); all++) {
        *must_add(kept, count) = (struct kept_row){list->row, list->parts, list->part_count};
        list->parts = NULL;
        if (count / 2 >= most)
            count = shorten(kept, count, most, order);
    }
    free(list->parts);
    list->parts = NULL;
    list->kept = kept ? kept : must_new(kept);
    list->kept_count = shorten(kept, count, most, order);
    return all;
}

bool address_next(struct list *list)
{
    if (!list->kept)
        return next_of_cells(list);
    if (list->kept_next == list->kept_count)
        return false;
    list->row = list->kept[list->kept_next].row;
    list->parts = list->kept[list->kept_next].parts;
    list->part_count = list->kept[list->kept_next++].part_count;
    return true;
}

int address_order(const struct row *a, const struct row *b)
{
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->pid < b->pid ? -1 : a->pid > b->pid;
}

void address_end(struct list *list)
{
    if (list->kept)
        list->parts = NULL; /* one of theirs */
    for (uint32_t i = 0; i < list->kept_count; i++)
        free(list->kept[i].parts);
    free(list->kept);
    free(list->parts);
    free(list->ahead);
    free(list->named);
    table_free(&list->by_key);
    table_free(&list->table);
    sorter_free(list->cells);
}

/* ---------------------------------------------------------------- cores */

unsigned address_cores(const struct row *row)
{
    unsigned cores = 0;

    for (unsigned i = 0; i < LINE_CORES / 64; i++)
        cores += (unsigned)__builtin_popcountll(row->cores[i]);
    return cores;
}

/* Returns the number of samples that stored. */
static uint64_t stores(const struct list *list)
{
    for (unsigned i = 0; i < list->kind->column_count; i++)
        if (list->kind->columns[i].event == DERIVED_F202_STORE)
            return list->row.part[i];
    return 0;
}

bool address_is_false_sharing(const struct list *list)
{
    for (uint32_t i = 1; i < list->part_count; i++)
        if (list->parts[i].address == list->parts[i - 1].address)
            return false;
    return address_cores(&list->row) > 1 && stores(list) > 0;
}
