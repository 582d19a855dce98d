/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The call stacks of a run's samples, by function.
 *
 * A stack begins with the function of the sample's own address. What follows is the call chain that was recorded with
 * it, from where the interrupt came outward, through kernel and program. An IBS sample's interrupt comes later than its
 * op: in the same function as a rule; in one that the op's function has called since, which is then left out; or in its
 * caller, after a return. So the op's function is never its own caller through the interrupt alone.
 *
 * A return address belongs to the call before it: it is looked up one byte lower.
 *
 * Copies of stacks (perf record --call-graph dwarf) are unwound: unwind.h.
 */
#ifndef TOOLS_IBSPROF_CALL_STACKS_H
#define TOOLS_IBSPROF_CALL_STACKS_H

#include "tools/ibsprof/profile/measure.h"

/* By name and object. Counts are of the measure. */
struct call_function {
    const char *name;            /* NULL: not known; one of each object */
    const struct object *object; /* NULL: nothing is mapped there */
    uint64_t self;               /* samples in it */
    uint64_t total;              /* samples with it anywhere in the stack, once each */
};

/* Samples in whose stack the caller called the callee, once each. */
struct call_edge {
    uint32_t caller, callee; /* indices into functions */
    uint64_t count;
};

struct call_stack {
    const uint32_t *functions; /* indices; the innermost first */
    uint32_t depth;            /* from 1 on */
    uint64_t count;
};

struct call_stacks {
    struct call_function *functions; /* by total, most first; then by self, name and object */
    uint32_t function_count;
    struct call_edge *edges; /* by count, most first; then by indices */
    uint32_t edge_count;
    struct call_stack *stacks; /* the same, then by what they are made of. No two are equal */
    uint32_t stack_count;
    uint64_t all;       /* of the measure */
    uint64_t without;   /* of them: without a call chain, a stack of one function */
    uint32_t *ids;      /* of the stacks */
    bool from_branches; /* no call chains were recorded, and branch records take their place (branch_chains.h) */
};

/* Reads the input again, from its begin, as the profile was read (its cores only); files of its maps are looked for as
 * search says. Free with call_stacks_free, before the profile. */
struct call_stacks *call_stacks_read(const struct run_profile *profile, struct input *input,
                                     const struct object_search *search, const struct measure *measure);
void call_stacks_free(struct call_stacks *stacks);

/* Any event of the file has call chains in its samples. */
bool call_stacks_recorded(const struct input_facts *facts);

/* Some samples have a copy of the program's stack instead of its part of the chain (perf record --call-graph dwarf),
 * and the machine is one that unwind.h does not know: only the kernel's part is there. */
bool call_stacks_not_unwound(const struct input_facts *facts);

#endif
