/* SPDX-License-Identifier: BSD-2-Clause */
/* drivers/session/session.h from a script: the tests decide what the machine is and what a run returns, on all cores or
 * on each. The drivers' own rules check each session's plan, which is kept as text. */
#ifndef TESTS_UNIT_APP_FAKE_SESSION_H
#define TESTS_UNIT_APP_FAKE_SESSION_H

#include "drivers/session/session.h"
#include "drivers/cores/startup.h"
#include "drivers/machine/vpmu_query.h"

enum {
    FAKE_PASSES = 160,
    FAKE_COUNTS = 24,
    FAKE_FIRST = 13,
    FAKE_CORES = 1024,
    FAKE_SERVED = 8,
    FAKE_TAKEN = 5, /* branch records of each sample */
    FAKE_TRACE_BYTES = 1 << 20
};

#define FAKE_ARENA 0x4000000000ull /* virtual address of every arena */

/* Records the plan of one session. */
struct fake_pass {
    struct ibs_plan ibs;
    struct pmc_plan pmc;
    struct timer_plan timer;
    uint32_t cpu;
    enum vpmu_part part;
    bool drops; /* a model was told to drop its part's counts */
    bool empty; /* an empty function replaces the workload */
};

/* An event of the fake processor: its count in one run of the workload; 'overhead': the count that starting and
 * stopping adds in each pass. */
struct fake_count {
    uint32_t select; /* with a unit mask in bits 16 and up: counts only with this mask */
    uint64_t total, overhead;
    uint32_t count_mask;
};

/* Differences of one core. */
struct fake_core {
    bool own; /* the next three apply instead of the session's */
    uint64_t op_samples, fetch_samples, timer_samples;
    uint64_t later; /* ticks by which this core begins and ends after the others */
    uint64_t more;  /* added to each count of its counters */
    uint64_t spurious;
    struct nmi_counts counts; /* nmi, empty, late, foreign */
    bool spoils;              /* the workload's result is wrong */
    enum session_error error;
    uint64_t error_detail;
    uint32_t given_up_at; /* enum gang_step at which the leader abandons the core; 0: never */
    struct restore_log restore;
    const struct silicon *silicon; /* registers that the session reads; NULL: none */
};

struct fake_session {
    struct machine machine; /* result of session_probe(), which then reports tsc_khz; 0: it must be measured */
    enum session_error probe_error, check_error;
    enum session_error switch_error; /* result of session_switch_ibs() */
    unsigned switches;               /* number of such calls, for either direction */
    struct session_result result;    /* result of session_run(), besides its own counts */
    bool run_body;                   /* calls prepare, body and finish over the arena */
    uint32_t op_max_cnt;             /* IbsOpMaxCnt of op samples, 0: 40h */
    bool intervals_vary;             /* every other IbsOpMaxCnt is one more */
    uint64_t op_samples;             /* records to make, spread over the map's instructions; others are lost */
    uint64_t fetch_samples;
    bool together;       /* a fetch sample has the time of the preceding sample, as two of one NMI have */
    uint64_t elsewhere;  /* number of the first samples of each kind outside of the image, */
    uint64_t in_handler; /* then of those on the NMI handler, */
    uint64_t edges;      /* then of those on the code that starts and stops a measurement */
    uint64_t round;      /* number spread over the map; the others are on its first instruction; 0: all */
    struct fake_count count[FAKE_COUNTS]; /* ends with an entry without a total */
    uint64_t first_totals[FAKE_FIRST];    /* totals of any event in the first sessions; 0: those below */
    uint64_t otherwise;                   /* count of other events: a million each */
    uint32_t not_modelled[FAKE_COUNTS];   /* selects that the virtual PMU does not model, up to 0 */
    uint64_t tsc_khz;                     /* stated by the virtual PMU */
    uint64_t slow;                        /* TSC ticks of each session */
    uint64_t timer_samples;
    uint64_t turns;                     /* whole turns of each group, with its share of the events; 0: 100 */
    uint64_t first;                     /* additional turns of a plan's first group */
    uint64_t unlike;                    /* difference between successive turns, in percent of their mean */
    uint64_t group_tsc[PMC_GROUPS_MAX]; /* multiplexing: ticks of each group's turns; all zero: equal ones */
    uint64_t calm;                      /* count of each event in a loop without memory accesses */
    uint64_t handler;                   /* added to each event by each NMI while something samples beside counters, */
    uint32_t disturbs;                  /* event that sampling disturbs; 0: clocks (076h); */
    uint64_t disturbed;                 /* its additional count, divided by the period */
    uint64_t settling;                  /* added in a pass over nothing after one over the workload */
    uint64_t drift;                     /* added to the total of each event with each pass over the workload */
    enum session_error fail_error;      /* SESSION_OK: an MSR that raises an exception */
    unsigned fail_at;                   /* number of the failing session, from 1; 0: none */
    bool culprit_holds;                 /* retires as soon as it has completed, like other ops */
    int32_t culprit;                    /* instruction of the map whose IBS samples miss DC and DTLB, -1: none */
    uint64_t served[FAKE_SERVED];       /* IbsOpData2 of these samples, in order */
    unsigned served_count;
    uint64_t load_bits;    /* also set in IbsOpData3 of each sampled load */
    uint64_t aperf, mperf; /* clocks of each measured part and loop, if these registers exist */
    uint32_t interrupts;   /* counted in the measured part, including the session's NMIs */
    uint64_t between;      /* ticks from pass to pass */
    bool waits_for_ever;   /* the leader does not abandon any core */
    uint64_t endless_ms;   /* a session with this time limit (0: none) ends by it, without calling its body */
    bool no_bitmaps;       /* stepped: there is no room for lines of operands */
    unsigned loops;        /* stepped, or op by op: iterations of the map's first function */
    unsigned op_before;    /* op by op: ops between the start of IBS and the first op of that function; */
    unsigned op_lost;      /* this op of the function never retires, */
    bool op_silent;        /* nor does any op after it, */
    unsigned op_unsteady;  /* two ops that differ in the second pass: in latency, */
    unsigned op_unlike;    /* and in outcome; counted from 1, 0: none */
    uint64_t step_ticks;   /* TSC ticks of a step; 0: a session takes no longer for it */
    uint64_t (*ticks)(const struct session_plan *plan); /* TSC ticks of the measured part; NULL: constant */
    bool deaf;                                          /* no trap arrives */
    void (*on_run)(const struct session_plan *plan);    /* before each session */
    void (*body)(const struct session_plan *plan);      /* replaces each body; NULL: the real one */
    struct fake_core core[FAKE_CORES];

    uint64_t apic_khz;        /* rate measured for the APIC's timer that makes ticks; 0: no ticks */
    struct session_plan plan; /* of the last session */
    uint64_t pmc_ctl[PMC_LEGACY], pmc_ctl_after[PMC_LEGACY]; /* before body, after finish; 0: unreadable */
    uint64_t stopped;                                        /* cores stopped by INIT, bit n: APIC ID n below 64 */
    struct nmi_context nmi;                                  /* result of session_nmi() */
    enum startup_error startup_error;                        /* result of startup_prepare() */
    struct startup_facts startup_facts;                      /* the facts passed to startup_prepare() */
    bool x2apic;                                             /* APIC IDs have 32 bits */
    uint32_t (*id_of)(unsigned core);                        /* NULL: each core's id is its number */
    uint32_t own_id;                                         /* the boot core's APIC ID */
    uint64_t started;                                        /* cores started by STARTUP, bit n: APIC ID n below 64 */
    uint32_t silent, survives_init;                          /* cores that do not answer; cores that do not stop */
    uint32_t never_returns;                                  /* cores that do not return from their function */
    uint32_t not_given_back;                                 /* memory types that each core keeps at its end */
    unsigned own_starts;                                     /* number of STARTUPs sent */
    uint64_t live_nmis;                                      /* shown by session_live() */
    uint32_t live_interrupts;
    struct fake_pass pass[FAKE_PASSES];
    unsigned prepared, prepared_told;     /* ranges of memory named to a model, and reported to it, */
    uint64_t prepared_bytes, prepared_at; /* their total size, and the last address */
    enum vpmu_part part;                  /* the last one reported to a model */
    uint32_t asked_mask;                  /* for retired ops, whenever a model was asked about them */
    unsigned forgotten;                   /* number of times that a model was told to forget what ran */
    const struct vpmu_own_code *own_code; /* the last one reported to a model */
    unsigned own_code_told;
    unsigned stepped;             /* number of executed steps */
    unsigned bitmaps;             /* room of the steps for lines of memory operands */
    unsigned runs;                /* number of sessions, on any core */
    char trace[FAKE_TRACE_BYTES]; /* a few lines for each session */
    size_t trace_length;
};

extern struct fake_session fake_session;

/* Sets up a revision C machine with a run of 5000 op and 1000 fetch samples. */
void fake_session_init(uint64_t image_base);

/* Advances the TSC in the firmware's stall, and APERF and MPERF in each measured part and noise loop. */
void fake_time_passes(uint64_t ticks);

/* Fills in the machine's row of families and its counters, by family and model. */
void fake_family(struct machine *machine);
void fake_clocks_run(void);

#endif
