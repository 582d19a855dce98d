/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Branch records of a run's samples: taken branches with their targets, or blocks, the code between two of them.
 *
 * Each instruction of a block ran once, whichever was sampled. Samples fall into long blocks more often, so blocks
 * omit a sample's latest branches, as in tests/boot/check/check_families.py. Records of wrong paths belong to no path:
 * they are counted, but have no row.
 */
#ifndef TOOLS_IBSPROF_TAKEN_H
#define TOOLS_IBSPROF_TAKEN_H

#include "tools/ibsprof/profile/stacks/frames.h"
#include "tools/ibsprof/profile/profile.h"

enum { TAKEN_LATEST = 4 }; /* number of a sample's latest branches that end no block */

struct taken_row {
    uint32_t first, last; /* frames: a branch and its target; or the start of a block and the branch that ends it */
    uint64_t count, told, mispredicted; /* told: 'mispredicted' is known; not on Zen 3 */
};

struct taken {
    struct frames frames;
    struct taken_row *rows; /* sorted by count, the most first; then by place */
    uint32_t row_count;
    struct table by_frames;
    uint64_t all, told, mispredicted; /* sums over rows */
    uint64_t wrong_path;              /* number of such records */
    uint64_t broken;                  /* blocks that end before they begin, or are too long: something came between */
};

/* Returns whether samples of any event of the file have branch records. */
bool taken_recorded(const struct input_facts *facts);

/* Reads the input again, from its start, with the profile's selection of cores; 'search' finds files of maps. To be
 * freed by taken_free(), before the profile. */
struct taken *taken_read(const struct run_profile *profile, struct input *input, const struct object_search *search,
                         bool blocks);
void taken_free(struct taken *taken);

#endif
