/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The noise certificate of a run: what else used the processor while the workload was measured.
 *
 * Just before and after each pass's measured part, within the same session, the detour loop looks for gaps between
 * readings of the TSC for some milliseconds, and the counts of SMIs, interrupts and P-states are read; their
 * differences cover the measured part, too. Each count that could not be read has a reason.
 */
#ifndef APP_CERTIFICATE_H
#define APP_CERTIFICATE_H

#include "core/base/out.h"
#include "drivers/session/session.h"

enum { CERTIFICATE_KEPT = 64 };

struct certificate {
    uint32_t khz; /* TSC rate */
    bool model;
    struct witness witness;
    struct witness_reading begin;       /* at the start of the current pass */
    struct witness_reading first, last; /* at the start of the first pass, and after the last completed one */
    unsigned shares;                    /* enum outer_shared */
    uint64_t measured;                  /* TSC ticks of all measured parts */
    uint64_t ticks, threshold;          /* observed time; the last loop's limit, above which a gap is counted */
    struct certificate_core found; /* what can be read, and what the loops found; app/run/certificate.c adds the rest */

    struct noise_gap kept[CERTIFICATE_KEPT];
};

/* Begins a certificate. shares: enum outer_shared, or-ed: counters of this core that also cover other cores of the
 * run. */
void certificate_init(struct certificate *certificate, const struct machine *machine, unsigned shares);

/* Read the counts within a session, before sampling starts and after it has ended. log: the session's; ticks: TSC ticks
 * of the measured part. */
void certificate_begin(struct certificate *certificate, const struct session_plan *plan, struct restore_log *log);
void certificate_end(struct certificate *certificate, uint64_t ticks);

#endif
