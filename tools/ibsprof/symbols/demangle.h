/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of C++ functions as perf shows them. */
#ifndef TOOLS_IBSPROF_DEMANGLE_H
#define TOOLS_IBSPROF_DEMANGLE_H

/* "_ZN5space4nameEi" as "space::name": without parameters, as perf has it (tools/perf/util/symbol-elf.c, DMGL_NO_OPTS).
 * free() it. NULL: it is no such name. */
char *demangle(const char *name);

#endif
