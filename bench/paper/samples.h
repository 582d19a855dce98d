/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_PAPER_SAMPLES_H
#define BENCH_PAPER_SAMPLES_H

#include <stdint.h>

#include "bench/paper/published.h"

/* Returns the index into paper_map of the instruction at the address, PAPER_INSNS if there is none. */
unsigned paper_index(uint64_t address);
/* Returns the samples of an op of the inner loop in the paper. If the column of all ops is lost, returns those with a
 * load or a store if each op of the instruction makes one; else NONE, also for ops outside of the loop. */
long paper_samples(const struct published_row *op);

#endif
