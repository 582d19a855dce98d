/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks and prints a plan with the image's own objects: its settings, their rows and checks are those that will read
 * the plan. tools/plan/plan.mk hides everything else from the program that this is linked into.
 */
#ifndef TOOLS_PLAN_H
#define TOOLS_PLAN_H

#include <stdbool.h>

#include "core/base/out.h"

/* Returns how many bytes of zeroed memory plan_print() needs. */
size_t plan_memory(void);

/* Prints the runs of a plan in order, or lines to 'problems', each beginning with 'name'. Returns false if there are
 * problems. */
bool plan_print(const char *name, const void *text, size_t size, void *memory, struct out *out, struct out *problems);

#endif
