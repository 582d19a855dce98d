/*
 * The passes of a run. Each calls the workload once, in one session, under one programming of IBS, counters and timer.
 *
 * Built-in workloads are prepared anew for each pass and repeat exactly, so what does not fit into one pass is measured
 * in several. Samples of all passes stand one behind the other in one buffer.
 */
#ifndef APP_PASSES_H
#define APP_PASSES_H

#include "app/options.h"
#include "app/pool.h"
#include "drivers/session.h"

struct passes {
    const struct workload *workload;
    const uint32_t *params;
    void (*kernel)(void *arena, const uint32_t *params); /* what this pass calls: the workload, or nothing */

    uint64_t limit_ms; /* of the workload in each pass, 0: none */
    struct session_plan plan; /* of the next pass; ibs, pmc and timer are the caller's to set */
    struct ibs_record *records;
    uint32_t capacity; /* of records, for all passes */

    unsigned run;                 /* passes over the workload that were begun */
    unsigned empty;               /* and those over nothing */
    unsigned finished;            /* in so many the workload ran to its end */
    unsigned wrong;               /* and in so many of them its result was wrong */
    bool full;                    /* there was no room for samples left: no further pass was begun */
    struct session_result result; /* of the last one; no further one is begun after an error */
    struct workload_check check;  /* of the last one, or of the first that was wrong */
    uint64_t tsc_start;           /* of the first one */
    uint64_t samples;             /* records of all passes, and sums over them: */
    struct ibs_counts counts;
    uint64_t spurious_interrupts;
};

/* The workload ran, to its end each time, and its result was right each time. */
static inline bool passes_right(const struct passes *passes)
{
    return passes->run && passes->finished == passes->run && !passes->wrong;
}

/* And nothing else went wrong. */
static inline bool passes_good(const struct passes *passes)
{
    return passes_right(passes) && !passes->full && !passes->result.error && !passes->result.restore.failed;
}

/* Takes memory for arena, page tables, exception stacks and samples, and fills the part of the plan that all passes
 * share. False after a line in 'problems'. 'passes' must not move afterwards. */
bool passes_prepare(struct passes *passes, struct pool *pool, const struct machine *machine,
                    const struct workload *workload, const uint32_t *params, const struct options *options,
                    struct out *problems);

/* Whether the plan as it is now can run here; if not, a line says why. */
bool passes_possible(const struct passes *passes, struct out *problems);

/* Runs the plan over the workload. False when this pass or an earlier one failed; what was recorded is kept. */
bool passes_run(struct passes *passes);

/* The same with nothing in place of the workload, and no records: what starting and stopping counts by itself. Nothing
 * is one instruction, the ret. */
enum { PASSES_EMPTY_INSTRUCTIONS = 1 };
bool passes_run_empty(struct passes *passes);

/* Index of the first record of the last pass. */
uint64_t passes_first_record(const struct passes *passes);

#endif
