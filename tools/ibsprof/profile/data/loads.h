/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loads of a recording by instruction, with estimates from their sampled addresses (stride.h). Accesses are sorted by
 * load, LOADS_ROOM of them in memory, more in a file (base/sorter.h).
 */
#ifndef TOOLS_IBSPROF_LOADS_H
#define TOOLS_IBSPROF_LOADS_H

#include "tools/ibsprof/profile/data/stride.h"
#include "tools/ibsprof/profile/stacks/frames.h"

enum { LOADS_ROOM = 1 << 18 };

struct load_row {
    uint32_t frame; /* index of the instruction in loads.frames */
    uint32_t count;
    bool drawn; /* it has more pairs than 'stride' is from */
    struct stride stride;
    struct stride_reuse reuse;
};

struct loads {
    struct frames frames;
    struct load_row *rows; /* sorted by samples, the most first */
    uint32_t count;
    uint64_t all, without; /* number of loads with an address, and without */
};

/* Reads the input again, from its start; uses data sources if the file has no registers of IBS ops. room: number of
 * accesses in memory (LOADS_ROOM). */
struct loads *loads_read(const struct run_profile *profile, struct input *input, const struct object_search *search,
                         uint32_t room);
void loads_free(struct loads *loads);

#endif
