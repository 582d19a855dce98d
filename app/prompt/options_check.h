/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads settings, and checks what can be checked before the machine is known: names of workloads and configurations,
 * also of each in a list, parameters, lists of cores. The boot image and ./dev on the host (tools/arguments) use the
 * same code.
 */
#ifndef APP_OPTIONS_CHECK_H
#define APP_OPTIONS_CHECK_H

#include "app/settings/options.h"

/* Reads a file's text or words (core/run/settings.h), and checks what they have set, each as its last value. A
 * parameter must be one of the workload that is set then. Returns the number of problems, each of which is a line that
 * begins with 'name'; what is not legal keeps its value. */
unsigned options_read_text(struct options *options, const char *name, const void *text, size_t size,
                           struct out *problems);
unsigned options_read_words(struct options *options, const char *name, const char *words, struct out *problems);

/* Checks the names of events, once the processor is known whose they are: the number of those that it does not have. */
unsigned options_check_events(const struct options *options, struct out *problems);

/* Reads words, as typed at the prompt: all of them, or with any problem none. Returns whether they were taken. */
bool options_change(struct options *options, const char *words, struct out *problems);

#endif
