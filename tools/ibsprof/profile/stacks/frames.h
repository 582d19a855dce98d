/* SPDX-License-Identifier: BSD-2-Clause */
/* Code addresses in samples besides their own (call chains, branches), and their functions. */
#ifndef TOOLS_IBSPROF_FRAMES_H
#define TOOLS_IBSPROF_FRAMES_H

#include "tools/ibsprof/base/table.h"
#include "tools/ibsprof/profile/profile_objects.h"

struct frame {
    struct spaces_place place;
    /* Valid once all files are known: */
    uint32_t object; /* index into objects; PROFILE_NO_OBJECT: nothing was mapped */
    uint64_t rva;
    const char *function; /* NULL: not known */
    uint64_t offset;      /* from the start of the function; without a function the rva */
    uint64_t straight;    /* rva of the next call, return or jump; 0: not known */
    uint8_t branch;       /* enum codemap_branch of the instruction; CODEMAP_BR_NONE: no branch, or not known */
};

struct frames {
    struct spaces *spaces;
    struct frame *frame; /* all differ */
    uint32_t count;
    struct table by_place;
    struct profile_objects objects;
};

void frames_begin(struct frames *frames, const struct run_profile *profile);

/* Returns the index of a process's address in the current sample; spaces_item() must have had all earlier maps. */
uint32_t frames_add(struct frames *frames, uint32_t pid, uint8_t mode, uint64_t address);

/* Returns the index of an address in a branch record. Linux' kernel has the upper half of all addresses, and one sample
 * may have branches on both sides. */
uint32_t frames_add_branch(struct frames *frames, const struct perfdata_item *item, uint64_t address, bool is_linux);

/* Finds files and functions after the last item; 'search' finds files of maps. */
void frames_find(struct frames *frames, const struct run_profile *profile, const struct object_search *search);

/* Returns the file; NULL: nothing was mapped. */
static inline const struct object *frames_object(const struct frames *frames, const struct frame *frame)
{
    return frame->object == PROFILE_NO_OBJECT ? NULL : frames->objects.objects[frame->object];
}

void frames_free(struct frames *frames);

#endif
