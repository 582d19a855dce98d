/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads settings, and checks what does not need the machine: names of workloads and configurations, also in lists,
 * parameters, lists of cores. The boot image and ./dev on the host (tools/arguments) share this code.
 */
#ifndef APP_OPTIONS_CHECK_H
#define APP_OPTIONS_CHECK_H

#include "app/settings/options.h"

/* Read a file's text or words (core/run/settings.h), and check the last value of each setting. A parameter must belong
 * to the workload set then. Return the number of problems, each a line that begins with 'name'; a setting with a bad
 * value keeps its old one. */
unsigned options_read_text(struct options *options, const char *name, const void *text, size_t size,
                           struct out *problems);
unsigned options_read_words(struct options *options, const char *name, const char *words, struct out *problems);

/* Checks the names of events once the processor is known. Returns the number of those that it lacks. */
unsigned options_check_events(const struct options *options, struct out *problems);

/* Reads words typed at the prompt: all of them, or, with any problem, none. Returns whether they were taken. */
bool options_change(struct options *options, const char *words, struct out *problems);

#endif
