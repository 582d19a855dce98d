/* SPDX-License-Identifier: BSD-2-Clause */
/* Readings of profile.c, from which profile_build.c makes a profile. Only for these two. */
#ifndef TOOLS_IBSPROF_PROFILE_PARTS_H
#define TOOLS_IBSPROF_PROFILE_PARTS_H

#include "core/base/rng.h"
#include "tools/ibsprof/profile/profile_count.h"
#include "tools/ibsprof/profile/profile_threads.h"

/* A drawn access, with what is needed to find its place later. */
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
    struct threads *threads;       /* NULL: only this one */
    struct perfdata_reader reader; /* for accesses that threads found */
    struct drawn_access *drawn;    /* POINTS_MAX; profile->point_count of them */
    struct rng rng;                /* for drawing them */
};

/* Makes places from the sums: finds objects, disassembles their functions, combines rows. */
void profile_build(struct reading *reading);

#endif
