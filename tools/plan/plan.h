/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A plan, checked and printed by the image's own objects: its settings, their rows and their checks are those that will
 * read the plan. All but the functions here is hidden from the program that this is linked into (tools/plan/plan.mk).
 */
#ifndef TOOLS_PLAN_H
#define TOOLS_PLAN_H

#include <stdbool.h>

#include "core/base/out.h"

/* Bytes of zeroed memory that plan_print() needs. */
size_t plan_memory(void);

/* Prints the runs of a plan in their order, or lines to 'problems', each of which begins with 'name'. False: there were
 * some. */
bool plan_print(const char *name, const void *text, size_t size, void *memory, struct out *out, struct out *problems);

#endif
