/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The self-test: a loop whose counts are known beforehand is counted and sampled for a moment, and what comes of it is
 * compared with what must come. Checks are rows of selftest_table; app/kinds/selftest.c measures what they look at.
 */
#ifndef APP_SELFTEST_H
#define APP_SELFTEST_H

#include "core/base/out.h"
#include "core/ibs/derived.h"
#include "drivers/session/session.h"

/* The loop is run once by each of these. */
enum selftest_trial_name {
    SELFTEST_EMPTY,    /* counted, with nothing in place of the loop */
    SELFTEST_COUNTS,   /* counted: enum selftest_count */
    SELFTEST_OVERFLOW, /* sampled by the overflow of a counter of retired instructions */
    SELFTEST_OP_FIXED, /* sampled by IBS op, each interval the same */
    SELFTEST_OP,       /* the same, intervals random */
    SELFTEST_FETCH,
    SELFTEST_TICKS, /* sampled by the timer */
    SELFTEST_TRIALS,
};

/* Names what the counters count, in their order. */
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
    SELFTEST_RECORDS = 256, /* for each trial: more than twice what is expected */
};

/* Names what a check is about, and what a run uses, in bits. */
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
    bool there; /* it was begun: the machine has what it needs */
    bool correct;
    struct session_result result;
    struct sample_record *record; /* result.samples of them */
};

enum selftest_verdict { SELFTEST_PASS, SELFTEST_FAIL, SELFTEST_NOT_ASKED /* not on this machine, or not any more */ };

enum { SELFTEST_ROWS = 12, SELFTEST_TEXT = 160 };

/* Holds what one check found. */
struct selftest_found {
    enum selftest_verdict verdict;
    char text[SELFTEST_TEXT]; /* in figures */
};

struct selftest {
    /* of the loop */
    uint64_t known[SELFTEST_COUNTERS]; /* beforehand; of clocks 0 */
    uint64_t address, size;            /* of its function's code */
    uint64_t physical, bytes;          /* of the memory that it works on */
    uint64_t place;                    /* offset in there of what it loads and stores in each pass */
    bool cycles;                       /* IBS op counts cycles here, not ops */
    uint64_t tsc_khz;                  /* 0: not known */
    const struct derived_set *set;     /* how this processor's samples are read */

    struct selftest_trial trial[SELFTEST_TRIALS];
    struct selftest_found found[SELFTEST_ROWS];
    unsigned passed, failed;
    uint32_t wrong; /* parts that failed */
};

struct selftest_row {
    const char *name;
    uint32_t parts;       /* that may not be relied upon when it fails */
    const char *question; /* what holds when it passes, in words */
    /* Figures go to 'text', also those of a success. */
    enum selftest_verdict (*judge)(const struct selftest *test, struct out *text);
};

extern const struct selftest_row selftest_table[SELFTEST_ROWS];

/* Fills found, passed, failed and wrong from the rest. */
void selftest_judge(struct selftest *test);

const char *selftest_verdict_name(enum selftest_verdict verdict);

/* A line: this prefix, then verdict, name, question, figures. */
void selftest_print_row(struct out *out, const struct selftest *test, unsigned row, const char *prefix);

/* "IBS op, counters": of bits of enum selftest_part. */
void selftest_parts(struct out *out, uint32_t parts);

#endif
