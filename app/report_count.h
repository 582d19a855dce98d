/* The parts of a report that speak of totals counted without interrupts. */
#ifndef APP_REPORT_COUNT_H
#define APP_REPORT_COUNT_H

#include "app/run.h"

void report_count_settings(struct out *out, const struct run *run);
void report_count_tables(struct out *out, const struct run *run);

#endif
