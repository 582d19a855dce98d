/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The passes of a run. Each calls the workload once on each chosen core, at the same time, in the core's own session,
 * under one programming of IBS, counters and timer.
 *
 * Built-in workloads are prepared again for each pass and repeat exactly, so what does not fit into one pass is
 * measured in several. One buffer holds the samples of all passes, in order.
 */
#ifndef APP_PASSES_H
#define APP_PASSES_H

#include "app/run/certificate.h"
#include "app/cores/cores.h"
#include "app/settings/options.h"
#include "app/base/pool.h"
#include "drivers/session/session.h"
#include "drivers/machine/vpmu_query.h"

/* State of one core. Everything that a core uses is here, or in memory that is freed only when the core has returned,
 * so that a hanging core cannot harm the next run. */
struct passes_core {
    uint32_t cpu;                 /* number of the core in struct firmware */
    bool worker;                  /* runs the workload; otherwise this is the boot core, which only leads */
    int node;                     /* expected from the APIC ID */
    int arena_node, records_node; /* nodes of arena and records; NODE_UNKNOWN: not known */
    const struct workload *workload;
    uint32_t params[WORKLOAD_VALUES];
    void (*kernel)(void *arena, const uint32_t *params); /* function of this pass: the workload's, or an empty one */
    struct session_plan plan;                            /* place is fixed; program and calls change with each pass */
    struct session_result result;                        /* of the last pass from which the core returned */
    struct sample_stack *stacks;          /* stacks of the plan's records in each pass; NULL: without call stacks */
    struct sample_branches *branches;     /* branches of the plan's records; NULL: without branch records */
    enum vpmu_part part;                  /* part of a model's exact counts to which this pass belongs */
    const struct vpmu_own_code *own_code; /* for a model; NULL: the image's code */
    bool drops;                           /* drop earlier exact counts before the next pass */
    bool prepares, checks;
    bool finished, correct; /* in this pass */
    void *own;              /* data of the kind, for its calls */
    struct workload_check check;

    enum firmware_error start_error; /* why the core could not be started */
    struct firmware_start start;     /* how the firmware started the core; empty for the boot core */
    bool lost;                       /* returned too late or never: its part of that pass is missing */
    uint32_t lost_at;                /* enum gang_step */
    struct nmi_counts counts;        /* sums over all passes */
    struct restore_log restored;     /* changes by all passes; empty for kinds without a log */
    struct certificate certificate;  /* of the passes over the workload */
    struct silicon silicon;          /* registers in the first pass; for the boot core, the machine's */
};

struct passes {
    struct firmware *fw;
    const struct workload *workload;
    struct gang *gang;
    struct gang_member *members;
    void (*began)(void *argument, unsigned pass); /* before each pass, counted from 1 with empty ones; NULL: unused */
    void *began_argument;
    struct passes_core *core; /* boot core first */
    unsigned cores;
    unsigned workers; /* number of cores that run the workload */
    uint32_t ring;    /* records per core, if there are several cores */

    uint64_t limit_ms; /* time limit of the workload in each pass; 0: none */
    struct sample_record *records;
    struct sample_stack *stacks; /* one for each record; NULL: without call stacks */
    uint64_t stack_ends[SAMPLE_STACK_ENDS];
    struct sample_branches *branches; /* one for each record; NULL: without branch records */
    struct branch_sums branch_sums;
    uint32_t capacity; /* number of records, for all passes */

    enum vpmu_part part;        /* current part of a model's exact counts */
    bool beside;                /* this pass is from passes_run_beside() and keeps no samples */
    uint64_t beside_interrupts; /* NMIs in the last such pass, on all cores */
    unsigned run;               /* number of passes over the workload begun */
    unsigned empty;             /* number of empty passes begun */
    unsigned planned;           /* expected number of passes of both kinds; 0: not known */
    unsigned later;             /* those of 'planned' by kinds that measure later */
    const char *steps;          /* name of a kind's own steps in place of passes; NULL: "pass" */
    unsigned finished;          /* passes over the workload that ended normally on all cores */
    unsigned incorrect;         /* number of passes with a wrong result */
    bool ring_full;             /* the buffer was full, so no further pass was begun */
    /* Result of the last pass; no pass begins after an error. With several cores: the result of the first core with an
     * error, otherwise of the first worker; its counts are sums over the cores, its times from the first start to the
     * last end. */
    struct session_result result;
    enum timer_by ticks;         /* the least precise source of ticks in any pass */
    bool lost;                   /* some core did not return */
    unsigned restore_failed;     /* number of registers not restored, on all cores */
    struct workload_check check; /* of the last pass, or of the first with a wrong result */
    uint64_t tsc_start;          /* TSC at the start of the first pass */
    uint64_t samples;            /* records of all passes, and sums: */
    struct nmi_counts counts;
    uint64_t dropped; /* op samples below the threshold that the load latency filter let through */
    uint64_t spurious_interrupts;
};

struct run;

/* Announces the number of passes that the measuring kind still makes. */
static inline void passes_expect(struct passes *passes, unsigned more)
{
    passes->planned = passes->run + passes->empty + more + passes->later;
}

/* Calls began() before a pass or a kind's own step, outside of sessions. */
static inline void passes_tell(const struct passes *passes, unsigned number)
{
    if (passes->began)
        passes->began(passes->began_argument, number);
}

/* Returns whether the workload ran, always to its end and with the right result. */
static inline bool passes_correct(const struct passes *passes)
{
    return passes->run && passes->finished == passes->run && !passes->incorrect;
}

/* Returns the microseconds of the last pass's measured part, from the first core's start to the last one's end; 0 if it
 * has not ended, or the TSC's rate is not known. */
uint64_t passes_elapsed_us(const struct passes *passes, const struct machine *machine);

/* Returns the largest number of ticks for which a core's counters ran in the last pass. On a model this excludes the
 * time before and after, which is the host's. */
uint64_t passes_counted_ticks(const struct passes *passes);

/* Returns whether passes_correct() and nothing else went wrong. */
static inline bool passes_good(const struct passes *passes)
{
    return passes_correct(passes) && !passes->ring_full && !passes->result.error && !passes->lost &&
           !passes->restore_failed;
}

/* Takes memory for arena, page tables, exception stacks and samples, and places each core. Returns false after a line
 * in 'problems'. 'passes' must not move afterwards. */
bool passes_prepare(struct passes *passes, struct pool *pool, const struct machine *machine, const struct run *run,
                    const struct options *options, struct out *problems);

/* Returns the address slots for everything that a session accesses: memory, and the APIC as the only device. */
struct paging_slots passes_slots(struct firmware *fw, const struct machine *machine);

/* Returns whether all cores have returned, so that the memory may be freed. */
bool passes_all_back(const struct passes *passes);

/* Returns whether this program can run here; if not, a line says why. */
bool passes_possible(const struct passes *passes, const struct session_program *program, struct out *problems);

/* Measures the workload with this program. Returns false if this or an earlier pass failed; recorded samples are
 * kept. */
bool passes_run(struct passes *passes, const struct session_program *program);

/* Runs a pass without a certificate, whose loops would take longer than a short workload; for many passes. */
bool passes_run_plain(struct passes *passes, const struct session_program *program);

/* Discards all samples so far, and a model's exact counts for them. */
void passes_drop(struct passes *passes);

/* Says what runs while counters count. */
enum passes_beside {
    PASSES_UNDISTURBED, /* the workload alone: a model's exact counts of a reference */
    PASSES_SAMPLED,     /* the workload as in passes_run() */
    PASSES_ASIDE,       /* the workload in another way */
    PASSES_WATCHED,     /* as PASSES_ASIDE, with a certificate: counts from outside of the cores */
    PASSES_CALM, /* instead of it a loop without memory accesses, whose branch is always predicted, so that interrupts
                    add only their own cost */
};

/* Runs a pass like passes_run(), but keeps samples only for PASSES_SAMPLED, and a certificate only for that and
 * PASSES_WATCHED. An error before the workload began goes to *ret_refused and fails nothing: the processor refused
 * these counters, and is unchanged. */
bool passes_run_beside(struct passes *passes, const struct session_program *program, enum passes_beside what,
                       enum session_error *ret_refused);

/* Executes the workload step by step, from its start or from the last stop. Returns true if it has returned or can be
 * continued; step->state says which. Takes no samples, and has neither certificate nor time limit. */
bool passes_run_stepped(struct passes *passes, struct single_step *step);

/* Runs a pass over an empty function (COUNTS_EMPTY_INSTRUCTIONS), without records, to count what starting and stopping
 * adds. */
bool passes_run_empty(struct passes *passes, const struct session_program *program);

/* Tells the virtual PMU, which does not observe prepare(), which parts of the arena the workload has filled. */
void passes_tell_filled(const struct workload *workload, const uint32_t *params, const struct machine *machine,
                        uint64_t arena);

/* passes_cores.c: runs one pass over a kernel on all cores. The argument of 'calls' is the core's struct
 * passes_core. */
void passes_run_cores(struct passes *passes, const struct session_program *program, const struct session_calls *calls,
                      void (*kernel)(void *, const uint32_t *));

/* passes_cores.c: divides the buffer among the cores, for this and all later passes. */
void passes_share_room(struct passes *passes);

#endif
