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
    DISTURBANCE_TIME_WITHOUT_HANDLER, /* likewise, without the handler of counters and timer: they stand still */
    DISTURBANCE_TIMES,
};

struct disturbance {
    const char *why; /* reason why nothing was counted, or NULL */
    bool ticks;      /* cycles are those of the TSC: the counters were all taken */
    bool counted[DISTURBANCE_ROWS];
    uint64_t undisturbed[DISTURBANCE_ROWS]; /* events of one pass, on all cores */
    uint64_t sampled[DISTURBANCE_ROWS];     /* the same while sampling, without the handler's */
    uint64_t handler[DISTURBANCE_ROWS];     /* of the handler, before it stops the counters and after */
    uint64_t interrupts;                    /* in one pass */
    enum disturbance_time time;
    uint64_t undisturbed_us, sampled_us; /* elapsed; sampled_us: a pass whose samples are kept */
    uint64_t samples[DISTURBANCE_ROWS];  /* samples with this event, */
    uint64_t weight[DISTURBANCE_ROWS];   /* and its events for each; 0: samples do not stand for its count */
    uint32_t passes;                     /* in which they were taken */
};

/* Each interrupt's own events are known to one part in 16: they differ with what is sampled and with the interrupted
 * code. tests/boot/measure/reference.sh holds it against exact counts: of 31 workloads of the model all but 'strided',
 * whose misses overlap with the handler's entry, were within 6 %. */
enum { DISTURBANCE_HANDLER_PART = 16 };

/* The change of a row. */
struct disturbance_change {
    uint64_t by;      /* events more or less */
    uint64_t allowed; /* change that may go unnoticed: what the samples leave open (95 %), of cycles one in a hundred;
                         and what is unknown of the handler's part */
    bool more;        /* else less */
    bool judged;      /* 'allowed' is known */
    bool large;       /* 'by' is more than that */
    bool hidden;      /* a change of this size may be the handler's part alone */
};

/* Lists the events that a set of processors has; row[n] is the row of event n. Returns their number, 0 for an unknown
 * set. */
unsigned disturbance_list(struct event_list *list, uint8_t row[DISTURBANCE_ROWS], enum event_set set);

/* Returns the row of an event, or DISTURBANCE_ROWS. */
unsigned disturbance_row_of(enum event_set set, uint32_t select, uint8_t mask);

/* Returns the event that an op sample needs to count for the row; DERIVED_COUNT: no bit of a sample tells. */
enum derived disturbance_sampled(enum disturbance_row row);

/* Return the row's name: "DC misses"; in facts: "dc_misses". */
const char *disturbance_name(enum disturbance_row row);
const char *disturbance_fact(enum disturbance_row row);

struct disturbance_change disturbance_change(const struct disturbance *of, enum disturbance_row row);

/* Returns whether some row changed by more than is allowed. */
bool disturbance_large(const struct disturbance *of);

/* Returns whether cycles surely changed by at most one in a hundred, and no row by more than a standard error of the
 * samples: the periods are good. */
bool disturbance_calm(const struct disturbance *of);

/* Returns the name in run.ini: "elapsed". */
const char *disturbance_time_name(enum disturbance_time time);

/* Writes a sentence without its end: the verdict, with the rows that decide it. */
void disturbance_verdict(struct out *out, const struct disturbance *of);

/* Prints the table "What sampling changed", or why there is none. At most 79 columns. */
void disturbance_print(struct out *out, const struct disturbance *of);

/* Writes lines of run.ini. */
void disturbance_write(struct out *out, const struct disturbance *of);

#endif
