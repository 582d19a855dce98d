/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Do samples contradict the filter that they passed?
 *
 * With L3MissOnly only what missed the L3 makes samples (AMD APM vol. 2 section 13.3.5). An op sample contradicts it
 * if it accesses no memory, hits the L1, misses it but not the L2 (IbsL2Miss), or is a load that the L3 answered
 * (IbsOpData2). A fetch sample does without IbsFetchL3Miss. Bits that are not valid in a sample say nothing. Uncached
 * and write-combining accesses and software prefetches are not judged: no source says which of them pass.
 *
 * Samples that pass a filter of load latency and are no such loads are dropped as Linux does
 * (arch/x86/events/amd/ibs.c, perf_ibs_handle_irq); here they are only counted.
 */
#ifndef CORE_FILTERED_H
#define CORE_FILTERED_H

#include "core/base/out.h"
#include "core/ibs/ibs_field.h"

struct filtered {
    const struct ibs_machine *machine;
    bool l3_only[IBS_RECORD_KINDS];     /* samples of the kind, by enum sample_kind, were filtered */
    uint64_t samples[IBS_RECORD_KINDS]; /* samples of these kinds */
    uint64_t leaked[IBS_RECORD_KINDS];  /* those of 'samples' that contradict the filter */
    uint64_t dropped; /* op samples that passed the latency filter and are no such loads: not among 'samples' */
};

/* Adds a sample of ops or fetches; ignores other kinds. */
void filtered_add(struct filtered *filtered, const struct sample_record *record);

/* Writes a WARNING for each filter that leaks; for load latency, when more than a tenth was dropped. */
void filtered_print(struct out *out, const struct filtered *filtered);

#endif
