/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Estimates each instruction's share of cycles from op samples that were counted in ops, which are shares of ops.
 *
 * Ops retire in program order. Of an op, IBS says how long it was in flight (dispatch to retirement) and how long it
 * then waited, complete, for its turn (completion to retirement). Time goes by where retirement advances, so what is
 * wanted of each op is by how many cycles it retires after the op before it, its advance:
 *
 *   an op that waited        held nothing up; its advance is 0 or 1
 *   two in one line          were dispatched in the same cycle: the second advances by what it was longer in flight
 *   the first of a line      advances by that and by what dispatch waited, which no sample tells: at least a cycle
 *   all together             advance by the cycles of the workload, which counters tell
 *
 * The rest of the cycles goes to the first of lines and to other ops that did not wait, up to what each can have
 * taken by itself: a load by its miss and its page walk, other ops a few cycles. What exceeds that where no op is long
 * in flight is time without an op: the front end's. A mispredicted branch has the refill. Steps, constants, and how far
 * the result is from the truth in the model: docs/measuring.md.
 *
 * The constants are Family 10h's. No floating point, no allocation.
 */
#ifndef CORE_TIME_SHARE_H
#define CORE_TIME_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/out.h"
#include "core/ibs/codemap.h"
#include "core/ibs/ibs_field.h"

enum {
    TIME_SHARE_SAMPLES = 32768,
    TIME_SHARE_GROUPS = 10,
    TIME_SHARE_ALL = TIME_SHARE_GROUPS, /* no group is left out */
    TIME_SHARE_UNIT = 1024,             /* a cycle */
    TIME_SHARE_MILLION = 1000000,
    TIME_SHARE_WIDTH = 3,  /* ops of a line, and retired in a cycle (core/family/family_10h.c) */
    TIME_SHARE_REFILL = 9, /* cycles in which nothing retires after a mispredicted branch did: 12 from its execution to
                              that of the right path (AMD 40546, appendix A: at least 10), less the three from an op's
                              dispatch to its retirement, in which the branch and its successor overlap */
};

struct time_share_sample {
    uint32_t row;
    uint16_t in_flight, waited; /* IbsTagToRetCtr, IbsCompToRetCtr */
    uint16_t service;           /* cycles of a load's access without forwarded data; else 0 */
    uint8_t group;              /* 0 to 9, for the interval */
    bool branch : 1, taken : 1, mispredicted : 1, missed : 1, store : 1;
};

/* In millionths of all cycles; 95 % interval of chance alone. */
struct time_share_part {
    uint32_t share, low, high;
};

/* Sums up the estimates that leave out one group each. */
struct time_share_spread {
    uint64_t sum, squares;
};

struct time_share_row {
    bool follows; /* comes after the row before it, unless that branches */
    struct time_share_part part;
    /* Belongs to the estimate that is being made; amounts of a sample in TIME_SHARE_UNIT. */
    struct time_share_work {
        uint32_t first, count; /* of its samples in the array */
        uint32_t samples, ready, missed, mispredicted, branches, taken, stores;
        /* In turn: no row is known before it; begins a line; not long in flight; always as long in flight. */
        bool leads, begins, flows, steady;
        uint64_t advance, room, alone;
        uint64_t place[3]; /* parts that retire as the first, second, third of their cycle */
        uint64_t value;    /* cycles of all samples */
        struct time_share_spread spread;
    } work;
};

struct time_share {
    struct time_share_sample *samples; /* [TIME_SHARE_SAMPLES]; sorted by time_share_estimate() */
    struct time_share_row *rows;       /* ascending addresses; the last one has all other code */
    uint32_t count, row_count;
    uint32_t least;  /* least 'waited' */
    uint32_t stride; /* power of two: every 2nd, 4th ... offered sample is kept */
    uint64_t seen;   /* samples offered */
    struct time_share_part front;
};

/* Returns whether samples of this processor can be used: its constants are known. */
bool time_share_supports(const struct ibs_machine *machine);

/* Begins without samples. 'follows' of rows[row_count] is set already. */
void time_share_init(struct time_share *of, struct time_share_sample *samples, struct time_share_row *rows,
                     uint32_t row_count);
/* Sets 'follows' of rows[insn_count + 1], the instructions of a map in its order. */
void time_share_follow(struct time_share_row *rows, const struct codemap *map);

/* Adds an op sample of a row. */
void time_share_add(struct time_share *of, uint32_t row, const struct sample_record *record);

/* Takes the samples as one in so many ops of a run of these cycles: only the ratio counts. Returns false if there are
 * too few samples, or no cycles. */
bool time_share_estimate(struct time_share *of, uint64_t cycles, uint64_t ops);

/* Print each sampled instruction of functions with a hundredth of the time, at most 79 columns; all as CSV. After an
 * estimate. */
void time_share_print(struct out *out, const struct time_share *of, const struct codemap *map);
void time_share_csv(struct out *out, const struct time_share *of, const struct codemap *map);

/* Makes the estimate without one group of samples (time_share_steps.c): work.value of each row, and *ret_front. They
 * add up to the result, which is 0 without samples. */
uint64_t time_share_values(struct time_share *of, unsigned without, uint64_t cycles, uint64_t ops, uint64_t *ret_front);

#endif
