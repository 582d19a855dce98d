/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of a run's profile in the form of core/profile/profile.h, so that core's views and CSV are made of it. */
#ifndef TOOLS_IBSPROF_VIEW_PROFILE_H
#define TOOLS_IBSPROF_VIEW_PROFILE_H

#include "core/profile/profile.h"
#include "tools/ibsprof/profile/profile.h"

struct view_profile {
    struct profile profile; /* points into this */
    struct derived_set set; /* Family 10h's, whatever the processor: the events of the CSV */
    struct codemap *map;    /* of the functions that were taken */
    void *memory;
    uint64_t taken[2]; /* samples within them, by enum sample_kind */
};

/* The workload's samples in one object. Of our image: all functions of the workloads, as the image itself shows them.
 * Other files give functions with at least min_share (of 1) of the file's samples of either kind. All other samples are
 * 'outside'. */
void view_profile_make(struct view_profile *core, const struct run_profile *profile, uint32_t object, double min_share);
void view_profile_free(struct view_profile *core);

/* The object with the most samples of the workload; PROFILE_NO_OBJECT: none. */
uint32_t main_object(const struct run_profile *profile);

#endif
