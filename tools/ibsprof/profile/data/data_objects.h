/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names the owners of data addresses. In ibsboot runs: the workload's arrays, the stack and the rest of the arena, as
 * run.ini lists them, and variables of ELF files. In Linux files: variables of mapped files, mappings ("[heap]",
 * "[stack]", "anon", a file), and callers that allocated memory, if recorded (allocations.h).
 */
#ifndef TOOLS_IBSPROF_DATA_OBJECTS_H
#define TOOLS_IBSPROF_DATA_OBJECTS_H

#include "tools/ibsprof/profile/profile.h"

struct data_object {
    uint64_t key;       /* equal for all addresses of an object */
    const char *name;   /* variable, array or mapping; "unknown" */
    const char *module; /* file of the variable; NULL: none */
};

struct data_objects;

/* Reads all mappings of the input, from its start. Takes the profile's ELF files, and searches others in the same
 * way. */
struct data_objects *data_objects_make(struct input *input, const struct run_profile *profile,
                                       const struct object_search *search);
void data_objects_free(struct data_objects *data);

/* Processes the next item, in the input's order: mappings and allocations; ignores others. */
void data_objects_item(struct data_objects *data, const struct perfdata_item *item);

/* Returns whether data_objects_item() needs samples. */
bool data_objects_see_samples(const struct data_objects *data);

/* Finds the owner of a sample's data address by the present mappings, or else by any earlier or later one. Names are
 * valid until the objects are freed. */
struct data_object data_objects_find(struct data_objects *data, const struct perfdata_plain *sample, uint64_t address);

#endif
