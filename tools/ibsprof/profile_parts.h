/* What profile.c reads and profile_build.c makes a profile of. For them only. */
#ifndef TOOLS_IBSPROF_PROFILE_PARTS_H
#define TOOLS_IBSPROF_PROFILE_PARTS_H

#include "tools/ibsprof/spaces.h"
#include "tools/ibsprof/tally.h"

/* An access that was drawn, and what finds its place later. */
struct drawn {
    struct tally_key key;
    struct profile_point point;
};

struct reading {
    struct run_profile *profile;
    const struct profile_options *options;
    struct spaces *spaces;
    struct tally tally;
    struct drawn *drawn; /* POINTS_MAX; profile->point_count of them */
};

/* From what was read to places: objects are looked up, their functions disassembled, and rows put together. */
void profile_build(struct reading *reading);

#endif
