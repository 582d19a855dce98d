/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The noise certificate of a run: what else took the processor while the workload was measured.
 *
 * Immediately before and after each pass's measured part, within the same session, the detour loop looks for gaps
 * between readings of the TSC for some milliseconds, and what the processor counts of SMIs, interrupts and P-states is
 * read; from before to after, that covers the measured part, too. What could not be read has a reason.
 */
#ifndef APP_CERTIFICATE_H
#define APP_CERTIFICATE_H

#include "core/base/out.h"
#include "drivers/session/session.h"

enum { CERTIFICATE_KEPT = 64 };

struct certificate {
    uint32_t khz; /* of the TSC */
    bool model;
    struct witness witness;
    struct witness_reading begin;       /* of the current pass */
    struct witness_reading first, last; /* of the first pass, of the last completed one */
    unsigned shares;                    /* enum outer_shared */
    uint64_t measured;                  /* TSC ticks of the measured parts */
    uint64_t ticks, threshold;          /* time observed; of the last loop: a longer gap is counted */
    struct certificate_core found; /* what can be read and what the loops found; app/run/certificate.c adds the rest */

    struct noise_gap kept[CERTIFICATE_KEPT];
};

/* shares: what other cores of the run count for this one, enum outer_shared. */
void certificate_init(struct certificate *certificate, const struct machine *machine, unsigned shares);

/* Within a session, before sampling starts and after it has ended. log: the session's; ticks: of the measured part. */
void certificate_begin(struct certificate *certificate, const struct session_plan *plan, struct restore_log *log);
void certificate_end(struct certificate *certificate, uint64_t ticks);

#endif
