/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Predefined configurations: what to measure, by CodeAnalyst's names. Views name the configurations that
 * print them.
 *
 * Sources: CodeAnalyst src/ca/Configs/DCConfig (Family 10h is "GH" there), README_viewconfig.txt (grouping). Files that
 * are missing in its published sources are completed from sibling families; the row's remark says so.
 */
#ifndef CORE_CONFIGS_H
#define CORE_CONFIGS_H

#include "core/events/event_groups.h"
#include "core/ibs/derived.h"
#include "core/view/view.h"

enum config_kind {
    CONFIG_PMC,   /* sampling by counters */
    CONFIG_TIMER, /* sampling by the APIC timer */
    CONFIG_IBS,   /* fetch, op, or both */
};

enum {
    CONFIG_EVENTS = 8,
    CONFIG_GROUPS = 3,
    CONFIG_DERIVED = 9,
};

struct config_event {
    uint8_t meaning; /* enum event_meaning */
    uint32_t period;
};

struct config {
    const char *name;  /* "data_access" */
    const char *title; /* "Investigate data access" */
    uint8_t kind;      /* enum config_kind */

    /* CONFIG_PMC */
    uint8_t event_count;
    uint8_t group_count;
    struct config_event events[CONFIG_EVENTS];
    struct event_group groups[CONFIG_GROUPS]; /* indexes into events */

    /* CONFIG_TIMER */
    uint32_t timer_us;

    /* CONFIG_IBS: periods, 0 = not sampled; ops are counted as dispatched ops (revision B: cycles) */
    uint32_t fetch_period;
    uint32_t op_period;
    uint8_t derived_count;
    uint8_t derived[CONFIG_DERIVED]; /* enum derived: its subject */

    const char *remark; /* where its contents come from when not from CodeAnalyst's own file, or NULL */
};

extern const struct config config_table[];
extern const unsigned config_count;

/* Finds a row by name, or NULL. */
const struct config *config_find(const char *name);

/* Returns whether the image's report on the configuration has this view. */
bool config_prints(const struct config *config, const struct view *view);

/* Lists the events of a CONFIG_PMC row that the set has, with their periods, user and kernel, that of retired
 * instructions first; and its groups, or none (0) where a processor's counters do not allow them. Returns false if the
 * events suffice for none of its views. */
bool config_events(const struct config *config, enum event_set set, struct event_list *list,
                   struct event_groups *groups);

/* Print one line per configuration; the events, groups and views of one on a set's processors. At most 79 columns. */
void configs_list(struct out *out);
void config_explain(struct out *out, const struct config *config, enum event_set set);

#endif
