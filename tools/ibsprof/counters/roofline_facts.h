/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the roofline of an ibsboot run (core/profile/roofline.h) from the facts of run.ini. */
#ifndef TOOLS_IBSPROF_ROOFLINE_FACTS_H
#define TOOLS_IBSPROF_ROOFLINE_FACTS_H

#include "core/profile/roofline.h"
#include "tools/ibsprof/read/input.h"

/* Sets both; texts point into the facts. Returns false, with both unchanged, if the run has none. */
bool roofline_read(struct roofline_counts counts[ROOFLINE_LOOPS], struct roofline *ret,
                   const struct input_facts *facts);

#endif
