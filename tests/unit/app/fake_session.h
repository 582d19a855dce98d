/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * drivers/session/session.h played from a script: the application's tests decide what the machine is and what a run
 * gives, of all cores or of each. What a session was asked to do is checked by the drivers' own rules, and kept as
 * text.
 */
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
    bool drops; /* a model was told to drop what its part had counted */
    bool empty; /* an empty function instead of the workload */
};

/* An event of the fake processor: how often it happens in one run of the workload; 'overhead' is what starting and
 * stopping adds in each pass. */
struct fake_count {
    uint32_t select; /* with a unit mask from bit 16 on: of this alone */
    uint64_t total, overhead;
    uint32_t count_mask;
};

/* Differences of one core. */
struct fake_core {
    bool own; /* the next three apply instead of the session's */
    uint64_t op_samples, fetch_samples, timer_samples;
    uint64_t later; /* it begins and ends this many ticks after the others */
    uint64_t more;  /* added to what each event of its counters counts */
    uint64_t spurious;
    struct nmi_counts counts; /* nmi, empty, late, foreign */
    bool spoils;              /* its workload's result is wrong */
    enum session_error error;
    uint64_t error_detail;
    uint32_t given_up_at; /* enum gang_step at which the leader abandons it; 0: it does not */
    struct restore_log restore;
    const struct silicon *silicon; /* what the session reads there; NULL: nothing */
};

struct fake_session {
    struct machine machine; /* what session_probe() finds; tsc_khz is told afterwards, 0: it has to be measured */
    enum session_error probe_error, check_error;
    enum session_error switch_error; /* of session_switch_ibs() */
    unsigned switches;               /* how often that was asked, for either */
    struct session_result result;    /* what session_run() reports, besides what it counts itself */
    bool run_body;                   /* call prepare, body and finish over the arena */
    uint32_t op_max_cnt;             /* IbsOpMaxCnt of op samples, 0: 40h */
    bool intervals_vary;             /* that of every other one is one more */
    uint64_t op_samples;             /* records to make, spread over the map's instructions; more than fit are lost */
    uint64_t fetch_samples;
    bool together;       /* a fetch sample has the time of the sample before it, as two of one NMI have */
    uint64_t elsewhere;  /* number of the first samples of each kind that fall outside of the image, */
    uint64_t in_handler; /* the next on the NMI handler, */
    uint64_t edges;      /* number of the next ones, on what starts and stops a measurement */
    uint64_t round;      /* number of those spread over the map, all others are on its first instruction; 0: all */
    struct fake_count count[FAKE_COUNTS]; /* up to the first without a total */
    uint64_t first_totals[FAKE_FIRST];    /* of any event in the first sessions; 0: as these say */
    uint64_t otherwise;                   /* how often other events happen: a million times */
    uint32_t not_modelled[FAKE_COUNTS];   /* selects that the virtual PMU does not model, up to 0 */
    uint64_t tsc_khz;                     /* that the virtual PMU states */
    uint64_t slow;                        /* ticks of the TSC that each session takes */
    uint64_t timer_samples;
    uint64_t turns;                     /* whole turns that each group has, of which the events are; 0: 100 */
    uint64_t first;                     /* turns that a plan's first group has more */
    uint64_t unlike;                    /* percent of the mean turn that one differs from the next */
    uint64_t group_tsc[PMC_GROUPS_MAX]; /* multiplexing: ticks of each group's turns; all zero: equal ones */
    uint64_t calm;                      /* that each event counts in a loop without memory, */
    uint64_t handler;                   /* that each NMI adds to each event while something samples beside counters, */
    uint32_t disturbs;                  /* the event that is so, 0: clocks (076h); */
    uint64_t disturbed;                 /* divided by the period: what that adds to it */
    uint64_t settling;                  /* added in a pass over nothing that comes after one over the workload */
    uint64_t drift;                     /* added to the total of each event with each pass over the workload */
    enum session_error fail_error;      /* SESSION_OK: an MSR that raises an exception */
    unsigned fail_at;                   /* this session fails; counted from 1, 0: none */
    bool culprit_holds;                 /* retires as soon as it has completed, as others do */
    int32_t culprit;                    /* instruction of the map whose IBS samples miss DC and DTLB, -1: none */
    uint64_t served[FAKE_SERVED];       /* IbsOpData2 of these samples, one after the other */
    unsigned served_count;
    uint64_t load_bits;    /* set in IbsOpData3 of each sampled load, too */
    uint64_t aperf, mperf; /* clocks of each measured part and loop, where there are such registers */
    uint32_t interrupts;   /* that its counters count in it, NMIs of the session's own */
    uint64_t between;      /* ticks from pass to pass */
    bool waits_for_ever;   /* the leader does not abandon any core */
    uint64_t endless_ms;   /* a session with this time limit, 0: none, is ended by it; its body is not called */
    bool no_bitmaps;       /* stepped: there is room for the lines of no operand */
    unsigned loops;        /* stepped, or op by op: turns of the map's first function until it returns */
    unsigned op_before;    /* op by op: ops between the start of IBS and that function's first; */
    unsigned op_lost;      /* this op of the function never retires, */
    bool op_silent;        /* nor does any op after it, */
    unsigned op_unsteady;  /* of these two the second pass differs: in latency, */
    unsigned op_unlike;    /* and in outcome; counted from 1, 0: none */
    uint64_t step_ticks;   /* of the TSC that a step takes, 0: as long as a session without */
    uint64_t (*ticks)(const struct session_plan *plan); /* of the TSC in the measured part, NULL: always as many */
    bool deaf;                                          /* no trap comes */
    void (*on_run)(const struct session_plan *plan);    /* before each session */
    void (*body)(const struct session_plan *plan);      /* in place of each body, NULL: the body */
    struct fake_core core[FAKE_CORES];

    uint64_t apic_khz;        /* that the APIC's timer measures where it makes ticks; 0: nothing does */
    struct session_plan plan; /* of the last session */
    uint64_t pmc_ctl[PMC_LEGACY], pmc_ctl_after[PMC_LEGACY]; /* before body, after finish; 0: cannot be read */
    uint64_t stopped;                                        /* cores by INIT, bit n: APIC ID n below 64 */
    struct nmi_context nmi;                                  /* what session_nmi() gives */
    enum startup_error startup_error;                        /* of startup_prepare() */
    struct startup_facts startup_facts;                      /* what it was told */
    bool x2apic;                                             /* its ids are of 32 bits */
    uint32_t (*id_of)(unsigned core);                        /* NULL: each core's id is its number */
    uint32_t own_id;                                         /* the boot core's APIC ID */
    uint64_t started;                                        /* cores by STARTUP, bit n: APIC ID n below 64 */
    uint32_t silent, survives_init;                          /* these do not answer; these do not stop */
    uint32_t never_returns;                                  /* these do not come back from what they are given */
    unsigned own_starts;                                     /* how often one was sent STARTUP */
    uint64_t live_nmis;                                      /* what session_live() shows */
    uint32_t live_interrupts;
    struct fake_pass pass[FAKE_PASSES];
    unsigned prepared, prepared_told;     /* how many ranges of memory were named to a model, and told to it, */
    uint64_t prepared_bytes, prepared_at; /* of how many bytes in all, and where at last */
    enum vpmu_part part;                  /* that a model was told last */
    uint32_t asked_mask;                  /* of retired ops, whenever a model was asked about them */
    unsigned forgotten;                   /* how often a model was told to forget what ran */
    const struct vpmu_own_code *own_code; /* that a model was told last */
    unsigned own_code_told;
    unsigned stepped;             /* steps of the code that is stepped */
    unsigned bitmaps;             /* that the steps have for lines of memory operands */
    unsigned runs;                /* sessions, on whatever core */
    char trace[FAKE_TRACE_BYTES]; /* a few lines for each */
    size_t trace_length;
};

extern struct fake_session fake_session;

/* A revision C machine with a run of 5000 op and 1000 fetch samples. */
void fake_session_init(uint64_t image_base);

/* For the firmware's stall: the TSC goes on. For each measured part, and each noise loop: APERF and MPERF do. */
void fake_time_passes(uint64_t ticks);

/* Fills in the machine's row of families and its counters, by family and model. */
void fake_family(struct machine *machine);
void fake_clocks_run(void);

#endif
