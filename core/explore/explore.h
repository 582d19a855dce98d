/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * General Exploration: from totals of events (core/profile/counts.h) to a tree that says where the slots went.
 *
 * A method says what is counted, the rows and their formulas, and the checks. There are Family 10h's own
 * (core/explore/explore_10h.h), AMD's for processors that count slots (core/explore/explore_slots.h), and one for
 * those between (core/explore/explore_tokens.h); each numbers its events and rows for itself. Input, result, output
 * and comparison are shared.
 *
 * A node that lacks an input has a state and no value. A share outside of -5 % to 105 % is dropped (toplev's rule). A
 * node counts only under a flagged parent; else it is greyed. Millionths (ppm) throughout.
 */
#ifndef CORE_EXPLORE_H
#define CORE_EXPLORE_H

#include "core/explore/explore_10h.h"
#include "core/ibs/held.h"
#include "core/profile/counts.h"
#include "core/run/facts.h"

struct explore_view;
struct explore_result;

struct explore_event {
    uint16_t select;
    uint8_t mask;
    uint8_t count_mask;
    const char *what; /* its purpose */
};

extern const struct explore_event explore_events[EXPLORE_EVENTS]; /* Family 10h's */

/* The columns of the table by function and line. */
enum { EXPLORE_PLACE_COLUMNS = 5 };

/* Events, rows and checks are as many as Family 10h's or fewer, and are numbered from 0. With each method event 0 is
 * EXPLORE_C, and EXPLORE_EVENTS, EXPLORE_IBS and EXPLORE_ROOT mean none, the sums of IBS, and no parent. */
struct explore_method {
    const char *title; /* "Family 10h" */
    uint32_t sets;     /* EVENT_IN() of the processors that have it */
    uint8_t slots;     /* a cycle */
    bool ibs;          /* some row is of samples of IBS */
    bool fitted;       /* masks are fitted to a revision: number and count mask tell the events apart */
    bool costs;        /* some row is an estimate by costs, which are measured before the run */
    uint8_t events, rows, checks, sections;
    const struct explore_event *event;
    const struct explore_node_row *row;
    const struct explore_check_row *check;
    const struct explore_section {
        uint8_t first; /* the row above which it stands */
        const char *title;
        const char *of_cores; /* title for cores beside one another; NULL: not there */
    } * section;

    /* By function and line (core/explore/explore_places.h). */
    const uint8_t *sampled;        /* events: first those that level 1 needs, then others it lists, then deeper ones */
    uint8_t needed, shallow, deep; /* numbers of events: level 1 needs, level 1 lists, all levels list */
    uint8_t column[EXPLORE_PLACE_COLUMNS]; /* rows: CPI, retiring, bad speculation, front end, back end */
    const char *left;                      /* name of what these leave of 100 % */

    void (*begin)(struct explore_view *v, struct explore_result *result); /* prepares its formulas, or NULL */
    bool (*formula)(const struct explore_view *v, unsigned row, int64_t *value);
    int64_t (*rank)(const struct explore_result *result, unsigned row); /* order of rows in reports; NULL: by value */
    /* Returns the row that this one is not told apart from, with the slots that may be of either, or -1. NULL: all are
     * told apart. */
    int (*either)(const struct explore_result *result, unsigned row, int64_t *ret_slots);
    void (*legend)(struct out *out, const struct explore_result *result);
};

extern const struct explore_method explore_10h;

/* Returns the method for a set of events, or NULL. */
const struct explore_method *explore_of(enum event_set set);

/* Appends an event of the method in the processor's form, fitted to its revision ('B' to 'E'); nothing where the
 * processor lacks the event. */
void explore_add(struct event_list *list, const struct explore_method *method, unsigned event, enum event_set set,
                 char revision);

/* Lists all its events; EXPLORE_C, the sentinel, is the first. */
void explore_method_list(struct event_list *list, const struct explore_method *method, enum event_set set,
                         char revision);

/* Returns whether some row is a cause with a share of cycles of its own. */
bool explore_has_raw(const struct explore_method *method);

/* Returns the index of an event of the method, or -1. */
int explore_event_of(const struct explore_method *method, uint32_t select, uint8_t mask, uint8_t count_mask);

/* ---------------------------------------------------------------- input */

struct explore_count {
    uint64_t total;
    uint8_t state;            /* enum counts_state; 0 = not counted */
    uint32_t reliability_ppm; /* see counts_reliability_ppm */
    uint32_t cv_ppm;          /* spread over repeats */
};

/* Holds sums of op samples that counted dispatched ops (IbsOpCntCtl = 1). With cycles counted, slow ops are sampled
 * more often, and a sample does not stand for a number of ops. */
struct explore_ibs {
    uint8_t state; /* enum counts_state */
    struct held_result held;
};

/* Names what events cost, in cycles each. */
enum explore_cost {
    EXPLORE_COST_MISPREDICT,
    EXPLORE_COST_L2,
    EXPLORE_COST_MEMORY,
    EXPLORE_COST_TLB_L2,
    EXPLORE_COST_WALK,
    EXPLORE_COST_FORWARD,
    EXPLORE_COSTS,
    EXPLORE_COSTS_MEASURED = EXPLORE_COST_L2, /* measured on the machine from here on (app/run/costs.h) */
};

/* Holds costs; 0 means the usual one. */
struct explore_costs {
    uint32_t of[EXPLORE_COSTS];
};

extern const struct explore_cost_row {
    uint32_t usual;
    enum fact fact; /* of a measured cost */
} explore_cost_rows[EXPLORE_COSTS];

struct explore_input {
    const struct explore_method *method;
    struct explore_count count[EXPLORE_EVENTS];
    struct explore_ibs ibs;
    struct explore_costs costs;
    bool model;          /* counted by the virtual PMU, or possibly by it */
    bool expected_known; /* the next two are set */
    uint64_t expected;   /* instructions that the region retires, without interrupts and exceptions */
    uint64_t exceptions; /* in the region */
};

/* Takes over one event's result. */
void explore_take(struct explore_input *input, unsigned event, const struct counts_result *result);

/* Sets the expected instructions: those of one run of the workload, less those of a pass over nothing, on each core
 * that works. */
void explore_expect(struct explore_input *input, uint64_t instructions, uint64_t workers);

/* ---------------------------------------------------------------- the tree */

enum explore_unit {
    EXPLORE_UNIT_CYCLES, /* ppm of cycles */
    EXPLORE_UNIT_SLOTS,  /* ppm of slots */
    EXPLORE_UNIT_SHARE,  /* ppm of what the row's unit text says */
    EXPLORE_UNIT_RATIO,  /* millionths of one; may be any number */
};

enum { EXPLORE_NO_LIMIT = 0 }; /* for information, never flagged */

struct explore_node_row {
    const char *name;
    const char *unit_text; /* "% slots" */
    uint8_t unit;          /* enum explore_unit */
    uint8_t level;         /* 1 to 3 */
    uint8_t parent;        /* a lower index, or EXPLORE_ROOT */
    uint8_t raw;           /* causes: event whose share of cycles is printed as well; else EXPLORE_EVENTS */
    bool unobservable;     /* no event shows it */
    bool alone;            /* flagged above its limit whatever its parent is */
    uint32_t limit_ppm;    /* flagged above it */
    uint64_t inputs;       /* 1 << event */
    const char *means;     /* never NULL */
    /* Rows with a limit: */
    const char *try_this;
    const char *proof; /* which IBS column shows it */
};

extern const struct explore_node_row explore_tree[EXPLORE_NODES]; /* Family 10h's */

/* ---------------------------------------------------------------- the checks */

enum explore_relation { EXPLORE_EQUAL, EXPLORE_AT_MOST };

struct explore_check_row {
    const char *says;
    uint64_t left, right; /* sums of events: 1 << event */
    bool left_is_max;     /* the largest instead of the sum */
    bool needs_expected;  /* expected and exceptions are added at the right */
    bool left_slots;      /* left is multiplied by the slots of a cycle */
    bool right_slots;
    uint8_t relation;       /* enum explore_relation */
    uint32_t tolerance_ppm; /* of the right side */
    uint32_t cycles_ppm;    /* and of all cycles */
    bool of_cycles;         /* counts cycles or slots: passes may differ as far as their cycles do */
};

extern const struct explore_check_row explore_checks[EXPLORE_CHECKS]; /* Family 10h's */

enum explore_verdict { EXPLORE_NOT_CHECKED, EXPLORE_PASS, EXPLORE_FAIL };

/* ---------------------------------------------------------------- result */

enum explore_state {
    EXPLORE_KNOWN,
    EXPLORE_NOT_COUNTED,
    EXPLORE_NOT_MODELLED,   /* the virtual PMU lacks an event */
    EXPLORE_NOT_OBSERVABLE, /* no event shows it */
    EXPLORE_NO_BASE,        /* the denominator is 0 */
    EXPLORE_DROPPED,        /* outside of -5 % to 105 %, or a part of such a value: the inputs do not fit together */
    EXPLORE_NOT_SPLIT,      /* its event was counted, but not all of those that divide a row above it */
    EXPLORE_NO_L3,          /* a row of the L3, on a processor that has none */
};

struct explore_node {
    int64_t value;            /* see the row's unit. EXPLORE_DROPPED: as computed; other states: 0 */
    int64_t raw;              /* ppm of cycles, for rows with a raw event; 0 unless known */
    uint8_t state;            /* enum explore_state */
    uint8_t raw_state;        /* the same */
    bool flagged;             /* above the limit (by the raw value when only that is known), under a flagged parent */
    bool greyed;              /* its parent is not flagged */
    bool unreliable;          /* reliability_ppm under 900000; never set without a value */
    uint32_t reliability_ppm; /* the worst of the inputs' */
    uint32_t cv_ppm;          /* the largest of the inputs' */
};

struct explore_check {
    uint8_t verdict; /* enum explore_verdict */
    uint64_t left, right;
    uint32_t spread_ppm; /* EXPLORE_PASS only because passes differ by this in their cycles; else 0 */
};

struct explore_result {
    const struct explore_method *method;
    struct explore_node node[EXPLORE_NODES];
    struct explore_check check[EXPLORE_CHECKS];
    struct explore_costs costs; /* as used */
    bool model;
    bool measured;        /* costs measured on this machine, except the mispredict's */
    uint32_t overlap_ppm; /* waits of the back end's parts, relative to the back end; 0: no IBS */
    uint32_t locked_ppm;  /* waits of locked ops for their lines, relative to the cycles; from Zen 4 on their own waits,
                             relative to those of loads; 0: no IBS */
    uint32_t untold_ppm;  /* from Zen 4 on: cycles in which dispatch waits although ops retire; before, cycles
                             that other ops than loads that missed held retirement up, a cycle each */
    uint32_t hidden_ppm;  /* from Zen 4 on: cycles in which ops wait, although dispatch does not wait for them */
    int64_t refill;       /* slots after mispredicted branches, from Zen 4 on of other rows, ppm of all; 0: not known */
    int64_t restarted;    /* from Zen 4 on: the same after restarts */
    bool held;            /* on Zen: there are op samples that held retirement up */
    uint32_t held_loads_ppm;              /* loads among them, before Zen 4 only loads that missed */
    uint32_t misaligned_ppm;              /* loads of the op samples that access the data cache twice, of all loads */
    uint64_t flight;                      /* mean cycles from tag to retirement of all op samples, in millionths */
    uint32_t flight_least;                /* least cycles from tag to retirement */
    uint64_t cycles;                      /* 0 when not counted */
    uint8_t input_state[EXPLORE_IBS + 1]; /* enum counts_state */
};

void explore_compute(struct explore_result *result, const struct explore_input *input);

/* Returns the largest flagged row below a parent (EXPLORE_ROOT: of level 1) whose bit in 'told' is 0, causes of stalls
 * last; -1 if there is none. */
int explore_largest(const struct explore_result *result, unsigned parent, uint64_t told);

/* Prints the tree, the meanings of flagged nodes, the checks; lines of at most 79 columns. */
void explore_print(struct out *out, const struct explore_result *result);

/* Writes why a row may not be the cause, after "But"; returns false, and writes nothing, where it is told apart from
 * all others. */
bool explore_but(struct out *out, const struct explore_result *result, unsigned row);

/* Prints each row of a method in words, with its unit; lines of at most 79 columns. */
void explore_print_rows(struct out *out, const struct explore_method *method);

/* Prints the trees of up to EXPLORE_BESIDE cores, column beside column, without rows that none of them knows; lines of
 * at most 79 columns. */
enum { EXPLORE_BESIDE = 4 };
struct explore_of {
    const char *name; /* "core 3", 9 characters at most */
    const struct explore_result *result;
};
void explore_print_cores(struct out *out, const struct explore_of *trees, unsigned count);

/* Write the tree as CSV, a line for each row with the figures of the text, not rounded; core: its name, or "". Mark:
 * '*' above its threshold, "()" below a row that is not. */
void explore_csv_head(struct out *out);
void explore_csv_rows(struct out *out, const char *core, const struct explore_result *result);

/* Returns the state's name: "known", "not modelled", ... */
const char *explore_state_name(const struct explore_node_row *row, const struct explore_node *node);

#endif
