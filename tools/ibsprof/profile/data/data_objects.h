/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of what a data address belongs to. Of runs of ours: the arrays of the workload, the stack and the rest of the
 * arena, as run.ini lists them, and variables of the ELF files. Of Linux' files: variables of the files that were
 * mapped, mappings ("[heap]", "[stack]", "anon", a file), and of memory whose allocation was recorded, who did it
 * (allocations.h).
 */
#ifndef TOOLS_IBSPROF_DATA_OBJECTS_H
#define TOOLS_IBSPROF_DATA_OBJECTS_H

#include "tools/ibsprof/profile/profile.h"

struct data_object {
    uint64_t key;       /* equal for addresses of one object */
    const char *name;   /* of a variable, an array or a mapping; "unknown" */
    const char *module; /* the file that has the variable; NULL: none */
};

struct data_objects;

/* Reads what was mapped at any time, from the input's begin on. ELF files are those of the profile, or are looked for
 * as for it. */
struct data_objects *data_objects_make(struct input *input, const struct run_profile *profile,
                                       const struct object_search *search);
void data_objects_free(struct data_objects *data);

/* Takes the next item, in the input's order: mappings, and of samples those of allocations; others are left alone. */
void data_objects_item(struct data_objects *data, const struct perfdata_item *item);

/* Returns whether data_objects_item wants samples. */
bool data_objects_see_samples(const struct data_objects *data);

/* Finds what a sample's data address belongs to, by what is mapped now, and else by all that ever was. Names live until
 * the objects are freed. */
struct data_object data_objects_find(struct data_objects *data, const struct perfdata_plain *sample, uint64_t address);

#endif
