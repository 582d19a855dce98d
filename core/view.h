/*
 * Views: tables of a profile as data. Adding one is a row in view_table.c.
 *
 * A view names its columns; the printer lays them out in at most 79 columns of text (80x25 consoles wrap at 80). Titles
 * say what was counted ("ops sampled"), never "time".
 */
#ifndef CORE_VIEW_H
#define CORE_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "core/derived.h"
#include "core/out.h"
#include "core/profile.h"

enum view_column_kind {
    VIEW_COUNT, /* left */
    VIEW_SHARE, /* left of this row / left of all samples, in percent */
    VIEW_RATIO, /* left / right * scale of this row; '-' when right is 0 */
};

struct view_column {
    const char *title; /* one to three lines with '\n' between; "%" is put behind figures when scale is 100 */
    uint8_t kind;      /* enum view_column_kind */
    uint8_t left;      /* enum derived */
    uint8_t right;     /* enum derived; VIEW_RATIO */
    uint8_t decimals;
    uint16_t scale; /* 1 for averages, 100 for percent */
};

enum { VIEW_COLUMNS = 10 };

struct view {
    const char *name;   /* for settings and files: "ibs_op" */
    const char *title;  /* "IBS op profile" */
    const char *what;   /* what a count is: "ops sampled" */
    uint8_t level;      /* enum profile_level it is best read at */
    uint8_t population; /* enum derived: rows and functions where it is 0 have no samples for this view */
    uint8_t mark;       /* enum derived: the row with the most of it is marked as the hottest */
    uint8_t column_count;
    struct view_column columns[VIEW_COLUMNS];
    const char *footnote; /* lines with '\n' between them, or NULL */
};

/* In the order in which a report shows them. */
extern const struct view view_table[];
extern const unsigned view_count;

/* The view of that name, or NULL. */
const struct view *view_find(const char *name);

struct view_options {
    uint8_t width;     /* columns of text, 40..200; 0 = 79 */
    bool only_sampled; /* leave out all rows without samples; else a function with at least 1 % of them is listed whole
                        */
    bool no_footnote;
};

/* Prints the table: title, rows, sums of functions (instruction level), samples outside of the map if there are any,
 * totals. options may be NULL. Without any sample it says so in one line. */
void view_print(struct out *out, const struct view *view, const struct profile *profile, enum profile_level level,
                const struct view_options *options);

/* The row of a level with the most of an event, or -1 when all are 0. The lowest of equals. */
int32_t view_hottest(const struct profile *profile, enum profile_level level, enum derived event);

#endif
