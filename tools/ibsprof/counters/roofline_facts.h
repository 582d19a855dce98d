/* SPDX-License-Identifier: BSD-2-Clause */
/* The roofline of a run of ours (core/profile/roofline.h), from the facts of run.ini. */
#ifndef TOOLS_IBSPROF_ROOFLINE_FACTS_H
#define TOOLS_IBSPROF_ROOFLINE_FACTS_H

#include "core/profile/roofline.h"
#include "tools/ibsprof/read/input.h"

/* Fills both; texts are the facts'. False: the run has none, and they are not touched. */
bool roofline_read(struct roofline_counts counts[ROOFLINE_LOOPS], struct roofline *ret,
                   const struct input_facts *facts);

#endif
