/* SPDX-License-Identifier: BSD-2-Clause */
/* Looks up the objects (ELF files, kernels, listings) of files that a run's processes had mapped, as they are
 * needed. */
#ifndef TOOLS_IBSPROF_PROFILE_OBJECTS_H
#define TOOLS_IBSPROF_PROFILE_OBJECTS_H

#include "tools/ibsprof/profile/profile.h"
#include "tools/ibsprof/profile/spaces/spaces.h"

struct profile_objects {
    const struct input_facts *facts;
    struct objects *opened;
    struct object_search search;
    const struct spaces *spaces;
    /* Index of the object plus one, by file of 'spaces'. The user frees it, and 'objects'. */
    uint32_t *object_of;
    struct object **objects;
    uint32_t count;
};

/* Begins after the last item, when 'spaces' has all files. Without search->beside, ELF files are searched beside the
 * input. */
void profile_objects_init(struct profile_objects *objects, const struct run_profile *profile,
                          const struct object_search *search, const struct spaces *spaces);

/* Returns the index of the object of a file of 'spaces'. */
uint32_t profile_objects_of(struct profile_objects *objects, uint32_t file);

/* Finds a place's object and the address in it; PROFILE_NO_OBJECT, and the place's own address, if nothing was
 * mapped. */
void profile_objects_locate(struct profile_objects *objects, struct spaces_place place, uint32_t *ret_object,
                            uint64_t *ret_rva);

#endif
