/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instruction-Based Sampling: settings, start, stop. The NMI handler takes the samples (nmi.h).
 */
#ifndef DRIVERS_IBS_H
#define DRIVERS_IBS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/ibs/record.h"
#include "drivers/machine/machine.h"
#include "drivers/machine/restore.h"
#include "drivers/cpu/session_error.h"

/* Holds what a user asks for. Periods are multiples of 16, in fetches (fetch) and in cycles or dispatched ops (op). */
struct ibs_plan {
    bool fetch;
    bool op;
    uint32_t fetch_period; /* 10h .. F_FFF0h */
    uint32_t op_period;    /* 90h .. F_FFF0h, with random up to F_F7F0h so that the mean is right; with 27-bit counts
                            * 7FF_FFF0h and 7FF_F7F0h */
    bool count_ops;        /* op: count dispatched ops instead of cycles (IBS_CAP_OPCNT) */
    bool random;           /* randomise the intervals */
    /* The first interval is a random number of counts up to this one, so that many short runs sample each op equally
     * often, although each would begin with a whole interval without a sample; 0: as the others. As periods. */
    uint32_t fetch_first, op_first;
    uint32_t op_exact;     /* the first op interval is this many counts, any number from 1 up to the period; needs a
                              writable IbsOpCurCnt (IBS_CAP_RDWR_OPCNT), and no random intervals; 0: off */
    uint64_t seed;         /* of the op intervals, and of first ones */
    bool l3_miss_only;     /* sample only what missed the L3 (IBS_CAP_L3MISSONLY): counts are then no shares of all */
    uint32_t load_latency; /* op: sample only loads of more cycles, 128..2048 by 128 (IBS_CAP_LDLAT); 0: all ops */
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
    IBS_RANDOM_BOTH,   /* IbsOpMaxCnt, and the four bits below it in IbsOpCurCnt: a sample's IbsOpMaxCnt is its interval
                        */
};

/* Holds what is written to the processor; worth recording with the run. */
struct ibs_settings {
    uint64_t fetch_ctl; /* start value of IbsFetchCtl, 0: fetch sampling off */
    uint64_t op_ctl;    /* start value of IbsOpCtl without random bits, 0: op sampling off */
    enum ibs_random op_random;
    uint32_t op_random_range;       /* interval varies over this many counts, mean = period; 0: it does not vary */
    uint32_t fetch_first, op_first; /* as in the plan; 0: that kind is off, too */
    uint32_t op_exact;              /* as in the plan */
    /* All 0 on Family 10h: what later families need besides, by capability and erratum. */
    bool branch_target;  /* C001_103B is read with branches */
    bool rip_invalid;    /* IbsOpRip may be invalid, as IbsOpData says */
    bool streams;        /* IbsOpData2 says something of stores as well */
    bool fetch_extended; /* C001_103C is read with fetches that completed */
    bool fetch_en_first; /* the count starts anew only when IbsFetchEn goes from 0 to 1: two writes */
    bool op_data3_clear; /* bits of IbsOpData3 stick: written 0 before an op is re-armed */
    bool ctl2_dis;       /* a unit is stopped by CTL2[Dis] */
};

/* Checks a plan against the machine and fills *settings (NULL: only check). */
enum session_error ibs_resolve(const struct ibs_plan *plan, const struct machine *machine,
                               struct ibs_settings *settings);

struct nmi_context;

/* Prepares the handler's context. Ring memory must be zero: the handler does not write registers that it did not read.
 */
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
