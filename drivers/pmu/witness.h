/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Witnesses of what took the time: the processor's counts of interrupts, SMIs and P-states, read before and after a
 * run, and immediately after each gap that the noise loops find (noise/loops.h).
 *
 * Nothing is written except the controls of counters that are otherwise unused. What cannot be read has a reason in
 * words: an absent count must not look like a count of none.
 */
#ifndef DRIVERS_WITNESS_H
#define DRIVERS_WITNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/family/pmc_regs.h"
#include "core/noise/certificate.h"
#include "drivers/machine/machine.h"
#include "drivers/pmu/outer.h"
#include "drivers/machine/restore.h"

struct witness_reading {
    uint64_t tsc;
    uint64_t value[WITNESS_ROWS]; /* 0 for what cannot be read */
};

enum { WITNESS_COUNTED = 4 }; /* SMIs, interrupts, clocks, requests of devices */

struct witness {
    const char *why_not[WITNESS_ROWS]; /* NULL: it is read */
    struct ibs_pmc pmc;                /* where the counters are; by the row of witness.c's table: */
    uint8_t counter[WITNESS_COUNTED];
    uint16_t select[WITNESS_COUNTED]; /* event of the family */
    uint64_t saved_ctl[WITNESS_COUNTED], saved_ctr[WITNESS_COUNTED], keep[WITNESS_COUNTED];
    struct outer outer;
    const uint64_t *nmis; /* live, NULL: the firmware's tables are in force */
    const uint32_t *strays;
    struct witness_reading last; /* what was read after the last gap */
};

/* Counts of a session in progress: session_live(). */
struct session_live {
    const uint64_t *nmis;
    const uint32_t *interrupts;
    unsigned counters; /* bit n: performance counter n makes ticks (ticks.h) */
    unsigned shares;   /* enum outer_shared: another core of the run counts what exists once */
};

/* Finds out what can be read. 'counters': bit n is set when performance counter n is free. To be called within a
 * session: accesses may raise exceptions, and the log restores the counters. */
void witness_open(struct witness *witness, const struct machine *machine, unsigned counters, struct restore_log *log,
                  struct session_live live);

/* Opens it again after witness_open(), with the firmware's tables in force, and programs the counters again. */
void witness_reopen(struct witness *witness);

/* Restores the counters. */
void witness_close(const struct witness *witness);

void witness_read(const struct witness *witness, struct witness_reading *reading);

/* Tell struct noise_trace what has changed since the last call, or since witness_begin(). */
void witness_begin(struct witness *witness);
enum noise_cause witness_ask(void *witness);

#endif
