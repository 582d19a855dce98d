/*
 * Instruction-Based Sampling: settings, start, the NMI handler's state, stop.
 */
#ifndef DRIVERS_IBS_H
#define DRIVERS_IBS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/record.h"
#include "core/rng.h"
#include "drivers/cpu.h"
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

/* Records go here in the order of their NMIs. */
struct sample_ring {
    struct sample_record *record;
    uint32_t capacity;
    uint32_t count;
};

struct nmi_counts {
    uint64_t nmi;   /* all NMIs taken */
    uint64_t fetch; /* samples recorded */
    uint64_t op;
    uint64_t lost_fetch; /* samples that found the ring full */
    uint64_t lost_op;
    uint64_t empty;   /* NMIs while sampling without a valid sample: two requests served by one NMI */
    uint64_t late;    /* NMIs after the stop had begun */
    uint64_t foreign; /* NMIs of the chipset (SERR, IOCHK) */
    uint64_t pmc;     /* samples of performance counters recorded, all events; pmc.h has them by event */
    uint64_t timer;   /* time-based samples recorded */
    uint64_t lost_pmc;
    uint64_t lost_timer;
};

struct fault_context;
struct pmc_engine;
struct timer_engine;

enum nmi_state {
    NMI_IDLE,
    NMI_RUNNING_IBS,
    NMI_RUNNING_ALL, /* counters or the timer too: pmc_nmi.c. IBS alone does not pay for asking */
    NMI_STOPPING,     /* the handler touches no register any more */
};

/* The NMI handler's whole world. One per core; the top of the NMI stack points to it. */
struct nmi_context {
    uint32_t state; /* enum nmi_state */
    uint32_t cpu;   /* for sample_record.cpu */
    struct sample_ring ring;
    uint64_t fetch_ctl; /* written to re-arm; 0: fetch sampling is off */
    uint64_t
        op_ctl; /* 0: op sampling is off. The next value is op_ctl + (random & op_mask) + (a random bit & op_dither) */
    uint64_t op_mask;
    uint64_t op_dither;
    struct rng rng;
    struct nmi_counts counts;
    struct pmc_engine *pmc;            /* NULL: no counter is sampled */
    struct timer_engine *timer;        /* NULL: the timer is off */
    struct cpu_nmi_frame *frame;       /* where the processor stores what it interrupted */
    struct fault_context *faults;
    struct cpu_recovery *escape;       /* of the guarded call that the time limit ends, NULL: none */
    uint64_t deadline;                 /* TSC from which on it does */
    bool limited;                      /* it did */
};

/* Ring memory must be zero: the handler does not write registers that it did not read. */
void ibs_init(struct nmi_context *engine, const struct ibs_settings *settings, uint64_t seed, uint32_t cpu,
              struct sample_record *records, uint32_t capacity);

/* Saves the control registers in the log, clears them, starts fetch and then op sampling. Registers of a kind of
 * sampling that is off are left alone. From here on the handler takes samples, of engine->pmc and engine->timer too.
 * *detail is the MSR that raised an exception or did not take the value. */
enum session_error ibs_start(struct nmi_context *engine, struct restore_log *log, uint64_t *detail);

/* Stops op and then fetch sampling, in the order of erratum 420 if e420; waits a bounded time for a late NMI; leaves
 * the control registers 0. Goes through to the end whatever happens and returns the first error. */
enum session_error ibs_stop(struct nmi_context *engine, bool e420, uint64_t *detail);

/* The NMI handler (ibs_nmi.c), called by the NMI entry. General registers only; does not print, allocate or fault. */
void ibs_nmi(struct nmi_context *engine);

/* The value that (re-)arms op sampling. */
static inline uint64_t ibs_next_op_ctl(struct nmi_context *engine)
{
    if (!engine->op_mask)
        return engine->op_ctl;
    uint64_t random = rng_next(&engine->rng);
    return engine->op_ctl + (random & engine->op_mask) + (random >> 63 & engine->op_dither);
}

#endif
