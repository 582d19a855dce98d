/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions of generated code, from the text that compilers in programs (Node.js, Java, .NET) write for perf:
 * perf-PID.map, a line "START SIZE NAME" for each, numbers in hexadecimal (Linux
 * tools/perf/Documentation/jit-interface.txt).
 *
 * The file may be beside the recording, or in /tmp, where it must belong to this user or to root, as for perf
 * (tools/perf/util/symbol.c, dso__load). Only its name says which process wrote it.
 */
#ifndef TOOLS_IBSPROF_PERF_MAP_H
#define TOOLS_IBSPROF_PERF_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/ibsprof/symbols/kallsyms.h"

/* Object name of such code, as in perf: "[JIT] tid PID". */
#define PERF_MAP_OBJECT "[JIT] tid "

/* Returns whether memory is not a file's: "//anon" and others (tools/perf/util/map.c, is_anon_memory and
 * is_no_dso_memory). */
bool perf_map_is_memory(const char *name);

/* Returns the path of a process's map, to be freed; NULL: none. beside: the recording, or its folder. */
char *perf_map_path(const char *beside, uint32_t pid);

/* Reads a map: functions ascending; of overlapping ones, that of the later line. Returns NULL if no line has a
 * function. */
struct kallsyms *perf_map_read(const char *path);

#endif
