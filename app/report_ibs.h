/* The parts of a report that speak of IBS samples. */
#ifndef APP_REPORT_IBS_H
#define APP_REPORT_IBS_H

#include "app/run.h"

/* Lines of the section "Run". */
void report_ibs_settings(struct out *out, const struct run *run);

/* Rows of the section "Samples", and what is to be said of them. */
void report_ibs_sample_rows(struct out *out, const struct run *run);
void report_ibs_notes(struct out *out, const struct run *run);

/* The configuration's views; those of "ibs" are the paper's tables, in its order. Each by instruction, then summed by
 * line and function. */
void report_ibs_tables(struct out *out, const struct run *run);

/* Lines of the section "Checks". */
void report_ibs_checks(struct out *out, const struct run *run);

#endif
