/*
 * What is to be measured: the settings 'config', 'events', 'sharing' and their kin, read and checked before anything is
 * touched.
 */
#ifndef APP_TASK_H
#define APP_TASK_H

#include "app/options.h"
#include "core/configs.h"
#include "drivers/machine.h"

enum task_kind {
    TASK_IBS,     /* one pass */
    TASK_TIMER,   /* one pass */
    TASK_SAMPLE,  /* counter samples: a pass for each group, or one for all */
    TASK_COUNT,   /* totals: a pass for each group, and one of nothing for what starting and stopping counts */
    TASK_EXPLORE, /* totals of the events of the exploration tree, and a pass of IBS op */
    TASK_SKID,    /* counter samples and IBS op samples of the same loop */
    TASK_NOISE,   /* no workload: what takes time from a loop */
    TASK_KINDS,
};

/* Configurations that are not in core's table. */
struct task_config {
    const char *name;
    const char *title;
    uint8_t kind; /* enum task_kind */
    const char *explanation;
};

extern const struct task_config task_configs[];
extern const unsigned task_config_count;

/* By name, or NULL. */
const struct task_config *task_config_find(const char *name);

struct task {
    enum task_kind kind;
    const char *name, *title;    /* of the configuration */
    const struct config *config; /* its row in core's table, NULL: one of task_configs */

    unsigned left_out;            /* events=all: so many are not modelled, and not in the list */
    bool events_chosen;           /* the events are not those of a configuration in core's table */
    struct event_list list;       /* all with periods when they are sampled */
    bool counted[EVENT_LIST_MAX]; /* false: the virtual PMU does not model it */
    struct event_groups groups;   /* of those that are counted */
    enum event_sharing sharing;
    bool measure_period[EVENT_LIST_MAX]; /* the event's period is to come from a counting pass */
    unsigned sentinel;                   /* counting: index of the event that is in each group */
    unsigned repeats;                    /* of the counter passes, 1.. */
    uint32_t timer_us;
};

/* cores: of one node, that count at the same time. False after lines in 'problems': nothing of that name, or what cannot be measured so. */
bool task_read(struct task *task, const struct options *options, const struct machine *machine, unsigned cores,
               struct out *problems);

/* IBS, fetch or op, has a part in it. By name: false when there is no such configuration. */
bool task_needs_ibs(const struct task *task);
bool task_needs_ibs_by_name(const char *config);

/* The event's own count, all of it: no count mask, edge or inversion, and at kernel level, where the workloads run. */
static inline bool task_counts_all(const struct event_spec *spec)
{
    return spec->kernel && !spec->count_mask && !spec->edge && !spec->invert;
}

/* It has neither to do with IBS nor with counters: any processor will do. */
bool task_runs_anywhere(const char *config);

#endif
