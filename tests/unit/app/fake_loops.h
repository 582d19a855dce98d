/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * noise/loops.h from a script: the TSC of the loops advances by itself, all gaps are equal, and detours come at chosen
 * times. A detour's cause happens to the fake processor, so that the witness can see it.
 */
#ifndef TESTS_UNIT_APP_FAKE_LOOPS_H
#define TESTS_UNIT_APP_FAKE_LOOPS_H

#include "noise/loops.h"

enum { FAKE_GAP = 20, FAKE_WITNESS = 7, FAKE_LOOPS = 16, FAKE_DETOURS = 40, FAKE_LOOPS_TEXT = 1 << 17 };

struct fake_detour {
    uint64_t at, ticks; /* from the loop's start; length */
    enum noise_cause cause;
};

struct fake_loops {
    struct fake_detour detour[FAKE_LOOPS][FAKE_DETOURS]; /* for each detour loop without warm-ups; 0 ticks end a list */
    uint64_t backwards[FAKE_LOOPS];
    uint64_t tsc;
    uint64_t gap;                /* ticks */
    unsigned loops;              /* number of loops without warm-ups */
    char trace[FAKE_LOOPS_TEXT]; /* a line for each call */
    size_t trace_length;
};

extern struct fake_loops fake_loops;

void fake_loops_init(void);

#endif
