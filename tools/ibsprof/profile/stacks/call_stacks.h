/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Call stacks of a run's samples, by function.
 *
 * A stack begins with the function of the sample's own address. The recorded call chain follows, from the place of the
 * interrupt outward, through kernel and program. An IBS sample's interrupt comes later than its op: usually in the
 * same function; in one that the op's function has called since, which is left out; or in its caller, after a return.
 * So the interrupt alone never makes the op's function its own caller.
 *
 * A return address belongs to the call before it, so one byte less is looked up.
 *
 * Copies of stacks (perf record --call-graph dwarf) are unwound: unwind.h.
 */
#ifndef TOOLS_IBSPROF_CALL_STACKS_H
#define TOOLS_IBSPROF_CALL_STACKS_H

#include "tools/ibsprof/profile/measure.h"

/* By name and object; counts are in the unit of the measure. */
struct call_function {
    const char *name;            /* NULL: not known; one such row for each object */
    const struct object *object; /* NULL: nothing is mapped */
    uint64_t self;               /* samples in it */
    uint64_t total;              /* samples with the function anywhere in the stack, counted once */
};

/* Samples in whose stack the caller called the callee, counted once. */
struct call_edge {
    uint32_t caller, callee; /* indices into functions */
    uint64_t count;
};

struct call_stack {
    const uint32_t *functions; /* indices, the innermost first */
    uint32_t depth;            /* at least 1 */
    uint64_t count;
};

struct call_stacks {
    struct call_function *functions; /* sorted by total, the most first; then by self, name and object */
    uint32_t function_count;
    struct call_edge *edges; /* sorted by count, the most first; then by indices */
    uint32_t edge_count;
    struct call_stack *stacks; /* sorted by count, then by content; all differ */
    uint32_t stack_count;
    uint64_t all;       /* samples in the unit of the measure */
    uint64_t without;   /* of 'all': without a call chain, as a stack of one function */
    uint32_t *ids;      /* for 'stacks' */
    bool from_branches; /* from branch records, because no call chains were recorded (branch_chains.h) */
};

/* Reads the input again, from its start, with the profile's selection of cores; 'search' finds files of maps. To be
 * freed by call_stacks_free(), before the profile. */
struct call_stacks *call_stacks_read(const struct run_profile *profile, struct input *input,
                                     const struct object_search *search, const struct measure *measure);
void call_stacks_free(struct call_stacks *stacks);

/* Returns whether samples of any event of the file have call chains. */
bool call_stacks_recorded(const struct input_facts *facts);

/* Returns whether some samples have a copy of the program's stack instead of its call chain (perf record --call-graph
 * dwarf), from a machine that unwind.h does not support: only the kernel's part is then known. */
bool call_stacks_not_unwound(const struct input_facts *facts);

#endif
