/* SPDX-License-Identifier: BSD-2-Clause */
/* Folded stacks: what flame graph programs (flamegraph.pl, speedscope, inferno) read. */
#ifndef TOOLS_IBSPROF_FOLDED_H
#define TOOLS_IBSPROF_FOLDED_H

#include <stdio.h>

#include "tools/ibsprof/profile/measure.h"

/* A line per place: "function;file.c:57;1072 fld dword ptr [rcx+rax*4+8] 425". Where samples fell into several files
 * the function's name is followed by its file's: "memcpy [libc.so.6]". Without a symbol the file, or the kernel, stands
 * for the function; frames that are not known are left out. workload_only: without kernel, firmware and other
 * processes. False when it could not be written. */
bool export_folded(FILE *file, const struct run_profile *profile, const struct measure *measure, bool workload_only);

#endif
