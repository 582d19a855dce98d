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
    EVENT_LIST_MAX = 159,  /* all that ibsboot's virtual PMU models, each mask bit separately, are up to 150 */
    EVENT_GROUPS_MAX = 53, /* a sentinel and three events in each */
    EVENT_GROUP_NONE = 0xFF,
    EVENT_GROUP_MERGE = 0xFE, /* the counter is merged with the one before */
};

struct event_list {
    unsigned count;
    enum event_set set; /* EVENT_SET_NONE: not said, and no event is taken for missing */
    unsigned counters;  /* that share them; 0: Family 10h's four */
    /* A bit for each meaning that was asked for (meaning.h): those in the list, and those that the set has no event of.
     */
    uint32_t meant, missing;
    struct event_spec spec[EVENT_LIST_MAX];
};

/* Where events go to certain counters (event_counters), a lower one may be left empty. */
struct event_group {
    uint8_t count;
    /* Indexes into the list, or EVENT_GROUP_NONE, EVENT_GROUP_MERGE; the place is the counter's number. */
    uint8_t event[PMC_COUNTERS];
};

/* False: nothing of the list is counted there. */
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
    uint8_t unit;                                                 /* enum event_unit, EVENT_UNITS: of all units */
    bool (*counts)(void *context, const struct event_spec *spec); /* NULL: all do */
    void *context;
    enum event_set set;
};

/* Each event of the revision with its default mask, with all bits, and with each bit separately (numbers: each of
 * them). *ret_left_out: how many do not count. False when there are more than a list holds; *list has the first ones
 * then. */
bool event_list_all(struct event_list *list, const struct event_all *all, unsigned *ret_left_out);

/* Index of the same event (event_same), or -1. */
int event_list_find(const struct event_list *list, const struct event_spec *spec);

/* How a list is going to be measured, to be checked before anything is programmed. */
struct event_request {
    const struct event_list *list;
    char revision;
    enum event_sharing sharing;
    bool sampling; /* periods are needed (event_default_period where none is given) and their limits checked */
    unsigned cores_per_node; /* the most cores of one node that would count at the same time */
    unsigned groups;         /* that share the counters */
    unsigned turns_max;      /* at most this many groups can take turns (EVENT_SHARING_MULTIPLEX while sampling) */
};

/* Refuses, with a line for each reason in 'problems': no event, an event twice, more events without sharing than
 * the counters can count at the same time, what event_check refuses, NB and L3 events on several cores of a node, more
 * groups than can take turns. Returns the number of reasons. */
unsigned event_request_check(const struct event_request *request, struct out *problems);

/* Groups in the list's order, each event in the first one that has a counter for it. sentinel: index of an event that
 * is to be in every group, the first at counter 0 where all events can go anywhere, or -1. False when there are more
 * groups than EVENT_GROUPS_MAX, which takes events that need the same counter. */
bool event_groups_make(struct event_groups *groups, const struct event_list *list, int sentinel);

_Static_assert(EVENT_LIST_MAX <= EVENT_GROUPS_MAX * (PMC_LEGACY - 1), "any list without such events can be grouped");

/* Returns whether the event can go to this counter of a group of 'counters': it can count it and is empty, and so is
 * the next one where they are merged. */
bool event_group_takes(const struct event_group *group, unsigned counters, unsigned counter, const struct event *event);

/* Puts the event there, with what it is merged with. */
void event_group_put(struct event_group *group, unsigned counter, const struct event *event, uint8_t index);

/* The number of groups that the event is in. */
unsigned event_groups_with(const struct event_groups *groups, unsigned event);

#endif
