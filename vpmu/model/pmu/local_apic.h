/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The modelled part of the local APIC: the LVT entry of the performance counters, the timer, and the delivery of their
 * interrupts to the core; the extended LVT of IBS is in regs.c. Also the time stamp counter, the timer's time base.
 * (AMD APM vol. 2 sections 16.3, 16.4; registers: BKDG 31116, APIC320 to APIC3E0.)
 *
 * The timer is the model's while its LVT entry has message type NMI, masked or not; else it is the real APIC's.
 */
#ifndef VPMU_LOCAL_APIC_H
#define VPMU_LOCAL_APIC_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/rng.h"
#include "vpmu/model/model.h"

enum {
    APIC_SVR = 0xF0,
    APIC_LVT_TIMER = 0x320,
    APIC_LVT_COUNTERS = 0x340,
    APIC_LVT_LINT1 = 0x360,
    APIC_TIMER_INITIAL = 0x380,
    APIC_TIMER_CURRENT = 0x390,
    APIC_TIMER_DIVIDE = 0x3E0,
};

enum apic_source {
    APIC_FROM_COUNTER = VPMU_CAUSE_COUNTER,
    APIC_FROM_TIMER = VPMU_CAUSE_TIMER,
    APIC_PLANTED = VPMU_CAUSE_PLANTED, /* by struct vpmu_config's 'disturb' */
};

struct local_apic {
    uint32_t lvt_counters, lvt_timer;
    uint32_t divide, initial;
    bool off_opens;     /* HOSTILE_OFF_OPENS */
    bool lint1_ours;    /* HOSTILE_LVT_STICKS: so is this entry; else the real one's, */
    uint32_t lvt_lint1; /* which sends the model's core nothing */
    bool svr_ours;      /* HOSTILE_SVR_OFF: so is this register; else the real one's, */
    uint32_t svr;       /* which is this, as last written */
    bool timer_ours;
    uint32_t timer_nmis; /* since its entry was written */
    bool counting;       /* the timer */
    uint64_t expiry;     /* TSC at which the count reaches 0 */

    /* An interrupt on its way from the event to the core. Later requests join it. */
    uint32_t waiting;    /* set of enum apic_source */
    uint64_t recognised; /* cycle in which the core recognises it */
    bool late;           /* HOSTILE_LATE_OVERFLOW: not before that, whatever has drained */
    uint32_t ops;        /* macro-ops retired after the event's instruction */
    uint32_t due;        /* sources of the interrupt to be taken now; set of enum apic_source */
    uint32_t causes;     /* sources of the interrupts taken since the last query */
    struct rng rng;

    uint64_t plant_at, planted; /* TSC at which the planted one is to be raised, was raised; 0: not yet */

    uint64_t requests, lost; /* lost: not delivered by the LVT */
    uint64_t taken, skid_ops, skid_max;
};

void apic_init(struct vpmu *vpmu);
/* Returns what an entry of the local vector table becomes by a write: masked while the APIC is disabled by software. */
uint32_t apic_lvt_value(const struct local_apic *apic, uint32_t value);

/* Returns whether the timer counts towards an NMI, or one is on its way. */
bool apic_armed(const struct local_apic *apic);

/* Requests an interrupt, for an event in the given cycle. Lost when the entry is masked or not of type NMI. */
void apic_request(struct vpmu *vpmu, enum apic_source source, uint64_t cycle);
/* Counts an instruction that has retired; the next is announced. */
void apic_retired(struct vpmu *vpmu);
/* Makes an interrupt on its way due now: all that was in flight has retired. */
void apic_drained(struct vpmu *vpmu);
/* Takes the interrupt if one is due; masks the counters' LVT entry if it is theirs. */
bool apic_take(struct vpmu *vpmu);

/* Writes the TSC; the timer continues unaffected. */
void apic_set_tsc(struct vpmu *vpmu, uint64_t value);
/* VPMU_NOT_MINE: the register is the real APIC's. */
enum vpmu_access apic_read(struct vpmu *vpmu, unsigned offset, uint32_t *value);
enum vpmu_access apic_write(struct vpmu *vpmu, unsigned offset, uint32_t value);

#endif
