/*
 * The noise certificate of a run of ours, from the facts of run.ini (app/save_certificate.c): what else took the
 * processor while the workload was measured. The verdicts are those that the image prints (app/report_certificate.c):
 *
 *   PASS   looked at, and nothing there
 *   NOTE   something there that the reader should know of
 *   FAIL   samples outside of workload and profiler: something else ran
 *   ""     not a matter of good or bad, or not available, with the reason
 */
#ifndef TOOLS_IBSPROF_CERTIFICATE_H
#define TOOLS_IBSPROF_CERTIFICATE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/ibsprof/read/input.h"

enum certificate_verdict { CERTIFICATE_NONE, CERTIFICATE_PASS, CERTIFICATE_NOTE, CERTIFICATE_FAIL };
const char *certificate_verdict_name(enum certificate_verdict verdict); /* "", "PASS", ... */

enum { CERTIFICATE_RUN = UINT32_MAX, CERTIFICATE_GAPS_MAX = 8, CERTIFICATE_CAUSES = 5 };

struct certificate_row {
    uint32_t core; /* CERTIFICATE_RUN: of the whole run */
    enum certificate_verdict verdict;
    const char *what;
    char value[160];
};

struct certificate_gap {
    uint64_t ns, tsc;
    bool behind; /* the measured part, not before it */
    uint32_t pass;
    char cause[24];
};

/* Where gaps between readings of the TSC were looked for, around the measured part. */
struct certificate_core {
    uint32_t core;
    bool looked;
    uint64_t gaps, gap_ns, looked_us, reads; /* gap_ns 0: not known */
    uint64_t by_cause[CERTIFICATE_CAUSES];   /* unknown, SMI, NMI, interrupt, P-state change */
    uint64_t bound_milli;                    /* none: fewer than so many thousandths a second, at 95 %; 0: some */
    uint64_t tsc_start, tsc_stop;            /* of the measured part, of the last pass; 0: not known */
    struct certificate_gap gap[CERTIFICATE_GAPS_MAX]; /* the longest, longest first */
    unsigned gap_count;
};
extern const char *const certificate_causes[CERTIFICATE_CAUSES];

struct certificate {
    struct certificate_row *rows;
    uint32_t row_count;
    struct certificate_core *cores;
    uint32_t core_count;
};

/* NULL: the run has none. */
struct certificate *certificate_read(const struct input_facts *facts);
void certificate_free(struct certificate *certificate);

/* The worst verdict of all rows. */
enum certificate_verdict certificate_worst(const struct certificate *certificate);

#endif
