/* SPDX-License-Identifier: BSD-2-Clause */
/* Notes that all kinds of runs that take samples have in common. */
#ifndef APP_KINDS_SAMPLED_H
#define APP_KINDS_SAMPLED_H

#include "app/run/run.h"

/* With fewer samples even a share of a half is known to no better than 3 points (95 %: 1.96 * sqrt(.25 / 1000)). */
enum { SAMPLED_FEW = 1000 };

/* Says how many of the wanted repeats were finished, where some are missing, else that there are few samples, with what
 * gives more ("a shorter op_period"). Why a run broke off is said elsewhere. */
void sampled_notes(struct out *out, unsigned finished, unsigned wanted, uint64_t samples, const char *remedy);

#endif
