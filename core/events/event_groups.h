/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lists of events to be measured together, and how they share the counters.
 *
 * A list is what one run measures; a sample's record names its event by the index in this list. Groups are sets of
 * events that are counted at the same time, at most as many as there are counters. With re-runs each group has its own
 * run; with multiplexing the groups take turns in time slices. An event may be in several groups: its weight is
 * core/profile/pmc_profile.h's business.
 */
#ifndef CORE_EVENT_GROUPS_H
#define CORE_EVENT_GROUPS_H

#include "core/events/events.h"
#include "core/family/pmc_regs.h"

enum {
    EVENT_LIST_MAX = 159,  /* all events of ibsboot's virtual PMU, each mask bit separately, are up to 150 */
    EVENT_GROUPS_MAX = 53, /* a sentinel and three events in each */
    EVENT_GROUP_NONE = 0xFF,
    EVENT_GROUP_MERGE = 0xFE, /* the counter is merged with the one before */
};

struct event_list {
    unsigned count;
    enum event_set set; /* EVENT_SET_NONE: not said, and no event counts as missing */
    unsigned counters;  /* counters that the events share; 0: Family 10h's four */
    /* A bit for each meaning that was requested (meaning.h), and for each that the set has no event of. */
    uint32_t meant, missing;
    struct event_spec spec[EVENT_LIST_MAX];
};

/* A group. Where events need certain counters (event_counters), a lower one may stay empty. */
struct event_group {
    uint8_t count;
    /* Indexes into the list, or EVENT_GROUP_NONE, EVENT_GROUP_MERGE; the place is the counter's number. */
    uint8_t event[PMC_COUNTERS];
};

/* Returns whether the counter has an event of the list. */
static inline bool event_group_has(const struct event_group *group, unsigned counter)
{
    return group->event[counter] < EVENT_GROUP_MERGE;
}

struct event_groups {
    unsigned count;
    struct event_group group[EVENT_GROUPS_MAX];
};

/* Says what to do with more events than counters. */
enum event_sharing {
    EVENT_SHARING_NONE,      /* refuse */
    EVENT_SHARING_RERUN,     /* run the workload once per group */
    EVENT_SHARING_MULTIPLEX, /* take turns in time slices */
};

/* Reads the set's events separated by commas or blanks. Each problem is a line in 'problems' (may be NULL). Returns the
 * number of problems; *list holds the legal ones. */
unsigned event_list_parse(enum event_set set, const char *text, size_t length, struct event_list *list,
                          struct out *problems);

/* Selects the events that event_list_all() takes. */
struct event_all {
    char revision;
    uint8_t unit;                                                 /* enum event_unit, EVENT_UNITS: all */
    bool (*counts)(void *context, const struct event_spec *spec); /* NULL: all do */
    void *context;
    enum event_set set;
};

/* Lists each event of the revision with its default mask, all bits, and each bit (or number) separately.
 * *ret_left_out: how many do not count. Returns false if the list is too short; it then has the first ones. */
bool event_list_all(struct event_list *list, const struct event_all *all, unsigned *ret_left_out);

/* Returns the index of the same event (event_same), or -1. */
int event_list_find(const struct event_list *list, const struct event_spec *spec);

/* How a list is going to be measured, to be checked before anything is programmed. */
struct event_request {
    const struct event_list *list;
    char revision;
    enum event_sharing sharing;
    bool sampling; /* periods are needed (event_default_period where none is given) and their limits checked */
    unsigned cores_per_node; /* largest number of a node's cores that count at the same time */
    unsigned groups;         /* that share the counters */
    unsigned turns_max;      /* at most this many groups can take turns (EVENT_SHARING_MULTIPLEX while sampling) */
};

/* Refuses, with a line for each reason in 'problems': no event, an event twice, more events without sharing than
 * the counters can count at the same time, what event_check refuses, NB and L3 events on several cores of a node, more
 * groups than can take turns. Returns the number of reasons. */
unsigned event_request_check(const struct event_request *request, struct out *problems);

/* Makes groups in the list's order; each event goes to the first group with a counter for it. sentinel: index of an
 * event that comes first in every group, or -1. Returns false if there are more than EVENT_GROUPS_MAX groups, as when
 * many events need the same counter. */
bool event_groups_make(struct event_groups *groups, const struct event_list *list, int sentinel);

_Static_assert(EVENT_LIST_MAX <= EVENT_GROUPS_MAX * (PMC_LEGACY - 1), "any list without such events can be grouped");

/* Returns whether the event can go to this counter of a group of 'counters': it counts the event and is empty, and so
 * is the next one if they are merged. */
bool event_group_takes(const struct event_group *group, unsigned counters, unsigned counter, const struct event *event);

/* Puts the event there, and marks the next counter if it is merged. */
void event_group_put(struct event_group *group, unsigned counter, const struct event *event, uint8_t index);

/* Returns the number of groups with the event. */
unsigned event_groups_with(const struct event_groups *groups, unsigned event);

#endif
