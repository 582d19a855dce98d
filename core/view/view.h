/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Views: tables of a profile as data. Adding one is a row in view_table*.c.
 *
 * A view names its columns; the printer lays them out in at most 79 columns of text (80x25 consoles wrap at 80). Titles
 * say what was counted ("ops sampled"), never "time".
 *
 * Samples of IBS fetches, of IBS ops, of counters and of the timer are different populations. A view that puts two of
 * them together in a column, or next to each other, is refused (view_check).
 */
#ifndef CORE_VIEW_H
#define CORE_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/out.h"
#include "core/events/meaning.h"
#include "core/ibs/derived.h"
#include "core/profile/pmc_profile.h"
#include "core/profile/profile.h"

enum view_column_kind {
    VIEW_COUNT, /* left */
    VIEW_SHARE, /* left of this row / left of all samples, in percent */
    VIEW_RATIO, /* left / right * scale of this row; '-' when right is 0 */
    VIEW_SUM,   /* (left + plus) / right * scale */
};

/* Operands of columns: enum derived, VIEW_<meaning> of a counter event (core/events/meaning.h), or VIEW_TIMER. Counts
 * and shares of counter events are samples; ratios are of what the samples stand for (pmc_profile_estimate). */
#define VIEW_OPERAND(name, text) VIEW_##name,
enum view_operand {
    VIEW_INDEX = 0xFF, /* mask of the part that is an index */
    VIEW_PMC = 0x100,  /* flag: enum event_meaning */
    VIEW_BEFORE_PMC = VIEW_PMC - 1,
    MEANING_NAMES(VIEW_OPERAND) VIEW_PMC_END,
    VIEW_TIMER = 0x200,
    VIEW_OWN = 0x300, /* added to the index of one of the view's own operands */
};

enum { VIEW_COLUMNS = 10 };

/* An operand that a view defines: the sum of its terms. A term is an operand above, or a counter event of Family 10h,
 * for which the processor's event of the same meaning stands. */
#define VIEW_COUNTER(select_, mask_) (0x80000000u | (uint32_t)(select_) << 8 | (mask_))
struct view_own {
    const char *name;
    const uint32_t *terms;
    uint8_t count;
};

struct view_column {
    const char *title; /* one to three lines with '\n' between; "%" is put after figures when scale is 100 */
    uint8_t kind;      /* enum view_column_kind */
    uint8_t decimals;
    uint16_t scale; /* 1 for averages and rates, 100 for percent */
    uint16_t left;
    uint16_t plus;  /* VIEW_SUM */
    uint16_t right; /* VIEW_RATIO, VIEW_SUM */
};

struct view {
    const char *name;  /* for settings and files: "ibs_op" */
    const char *title; /* "IBS op profile" */
    const char *what;  /* what a count is: "ops sampled" */
    uint8_t level;     /* enum profile_level at which it reads best */
    uint8_t column_count;
    uint16_t population; /* operand: rows and functions where it is 0 have no samples for this view */
    uint16_t mark;       /* operand: the row with the most of it is marked as the hottest */
    struct view_column columns[VIEW_COLUMNS];
    const char *footnote;       /* running text, or NULL */
    const char *elsewhere;      /* footnote on processors other than Family 10h (view_with_events); NULL: the same */
    const char *configs;        /* configurations whose report prints it, separated by blanks; NULL: its namesake */
    const struct view_own *own; /* [own_count]; NULL: none */
    uint8_t own_count;
    uint8_t sort;      /* 1 + the column that functions and lines are sorted by (view_options.order), 0: none */
    bool paper;        /* one of AMD's IBS paper, shown when no view is named */
    uint16_t if_often; /* 1 + an operand: also shown by default if a hundredth of the population has it
                          (view_by_default); 0: no */
};

/* The tables of AMD's IBS paper, in the order in which a report shows them. */
extern const struct view view_table[];
extern const unsigned view_count;

/* CodeAnalyst's views, by the names of its files: of IBS samples, and of counter and timer samples. */
extern const struct view view_table_ibs[];
extern const unsigned view_count_ibs;
extern const struct view view_table_pmc[];
extern const unsigned view_count_pmc;

/* Return the view at an index of all tables, in this order, NULL beyond; the view of a name, or NULL. */
const struct view *view_at(unsigned index);
const struct view *view_find(const char *name);

/* Returns whether the view is shown when none is named: it is the paper's, or its subject happened to at least a
 * hundredth of its population within the map. */
bool view_by_default(const struct view *view, const struct profile *profile);

/* Returns the kind of the view's samples (its population's). */
enum sample_kind view_kind(const struct view *view);

/* Returns whether all counter events and the timer that the view uses were measured. */
bool view_measured(const struct view *view, const struct pmc_profile *profile);

/* Returns false, with the reason as a line in 'problem' (may be NULL), if the view is not sound: it mixes kinds of
 * samples, or has an unknown operand. */
bool view_check(const struct view *view, struct out *problem);

/* Keeps the columns for which the set's processor has sources. Returns false if none is left, or if the view's
 * population has no source. */
bool view_with_sources(const struct view *view, const struct derived_set *set, struct view *ret_view);

/* Keeps the columns for which the set has events, as view_with_sources(). Returns false also if its mark has no event.
 * Without a set the view stays as it is. */
bool view_with_events(const struct view *view, enum event_set set, struct view *ret_view);

struct view_options {
    uint8_t width; /* columns of text, 40..200; 0 = 79 */
    bool no_footnote;
    const uint32_t *order; /* functions or lines in this order instead of by address: as many indices as there are;
                              NULL: by address */
    const char *outside;   /* name for samples outside of the map; NULL: "outside of the workloads" */
};

/* Prints the table: title, rows, sums of functions (instruction level), samples outside of the map if there are any,
 * totals. options may be NULL. Prints one line with the reason instead if there is no sample, if view_check refuses
 * the view, or if the profile is of another kind or lacks events. */
void view_print(struct out *out, const struct view *view, const struct profile *profile, enum profile_level level,
                const struct view_options *options);
void view_print_pmc(struct out *out, const struct view *view, const struct pmc_profile *profile,
                    enum profile_level level, const struct view_options *options);

/* Prints an instruction in a field of the given width: where it does not fit, "dword ptr [..]" becomes "dword [..]"
 * first. */
void view_print_instruction(struct out *out, const char *text, int width);

/* Returns the row of a level with the most of an event, the lowest of equals; -1 when all are 0. */
int32_t view_hottest(const struct profile *profile, enum profile_level level, enum derived event);

#endif
