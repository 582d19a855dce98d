/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * General Exploration by function and source line: CPI and level 1 of the tree (core/explore/explore.h), from samples
 * of the counters that these are made of; and rows of levels 2 and 3 that a sample can attribute to a function.
 *
 * The formulas are the tree's: explore_compute() with the totals that a row's samples stand for. Sampling makes these
 * totals uncertain, each by the square root of its number of samples (Poisson); of an event without a sample in the
 * row, by one sample. The delta method carries that to a figure f:
 *
 *     variance of f = sum over events of ((f(total + error) - f(total - error)) / 2)^2
 *
 * with differences instead of derivatives, so that the formulas' minima are taken as they are. The totals are taken as
 * independent of each other. Those of one function mostly rise and fall together, which leaves ratios better known than
 * this says.
 *
 * Counter samples skid: at the level of lines a part of them belongs to a line before, which no interval shows.
 */
#ifndef CORE_EXPLORE_PLACES_H
#define CORE_EXPLORE_PLACES_H

#include "core/explore/explore.h"
#include "core/family/ibs_family.h"
#include "core/profile/pmc_profile.h"

/* Lists the events of level 1 for the row's processors; none where there is no tree. */
void explore_places_list(struct event_list *list, const struct ibs_family *row, char revision);

/* Lists these and the deeper ones. */
void explore_places_list_deep(struct event_list *list, const struct ibs_family *row, char revision);

/* Says which events were sampled. */
struct explore_sampling {
    const struct explore_method *method; /* NULL: none, and no event */
    uint64_t events;                     /* 1 << event of the method: sampled, maybe without a sample in a row */
};

/* Holds what the samples of one event in a row stand for. */
struct explore_sampled {
    uint64_t samples;
    uint64_t total; /* events */
    uint64_t one;   /* events that one sample stands for */
};

struct explore_place_samples {
    struct explore_sampling of;
    struct explore_sampled event[EXPLORE_EVENTS];
};

struct explore_place {
    const struct explore_method *method;
    uint64_t clocks; /* samples of 076 */
    struct explore_place_node {
        bool known;    /* false: an input was not sampled, there is nothing to divide by, or too much uncertainty */
        bool flagged;  /* the whole interval is above the tree's limit, and so is its parent's */
        int64_t value; /* millionths, as struct explore_node */
        int64_t half;  /* half of the 95 % interval */
    } node[EXPLORE_NODES];
};

/* Works out all nodes from the samples. */
void explore_place_compute(struct explore_place *ret, const struct explore_place_samples *samples);

/* Explores a row with these samples (pmc_profile_sum). Returns false, and sets nothing, if the profile lacks an event
 * of level 1. */
bool explore_place(struct explore_place *ret, const struct pmc_profile *profile,
                   const uint64_t counts[PMC_PROFILE_EVENTS]);

/* Returns whether the profile has sampled all events of level 1. */
bool explore_places_possible(const struct pmc_profile *profile);

/* Returns 1 << row of the method for each row of the table: the columns, and, with more events than level 1 takes, the
 * rows of levels 2 and 3 that these suffice for, if only raw. */
uint64_t explore_places_nodes(struct explore_sampling of);

/* Returns whether the node is a cause of stalls without samples of all causes: its figure is the share of cycles,
 * which overlap. */
bool explore_places_raw(struct explore_sampling of, unsigned node);

/* Return whether the sampled events suffice for level 1; for some row of levels 2 or 3. */
bool explore_places_suffice(struct explore_sampling of);
bool explore_places_deep(struct explore_sampling of);

/* Returns the tree's events that the profile has sampled. */
struct explore_sampling explore_places_sampled(const struct pmc_profile *profile);

/* ---------------------------------------------------------------- the table */

struct explore_place_row {
    const char *kind; /* "function", "line", ...; "all" is the last row */
    const char *name; /* in text */
    bool has_rva;
    uint32_t rva, line;          /* 0: not known */
    const char *function, *file; /* NULL: not known */
    uint64_t all_clocks;         /* samples of 076 in all rows */
    struct explore_place place;
};
typedef void explore_places_fn(void *context, const struct explore_place_row *row);

/* Walks the rows of functions or lines by clocks, most first: at most 20, each with at least 0.5 % of the clocks; then
 * that of all samples. */
void explore_places_walk(const struct pmc_profile *profile, enum profile_level level, explore_places_fn *use,
                         void *context);

/* Prints the table of level 1, and a block of levels 2 and 3 for each row with at least 5 % of the clocks, where there
 * are events for it. At most 79 columns. */
void explore_places_print(struct out *out, const struct pmc_profile *profile, enum profile_level level);

/* Print parts of the table, for other rows: 'heading' names the first column, 'level' what a row is. */
void explore_places_print_head(struct out *out, const char *heading, const char *level);
void explore_places_print_row(struct out *out, const struct explore_place_row *row);
void explore_places_print_foot(struct out *out, struct explore_sampling of, const char *about_rows);
void explore_places_print_deep_head(struct out *out, const char *level);
void explore_places_print_deep_row(struct out *out, const struct explore_place_row *row, struct explore_sampling of);
void explore_places_print_deep_foot(struct out *out, struct explore_sampling of);

/* Write CSV of the same rows, all of them with all nodes: row,name,rva,function,file,line, the samples of 076 and
 * their share; per node its value, half of its interval, and '*' where it is flagged. Figures are not rounded as in
 * the text; cells are empty where that has '-'. */
void explore_places_csv_head(struct out *out, struct explore_sampling of);
void explore_places_csv_row(struct out *out, const struct explore_place_row *row, struct explore_sampling of);

#endif
