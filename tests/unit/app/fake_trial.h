/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * drivers/pmu/trial.h from a script: the result of each experiment. Registers that are only read are the fake
 * processor's. The drivers' tests cover the experiments themselves.
 */
#ifndef TESTS_UNIT_APP_FAKE_TRIAL_H
#define TESTS_UNIT_APP_FAKE_TRIAL_H

#include "drivers/pmu/trial.h"

enum { FAKE_TRIALS = 4 };

struct fake_trial {
    struct trial_overflow overflow;
    struct trial_ibs ibs;
    struct trial_timer timer;
    struct trial_stops two_steps, one_step;
    struct trial_fetch fetch;
    struct trial_global global;
    bool apic_off;
    uint32_t apic_off_entry;
    struct {
        uint32_t msr; /* 0: end of the list */
        uint64_t result;
    } written_back[FAKE_TRIALS], lost[FAKE_TRIALS], unstable[FAKE_TRIALS]; /* other registers give 0 */

    /* The calls so far, and their arguments. */
    uint32_t stops, apic_reads, reads;
    uint64_t held[FAKE_TRIALS]; /* for each call of trial_hold(): bits of the mask to be set */
    unsigned holds;
    const struct nmi_context *nmi;
    uint64_t apic;
};

extern struct fake_trial fake_trial;

/* Sets the results that the questions expect. */
void fake_trial_init(void);

#endif
