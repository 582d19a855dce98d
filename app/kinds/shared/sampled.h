/* SPDX-License-Identifier: BSD-2-Clause */
/* Notes that all kinds with samples have in common. */
#ifndef APP_KINDS_SAMPLED_H
#define APP_KINDS_SAMPLED_H

#include "app/run/run.h"

/* Below this number of samples the error of a share of a half exceeds 3 points (95 %: 1.96 * sqrt(.25 / 1000)). */
enum { SAMPLED_FEW = 1000 };

/* Prints how many of the wanted repeats were finished if some are missing, otherwise that samples are few, with the
 * remedy ("a shorter op_period"). The reason for an early end is printed elsewhere. */
void sampled_notes(struct out *out, unsigned finished, unsigned wanted, uint64_t samples, const char *remedy);

#endif
