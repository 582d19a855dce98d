/* Sampling by IBS: one pass with fetch and op sampling together. */
#ifndef APP_MEASURE_IBS_H
#define APP_MEASURE_IBS_H

#include "app/run.h"

/* The period that gives about 50,000 samples of the workload on all cores together, within what the processor and the machine take. Under a
 * hypervisor samples cost no disturbance that the model would see; on silicon an interrupt takes thousands of cycles,
 * so the period does not go below 65536 there (FreeBSD sys/dev/hwpmc/hwpmc_ibs.h: "experimentally stable"). */
uint32_t measure_ibs_auto_period(const struct workload *workload, const uint32_t *params, unsigned cores,
                                 bool hypervisor);

/* Memory and the plan's IBS part; false after a line in 'problems'. */
bool measure_ibs_prepare(struct run *run, const struct options *options, struct out *problems);

/* The pass, then the profile and what can be checked of it. */
void measure_ibs(struct run *run);

#endif
