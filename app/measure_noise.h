/*
 * A noise run: no workload, only the loops of noise/loops.h, which read the TSC and do fixed work, in three regimes:
 * as the firmware runs, with interrupts off, and with everything off that can be.
 */
#ifndef APP_MEASURE_NOISE_H
#define APP_MEASURE_NOISE_H

#include "app/run.h"

/* What run->workload is: a row that is in no list. */
extern const struct workload measure_noise_workload;

/* "firmware", "masked", "alone"; and in words. */
const char *measure_noise_name(enum noise_regime regime);
const char *measure_noise_title(enum noise_regime regime);

/* Memory; false after a line in 'problems'. */
bool measure_noise_prepare(struct run *run, const struct options *options, struct out *problems);

void measure_noise(struct run *run);

#endif
