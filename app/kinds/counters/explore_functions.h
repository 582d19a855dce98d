/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef APP_KINDS_EXPLORE_FUNCTIONS_H
#define APP_KINDS_EXPLORE_FUNCTIONS_H

#include "app/run/run.h"

/* Prints the whole run's rows of the tree by the counters, then the tables of functions and lines. */
void explore_functions_tables(struct out *out, const struct run *run);

#endif
