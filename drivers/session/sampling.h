/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IBS, counters and timer together: the order in which they are set up, switched on and switched off.
 */
#ifndef DRIVERS_SAMPLING_H
#define DRIVERS_SAMPLING_H

#include "drivers/pmu/ibs.h"
#include "drivers/pmu/nmi.h"
#include "drivers/pmu/pmc.h"
#include "drivers/machine/restore.h"
#include "drivers/pmu/timer.h"

struct session_plan;

struct sampling {
    struct nmi_context nmi; /* the handler finds the others through it */
    struct pmc_engine pmc;
    struct timer_engine timer;
    bool alone;   /* no other core takes part */
    bool touched; /* registers have been written, and not yet been switched off */
    bool begun;   /* sampling_start() has been called since */
    bool ended;   /* the ticks ended before the sampling: the last interval was over, and no NMI came */
};

/* Begins with a checked plan; writes no register. */
void sampling_init(struct sampling *sampling, const struct session_plan *plan, const struct ibs_settings *settings);

/* Returns what went wrong in the set-up: 'error', unless a storm of NMIs has come since sampling_init(). */
enum session_error sampling_quiet(const struct sampling *sampling, enum session_error error, uint64_t *detail);

/* Sets up what makes the ticks, and tests it: before other set-up, so that it takes no time of a measurement.
 * Everything is in the log before it is written. *detail as in struct session_result. */
enum session_error sampling_prepare(struct sampling *sampling, const struct machine *machine, struct restore_log *log,
                                    struct timer_settings *timer, uint64_t *detail);

/* Sets up the rest that is in the plan and switches all on; counters in counting mode are left to the caller
 * (pmc_resume()). Everything is in the log before it is written. *detail as in struct session_result. */
enum session_error sampling_start(struct sampling *sampling, uint64_t apic_msr, struct restore_log *log,
                                  uint64_t *detail);

/* Switches off what was switched on, also after a start that failed halfway; a second call does nothing. Goes through
 * to the end whatever happens and returns the first error. */
enum session_error sampling_stop(struct sampling *sampling, bool e420, uint64_t *detail);

#endif
