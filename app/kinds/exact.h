/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact counts: what app/kinds/exact.c measures, and exact_report.c prints and saves. */
#ifndef APP_KINDS_EXACT_H
#define APP_KINDS_EXACT_H

#include "app/run/run.h"
#include "drivers/trace/single_step.h"

enum { EXACT_INSTRUCTIONS = 0x0C0, EXACT_BRANCHES = 0x0C2, EXACT_EVENTS = 2 };

/* One of the counters over the same code. */
struct exact_event {
    uint32_t select;
    bool counted;
    uint64_t count; /* without what starting and stopping counts */
};

struct exact_run {
    struct single_step step;
    struct exact_event event[EXACT_EVENTS];
    enum session_error refused; /* why no counter counts, although there are some */
    uint64_t expected; /* instructions; 'about': by the workload's work, else by the counter or the workload's row */
    bool about;
    unsigned parts; /* sessions */
    unsigned told;  /* tenth of the work that the last line of progress was about */
    uint64_t ticks; /* of the TSC, in all of them */
    bool stopped;   /* at the user's wish, before its end */
};

static inline const struct exact_run *exact_of(const struct run *run)
{
    return run->own;
}

/* All instructions have been executed, and the workload has returned. */
static inline bool exact_whole(const struct exact_run *exact)
{
    return exact->step.state == SINGLE_STEP_DONE;
}

/* The row's functions (app/run/kind.h). */
void exact_settings(struct out *out, const struct run *run);
void exact_tables(struct out *out, const struct run *run);
void exact_checks(struct out *out, const struct run *run);
void exact_facts(struct out *out, const struct run *run);
void exact_csv(struct out *out, const struct run *run);
bool exact_has_edges(const struct run *run);
void exact_edges_csv(struct out *out, const struct run *run);

#endif
