/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/run/counter_plan.h"

_Static_assert((int)EVENT_LIST_MAX + PMC_COUNTERS - 1 <= (int)PMC_EVENTS_MAX, "a list fits into a plan, and fillers");

static struct pmc_event event_of(const struct event_spec *spec)
{
    return (struct pmc_event){
        .select = spec->event->select,
        .unit_mask = spec->mask,
        .count_mask = spec->count_mask,
        .user = spec->user,
        .os = spec->kernel,
        .edge = spec->edge,
        .invert = spec->invert,
        .period = spec->period,
    };
}

void counter_plan(struct pmc_plan *plan, const struct event_list *list, const struct event_group *groups,
                  unsigned count)
{
    /* On a counter that a group leaves empty: nothing, for no code runs at user level. All families have 076h. */
    static const struct pmc_event filler = {.select = 0x076, .user = true};

    *plan = (struct pmc_plan){.events = list->count, .groups = count};
    for (unsigned i = 0; i < list->count; i++)
        plan->event[i] = event_of(&list->spec[i]);
    for (unsigned g = 0; g < count; g++)
        for (unsigned i = 0; i < groups[g].count; i++)
            while (groups[g].event[i] == EVENT_GROUP_NONE && plan->events <= list->count + i)
                plan->event[plan->events++] = filler;
    for (unsigned g = 0; g < count && g < PMC_GROUPS_MAX; g++) {
        plan->group[g].events = groups[g].count;
        for (unsigned i = 0; i < groups[g].count; i++)
            plan->group[g].event[i] =
                groups[g].event[i] == EVENT_GROUP_NONE ? (uint8_t)(list->count + i) : groups[g].event[i];
    }
}
