/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Results of counting mode: totals of events over a region of code, without interrupts.
 *
 * More events than counters are counted in passes: each pass runs the region again, with up to three events and the
 * sentinel (076, CPU clocks not halted) that tells whether the passes were alike. All passes may be repeated. What
 * starting and stopping itself counts is measured the same way over an empty region and subtracted. The empty region
 * measured once more tells what is left: its net count, the residue, should be 0.
 *
 * A total that is not there is never zero: see enum counts_state.
 */
#ifndef CORE_COUNTS_H
#define CORE_COUNTS_H

#include "core/events/event_groups.h"

enum counts_state {
    COUNTS_NOT_COUNTED,  /* no value was handed in */
    COUNTS_NOT_MODELLED, /* the virtual PMU below does not know this event */
    COUNTS_COUNTED,
    COUNTS_NO_L3, /* an event of the L3, on a processor that has none */
};

/* "counted", "no L3": as counts.csv has it. */
const char *counts_state_name(enum counts_state state);

struct counts {
    const struct event_list *list;
    const struct event_groups *groups; /* one pass each; the sentinel is in each of them */
    unsigned sentinel;                 /* index in the list */
    unsigned repeats;
    uint64_t *value;    /* [repeat][pass][counter], of the region */
    uint64_t *empty;    /* the same of the empty region */
    uint64_t *again;    /* and of the empty region once more */
    uint8_t *counted;   /* [repeat][pass]: bit 0 value, bit 1 empty, bit 2 again */
    uint8_t *not_there; /* [event]: enum counts_state, why it has no value; 0: it may have one */
};

/* The instruction that the empty region retires, and that is subtracted with the overhead: the ret of an empty
 * function.
 */
enum { COUNTS_EMPTY_INSTRUCTIONS = 1 };

enum { COUNTS_REPEATS_MAX = 80 }; /* so that squares of deviations add up in 64 bits: see counts.c */

size_t counts_memory_size(const struct event_list *list, const struct event_groups *groups, unsigned repeats);

/* Nothing counted yet. False when size is too small, memory not 8-byte aligned, repeats not in
 * 1..COUNTS_REPEATS_MAX, or sentinel not in every group. */
bool counts_init(struct counts *counts, const struct event_list *list, const struct event_groups *groups,
                 unsigned sentinel, unsigned repeats, void *memory, size_t size);

/* The counters of one pass: values of the group's events in its order, of the region or of the empty region. */
void counts_add(struct counts *counts, unsigned repeat, unsigned pass, const uint64_t value[PMC_COUNTERS]);
void counts_add_empty(struct counts *counts, unsigned repeat, unsigned pass, const uint64_t value[PMC_COUNTERS]);
void counts_add_again(struct counts *counts, unsigned repeat, unsigned pass, const uint64_t value[PMC_COUNTERS]);

/* The event's counter does not tell anything, for this reason: whatever was or will be added for it is not used. */
void counts_without(struct counts *counts, unsigned event, enum counts_state why);

struct counts_result {
    uint8_t state;            /* enum counts_state; the rest is 0 unless COUNTS_COUNTED */
    unsigned repeats;         /* values that were counted: repeats, times the passes that the event is in */
    uint64_t mean;            /* net of the overhead, rounded to the nearest */
    uint64_t min, max;        /* net */
    uint32_t cv_ppm;          /* coefficient of variation, n-1 under the root; 0 for one repeat */
    uint64_t overhead;        /* mean of the empty region's counts, rounded to the nearest */
    uint64_t residue;         /* the largest distance of an empty region measured again from its pass's overhead */
    bool residue_known;       /* there was one in each pass */
    bool overhead_unknown;    /* no empty region was measured: nothing was subtracted */
    bool below_overhead;      /* some count was less than the overhead: net 0 there */
    uint32_t reliability_ppm; /* see counts_reliability_ppm */
};

void counts_result(const struct counts *counts, unsigned event, struct counts_result *result);

/* How well figures of the event's own passes go together with those of the other passes, by the sentinels of all: the
 * 95 % interval of such a difference, 1.96 times the root mean square distance of all sentinels from the mean of the
 * own ones, relative to the mean of all; 1 - that in millionths, not below 0. 0 when nothing was counted. No pass is
 * the measure of the others. At most EVENT_GROUPS_MAX passes, and an own one among them. */
uint32_t counts_reliability_ppm(const uint64_t *sentinels, const bool *own, unsigned count);

/* The largest residue of all events: of which one; false when none was measured. */
bool counts_worst_residue(const struct counts *counts, unsigned *ret_event, uint64_t *ret_residue);

/* A row per event: name, mean, min, max, spread, overhead, reliability. At most 79 columns. */
void counts_print(struct out *out, const struct counts *counts);

#endif
