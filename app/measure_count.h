/*
 * Counting: totals of events over the workload, without interrupts.
 *
 * A pass for each group, with the sentinel in each, and before it two over nothing: what starting and stopping counts
 * by itself is subtracted by core/counts.h, and what is left of it is printed. All of that 'repeats' times.
 */
#ifndef APP_MEASURE_COUNT_H
#define APP_MEASURE_COUNT_H

#include "app/run.h"

/* Memory, and whether the passes can run here; false after a line in 'problems'. */
bool measure_count_prepare(struct run *run, struct out *problems);

/* All passes, as far as they go. */
void measure_count(struct run *run);

#endif
