/* General Exploration: the tree of core/explore.h from the counts of a run and its pass of IBS op. */
#ifndef APP_MEASURE_EXPLORE_H
#define APP_MEASURE_EXPLORE_H

#include "app/run.h"

/* After the counts and the IBS pass are there. */
void measure_explore(struct run *run);

#endif
