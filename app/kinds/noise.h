/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A noise run has no workload: the loops of noise/loops.h read the TSC and do fixed work, in three regimes: as the
 * firmware runs, with interrupts off, and with everything off that can be.
 */
#ifndef APP_KINDS_NOISE_H
#define APP_KINDS_NOISE_H

#include "app/run/run.h"
#include "core/noise/noise.h"

/* Says what surrounds the noise loops. */
enum noise_regime { NOISE_FIRMWARE, NOISE_MASKED, NOISE_ALONE, NOISE_REGIMES };

struct noise_in_regime {
    bool done;
    bool interrupts_on; /* in NOISE_FIRMWARE: interrupts were really on */
    struct noise_trace trace;
    struct noise_result result;
    struct noise_quanta quanta;
    struct witness witness;
    struct witness_reading first, last; /* before and after the loop */
};

struct noise {
    uint64_t duration_ms, quanta, work;
    uint32_t usual_gaps;
    int masked; /* number of masked entries of the local vector table; -1: no APIC can be reached */
    struct noise_scratch *scratch;
    uint64_t *ticks; /* ticks of gaps and quanta */
    struct noise_in_regime regime[NOISE_REGIMES];
};

/* noise_report.c: lines of "Run"; table, histogram and longest detours of each regime; lines of run.ini; rows of
 * noise.csv, one for each detour. */
void noise_settings(struct out *out, const struct run *run);
void noise_tables(struct out *out, const struct run *run);
void noise_facts(struct out *out, const struct run *run);
void noise_csv(struct out *out, const struct run *run);

#endif
