/* The noise certificate in words and as facts. */
#ifndef APP_REPORT_CERTIFICATE_H
#define APP_REPORT_CERTIFICATE_H

#include "app/run.h"

void report_certificate(struct out *out, const struct run *run);

/* Frequency, P-state, boost: a line for each. */
void report_certificate_clock(struct out *out, const struct witness *witness, const struct witness_reading *first,
                              const struct witness_reading *last, uint64_t aperf, uint64_t mperf);

/* Instructions retired beyond those that the workload's row states; false, with the reason, when that is not known. */
bool report_certificate_surplus(const struct run *run, int64_t *ret_surplus, const char **ret_why_not);

/* Samples that fell neither on the workload nor on the NMI handler: on the rest of this program, which starts and stops
 * the measurement; on anything else, which there must not be. */
struct certificate_samples {
    uint64_t edges, elsewhere;
};
struct certificate_samples report_certificate_samples(const struct run *run);

#endif
