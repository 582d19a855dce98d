/* SPDX-License-Identifier: BSD-2-Clause */
/* Readings of profile.c, of which profile_build.c makes a profile. For them only. */
#ifndef TOOLS_IBSPROF_PROFILE_PARTS_H
#define TOOLS_IBSPROF_PROFILE_PARTS_H

#include "core/base/rng.h"
#include "tools/ibsprof/profile/profile_count.h"
#include "tools/ibsprof/profile/profile_threads.h"

/* An access that was drawn, and what finds its place later. */
struct drawn_access {
    struct tally_key key;
    struct profile_point point;
};

struct reading {
    struct run_profile *profile;
    const struct profile_options *options;
    struct input *input;
    struct spaces *spaces;
    struct count_place place;
    struct count count;
    struct threads *threads;       /* NULL: this one only */
    struct perfdata_reader reader; /* of accesses that threads found */
    uint64_t shown;                /* progress */
    struct drawn_access *drawn;    /* POINTS_MAX; profile->point_count of them */
    struct rng rng;                /* draws them */
};

/* From what was read to places: objects are looked up, their functions disassembled, and rows put together. */
void profile_build(struct reading *reading);

#endif
