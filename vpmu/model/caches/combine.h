/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Write-combining buffers: streaming stores to one line are sent to memory together (SOG-K8 section 5.8 and appendix
 * B).
 */
#ifndef VPMU_COMBINE_H
#define VPMU_COMBINE_H

#include "vpmu/model/params.h"

struct caches;

struct combine {
    struct combine_buffer {
        uint64_t line;   /* LINE_NONE: closed */
        uint64_t bytes;  /* set of the valid ones */
        uint64_t opened; /* cycle of opening */
        uint64_t free;   /* closed: cycle from which it can be opened */
    } buffer[COMBINE_BUFFERS];
};

void combine_init(struct combine *combine);
/* Takes a streaming store to a line's bytes, which leaves the store queue in the given cycle, or when a buffer is
 * free: returns that cycle. */
uint64_t combine_store(struct caches *caches, uint64_t physical, uint32_t size, uint64_t cycle);
/* Sends all buffers: an instruction serialises, or locks a line. */
void combine_flush(struct caches *caches, uint64_t cycle);

#endif
