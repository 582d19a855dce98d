/* SPDX-License-Identifier: BSD-2-Clause */
/* Notes on events, for counting and sampling. */
#ifndef APP_KINDS_EVENTS_H
#define APP_KINDS_EVENTS_H

#include "app/run/task.h"

enum { EVENTS_NAME_COLUMNS = 38 };

/* Writes select, mask and abbreviation, padded to EVENTS_NAME_COLUMNS. */
void events_name(struct out *out, const struct event_spec *spec);

/* Notes which events are not modelled, exist once per node, are doubtful, or are sampled too often. */
void events_notes(struct out *out, const struct task *task, bool sampled);

/* Writes lines of run.ini: one event and its groups. */
void events_fact(struct out *out, const struct task *task, unsigned event);

/* Returns how often the call of an empty workload causes the event; totals are reduced by it: its ret is an
 * instruction, a branch and a load. The virtual PMU counts only instructions of code outside of the map. */
uint64_t events_of_nothing(const struct machine *machine, uint32_t select);

#endif
