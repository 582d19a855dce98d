/* SPDX-License-Identifier: BSD-2-Clause */
/* One row of the result of the paper's own 32-bit loop on the virtual PMU's model, revision B. */
#ifndef BENCH_PAPER_MODEL_ROWS_H
#define BENCH_PAPER_MODEL_ROWS_H

#include "bench/paper/samples.h"
#include "tests/unit/vpmu/stream.h"

enum {
    COUNTERS = 4, /* retired instructions, DC accesses, DC misses, misses of both DTLB levels */
    VARIANT_COLUMNS =
        256, /* columns of each variant: sixteen columns share the lines of b, and the rest repeats them */
};

struct model_rows {
    struct truth_row row[PAPER_INSNS + 1];
    struct truth_block block[4]; /* 401180, 4011A0, 4011C0, 4011E0 */
    uint64_t cycles;
    double missed_share; /* model_rows_with(): of the sampled loads of b, per cent */
};

/* Returns all columns, or fewer by the environment variable PAPER_COLUMNS, for a test of how tables are printed.
 */
unsigned model_columns(unsigned all);
/* Counts everything exactly while IBS is enabled but takes no samples. Only the rules in config count. */
void model_rows(struct vpmu_config config, struct model_rows *ret_rows);
/* Fills in the rows of the first VARIANT_COLUMNS of 1000 columns with this latency of memory, in nanoseconds. */
void model_rows_at(struct vpmu_config config, unsigned dram_ns, struct model_rows *ret_rows);
/* Like model_rows_at(), with samples by cycles from a second run of all columns. */
void model_rows_with(struct vpmu_config config, unsigned dram_ns, struct model_rows *ret_rows);
/* Samples of four counters by the address that their interrupts report. */
void model_counters(struct vpmu_config config, uint64_t ret_samples[COUNTERS][PAPER_INSNS + 1]);

#endif
