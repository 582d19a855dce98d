/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of C++ functions in perf's form. */
#ifndef TOOLS_IBSPROF_DEMANGLE_H
#define TOOLS_IBSPROF_DEMANGLE_H

/* Demangles "_ZN5space4nameEi" to "space::name": without parameters, like perf (tools/perf/util/symbol-elf.c,
 * DMGL_NO_OPTS). To be freed. Returns NULL for other names. */
char *demangle(const char *name);

#endif
