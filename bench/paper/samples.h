/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_PAPER_SAMPLES_H
#define BENCH_PAPER_SAMPLES_H

#include <stdint.h>

#include "bench/paper/published.h"

/* Index into paper_map of the instruction at the address, PAPER_INSNS if there is none. */
unsigned paper_index(uint64_t address);
/* Samples of an op of the inner loop in the paper. Where the column of all ops is lost, those with a load or a store if
 * each op of the instruction makes one; else NONE, and so outside of the loop. */
long paper_samples(const struct published_row *op);

#endif
