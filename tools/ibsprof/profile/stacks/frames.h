/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses of code that samples name beside their own (call chains, branches), and the functions that they are in. */
#ifndef TOOLS_IBSPROF_FRAMES_H
#define TOOLS_IBSPROF_FRAMES_H

#include "tools/ibsprof/base/table.h"
#include "tools/ibsprof/profile/profile_objects.h"

struct frame {
    struct spaces_place place;
    /* Once all files are known: */
    uint32_t object; /* of objects; PROFILE_NO_OBJECT: nothing was mapped there */
    uint64_t rva;
    const char *function; /* NULL: not known */
    uint64_t offset;      /* from the function's begin; without one the rva */
    uint64_t straight;    /* rva of the next call, return or jump from here on; 0: not known */
    uint8_t branch;       /* enum codemap_branch of the instruction; CODEMAP_BR_NONE: none, or not known */
};

struct frames {
    struct spaces *spaces;
    struct frame *frame; /* no two are equal */
    uint32_t count;
    struct table by_place;
    struct profile_objects objects;
};

void frames_begin(struct frames *frames, const struct run_profile *profile);

/* Returns the index of an address of a process, in a sample of that time: all maps before it have been given to
 * spaces_item. */
uint32_t frames_add(struct frames *frames, uint32_t pid, uint8_t mode, uint64_t address);

/* Likewise of an address in a branch record. Linux' kernel has the upper half of all addresses: one sample may have
 * both sides. */
uint32_t frames_add_branch(struct frames *frames, const struct perfdata_item *item, uint64_t address, bool is_linux);

/* After the last item: finds files and functions; files of maps are looked for as search says. */
void frames_find(struct frames *frames, const struct run_profile *profile, const struct object_search *search);

/* The file; NULL: nothing was mapped there. */
static inline const struct object *frames_object(const struct frames *frames, const struct frame *frame)
{
    return frame->object == PROFILE_NO_OBJECT ? NULL : frames->objects.objects[frame->object];
}

void frames_free(struct frames *frames);

#endif
