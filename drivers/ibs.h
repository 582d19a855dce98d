/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instruction-Based Sampling: settings, start, stop. The samples are the NMI handler's (nmi.h).
 */
#ifndef DRIVERS_IBS_H
#define DRIVERS_IBS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/record.h"
#include "drivers/machine.h"
#include "drivers/restore.h"
#include "drivers/session_error.h"

/* What a user asks for. Periods are multiples of 16, in fetches (fetch) and in cycles or dispatched ops (op). */
struct ibs_plan {
    bool fetch;
    bool op;
    uint32_t fetch_period; /* 10h .. F_FFF0h */
    uint32_t op_period;    /* 90h .. F_FFF0h, with random up to F_F7F0h so that the mean is right */
    bool count_ops;        /* op: count dispatched ops instead of cycles; revision C and later */
    bool random;           /* randomise the intervals */
    uint64_t seed;         /* of the op intervals */
};

static inline bool ibs_samples(const struct ibs_plan *plan)
{
    return plan->fetch || plan->op;
}

/* How the op interval is randomised. */
enum ibs_random {
    IBS_RANDOM_NONE,
    IBS_RANDOM_CURCNT, /* low bits of IbsOpCurCnt; IbsOpMaxCnt raised by half their range */
    IBS_RANDOM_MAXCNT, /* IbsOpMaxCnt itself, where IbsOpCurCnt is not writable (revision B) */
};

/* What is written to the processor; worth recording with the run. */
struct ibs_settings {
    uint64_t fetch_ctl; /* start value of IbsFetchCtl, 0: fetch sampling off */
    uint64_t op_ctl;    /* start value of IbsOpCtl without random bits, 0: op sampling off */
    enum ibs_random op_random;
    uint32_t op_random_range; /* interval varies over this many counts, mean = period; 0: it does not vary */
};

/* Checks a plan against the machine and fills *settings (NULL: only check). */
enum session_error ibs_resolve(const struct ibs_plan *plan, const struct machine *machine,
                               struct ibs_settings *settings);

struct nmi_context;

/* Ring memory must be zero: the handler does not write registers that it did not read. */
void ibs_init(struct nmi_context *nmi, const struct ibs_settings *settings, uint64_t seed, uint32_t cpu,
              struct sample_record *records, uint32_t capacity);

/* Saves the control registers in the log, clears them, starts fetch and then op sampling. Registers of a kind of
 * sampling that is off are left alone. From here on the handler takes samples, of nmi->pmc and nmi->timer too.
 * *detail is the MSR that raised an exception or did not take the value. */
enum session_error ibs_start(struct nmi_context *nmi, struct restore_log *log, uint64_t *detail);

/* Stops op and then fetch sampling, in the order of erratum 420 if e420; waits for a late NMI for at most 'wait'
 * ticks of the TSC; leaves the control registers 0. Goes through to the end whatever happens and returns the first
 * error. */
enum session_error ibs_stop(struct nmi_context *nmi, bool e420, uint64_t wait, uint64_t *detail);

#endif
