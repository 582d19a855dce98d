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

/* Returns the name in counts.csv: "counted", "no L3". */
const char *counts_state_name(enum counts_state state);

struct counts {
    const struct event_list *list;
    const struct event_groups *groups; /* one pass each; the sentinel is in each of them */
    unsigned sentinel;                 /* index in the list */
    unsigned repeats;
    uint64_t *value;    /* [repeat][pass][counter], of the region */
    uint64_t *empty;    /* likewise, of the empty region */
    uint64_t *again;    /* and of its second measurement */
    uint8_t *counted;   /* [repeat][pass]: bit 0 value, bit 1 empty, bit 2 again */
    uint8_t *not_there; /* [event]: enum counts_state, why it has no value; 0: it may have one */
};

/* Instructions of the empty region, which are subtracted with the overhead: the ret of an empty function. */
enum { COUNTS_EMPTY_INSTRUCTIONS = 1 };

enum { COUNTS_REPEATS_MAX = 80 }; /* so that squares of deviations add up in 64 bits: see counts.c */

size_t counts_memory_size(const struct event_list *list, const struct event_groups *groups, unsigned repeats);

/* Begins without counts. Returns false when size is too small, memory not 8-byte aligned, repeats not in
 * 1..COUNTS_REPEATS_MAX, or sentinel not in every group. */
bool counts_init(struct counts *counts, const struct event_list *list, const struct event_groups *groups,
                 unsigned sentinel, unsigned repeats, void *memory, size_t size);

/* Take one pass's counters, values of the group's events in its order: of the region, of the empty region, of that
 * once more. */
void counts_add(struct counts *counts, unsigned repeat, unsigned pass, const uint64_t value[PMC_COUNTERS]);
void counts_add_empty(struct counts *counts, unsigned repeat, unsigned pass, const uint64_t value[PMC_COUNTERS]);
void counts_add_again(struct counts *counts, unsigned repeat, unsigned pass, const uint64_t value[PMC_COUNTERS]);

/* Says why the event's counter tells nothing: counts added for it before or after are not used. */
void counts_without(struct counts *counts, unsigned event, enum counts_state why);

struct counts_result {
    uint8_t state;            /* enum counts_state; the rest is 0 unless COUNTS_COUNTED */
    unsigned repeats;         /* values that were counted: repeats, times the passes that the event is in */
    uint64_t mean;            /* net of the overhead, rounded to the nearest */
    uint64_t min, max;        /* counted values: repeats, times the passes with the event */
    uint32_t cv_ppm;          /* coefficient of variation, n-1 under the root; 0 for one repeat */
    uint64_t overhead;        /* mean of the empty region's counts, rounded to the nearest */
    uint64_t residue;         /* largest distance of a second empty measurement from its pass's overhead */
    bool residue_known;       /* each pass had one */
    bool overhead_unknown;    /* no empty region was measured: nothing was subtracted */
    bool below_overhead;      /* some count was less than the overhead, and is taken as 0 */
    uint32_t reliability_ppm; /* see counts_reliability_ppm */
};

void counts_result(const struct counts *counts, unsigned event, struct counts_result *result);

/* Returns how well figures of the event's own passes go together with those of the others, by the sentinels of all: 1
 * minus the 95 % interval of such a difference, in millionths, not below 0. The interval is 1.96 times the root mean
 * square distance of all sentinels from the mean of the own ones, relative to the mean of all. 0 when nothing was
 * counted. At most EVENT_GROUPS_MAX passes, an own one among them. */
uint32_t counts_reliability_ppm(const uint64_t *sentinels, const bool *own, unsigned count);

/* Finds the largest residue and its event; returns false when none was measured. */
bool counts_worst_residue(const struct counts *counts, unsigned *ret_event, uint64_t *ret_residue);

/* Prints a row per event: name, mean, min, max, spread, overhead, reliability. At most 79 columns. */
void counts_print(struct out *out, const struct counts *counts);

#endif
