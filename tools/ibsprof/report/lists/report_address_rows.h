/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lists of samples by address (report_addresses.c), and what is kept of their rows (report_address_cells.c). A row of
 * cache lines has parts: which cores used which of its bytes. Lines are identified by physical address: several cores'
 * stacks may have one linear address, and one line several.
 *
 * A recording may have as many addresses as samples. What is kept is a cell for equal samples of a row, of 56 bytes,
 * and at most ADDRESS_CELLS of them in memory; more go to a sorter's file (base/sorter.h). Rows are made one at a time,
 * from their cells. Figures are exact in any case.
 */
#ifndef IBSPROF_REPORT_ADDRESS_ROWS_H
#define IBSPROF_REPORT_ADDRESS_ROWS_H

#include "core/base/out.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/base/sorter.h"
#include "tools/ibsprof/base/table.h"
#include "tools/ibsprof/profile/access.h"
#include "tools/ibsprof/profile/data/data_objects.h"
#include "tools/ibsprof/report/tables/report_text.h"

enum {
    CACHE_LINE = 64,
    COLUMNS_MAX = 8,
    LINE_CORES = 256,
    ADDRESS_CELLS = (1 << 18) - 1,
    ADDRESS_WIDTH = 16,
    CORES_WIDTH = 6
};

/* A column: an event, or with 'of' its mean over another event; a kind has at most one mean. */
struct column {
    const char *title;
    enum derived event; /* DERIVED_COUNT: none, use 'answers' */
    int of;             /* enum derived; -1: a count */
    unsigned answers;   /* bits of enum access_answer: counts loads with these answers if the event has no source */
};

/* Describes the rows of a list. */
struct kind {
    const char *name, *title;
    const struct column *columns;
    unsigned column_count;
    enum sample_kind samples;
    enum derived population;
    uint64_t size; /* bytes of a row; 0: variable */
    bool parts;    /* with cores, and the parts of rows that several cores used */
    bool objects;  /* rows are data objects */
};

/* Where a sample belongs. */
struct address_place {
    uint64_t key; /* objects: that of the object; cache lines: the physical line, with bit 0 set; else, and without one,
                     the address */
    uint64_t address; /* of the row; for an object the sample's */
    uint32_t cpu;
    uint32_t pid; /* for a linear line of Linux; otherwise 0 */
};

struct row {
    struct data_object object; /* for a list of objects */
    uint64_t key;              /* address_place.key */
    uint64_t address, last;    /* lowest and highest address sampled in it; of a part, 'address' is its offset */
    uint32_t cpu;              /* for a part */
    uint32_t pid;              /* address_place.pid */
    uint64_t cores[LINE_CORES / 64];
    uint64_t samples;
    uint64_t part[COLUMNS_MAX], whole[COLUMNS_MAX]; /* whole: denominator of a mean */
    uint64_t answered[ANSWERS], modified; /* loads by answer; loads of lines that another cache had modified */
};

/* A row that is kept with its parts. */
struct kept_row {
    struct row row;
    struct row *parts;
    uint32_t part_count;
};

struct cell;

struct list {
    const struct run_profile *profile;
    const struct kind *kind;
    bool by_word;                       /* accesses come from data sources: the file has no registers of IBS ops */
    struct kind with;                   /* the kind with only those columns that have a source */
    struct column columns[COLUMNS_MAX]; /* columns of 'with' */
    struct data_objects *objects;       /* NULL: rows are not objects */
    struct accesses *accesses;
    struct core_nodes nodes;
    uint32_t room; /* cells in memory */
    struct sorter *cells;
    struct table table;        /* of the cells in memory */
    struct cell *ahead;        /* the next cell */
    bool more;                 /* there is one */
    struct data_object *named; /* names of objects by key */
    uint32_t named_count;
    struct table by_key;   /* of 'named' */
    struct kept_row *kept; /* rows in an order of their own; NULL: rows come from cells */
    uint32_t kept_count, kept_next;
    struct row row;    /* the present row, */
    struct row *parts; /* and its parts by offset and core */
    uint32_t part_count;
    struct row all;   /* sums of all rows */
    uint64_t without; /* samples of the kind without an address */
};

/* Begin and end what is kept; room: number of cells in memory (ADDRESS_CELLS). */
void address_begin(struct list *list, uint32_t room);
void address_end(struct list *list);
/* Adds a sample to its row. */
void address_add(struct list *list, const struct address_place *place, const struct access *access);
/* Adds a sample of an object to its row. */
void address_add_object(struct list *list, const struct data_object *object, const struct access *access);
/* Sorts the rows after the last sample, by address, and joins pages to regions; address_next() begins. */
void address_sort(struct list *list);
/* Sorts the rows by another order instead, and keeps the first 'most'. Returns how many rows there are. */
uint32_t address_keep(struct list *list, uint32_t most, int (*order)(const void *left, const void *right));
/* Sets list.row and list.parts to the next row. Returns false after the last. */
bool address_next(struct list *list);
/* Compares two rows by address, for address_keep(). */
int address_order(const struct row *a, const struct row *b);

/* Returns the number of cores that used the row. */
unsigned address_cores(const struct row *row);
/* Returns whether several cores used the present line, at least one stored, and no two used the same address. */
bool address_is_false_sharing(const struct list *list);

/* Prints the rows with at least options.min_percent of the samples, and notes. */
void address_write_text(struct out *out, struct list *list, const struct report_options *options);

/* Write the whole list; for cache lines and objects also who answered; in JSON, for lines, by offset and core. */
void address_write_csv(struct out *out, struct list *list);
void address_write_json(FILE *to, struct list *list, const struct run_profile *profile);
/* Writes the columns and all rows into an object. */
void address_write_rows(struct json *json, struct list *list);

#endif
