/* drivers/session.h played from a script: the application's tests decide what the machine is and what a run gives. */
#ifndef TESTS_UNIT_APP_FAKE_SESSION_H
#define TESTS_UNIT_APP_FAKE_SESSION_H

#include "drivers/session.h"

enum { FAKE_PASSES = 160, FAKE_COUNTS = 24 };

/* What one pass was asked to do. */
struct fake_pass {
    struct ibs_plan ibs;
    struct pmc_plan pmc;
    struct timer_plan timer;
    bool empty; /* nothing in place of the workload */
};

/* An event of the fake processor: how often it happens in one run of the workload; 'overhead' is what starting and
 * stopping adds in each pass. */
struct fake_count {
    uint32_t select;
    uint64_t total, overhead;
    uint32_t count_mask;
};

struct fake_session {
    struct machine machine; /* what session_probe() finds */
    enum session_error probe_error, check_error;
    struct session_result result; /* what session_run() reports, besides what it counts itself */
    bool run_body;                /* call prepare, body and finish over the arena */
    uint64_t op_samples;          /* records to make, spread over the map's instructions; more than fit are lost */
    uint64_t fetch_samples;
    uint64_t elsewhere;                   /* so many of the op samples fall outside of the image */
    struct fake_count count[FAKE_COUNTS]; /* up to the first without a total */
    uint64_t otherwise;                   /* how often other events happen: a million times */
    uint32_t not_modelled[FAKE_COUNTS];   /* selects that the virtual PMU does not know, up to 0 */
    uint64_t tsc_khz;                     /* that the virtual PMU states */
    uint64_t timer_samples;
    uint64_t group_tsc[PMC_GROUPS_MAX]; /* multiplexing: ticks of each group's turns; all zero: equal ones */
    uint64_t drift;                     /* added to the total of each event with each pass over the workload */
    unsigned fail_at;                   /* this pass fails; counted from 1, 0: none */
    int32_t culprit;                    /* instruction of the map whose IBS samples miss DC and DTLB, -1: none */
    struct session_plan plan;           /* of the last run */
    uint64_t pmc_ctl[PMC_COUNTERS], pmc_ctl_after[PMC_COUNTERS]; /* before body, behind finish; 0: cannot be read */
    uint64_t live_nmis;                                          /* what session_live() shows */
    uint32_t live_interrupts;
    struct fake_pass pass[FAKE_PASSES];
    unsigned runs;
};

extern struct fake_session fake_session;

/* A revision C machine with a run of 5000 op and 1000 fetch samples. */
void fake_session_init(uint64_t image_base);

#endif
