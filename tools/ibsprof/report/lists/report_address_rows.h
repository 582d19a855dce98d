/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lists of samples by address (report_addresses.c), and the parts of a cache line (report_address_parts.c): which
 * cores used which of its bytes. Lines are identified by physical address: several cores' stacks may have one linear
 * address, and one line several.
 */
#ifndef IBSPROF_REPORT_ADDRESS_ROWS_H
#define IBSPROF_REPORT_ADDRESS_ROWS_H

#include "core/base/out.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/base/table.h"
#include "tools/ibsprof/profile/access.h"
#include "tools/ibsprof/profile/data/data_objects.h"
#include "tools/ibsprof/report/tables/report_text.h"

enum { CACHE_LINE = 64, COLUMNS_MAX = 8, LINE_CORES = 256, ADDRESS_WIDTH = 16, CORES_WIDTH = 6 };

/* A column: an event, or with 'of' its mean over another event. */
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

struct row {
    struct data_object object; /* for a list of objects */
    uint64_t key; /* objects: that of the object; cache lines: the physical line, with bit 0 set; else, and without one,
                     the address */
    uint64_t address, last; /* lowest and highest address sampled in it */
    uint32_t cpu;           /* for a part */
    uint32_t pid;           /* for a linear line of Linux; otherwise 0 */
    uint64_t cores[LINE_CORES / 64];
    uint64_t samples;
    uint64_t part[COLUMNS_MAX], whole[COLUMNS_MAX]; /* whole: denominator of a mean */
    uint64_t answered[ANSWERS], modified; /* loads by answer; loads of lines that another cache had modified */
};

struct list {
    const struct run_profile *profile;
    const struct kind *kind;
    bool by_word;                       /* accesses come from data sources: the file has no registers of IBS ops */
    struct kind with;                   /* the kind with only those columns that have a source */
    struct column columns[COLUMNS_MAX]; /* columns of 'with' */
    struct data_objects *objects;       /* NULL: rows are not objects */
    struct accesses *accesses;
    struct core_nodes nodes;
    struct table table;
    struct row *rows;
    uint32_t count;
    struct table part_table;
    struct row *parts;
    uint32_t part_count;
    struct row all;
    uint64_t without; /* samples of the kind without an address */
};

/* Adds a core's access to the parts of a row. */
void address_part_add(struct list *list, const struct row *row, uint32_t cpu, const struct access *access);
/* Sorts all parts by row, offset and core, and makes their addresses offsets within the line. */
void address_parts_sort(struct list *list);
/* Returns the row's first part, followed by the others, *ret_count in all. */
const struct row *address_parts(const struct list *list, const struct row *row, uint32_t *ret_count);
/* Returns the number of cores that used the row. */
unsigned address_cores(const struct row *row);
/* Returns whether several cores used the line, at least one stored, and no two used the same address. */
bool address_is_false_sharing(const struct list *list, const struct row *row);

void address_add_counts(struct row *row, const struct kind *kind, const struct access *access);

/* Prints the rows with at least options.min_percent of the samples, and notes. */
void address_write_text(struct out *out, const struct list *list, const struct report_options *options);

/* Write the whole list; for cache lines and objects also who answered; in JSON, for lines, by offset and core. */
void address_write_csv(struct out *out, const struct list *list);
void address_write_json(FILE *to, const struct list *list, const struct run_profile *profile);
/* Writes the columns and the first `rows` rows into an object. */
void address_write_rows(struct json *json, const struct list *list, uint32_t rows);

#endif
