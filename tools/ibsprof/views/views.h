/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Views of the user's: files of the form that settings have (core/run/settings.h), with a line [NAME] before each view.
 *
 *     [dc_thousand]
 *     title = "Data cache, per thousand ops"
 *     note = "Loads and stores."
 *     sort = "Misses per thousand"
 *     column_1 = "Ops: F100"
 *     column_2 = "Misses per thousand: F206 / F100 * 1000"
 *
 * A column is a name, a colon, and a formula:
 *
 *     SUM               samples, or cycles
 *     SUM / all         share of all samples, in percent
 *     SUM / SUM         ratio of one row; with "%" after the formula in percent, with "* NUMBER" that many times
 *
 * SUM is an event, or several with '+' between, in parentheses if you like. An event is any name that outputs print for
 * one (F206, 041, 046:07, DATA_CACHE_MISSES), in single quotes when it is not one word ('IBS DC miss'); or timer. As in
 * compiled views counts are of samples, ratios of what they stand for, and kinds of samples do not mix
 * (core/view/view.h).
 */
#ifndef TOOLS_IBSPROF_VIEWS_H
#define TOOLS_IBSPROF_VIEWS_H

#include "core/view/view.h"

enum {
    VIEWS_NAME_MAX = 31,
    VIEWS_TEXT_MAX = 200, /* of a value */
    VIEWS_TERMS = 12,     /* of a sum */
    VIEWS_MAX = 64,       /* of one set */
};

/* A sum of events, as an operand. */
struct views_sum {
    uint32_t terms[VIEWS_TERMS]; /* as in struct view_own */
    unsigned count;
};

struct views_formula {
    struct views_sum left, right; /* right: for VIEW_RATIO */
    enum view_column_kind kind;   /* VIEW_COUNT, VIEW_SHARE or VIEW_RATIO */
    uint16_t scale;
};

/* Parses a formula. Returns false with a line, without its end, in 'problem': the error and what is valid. */
bool views_formula_parse(const char *text, struct views_formula *formula, struct out *problem);

/* Write a term, a sum or a column as a formula: "F206", "046:07", "F203+F204", "(045:07+046:07)/0C0". */
void views_write_operand(const struct view *view, uint16_t operand, struct out *out);
void views_write_formula(const struct view *view, const struct view_column *column, struct out *out);

struct views {
    struct user_view *view[VIEWS_MAX];
    unsigned count;
};

/* Adds the views of a text; 'name' is the file's, for problems: a line each, "name:line: what". A view whose name is in
 * the set is skipped. Returns false if there was a problem; views without problems are added. */
bool views_parse(struct views *views, const char *name, const char *text, size_t size, struct out *problems);
void views_free(struct views *views);
const struct view *views_view(const struct user_view *user);

/* ---- a set beside the built-in views. */

/* Adds the views of a text, as views_load() does for a file of that name. */
bool views_add(struct views *views, const char *name, const char *text, size_t size);

/* Adds the views of a file. Returns false after a complaint for each problem. */
bool views_load(struct views *views, const char *path);

/* Adds the views in the usual places: views.ini in the folder of the run, and in the two above it; then each *.ini of
 * $XDG_CONFIG_HOME/ibsprof/views (~/.config without it). run NULL: only the latter. Reports problems, and uses the
 * rest. */
void views_load_usual(struct views *views, const char *run);

/* Return the view at an index, built-in ones first, or by name; NULL: none. views NULL: only built-in ones. */
const struct view *views_at(const struct views *views, unsigned index);
const struct view *views_find(const struct views *views, const char *name);

#endif
