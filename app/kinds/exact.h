/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact counts: app/kinds/exact.c measures them, exact_report.c prints and saves them. */
#ifndef APP_KINDS_EXACT_H
#define APP_KINDS_EXACT_H

#include "app/run/run.h"
#include "drivers/trace/single_step.h"

enum { EXACT_INSTRUCTIONS = 0x0C0, EXACT_BRANCHES = 0x0C2, EXACT_EVENTS = 2 };

/* One counter over the same code. */
struct exact_event {
    uint32_t select;
    bool counted;
    uint64_t count; /* less what starting and stopping the counter adds */
};

struct exact_run {
    struct single_step step;
    struct exact_event event[EXACT_EVENTS];
    enum session_error refused; /* why no counter counts, although the processor has some */
    /* Expected instructions: exact, from the counter or the row, or by the amount of work ("about"). */
    uint64_t expected;
    bool about;
    unsigned parts; /* number of sessions */
    unsigned told;  /* tenth of the work that the latest line of progress announced */
    uint64_t ticks; /* TSC ticks of all sessions */
    bool stopped;   /* ended early by the user */
};

static inline const struct exact_run *exact_of(const struct run *run)
{
    return run->own;
}

/* Returns whether all instructions were executed, and the workload has returned. */
static inline bool exact_whole(const struct exact_run *exact)
{
    return exact->step.state == SINGLE_STEP_DONE;
}

/* Functions of the kind's row (app/run/kind.h). */
void exact_settings(struct out *out, const struct run *run);
void exact_tables(struct out *out, const struct run *run);
void exact_checks(struct out *out, const struct run *run);
void exact_facts(struct out *out, const struct run *run);
void exact_csv(struct out *out, const struct run *run);
bool exact_has_edges(const struct run *run);
void exact_edges_csv(struct out *out, const struct run *run);

#endif
