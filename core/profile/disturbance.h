/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How sampling changed the workload that it measured: counts of the same work without sampling and with it, the latter
 * with the counters stopped while the handler runs.
 *
 * While a handler runs, prefetched lines arrive and stores leave their buffers, so the code that goes on after it finds
 * a machine that it would not have made by itself. No figure made of the samples alone can show that.
 *
 * The handler cannot stop the counters before its first instructions. What each interrupt adds by that is counted over
 * a loop in which interrupts can change nothing else, and subtracted.
 */
#ifndef CORE_DISTURBANCE_H
#define CORE_DISTURBANCE_H

#include "core/events/event_groups.h"
#include "core/ibs/derived.h"

/* The rows of the table, in the order in which they are counted, four at a time. */
enum disturbance_row {
    DISTURBANCE_CYCLES,
    DISTURBANCE_DC_MISSES,
    DISTURBANCE_WALKS,
    DISTURBANCE_MISPREDICTED,
    DISTURBANCE_INSTRUCTIONS,
    DISTURBANCE_L2,
    DISTURBANCE_BEYOND,
    DISTURBANCE_PREFETCHES,
    DISTURBANCE_ROWS,
};

/* Says what times are made of. */
enum disturbance_time {
    DISTURBANCE_TIME_ELAPSED,
    DISTURBANCE_TIME_MODELLED,        /* a model's cycles, */
    DISTURBANCE_TIME_WITHOUT_HANDLER, /* which does not step the handler of counters and timer: they stand still */
    DISTURBANCE_TIMES,
};

struct disturbance {
    const char *why; /* nothing was counted: the reason; NULL: something was */
    bool ticks;      /* cycles are those of the TSC: the counters were all taken */
    bool counted[DISTURBANCE_ROWS];
    uint64_t undisturbed[DISTURBANCE_ROWS]; /* events of one pass, on all cores */
    uint64_t sampled[DISTURBANCE_ROWS];     /* the same, without what follows */
    uint64_t handler[DISTURBANCE_ROWS];     /* of the handler, before it stops the counters and after */
    uint64_t interrupts;                    /* in one pass */
    enum disturbance_time time;
    uint64_t undisturbed_us, sampled_us; /* elapsed; the latter of a pass whose samples are kept */
    uint64_t samples[DISTURBANCE_ROWS];  /* that tell of this event, */
    uint64_t weight[DISTURBANCE_ROWS];   /* by each of them so many; 0: no number of samples stands for its count */
    uint32_t passes;                     /* in which they were taken */
};

/* The part of what each interrupt adds to which that is known: it differs with what is sampled and with the code
 * that is interrupted. tests/boot/measure/reference.sh holds it against exact counts: of 31 workloads of the model all
 * but 'strided', whose misses overlap with the handler's entry, were within 6 %. */
enum { DISTURBANCE_HANDLER_PART = 16 };

/* A row, worked out. */
struct disturbance_change {
    uint64_t by;      /* events more or less */
    uint64_t allowed; /* as many come or go unnoticed: what the samples leave open (95 %), of cycles one in a hundred;
                         and what is not known of the handler's part */
    bool more;        /* else less */
    bool judged;      /* 'allowed' is known */
    bool large;       /* more than that */
    bool hidden;      /* a change of this size may be the handler's part alone */
};

/* The events of a set of processors: *list gets those that it has, row[n] the row of event n. Returns their number, 0
 * where the set is not known. */
unsigned disturbance_list(struct event_list *list, uint8_t row[DISTURBANCE_ROWS], enum event_set set);

/* The row of an event, or DISTURBANCE_ROWS. */
unsigned disturbance_row_of(enum event_set set, uint32_t select, uint8_t mask);

/* Returns the event that an op sample must have to stand for the row's; DERIVED_COUNT: no bit of a sample says so. */
enum derived disturbance_sampled(enum disturbance_row row);

/* "DC misses"; in names of facts: "dc_misses". */
const char *disturbance_name(enum disturbance_row row);
const char *disturbance_fact(enum disturbance_row row);

struct disturbance_change disturbance_change(const struct disturbance *of, enum disturbance_row row);

/* Some row changed by more than is allowed. */
bool disturbance_large(const struct disturbance *of);

/* Cycles surely changed by no more than one in a hundred, and no row by more than one standard error of what the
 * samples tell: periods may be these. */
bool disturbance_calm(const struct disturbance *of);

/* Returns the name that run.ini has: "elapsed". */
const char *disturbance_time_name(enum disturbance_time time);

/* A sentence without its end: the verdict, with the rows that decide it. */
void disturbance_verdict(struct out *out, const struct disturbance *of);

/* The table "What sampling changed", or why there is none. At most 79 columns. */
void disturbance_print(struct out *out, const struct disturbance *of);

/* Lines of run.ini. */
void disturbance_write(struct out *out, const struct disturbance *of);

#endif
