/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lists of samples by address (report_addresses.c), and what is inside of a cache line (report_address_parts.c): which
 * cores used which of its bytes. Lines are told apart by their physical address, as stacks of several cores may have
 * the same linear one, and one line may have several.
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

/* A column: an event, or with 'of' its mean over another one. */
struct column {
    const char *title;
    enum derived event; /* DERIVED_COUNT: none, and 'answers' has it */
    int of;             /* enum derived; -1: a count */
    unsigned answers;   /* bits of enum access_answer: loads that one of them answered, where the event has no source */
};

/* Describes the rows of a list. */
struct kind {
    const char *name, *title;
    const struct column *columns;
    unsigned column_count;
    enum sample_kind samples;
    enum derived population;
    uint64_t size; /* of a row; 0: as far as it goes */
    bool parts;    /* with cores, and the parts of rows that several of them used */
    bool objects;  /* rows are data objects */
};

struct row {
    struct data_object object; /* of a list of objects */
    uint64_t key; /* objects: that of the object; cache lines: the physical line, with bit 0 set; else, and without one,
                     the address */
    uint64_t address, last; /* of the samples in it */
    uint32_t cpu;           /* of a part */
    uint32_t pid;           /* of a linear line of Linux, else 0 */
    uint64_t cores[LINE_CORES / 64];
    uint64_t samples;
    uint64_t part[COLUMNS_MAX], whole[COLUMNS_MAX]; /* whole: of a mean */
    uint64_t answered[ANSWERS], modified;           /* loads, by who answered; that another cache had modified */
};

struct list {
    const struct run_profile *profile;
    const struct kind *kind;
    bool by_word;                       /* accesses by their data source: the file has no registers of IBS' ops */
    struct kind with;                   /* it, of the columns that have a source */
    struct column columns[COLUMNS_MAX]; /* its columns */
    struct data_objects *objects;       /* NULL: rows are none */
    struct accesses *accesses;
    struct core_nodes nodes;
    struct table table;
    struct row *rows;
    uint32_t count;
    struct table part_table;
    struct row *parts;
    uint32_t part_count;
    struct row all;
    uint64_t without; /* samples of the kind that have no address */
};

/* Adds a core's access to the parts of the row. */
void address_part_add(struct list *list, const struct row *row, uint32_t cpu, const struct access *access);
/* Once all are there: sorts them by row, offset and core. Their address is the offset in the line. */
void address_parts_sort(struct list *list);
/* The first part of the row; the others follow, up to *ret_count. */
const struct row *address_parts(const struct list *list, const struct row *row, uint32_t *ret_count);
/* Cores that used the row. */
unsigned address_cores(const struct row *row);
/* Several cores used the line, at least one of them stored, and no two of them at the same address. */
bool address_is_false_sharing(const struct list *list, const struct row *row);

void address_add_counts(struct row *row, const struct kind *kind, const struct access *access);

/* Writes the rows that have at least options.min_percent of the samples, and notes. */
void address_write_text(struct out *out, const struct list *list, const struct report_options *options);

/* Write the whole list; of cache lines and objects also who answered, of lines in JSON by offset and core. */
void address_write_csv(struct out *out, const struct list *list);
void address_write_json(FILE *to, const struct list *list, const struct run_profile *profile);
/* Writes the columns and the first `rows` rows into an object. */
void address_write_rows(struct json *json, const struct list *list, uint32_t rows);

#endif
