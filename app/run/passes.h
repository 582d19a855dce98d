/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The passes of a run. Each calls the workload once on each chosen core, at the same time, in the core's
 * own session, under one programming of IBS, counters and timer.
 *
 * Built-in workloads are prepared again for each pass and repeat exactly, so what does not fit into one pass is
 * measured in several. Samples of all passes follow one another in one buffer.
 */
#ifndef APP_PASSES_H
#define APP_PASSES_H

#include "app/run/certificate.h"
#include "app/cores/cores.h"
#include "app/settings/options.h"
#include "app/base/pool.h"
#include "drivers/session/session.h"
#include "drivers/machine/vpmu_query.h"

/* One core. All that a core uses is here and in memory that is freed only when the core has returned: one that hangs
 * can do no harm to the next run. */
struct passes_core {
    uint32_t cpu;                 /* as struct firmware counts */
    bool worker;                  /* runs the workload; otherwise it is the boot core, which only leads */
    int node;                     /* expected from the APIC ID */
    int arena_node, records_node; /* nodes of this memory; NODE_UNKNOWN: not known */
    const struct workload *workload;
    uint32_t params[WORKLOAD_VALUES];
    void (*kernel)(void *arena, const uint32_t *params); /* what this pass calls: the workload, or nothing */
    struct session_plan plan;                            /* its place is set once, program and calls are this pass's */
    struct session_result result;                        /* of the last pass from which it returned */
    struct sample_stack *stacks;          /* beside the plan's records in each pass; NULL: without call stacks */
    struct sample_branches *branches;     /* likewise; NULL: without branch records */
    enum vpmu_part part;                  /* of a model's exact counts, to which this pass belongs */
    const struct vpmu_own_code *own_code; /* for a model; NULL: the image's */
    bool drops;                           /* before its next pass it drops the exact counts of those before */
    bool prepares, checks;
    bool finished, correct; /* in this pass */
    void *own;              /* of the kind's, for its calls */
    struct workload_check check;

    enum firmware_error start_error; /* it could not be started */
    struct firmware_start start;     /* how the firmware started the core; empty for the boot core */
    bool lost;                       /* it did not return, or too late: its part of that pass is missing */
    uint32_t lost_at;                /* enum gang_step */
    struct nmi_counts counts;        /* sums over all passes */
    struct restore_log restored;     /* by all passes; empty where a kind has none */
    struct certificate certificate;  /* over the passes over the workload */
    struct silicon silicon;          /* its registers in the first pass; of the boot core, the machine's */
};

struct passes {
    struct firmware *fw;
    const struct workload *workload;
    struct gang *gang;
    struct gang_member *members;
    void (*began)(void *argument, unsigned pass); /* before each pass, counted from 1 with empty ones; NULL: not */
    void *began_argument;
    struct passes_core *core; /* the boot core first */
    unsigned cores;
    unsigned workers; /* number of cores that run the workload */
    uint32_t ring;    /* records of each core, where there are several */

    uint64_t limit_ms; /* of the workload in each pass, 0: none */
    struct sample_record *records;
    struct sample_stack *stacks; /* of the records, one each; NULL: without call stacks */
    uint64_t stack_ends[SAMPLE_STACK_ENDS];
    struct sample_branches *branches; /* likewise; NULL: without branch records */
    struct branch_sums branch_sums;
    uint32_t capacity; /* of records, for all passes */

    enum vpmu_part part;        /* of a model's exact counts: those of the pass that runs; */
    bool beside;                /* it is one of passes_run_beside() that keeps no samples */
    uint64_t beside_interrupts; /* NMIs in the last such pass, on all cores */
    unsigned run;               /* passes over the workload begun */
    unsigned empty;             /* empty passes begun */
    unsigned planned;           /* passes of both kinds that there will be; 0: not known, */
    unsigned later;             /* of them those of kinds that measure after this one */
    const char *steps;          /* what a kind tells itself of instead of passes; NULL: passes */
    unsigned finished;          /* of those over the workload: it ran to its end on all cores */
    unsigned incorrect;         /* of these: its result was wrong */
    bool ring_full;             /* no room for samples was left: no further pass was begun */
    /* Result of the last pass; none begins after an error. Of several cores: that of the first with an error, else the
     * first that works; its counters' totals are sums over the cores, its times from the first to the last. */
    struct session_result result;
    enum timer_by ticks;         /* the least precise source of ticks in any pass */
    bool lost;                   /* some core did not return */
    unsigned restore_failed;     /* registers of all cores */
    struct workload_check check; /* of the last one, or of the first that was wrong */
    uint64_t tsc_start;          /* of the first one */
    uint64_t samples;            /* records of all passes, and sums over them: */
    struct nmi_counts counts;
    uint64_t dropped; /* op samples that the load latency filter let through, and are not of such loads */
    uint64_t spurious_interrupts;
};

struct run;

/* Says that the kind that measures has so many passes still to come. */
static inline void passes_expect(struct passes *passes, unsigned more)
{
    passes->planned = passes->run + passes->empty + more + passes->later;
}

/* Tells that a pass begins, or what a kind has instead: no session is on. */
static inline void passes_tell(const struct passes *passes, unsigned number)
{
    if (passes->began)
        passes->began(passes->began_argument, number);
}

/* The workload ran, to its end each time, and its result was right each time. */
static inline bool passes_correct(const struct passes *passes)
{
    return passes->run && passes->finished == passes->run && !passes->incorrect;
}

/* Microseconds of the measured part of the last pass, from the first core's start to the last one's end; 0 when it has
 * not ended or the TSC's rate is not known. */
uint64_t passes_elapsed_us(const struct passes *passes, const struct machine *machine);

/* Ticks in which counters ran in the last pass, on the core where they did so longest: a model's time, without that
 * before and after, which is the host's. */
uint64_t passes_counted_ticks(const struct passes *passes);

/* Returns whether passes_correct(), and nothing else went wrong. */
static inline bool passes_good(const struct passes *passes)
{
    return passes_correct(passes) && !passes->ring_full && !passes->result.error && !passes->lost &&
           !passes->restore_failed;
}

/* Takes memory for arena, page tables, exception stacks and samples, and fixes where each core
 * runs. False after a line in 'problems'. 'passes' must not move afterwards. */
bool passes_prepare(struct passes *passes, struct pool *pool, const struct machine *machine, const struct run *run,
                    const struct options *options, struct out *problems);

/* Where all that is accessed during a session has its address: memory, and the APIC as the only device. */
struct paging_slots passes_slots(struct firmware *fw, const struct machine *machine);

/* All cores have returned: the memory may be freed. */
bool passes_all_back(const struct passes *passes);

/* Returns whether this program can run here; if not, a line says why. */
bool passes_possible(const struct passes *passes, const struct session_program *program, struct out *problems);

/* Measures the workload by this program. False when this pass or an earlier one failed; what was recorded is kept. */
bool passes_run(struct passes *passes, const struct session_program *program);

/* Runs such a pass, and many of them: no certificate covers it, whose looks for gaps would take longer than a short
 * workload. */
bool passes_run_plain(struct passes *passes, const struct session_program *program);

/* Forgets the samples of the passes so far, and a model's exact counts of them. */
void passes_drop(struct passes *passes);

/* Names what runs for its counters. */
enum passes_beside {
    PASSES_UNDISTURBED, /* the workload as it is by itself: a model's exact counts of a reference */
    PASSES_SAMPLED,     /* the workload as passes_run() runs it */
    PASSES_ASIDE,       /* the workload otherwise */
    PASSES_WATCHED,     /* the same, with a certificate: what is counted outside of the cores */
    PASSES_CALM,        /* in its place a loop that touches no memory and whose branch is always predicted, so that
                           interrupts can change nothing but by their own cost */
};

/* Runs a pass as passes_run() does, but keeps no samples unless it is sampled, and no certificate covers it unless it
 * is sampled or watched. An error that came before the workload began is returned and ends nothing: the processor
 * refuses these counters, and is as it was. */
bool passes_run_beside(struct passes *passes, const struct session_program *program, enum passes_beside what,
                       enum session_error *ret_refused);

/* Executes the workload step by step, from its begin or from where the last call left it. True: it has returned, or
 * can be continued; step->state says which. No samples, no certificate, and no time limit. */
bool passes_run_stepped(struct passes *passes, struct single_step *step);

/* Runs a pass with nothing in place of the workload, and no records: what starting and stopping itself counts.
 * Nothing is an empty function (COUNTS_EMPTY_INSTRUCTIONS). */
bool passes_run_empty(struct passes *passes, const struct session_program *program);

/* Tells the virtual PMU, which does not observe prepare(), which parts of the arena the workload has filled. */
void passes_tell_filled(const struct workload *workload, const uint32_t *params, const struct machine *machine,
                        uint64_t arena);

/* passes_cores.c: one pass over a kernel on all cores. The calls' argument is the core's struct passes_core. */
void passes_run_cores(struct passes *passes, const struct session_program *program, const struct session_calls *calls,
                      void (*kernel)(void *, const uint32_t *));

/* passes_cores.c: gives each core the part of the buffer that this and all later passes may fill. */
void passes_share_room(struct passes *passes);

#endif
