/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The self-test counts and samples, for a moment, a loop whose counts are known beforehand, and compares the results
 * with these. Checks are rows of selftest_table; app/kinds/selftest.c makes the measurements.
 */
#ifndef APP_SELFTEST_H
#define APP_SELFTEST_H

#include "core/base/out.h"
#include "core/ibs/derived.h"
#include "drivers/session/session.h"

/* Says how one run of the loop is measured. */
enum selftest_trial_name {
    SELFTEST_EMPTY,    /* counted, without the loop */
    SELFTEST_COUNTS,   /* counted: enum selftest_count */
    SELFTEST_OVERFLOW, /* sampled by overflows of a counter of retired instructions */
    SELFTEST_OP_FIXED, /* sampled by IBS op, with fixed intervals */
    SELFTEST_OP,       /* sampled by IBS op, with random intervals */
    SELFTEST_FETCH,
    SELFTEST_TICKS, /* sampled by the timer */
    SELFTEST_TRIALS,
};

/* Names the counters, in order. */
enum selftest_count {
    SELFTEST_CLOCKS,
    SELFTEST_INSTRUCTIONS,
    SELFTEST_BRANCHES,
    SELFTEST_TAKEN,
    SELFTEST_COUNTERS,
};

enum {
    SELFTEST_ITERATIONS = 20000,
    SELFTEST_OP_PERIOD = 1024,
    SELFTEST_FETCH_PERIOD = 256,
    SELFTEST_OVERFLOW_PERIOD = 8192,
    SELFTEST_TICK_US = TIMER_PERIOD_MIN,
    SELFTEST_RECORDS = 256, /* for each trial: more than twice the expected number */
};

/* Names what a check covers, or a run uses, as bits. */
enum selftest_part {
#define SELFTEST_PARTS                                                                                                 \
    SELFTEST_PART(IBS_OP, 1, "IBS op")                                                                                 \
    SELFTEST_PART(IBS_FETCH, 2, "IBS fetch")                                                                           \
    SELFTEST_PART(PMC, 4, "counters")                                                                                  \
    SELFTEST_PART(TIMER, 8, "ticks")                                                                                   \
    SELFTEST_PART(IBS_RANDOM, 16, "random op intervals")
#define SELFTEST_PART(identifier, bit, name) SELFTEST_##identifier = (bit),
    SELFTEST_PARTS
#undef SELFTEST_PART
        SELFTEST_ALL = 31,
};

struct selftest_trial {
    bool there; /* the machine has what the trial needs, and it was begun */
    bool correct;
    struct session_result result;
    struct sample_record *record; /* result.samples records */
};

enum selftest_verdict {
    SELFTEST_PASS,
    SELFTEST_FAIL,
    SELFTEST_NOT_ASKED /* not possible on this machine, or not any more */
};

enum { SELFTEST_ROWS = 12, SELFTEST_TEXT = 160 };

/* Holds the result of one check. */
struct selftest_found {
    enum selftest_verdict verdict;
    char text[SELFTEST_TEXT]; /* figures */
};

struct selftest {
    /* Properties of the loop: */
    uint64_t known[SELFTEST_COUNTERS]; /* expected counts; 0 for clocks */
    uint64_t address, size;            /* code of its function */
    uint64_t physical, bytes;          /* memory that it works on */
    uint64_t place;                    /* offset of its load and store within that memory */
    bool cycles;                       /* IBS op counts cycles here, not ops */
    uint64_t tsc_khz;                  /* TSC rate; 0: not known */
    const struct derived_set *set;     /* layout of this processor's samples */

    struct selftest_trial trial[SELFTEST_TRIALS];
    struct selftest_found found[SELFTEST_ROWS];
    unsigned passed, failed;
    uint32_t wrong; /* parts with failed checks */
};

struct selftest_row {
    const char *name;
    uint32_t parts;       /* parts that are unreliable if the check fails */
    const char *question; /* what holds if the check passes */
    /* Returns the verdict, and writes figures to 'text', also for a success. */
    enum selftest_verdict (*judge)(const struct selftest *test, struct out *text);
};

extern const struct selftest_row selftest_table[SELFTEST_ROWS];

/* Sets found, passed, failed and wrong from the other members. */
void selftest_judge(struct selftest *test);

const char *selftest_verdict_name(enum selftest_verdict verdict);

/* Prints a line: prefix, verdict, name, question, figures. */
void selftest_print_row(struct out *out, const struct selftest *test, unsigned row, const char *prefix);

/* Prints parts by name: "IBS op, counters". */
void selftest_parts(struct out *out, uint32_t parts);

#endif
