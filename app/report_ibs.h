/* The parts of a report that speak of IBS samples. */
#ifndef APP_REPORT_IBS_H
#define APP_REPORT_IBS_H

#include "app/run.h"

/* Lines of the section "Run". */
void report_ibs_settings(struct out *out, const struct run *run);

/* The section "Samples" and what is to be said of them. */
void report_ibs_samples(struct out *out, const struct run *run);

/* The paper's tables, in its order; each by instruction, and the op profile summed by line and function. */
void report_ibs_tables(struct out *out, const struct run *run);

/* Lines of the section "Checks". */
void report_ibs_checks(struct out *out, const struct run *run);

#endif
