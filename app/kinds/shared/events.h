/* SPDX-License-Identifier: BSD-2-Clause */
/* Notes on events, for counting and sampling. */
#ifndef APP_KINDS_EVENTS_H
#define APP_KINDS_EVENTS_H

#include "app/run/task.h"

enum { EVENTS_NAME_COLUMNS = 38 };

/* Select, mask and abbreviation, in this many columns. */
void events_name(struct out *out, const struct event_spec *spec);

/* Notes which events are not modelled, exist once per node, are doubtful, or are sampled too often. */
void events_notes(struct out *out, const struct task *task, bool sampled);

/* Lines of run.ini: one event and its groups. */
void events_fact(struct out *out, const struct task *task, unsigned event);

/* Returns how often the call of an empty workload has the event, which is subtracted from totals: its ret is an
 * instruction, branch and load. The virtual PMU takes code outside of the map for instructions alone. */
uint64_t events_of_nothing(const struct machine *machine, uint32_t select);

#endif
