/* SPDX-License-Identifier: BSD-2-Clause */
/* Commands that only print: what there is to run, to measure and to set. For the prompt, and without one for the
 * setting 'show'. */
#ifndef APP_SHOW_H
#define APP_SHOW_H

#include "app/settings/options.h"
#include "core/family/event_set.h"

enum show_result {
    SHOW_DONE,
    SHOW_NOTHING, /* no such name: a line said so */
    SHOW_NO_COMMAND,
};

/* show, list, events [TEXT], event NAME, configs, config NAME; blanks around the words do not matter. */
enum show_result show_command(struct out *out, const struct options *options, const char *line);

/* Returns the processor's table of events; Family 10h's where it has none. */
enum event_set show_event_set(const struct options *options);

/* Prints the line for what is no such command, with the nearest one. */
void show_refuse(struct out *out, const char *line);

#endif
