/* SPDX-License-Identifier: BSD-2-Clause */
/* Converts parts of a run's profile into core/profile/profile.h's form, for core's views and CSV. */
#ifndef TOOLS_IBSPROF_VIEW_PROFILE_H
#define TOOLS_IBSPROF_VIEW_PROFILE_H

#include "core/profile/profile.h"
#include "tools/ibsprof/profile/profile.h"

struct view_profile {
    struct profile profile; /* points into this struct */
    struct derived_set set; /* Family 10h's on any processor: the events of the CSV */
    struct codemap *map;    /* of the selected functions */
    void *memory;
    uint64_t taken[2]; /* samples in these, by enum sample_kind */
};

/* Converts the workload's samples in one object. From our image it selects all functions of the workloads, as the image
 * itself shows them; from other files, functions with at least min_share (0 to 1) of the file's samples of either kind.
 * All other samples are 'outside'. */
void view_profile_make(struct view_profile *core, const struct run_profile *profile, uint32_t object, double min_share);
void view_profile_free(struct view_profile *core);

/* Returns the object with the most samples of the workload; PROFILE_NO_OBJECT: none. */
uint32_t main_object(const struct run_profile *profile);

#endif
