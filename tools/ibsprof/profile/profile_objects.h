/* SPDX-License-Identifier: BSD-2-Clause */
/* The objects (ELF files, kernels, listings) of the files that a run's processes had mapped, looked up as they are
 * asked for. */
#ifndef TOOLS_IBSPROF_PROFILE_OBJECTS_H
#define TOOLS_IBSPROF_PROFILE_OBJECTS_H

#include "tools/ibsprof/profile/profile.h"
#include "tools/ibsprof/profile/spaces/spaces.h"

struct profile_objects {
    const struct input_facts *facts;
    struct objects *opened;
    struct object_search search;
    const struct spaces *spaces;
    uint32_t *object_of; /* by file of spaces: index of its object + 1. The user frees it, and objects */
    struct object **objects;
    uint32_t count;
};

/* After the last item: spaces has all files. Without search->beside ELF files are looked for beside the input. */
void profile_objects_init(struct profile_objects *objects, const struct run_profile *profile,
                          const struct object_search *search, const struct spaces *spaces);

/* Index of the object of a file of spaces. */
uint32_t profile_objects_of(struct profile_objects *objects, uint32_t file);

/* Index of the object of a place, and the address in it; PROFILE_NO_OBJECT, and the place's address, where nothing was
 * mapped. */
void profile_objects_locate(struct profile_objects *objects, struct spaces_place place, uint32_t *ret_object,
                            uint64_t *ret_rva);

#endif
