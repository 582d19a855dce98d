/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A task says what is to be measured: the settings 'config', 'events', 'sharing' and related ones, read and checked
 * before anything is changed.
 */
#ifndef APP_TASK_H
#define APP_TASK_H

#include "app/settings/options.h"
#include "core/view/configs.h"
#include "drivers/machine/machine.h"

struct kind;

enum { TASK_KINDS_MAX = 3 };

struct task {
    /* The configuration's kind, then its parts, then NULL (app/run/kind.h). */
    const struct kind *kinds[TASK_KINDS_MAX + 1];
    const char *name, *title;    /* from the configuration */
    const struct config *config; /* row in core's table; NULL: the kind is the configuration */

    unsigned left_out;            /* events=all: number of events left out because they are not modelled */
    bool events_chosen;           /* the events differ from those of a configuration in core's table */
    struct event_list list;       /* with periods if they are sampled */
    bool counted[EVENT_LIST_MAX]; /* false: the virtual PMU does not model the event, or the processor lacks the counted
                                     part, */
    bool no_l3[EVENT_LIST_MAX];   /* namely an L3 */
    struct event_groups groups;   /* of counted events */
    enum event_sharing sharing;
    bool measure_period[EVENT_LIST_MAX]; /* the period comes from a counting pass */
    unsigned sentinel;                   /* counting: index of the event in each group */
    unsigned repeats;                    /* repeats of the counter passes, at least 1 */
    uint32_t timer_us;
};

/* Reads the settings. cores: number of cores of one node that count at the same time. Returns false after lines in
 * 'problems' for an unknown name, or something that cannot be measured together. */
bool task_read(struct task *task, const struct options *options, const struct machine *machine, unsigned cores,
               struct out *problems);

/* Returns whether the event counts everything at kernel level, where the workloads run: without count mask, edge or
 * inversion. */
static inline bool task_counts_all(const struct event_spec *spec)
{
    return spec->kernel && !spec->count_mask && !spec->edge && !spec->invert;
}

/* Adds an event with that mask, at user and kernel level, unless it is listed, or missing from the table of events. */
void task_add_event_of(struct event_list *list, enum event_set set, uint32_t select, uint8_t mask);

/* Returns the table of the processor's counter events. */
enum event_set task_event_set(const struct machine *machine);

#endif
