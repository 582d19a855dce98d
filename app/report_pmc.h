/* The parts of a report that speak of samples by counters or by the timer. */
#ifndef APP_REPORT_PMC_H
#define APP_REPORT_PMC_H

#include "app/run.h"

/* Lines of the section "Run": events, groups, periods. */
void report_pmc_settings(struct out *out, const struct run *run);

/* A row of the section "Samples", and what is to be said of them. */
void report_pmc_sample_row(struct out *out, const struct run *run);
void report_pmc_notes(struct out *out, const struct run *run);

/* The events and their weights, then the configuration's views. */
void report_pmc_tables(struct out *out, const struct run *run);

/* Which events are not modelled, once per node, doubtful or not for sampling so often: for counting, too. */
void report_event_notes(struct out *out, const struct task *task, bool sampled);

#endif
