/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Meanings: what an event counts, apart from its number. Configurations and views name meanings; a row says which event
 * that is in a set of processors, or why there is none.
 */
#ifndef CORE_EVENTS_MEANING_H
#define CORE_EVENTS_MEANING_H

#include "core/events/event_groups.h"

/* Names stand in sentences. The order is Family 10h's, by number. */
/* clang-format off */
#define MEANING_NAMES(ROW)                                                                                             \
    ROW(DC_ACCESSES, "data cache accesses")                                                                            \
    ROW(DC_MISSES, "data cache misses")                                                                                \
    ROW(DC_REFILLS, "data cache refills")                                                                              \
    ROW(DTLB_L2_HITS, "L1 DTLB misses that hit the L2 DTLB")                                                           \
    ROW(DTLB_WALKS, "misses of both DTLBs")                                                                            \
    ROW(MISALIGNED, "misaligned accesses")                                                                             \
    ROW(CYCLES, "CPU clocks not halted")                                                                               \
    ROW(L2_REQUESTS, "requests to the L2 cache")                                                                       \
    ROW(L2_MISSES, "L2 cache misses")                                                                                  \
    ROW(L2_FILLS, "L2 fills and writebacks")                                                                           \
    ROW(IC_FETCHES, "instruction cache fetches")                                                                       \
    ROW(IC_MISSES, "instruction cache misses")                                                                         \
    ROW(ITLB_L2_HITS, "L1 ITLB misses that hit the L2 ITLB")                                                           \
    ROW(ITLB_WALKS, "misses of both ITLBs")                                                                            \
    ROW(INSTRUCTIONS, "retired instructions")                                                                          \
    ROW(BRANCHES, "retired branches")                                                                                  \
    ROW(MISPREDICTED, "mispredicted branches")                                                                         \
    ROW(TAKEN, "taken branches")                                                                                       \
    ROW(RETURNS, "near returns")                                                                                       \
    ROW(RETURNS_MISPREDICTED, "mispredicted near returns")                                                             \
    ROW(INDIRECT_MISPREDICTED, "mispredicted indirect branches")
/* clang-format on */

#define MEANING_ENUM(name, text) MEANING_##name,
enum event_meaning { MEANING_NAMES(MEANING_ENUM) EVENT_MEANINGS };

_Static_assert(EVENT_MEANINGS <= 32, "event_list.meant has a bit for each");

struct event_meaning_row {
    uint8_t meaning;
    uint16_t sets;   /* EVENT_IN(10H) | ... */
    uint16_t select; /* 0: none of the processor's events counts that; 'remark' says why */
    uint8_t mask;
    const char *remark; /* how the count differs from Family 10h's; NULL: it does not */
};

extern const struct event_meaning_row event_meaning_rows[];
extern const unsigned event_meaning_row_count;

const char *event_meaning_name(enum event_meaning meaning);

/* Returns the set's row for a meaning; each set has one. */
const struct event_meaning_row *event_meaning_of(enum event_set set, enum event_meaning meaning);

/* Returns whether the event has this meaning: the meaning's mask or revision B's, and no modifier that leaves counts
 * out. */
bool event_means(const struct event_spec *spec, enum event_meaning meaning);

/* Adds the set's event of that meaning, at user and kernel level, or its bit to list->missing. */
void event_list_add(struct event_list *list, enum event_meaning meaning, uint64_t period);

/* Prints what was requested and is not counted, in one sentence, and how listed events differ; each sentence begins
 * with 'prefix'. At most 79 columns. */
void event_list_notes(struct out *out, const struct event_list *list, const char *prefix);

#endif
