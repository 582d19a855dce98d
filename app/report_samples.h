/* Samples of whatever events were chosen, by instruction and by function: for what no view is made for. */
#ifndef APP_REPORT_SAMPLES_H
#define APP_REPORT_SAMPLES_H

#include "app/run.h"

/* Tables of up to four events each. */
void report_samples_tables(struct out *out, const struct run *run);

#endif
