/* SPDX-License-Identifier: BSD-2-Clause */
/* Sampling by IBS: one pass with fetch and op sampling together. */
#ifndef APP_KINDS_IBS_H
#define APP_KINDS_IBS_H

#include "workloads/workload.h"

/* The period that gives about 50,000 samples of the workload on all cores together, within what the processor and the
 * machine take. Under a hypervisor samples cost no disturbance that the model would see; on silicon an interrupt takes
 * thousands of cycles, so the period does not go below 65536 there (FreeBSD sys/dev/hwpmc/hwpmc_ibs.h: "experimentally
 * stable"). */
uint32_t measure_ibs_auto_period(const struct workload *workload, const uint32_t *params, unsigned cores,
                                 bool hypervisor);

#endif
