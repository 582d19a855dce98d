/*
 * The noise certificate of a run: what else took the processor while the workload was measured.
 *
 * Right before and right after each pass's measured part, within the same session, the detour loop looks for gaps
 * between readings of the TSC for some milliseconds, and what the processor counts of SMIs, interrupts and P-states is
 * read; from before to after, that covers the measured part, too. What could not be read says why.
 */
#ifndef APP_CERTIFICATE_H
#define APP_CERTIFICATE_H

#include "core/out.h"
#include "drivers/session.h"

enum { CERTIFICATE_GAPS = 5, CERTIFICATE_KEPT = 64 };

struct certificate_gap {
    uint64_t ns;
    uint64_t tsc;
    uint32_t pass; /* from 0 */
    bool after;    /* behind the measured part, not before it */
    uint32_t cause;
};

struct certificate {
    uint32_t khz; /* of the TSC */
    bool model;
    struct witness witness;
    struct witness_reading begin;       /* of the pass that is on its way */
    struct witness_reading first, last; /* of the first pass, of the last one that came to its end */
    uint32_t begun, ended;              /* passes */
    uint64_t delta[WITNESS_ROWS];       /* sums over the passes that ended */

    const char *no_loop; /* why gaps were not looked for; NULL: they were */
    uint64_t ticks, reads, gaps, by_cause[NOISE_CAUSES];
    uint64_t threshold;                           /* ticks, of the last loop: a longer gap is counted */
    struct certificate_gap gap[CERTIFICATE_GAPS]; /* the longest, longest first */
    uint32_t gaps_shown;

    struct noise_gap kept[CERTIFICATE_KEPT];
};

void certificate_init(struct certificate *certificate, const struct machine *machine);

/* Within a session, before sampling starts and after it has ended. log: the session's. */
void certificate_begin(struct certificate *certificate, const struct session_plan *plan, struct restore_log *log);
void certificate_end(struct certificate *certificate);

#endif
