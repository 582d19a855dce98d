/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns core's lists and groups of events into what the driver programs. */
#ifndef APP_COUNTER_PLAN_H
#define APP_COUNTER_PLAN_H

#include "core/events/event_groups.h"
#include "drivers/pmu/pmc.h"

/* Plans all events of the list, so that records have its indexes, and the first 'count' groups, which take turns if
 * there are several. The caller sets mode, random and slice. */
void counter_plan(struct pmc_plan *plan, const struct event_list *list, const struct event_group *groups,
                  unsigned count);

#endif
