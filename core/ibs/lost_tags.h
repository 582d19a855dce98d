/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Says what counting cycles does not see.
 *
 * The count of cycles stands still while a tagged op is in flight. And when it is full while the decoder has nothing,
 * no op is there to tag: the chance is lost, and a whole interval with it (CodeAnalyst's documentation, IBS op
 * sampling); so is a tag on an op that is flushed. Code that waits for fetches, or that comes after mispredicted
 * branches, has fewer samples than its cycles would give.
 */
#ifndef CORE_LOST_TAGS_H
#define CORE_LOST_TAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/out.h"

struct lost_tags {
    uint64_t intervals;     /* that the cycles hold in which they were counted */
    uint64_t lost;          /* of these, at most so many without a sample: the pipeline also drains before a handler */
    uint32_t in_flight_ppm; /* of the cycles, those with a tagged op in flight; millionths */
};

/* Works it out from the cycles of all passes, those with a tag in flight (tag-to-retire cycles of all samples), the
 * number of samples and the period. False, and *lost all 0, where the cycles cannot hold that. */
bool lost_tags_work_out(struct lost_tags *lost, uint64_t cycles, uint64_t in_flight, uint64_t samples, uint32_t period);

/* A NOTE of three or four lines. */
void lost_tags_print(struct out *out, const struct lost_tags *lost);

#endif
