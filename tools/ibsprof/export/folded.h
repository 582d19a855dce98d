/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes folded stacks for flame graph programs (flamegraph.pl, speedscope, inferno). */
#ifndef TOOLS_IBSPROF_FOLDED_H
#define TOOLS_IBSPROF_FOLDED_H

#include <stdio.h>

#include "tools/ibsprof/profile/measure.h"

/* Writes a line per place: "function;file.c:57;1072 fld dword ptr [rcx+rax*4+8] 425". If samples are in several files,
 * the file's name follows the function's: "memcpy [libc.so.6]". Without a symbol, the file or the kernel replaces the
 * function; unknown frames are left out. workload_only: leaves out kernel, firmware and other processes. Returns false
 * if writing failed. */
bool export_folded(FILE *file, const struct run_profile *profile, const struct measure *measure, bool workload_only);

#endif
