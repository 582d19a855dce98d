/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/run/counter_plan.h"

_Static_assert((int)EVENT_LIST_MAX + PMC_COUNTERS - 1 + PMC_COUNTERS / 2 <= (int)PMC_EVENTS_MAX,
               "a list fits into a plan, with fillers and partners");

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
    /* Event of a counter that a group leaves empty: it counts nothing, because no code runs at user level. All families
     * have 076h. */
    static const struct pmc_event filler = {.select = 0x076, .user = true}, merge = {.select = PMC_SELECT_MERGE};

    unsigned fillers = 0, merges = 0;

    for (unsigned g = 0; g < count; g++)
        for (unsigned i = 0; i < groups[g].count; i++) {
            fillers = groups[g].event[i] == EVENT_GROUP_NONE && fillers <= i ? i + 1 : fillers;
            merges = groups[g].event[i] == EVENT_GROUP_MERGE && merges <= i / 2 ? i / 2 + 1 : merges;
        }
    *plan = (struct pmc_plan){.events = list->count + fillers + merges, .groups = count};
    for (unsigned i = 0; i < plan->events; i++)
        plan->event[i] = i < list->count ? event_of(&list->spec[i]) : i < list->count + fillers ? filler : merge;
    for (unsigned g = 0; g < count && g < PMC_GROUPS_MAX; g++) {
        plan->group[g].events = groups[g].count;
        for (unsigned i = 0; i < groups[g].count; i++) {
            unsigned own = list->count + (groups[g].event[i] == EVENT_GROUP_MERGE ? fillers + i / 2 : i);
            plan->group[g].event[i] = event_group_has(&groups[g], i) ? groups[g].event[i] : (uint8_t)own;
        }
    }
}
