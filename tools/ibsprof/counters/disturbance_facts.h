/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads changes by sampling from the facts of run.ini; core/profile/disturbance.h judges them. */
#ifndef TOOLS_IBSPROF_COUNTERS_DISTURBANCE_FACTS_H
#define TOOLS_IBSPROF_COUNTERS_DISTURBANCE_FACTS_H

#include "core/profile/disturbance.h"
#include "tools/ibsprof/read/input.h"

/* Returns false if the run has no reference. *ret points into the facts. */
bool disturbance_read(struct disturbance *ret, const struct input_facts *facts);

#endif
