/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of events as users write them. Every name that an output prints for an event finds it again, without regard to
 * case:
 *
 *   counter events   "041", "041:00", "DATA_CACHE_MISSES", with or without mask and modifiers (core/events/events.h);
 *                    "Data cache misses", "DC misses"; "041 DATA_CACHE_MISSES [samples]", a column of CSV files
 *   derived events   "F206", "IBS DC miss", oprofile's symbol; "F206 IBS DC miss [samples]"
 *   any of them      the name in the file; the heading of its column in a view, "DC miss"
 *
 * A name without a mask means the event with any mask; with several of them in the file the name is ambiguous. Selects
 * and names of counter events are those of the file's processor (core/family/event_set.h): where there is no table of
 * its events, only the file's own names count. Headings of views are of Family 10h's events and of those that are the
 * same.
 */
#ifndef TOOLS_IBSPROF_EVENT_NAMES_H
#define TOOLS_IBSPROF_EVENT_NAMES_H

#include <stdio.h>

#include "core/events/events.h"
#include "core/ibs/derived.h"
#include "tools/ibsprof/read/input.h"

/* Index of an event: into facts->events, or facts->event_count + enum derived. This is the most that are listed for an
 * ambiguous name. */
enum { EVENT_NAMES_MAX = 16 };

/* Returns how many events the text may mean. 0: none of this file's; otherwise 'found' has the first EVENT_NAMES_MAX of
 * them. */
unsigned event_names_find(const struct input_facts *facts, const char *text, uint32_t found[EVENT_NAMES_MAX]);

/* Finds the counter event of a file's event. Returns false if there is none, or no table for the processor. */
bool event_names_spec(const struct input_facts *facts, uint32_t index, struct event_spec *spec);

/* Writes an event's name for messages: "DATA_CACHE_MISSES:00 (041)", "F206 IBS DC miss", "cpu-clock"; size at least
 * 120. */
const char *event_names_say(const struct input_facts *facts, uint32_t event, char *text, size_t size);

/* Writes a short heading: "041", "F206"; the name if there is no code. */
const char *event_names_code(const struct input_facts *facts, uint32_t event, char *text, size_t size);

/* Print events on standard error after an unknown or ambiguous name: those meant, or all. */
void event_names_list(const struct input_facts *facts, const uint32_t *events, unsigned count);
void event_names_list_all(const struct input_facts *facts);

#endif
