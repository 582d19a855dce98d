/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Roofline: how fast a workload computes, against what the machine could at this ratio of floating-point operations to
 * bytes of memory (S. Williams, A. Waterman and D. Patterson, Communications of the ACM 52(4), 2009).
 *
 * Two loops measure the roof on the machine: one of operations alone, and one that streams. A workload needs at least
 * as long as its operations take at the rate of the first, and at least as long as its bytes take at that of the other;
 * the larger share of the two says which roof it is under, and how near.
 */
#ifndef CORE_ROOFLINE_H
#define CORE_ROOFLINE_H

#include <stdbool.h>

#include "core/base/out.h"
#include "core/family/event_set.h"

enum roofline_loop { ROOFLINE_WORKLOAD, ROOFLINE_OPERATIONS, ROOFLINE_MEMORY, ROOFLINE_LOOPS };

/* Returns the name in facts and JSON: "workload", "operations", "memory". */
const char *roofline_loop_name(enum roofline_loop loop);

/* Counts of one pass of a loop, on all cores. */
struct roofline_counts {
    const char *no_operations, *no_bytes; /* why they were not counted; NULL: they were */
    uint64_t operations, bytes;
    uint64_t ns; /* 0: not measured */
};

enum roofline_bound { ROOFLINE_NOT_KNOWN, ROOFLINE_UNDER_OPERATIONS, ROOFLINE_UNDER_MEMORY };

/* Stands for a ratio to no bytes, and for an unknown rate or share. */
#define ROOFLINE_NONE UINT64_MAX

struct roofline {
    const struct roofline_counts *of;                               /* [ROOFLINE_LOOPS], as given */
    uint64_t operations_s[ROOFLINE_LOOPS], bytes_s[ROOFLINE_LOOPS]; /* a second; or ROOFLINE_NONE */
    uint64_t intensity_ppm[ROOFLINE_LOOPS]; /* operations to 1,000,000 bytes; or ROOFLINE_NONE */
    uint64_t ridge_ppm;                     /* where the two roofs meet, likewise */
    uint64_t roof_s;                        /* operations a second at the workload's intensity; or ROOFLINE_NONE */
    uint64_t operations_share_ppm, bytes_share_ppm; /* of the peaks; or ROOFLINE_NONE */
    enum roofline_bound bound;                      /* not known unless both shares are, or if both are 0 */
    uint64_t share_ppm; /* the larger of the two; ROOFLINE_NONE where the bound is not known */
};

void roofline_compute(struct roofline *ret, const struct roofline_counts of[ROOFLINE_LOOPS]);

/* An event that counts for the roofline. */
struct roofline_event {
    uint16_t sets;   /* EVENT_IN(10H) | ... */
    uint16_t select; /* PMCxxx */
    uint8_t mask;
};

/* Return the set's event of floating-point operations; of lines of 64 bytes read from memory or written to it; NULL:
 * none. Without an event of lines, counters outside of the cores may have the bytes. */
const struct roofline_event *roofline_operations(enum event_set set);
const struct roofline_event *roofline_lines(enum event_set set);

enum { ROOFLINE_LINE = 64 };

/* Prints a table of the loops, the roof, and what was not counted. At most 79 columns. */
void roofline_print(struct out *out, const struct roofline *roofline, enum event_set set);

/* Writes facts of run.ini (core/run/facts.h). */
void roofline_write(struct out *out, const struct roofline_counts of[ROOFLINE_LOOPS]);

#endif
