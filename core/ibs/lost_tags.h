/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Estimates what counting cycles does not see.
 *
 * The count of cycles stands still while a tagged op is in flight. When it is full while the decoder has nothing, no
 * op is there to tag: the chance and a whole interval are lost (CodeAnalyst's documentation, IBS op sampling); so is a
 * tag on an op that is flushed. Code that waits for fetches, or that comes after mispredicted branches, has fewer
 * samples than its cycles would give.
 */
#ifndef CORE_LOST_TAGS_H
#define CORE_LOST_TAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/out.h"

struct lost_tags {
    uint64_t intervals;     /* in the counted cycles */
    uint64_t lost;          /* most of these without a sample: the pipeline also drains before a handler */
    uint32_t in_flight_ppm; /* share of cycles with a tagged op in flight, millionths */
};

/* Works it out from the cycles of all passes, those with a tag in flight (tag-to-retire cycles of all samples), the
 * number of samples and the period. Returns false, with *lost all 0, where the cycles cannot hold that. */
bool lost_tags_work_out(struct lost_tags *lost, uint64_t cycles, uint64_t in_flight, uint64_t samples, uint32_t period);

/* Prints a NOTE of three or four lines. */
void lost_tags_print(struct out *out, const struct lost_tags *lost);

#endif
