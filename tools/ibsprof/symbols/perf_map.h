/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions of code that a process made while it ran, from the text that compilers in programs (Node.js, Java, .NET)
 * write for perf: perf-PID.map, a line "START SIZE NAME" for each, numbers in hexadecimal (Linux
 * tools/perf/Documentation/jit-interface.txt).
 *
 * It is looked for beside the recording, and in /tmp, where only a file of this user or of root is believed, as by perf
 * (tools/perf/util/symbol.c, dso__load). Which process wrote it, only its name says.
 */
#ifndef TOOLS_IBSPROF_PERF_MAP_H
#define TOOLS_IBSPROF_PERF_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/ibsprof/symbols/kallsyms.h"

/* The name of such code as an object: "[JIT] tid PID", as perf has it. */
#define PERF_MAP_OBJECT "[JIT] tid "

/* Memory that is no file's: "//anon" and others (tools/perf/util/map.c, is_anon_memory and is_no_dso_memory). */
bool perf_map_is_memory(const char *name);

/* Returns the path of a process's map, to be freed; NULL: there is none. beside: the recording, or its folder. */
char *perf_map_path(const char *beside, uint32_t pid);

/* Reads one: functions ascending; of those that lie over each other, the later line's. NULL: no line is of a function.
 */
struct kallsyms *perf_map_read(const char *path);

#endif
