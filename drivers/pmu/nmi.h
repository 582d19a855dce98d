/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The NMI handler: takes the samples of IBS, counters and timer.
 */
#ifndef DRIVERS_NMI_H
#define DRIVERS_NMI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/rng.h"
#include "core/ibs/record.h"
#include "core/ibs/sample_branches.h"
#include "core/ibs/sample_stack.h"
#include "drivers/cpu/cpu.h"

/* Records go here in the order of their NMIs. */
struct sample_ring {
    struct sample_record *record;
    uint32_t capacity;
    uint32_t count;
};

struct nmi_counts {
    uint64_t nmi;                    /* all NMIs taken */
    uint64_t recorded[SAMPLE_KINDS]; /* samples by enum sample_kind; pmc.h has those of counters by event */
    uint64_t lost[SAMPLE_KINDS];     /* samples that found the ring full */
    uint64_t empty;                  /* NMIs while sampling without a valid sample: two requests served by one NMI */
    uint64_t late;                   /* NMIs after the stop had begun, or of a counter's overflow taken before */
    uint64_t foreign;                /* NMIs of the chipset (SERR, IOCHK) */
    uint64_t storm;                  /* times that NMIs without a sample were ended by masking their entries */
};

struct fault_context;
struct pmc_engine;
struct timer_engine;

enum nmi_state {
    NMI_IDLE,
    NMI_RUNNING_IBS,   /* IBS alone, which does not pay for asking the others */
    NMI_RUNNING_ALL,   /* counters or the timer, with IBS or without */
    NMI_RUNNING_TICKS, /* the same with ticks by a counter */
    NMI_TESTING,       /* whether ticks arrive (ticks.h) */
    NMI_STOPPING,      /* the handler touches no register any more */
};

/* NMIs in a row, without a sample in between, that are a storm: those of erratum 420 "cannot be cleared", and each
 * comes at once after the one before, so that nothing else runs. One late NMI from each source is none. */
enum { NMI_STORM = 64 };

/* Entries of the local vector table that send NMIs. */
enum nmi_entry { NMI_ENTRY_IBS, NMI_ENTRY_COUNTERS, NMI_ENTRY_TIMER, NMI_ENTRIES };

/* Call stacks: used only by the entry cpu_nmi_entry_stacks (tables.h). */
struct nmi_stacks {
    struct sample_stack *stack; /* one for each record of the ring; NULL: none are wanted */
    uint64_t low, high;         /* the workload's stack; nothing else is read */
    uint32_t depth;             /* most addresses of each, up to SAMPLE_STACK_MAX */
};

/* Branch records (branches.h): used only by the entries of their own (entry.S), which begin with 'off' and end with
 * 'on', so that the handler's own branches are not recorded. */
struct nmi_branches {
    uint64_t off, on;
    uint32_t msr;                   /* MSR to which they are written; 0: neither is */
    uint32_t entries;               /* records that go beside a sample */
    struct sample_branches *sample; /* one for each record of the ring; NULL: none are wanted */
    uint32_t found;                 /* read from msr by cpu_nmi_entry_branch_sampling */
    bool sampling;                  /* struct machine's branch_sampling: that entry is used */
};

struct nmi_write {
    uint32_t msr; /* 0: none */
    uint64_t value;
};

/* Holds what the handler of later families needs besides (nmi_later.c), laid out by ibs_init(). */
struct nmi_later {
    bool used; /* this handler is needed: a member below is not 0, or the counters or an APIC in x2APIC mode ask for it
                */
    uint64_t branch_target;  /* bit of IbsOpData with which C001_103B is read: IBS_OP_BRN_RET, 0: never */
    uint64_t rip_invalid;    /* bit of IbsOpData with which IbsOpRip is no address; 0: none */
    uint64_t streams;        /* bit of IbsOpData3 with which IbsOpData2 is read, miss or not: IBS_ST_OP, 0: never */
    uint64_t fetch_extended; /* bit of IbsFetchCtl with which C001_103C is read: IBS_FETCH_COMP, 0: never */
    struct nmi_write before_fetch; /* written before a fetch is re-armed */
    struct nmi_write before_op;    /* likewise, for an op */
    uint64_t overflow;             /* TSC of the last counter overflow taken, 0: none yet */
    uint64_t window;               /* TSC ticks after an overflow in which an NMI without a sample is late */
    uint64_t late;                 /* these NMIs, which counts.late includes */
};

/* All state that the NMI handler uses. One per core; the top of the NMI stack points to it. */
struct nmi_context {
    uint32_t state; /* enum nmi_state */
    uint32_t cpu;   /* for sample_record.cpu */
    struct sample_ring ring;
    uint64_t fetch_ctl; /* written to re-arm; 0: fetch sampling is off */
    /* 0: op sampling is off. The next value is op_ctl + (random & op_mask) + (a random bit & op_dither). */
    uint64_t op_ctl;
    uint64_t fetch_first, op_first; /* written instead at first; 0: not */
    uint64_t op_mask;
    uint64_t op_dither;
    struct rng rng;
    struct nmi_counts counts;
    struct pmc_engine *pmc;      /* NULL: no counter is sampled */
    struct timer_engine *timer;  /* NULL: the timer is off */
    struct cpu_nmi_frame *frame; /* where the processor stores what it interrupted */
    struct fault_context *faults;
    struct cpu_recovery *escape; /* guarded call that the time limit ends, or NULL */
    uint64_t deadline;           /* TSC at which it does */
    uint64_t entry[NMI_ENTRIES]; /* addresses of our registers of the APIC, saved in the restore log; 0: not ours */
    uint64_t unclaimed_last;     /* counts.nmi at the last NMI without a sample */
    uint32_t unclaimed;          /* such NMIs in a row */
    uint32_t untested;           /* in state NMI_TESTING: NMIs left before a storm, counted nowhere else */
    uint8_t reasons;             /* bits of port 61h as last seen: they stay set until they are cleared */
    bool cut;                    /* a storm while sampling ended that */
    struct nmi_stacks stacks;
    struct nmi_later later;
    bool ctl2_dis; /* IBS is stopped by CTL2[Dis] */
    /* A random number of turns of an empty loop, fewer than this, follow each NMI; 0: none. Else interrupted code
     * always goes on from an empty pipeline in the same way: where intervals can only be multiples of 16 cycles, tags
     * would find a loop in the same few of any 16. */
    uint32_t linger;
    uint64_t limit_rip; /* rip of the guarded call when the time limit ended it, or 0 */
    struct nmi_branches branches;
};
_Static_assert(offsetof(struct nmi_context, branches) == 424, "as entry.S has it");

/* Lets NMIs belong to no measurement from here on: they are only counted, and a storm is ended. */
static inline void nmi_test(struct nmi_context *nmi)
{
    nmi->untested = NMI_STORM;
    nmi->state = NMI_TESTING;
}

/* Returns how many came since. */
static inline uint32_t nmi_tested(const struct nmi_context *nmi)
{
    return NMI_STORM - __atomic_load_n(&nmi->untested, __ATOMIC_RELAXED);
}

/* Called by the NMI entry. General registers only; does not print, allocate or fault. */
void nmi_handler(struct nmi_context *nmi);

/* Handles an NMI with call stacks; rbp is that of the interrupted code. The stack is walked while IBS, having a
 * sample, stands still, and counters are paused. A record's stack has its index in stacks.stack; of two records of one
 * NMI, which have the same TSC, the second has none. */
void nmi_handler_stacks(struct nmi_context *nmi, uint64_t rbp);

/* Handles an NMI as one of these, then waits a random time (nmi.linger). */
void nmi_handler_lingers(struct nmi_context *nmi, uint64_t rbp);

/* Handles an NMI of processors that these do not fit (nmi.later.used), with call stacks if there are any. */
void nmi_handler_later(struct nmi_context *nmi, uint64_t rbp);

/* Handles such an NMI with branch records, which belong to the NMI's first record. */
void nmi_handler_branches(struct nmi_context *nmi, uint64_t rbp);

/* Handles an NMI of Branch Sampling, with as many records as nmi.branches.found counts. */
void nmi_handler_branch_sampling(struct nmi_context *nmi, uint64_t rbp);

/* Counts an NMI without a sample as the chipset's, empty or late. */
void nmi_no_sample(struct nmi_context *nmi);

/* Ends the body if its time is over; then returns true, and the handler must return immediately. */
bool nmi_limit(struct nmi_context *nmi, uint64_t tsc);

/* Returns why the chipset raised NMIs, now or before: bits of port 61h. */
uint8_t nmi_reasons(void);

/* Masks our entries: no NMI passes any more. The restore log undoes that. */
void nmi_mask(const struct nmi_context *nmi);

/* Returns the samples of all kinds that found the ring full. */
static inline uint64_t nmi_counts_lost(const struct nmi_counts *counts)
{
    uint64_t lost = 0;
    for (unsigned kind = 0; kind < SAMPLE_KINDS; kind++)
        lost += counts->lost[kind];
    return lost;
}

/* Returns the value that (re-)arms op sampling. */
static inline uint64_t ibs_next_op_ctl(struct nmi_context *nmi)
{
    if (!nmi->op_mask)
        return nmi->op_ctl;
    uint64_t random = rng_next(&nmi->rng);
    return nmi->op_ctl + (random & nmi->op_mask) + (random >> 63 & nmi->op_dither);
}

#endif
