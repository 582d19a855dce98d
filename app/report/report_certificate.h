/* SPDX-License-Identifier: BSD-2-Clause */
/* The noise certificate, in words and as facts. */
#ifndef APP_REPORT_CERTIFICATE_H
#define APP_REPORT_CERTIFICATE_H

#include "app/run/run.h"

void report_certificate(struct out *out, const struct run *run);

/* Prints a line each for frequency, P-state and boost between two readings. */
void report_certificate_clock(struct out *out, const struct witness *witness, const struct witness_reading *first,
                              const struct witness_reading *last);

#endif
