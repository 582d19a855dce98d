/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Does what an interrupt leaves still show in the next op sample? A self check that needs no reference.
 *
 * After each interrupt the workload goes on with an empty pipeline, and with what the handler left of caches and
 * predictors. Where core cycles are counted, a sample's interval has a random length that nothing else depends on, and
 * IbsOpMaxCnt says whether that was shorter or longer than the mean (drivers/pmu/ibs.h: IBS_RANDOM_MAXCNT,
 * IBS_RANDOM_BOTH). Once the interrupt is forgotten, samples after short and long intervals have the same instructions,
 * and as many DC misses at each. They are compared by chi-square (homogeneity, two columns).
 *
 *   chi2/df     about 1 when they are alike; else it grows with the number of samples
 *   difference  2 sqrt((chi2 - df) / samples): by how much the two differ, root mean square, relative to their mean
 *
 * "Differ": chance reaches this chi-square less than once in a million runs. Rows with an expected count below 5 are
 * taken together (Cochran's rule). Alike is no proof: what lasts for longer than the longest interval is in both.
 */
#ifndef CORE_INTERVALS_H
#define CORE_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/out.h"
#include "core/ibs/codemap.h"
#include "core/ibs/record.h"

struct intervals {
    uint32_t (*row)[2];      /* [instruction of the code map, or all else][missed]: samples after short and long ones */
    uint32_t rows;           /* of 'row': two for each instruction; 0: nothing is compared */
    uint32_t mean;           /* IbsOpMaxCnt of an interval that is not long */
    uint64_t samples[2];     /* after short and long intervals */
    uint32_t df;             /* degrees of freedom; 0: too few samples to judge */
    uint64_t chi2_milli;     /* thousandths */
    uint32_t difference_ppm; /* 0 when chi2 <= df */
    bool differ;             /* the verdict */
};

/* Returns the bytes of memory needed; alignment 4. */
size_t intervals_memory_size(const struct codemap *map);

/* Begins the comparison; mean: 0..FFFFh. memory[intervals_memory_size(map)] is overwritten. */
void intervals_init(struct intervals *intervals, const struct codemap *map, void *memory, uint32_t mean);

/* Adds an op sample of the instruction; -1: outside of the map. */
void intervals_add(struct intervals *intervals, int32_t insn, const struct sample_record *record);

void intervals_check(struct intervals *intervals);

/* Returns "alike" or "different". */
const char *intervals_verdict(const struct intervals *intervals);

/* Prints a sentence or a WARNING; nothing if there was nothing to judge. */
void intervals_print(struct out *out, const struct intervals *intervals);

#endif
