/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The branch records of a run's samples: taken branches, from where to where, or blocks, the code between two of them.
 *
 * Each instruction of a block ran once, whichever was sampled. Samples fall into long blocks more often, so the latest
 * branches of a sample are left out there, as in tests/boot/check/check_families.py. Records of wrong paths belong to
 * no path: they are counted, and have no row.
 */
#ifndef TOOLS_IBSPROF_TAKEN_H
#define TOOLS_IBSPROF_TAKEN_H

#include "tools/ibsprof/profile/stacks/frames.h"
#include "tools/ibsprof/profile/profile.h"

enum { TAKEN_LATEST = 4 }; /* of a sample: no block ends with one of these */

struct taken_row {
    uint32_t first, last; /* frames: a branch and its target; the begin of a block, and the branch that ends it */
    uint64_t count, told, mispredicted; /* told: whether it was; Zen 3 does not */
};

struct taken {
    struct frames frames;
    struct taken_row *rows; /* by count, most first; then by place */
    uint32_t row_count;
    struct table by_frames;
    uint64_t all, told, mispredicted; /* sums of the rows */
    uint64_t wrong_path;              /* records */
    uint64_t broken; /* blocks that end before they begin, or are too long for one: something came between */
};

/* Any event of the file has branch records in its samples. */
bool taken_recorded(const struct input_facts *facts);

/* Reads the input again, from its begin, as the profile was read (its cores only); files of its maps are looked for as
 * search says. Free with taken_free, before the profile. */
struct taken *taken_read(const struct run_profile *profile, struct input *input, const struct object_search *search,
                         bool blocks);
void taken_free(struct taken *taken);

#endif
