/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Small experiments with one register or one interrupt each, for the questions of core/hardware/hardware.h.
 *
 * All are to be called within the body of a session (session.h), which is guarded, and whose log restores what they
 * change; none waits longer than it says. Waiting is by the TSC. NMIs that come meanwhile are counted apart
 * (NMI_TESTING) and make no samples.
 */
#ifndef DRIVERS_TRIAL_H
#define DRIVERS_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/machine/machine.h"
#include "drivers/pmu/nmi.h"
#include "drivers/machine/restore.h"

struct trial {
    const struct machine *machine;
    struct restore_log *log;
    struct nmi_context *nmi;
    uint64_t apic; /* address of its registers, 0: not reached through memory */
};

/* Waits that many microseconds; machine->tsc_khz must not be 0. */
void trial_wait(const struct trial *trial, uint32_t us);

/* Reads a register: false after an exception, of which *value is then the vector. */
bool trial_read(uint32_t msr, uint64_t *value);

/* Writes back the value just read. Returns 0, the exception's vector, or TRIAL_CHANGED: the register then differs. */
enum { TRIAL_CHANGED = 256 };
uint32_t trial_write_back(uint32_t msr);

/* Writes a value, reads it, and restores the register. Returns the bits of 'mask' that did not hold; UINT64_MAX: an
 * exception. */
uint64_t trial_hold(const struct trial *trial, uint32_t msr, uint64_t value, uint64_t mask);

/* Returns how often of 'times' the register did not read as the first time; UINT32_MAX: an exception. */
uint32_t trial_unstable(uint32_t msr, uint32_t times);

/* Interrupts by overflow of counter 0, which counts clocks. */
struct trial_overflow {
    bool ok;        /* registers and APIC could be used */
    uint32_t nmis;  /* of one overflow, within 50 us */
    bool masked;    /* LVTPC, afterwards */
    uint32_t late;  /* most NMIs after one of 64 stops close to an overflow, from 1 us after it on */
    uint32_t stops; /* stops after the overflow, so that there was an NMI */
};
void trial_overflow(const struct trial *trial, struct trial_overflow *ret);

/* Version 2 of the counters: their global registers, by counter 0, which counts clocks. Its interrupt is masked. */
struct trial_global {
    bool ok;                     /* registers and APIC could be used */
    bool before, after, cleared; /* its bit in C000_0300h: before an overflow, after, and once a 1 cleared it */
    uint64_t on, off;            /* clocks in 50 us with its bit in C000_0301h set, and clear */
};
void trial_global(const struct trial *trial, struct trial_global *ret);

/* IBS op: the session's program samples ops, so that its interrupt is set up; the two steps stop sampling first.
 * Leaves IbsOpCtl 0. */
struct trial_ibs {
    bool ok;
    bool storm;            /* a stop sent NMIs one after the other until the entry was masked: the rest says nothing */
    uint64_t stopped_ctl;  /* IbsOpCtl 50 us after MaxCnt = 0 was written with the enable bit set */
    uint32_t stopped_nmis; /* in these 50 us, and 50 us after the enable bit was cleared */
    uint32_t held_nmis;    /* in 100 us with a Val bit left set; NMI_STORM at most */
    bool held_val;         /* a Val bit was left set */
};
void trial_ibs(const struct trial *trial, struct trial_ibs *ret);

/* IbsFetchCnt, bits 19:4 of the count, once the counter has run for up to 100 us, and right after a write of
 * IbsFetchCtl with a count of 0. */
struct trial_fetch {
    bool ok; /* no exception */
    uint32_t before, after;
};
void trial_fetch_restart(const struct trial *trial, struct trial_fetch *ret);

/* NMIs after stops of op sampling, with its entry open: of one stop, the most and in all. */
struct trial_stops {
    uint32_t most, all;
    bool storm; /* they came one after the other until the entry was masked, which ended the trial */
};

/* Stops 'times' times in the two steps that erratum 420 wants, each time a little later: before the end of an
 * interval, at its end, and after it. Counts NMIs from the second write on. */
void trial_two_steps(const struct trial *trial, uint32_t times, struct trial_stops *ret);

/* Stops 'times' times in one step, which the erratum warns of. */
void trial_one_step(const struct trial *trial, uint32_t times, struct trial_stops *ret);

/* The APIC timer as NMI, for 10 us: whether its entry holds, and what its current count reads 50 us later. */
struct trial_timer {
    bool ok, holds;
    uint32_t nmis, left, status; /* status: error status register 280h */
};
void trial_timer(const struct trial *trial, struct trial_timer *ret);

/* Switches the local APIC off by software for a moment. *ret_entry: extended entry 1 (510h) as it reads when an
 * unmasked NMI was written to it meanwhile. All entries of the local vector table are masked then, and put back by the
 * log. Returns false if there is no such entry, or it is not reached. */
bool trial_apic_off(const struct trial *trial, uint32_t *ret_entry);

/* Reads the APIC's version register that many times. */
void trial_read_apic(const struct trial *trial, uint32_t times);

#endif
