/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tasks, what is to be measured: the settings 'config', 'events', 'sharing' and related ones, read and checked before
 * anything is changed.
 */
#ifndef APP_TASK_H
#define APP_TASK_H

#include "app/settings/options.h"
#include "core/view/configs.h"
#include "drivers/machine/machine.h"

struct kind;

enum { TASK_KINDS_MAX = 3 };

struct task {
    const struct kind *kinds[TASK_KINDS_MAX + 1]; /* the configuration's, then its parts; up to NULL (app/run/kind.h) */
    const char *name, *title;                     /* of the configuration */
    const struct config *config;                  /* its row in core's table, NULL: the kind itself is one */

    unsigned left_out;            /* events=all: number of events that are not modelled, and so not in the list */
    bool events_chosen;           /* the events are not those of a configuration in core's table */
    struct event_list list;       /* all with periods when they are sampled */
    bool counted[EVENT_LIST_MAX]; /* false: the virtual PMU does not model it, or the processor lacks what it counts: */
    bool no_l3[EVENT_LIST_MAX];   /* the L3 */
    struct event_groups groups;   /* of those that are counted */
    enum event_sharing sharing;
    bool measure_period[EVENT_LIST_MAX]; /* the event's period is to come from a counting pass */
    unsigned sentinel;                   /* counting: index of the event that is in each group */
    unsigned repeats;                    /* of the counter passes, 1.. */
    uint32_t timer_us;
};

/* cores: of one node, that count at the same time. False after lines in 'problems': nothing of that name, or what
 * cannot be measured so. */
bool task_read(struct task *task, const struct options *options, const struct machine *machine, unsigned cores,
               struct out *problems);

/* The event's own count, all of it: no count mask, edge or inversion, and at kernel level, where the workloads run. */
static inline bool task_counts_all(const struct event_spec *spec)
{
    return spec->kernel && !spec->count_mask && !spec->edge && !spec->invert;
}

/* Adds an event of that mask, with all that happens at user and kernel level; none that is there already, or that the
 * table of events does not have. */
void task_add_event_of(struct event_list *list, enum event_set set, uint32_t select, uint8_t mask);

/* The table of the processor's counter events. */
enum event_set task_event_set(const struct machine *machine);

#endif
