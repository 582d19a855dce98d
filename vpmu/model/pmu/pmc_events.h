/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The performance events that the model knows: for each, which running totals of the core it adds up.
 *
 * An event is a set of rows with the same select. A row counts when the bits 'care' of the unit mask are 'want'. A mask
 * is modelled when its set bits are those of rows that count. So an event with a reserved bit, or with a bit for which
 * there is no total, is not modelled as a whole; neither is one that cannot happen here (PMC_NEVER rows alone): beside
 * other bits such a bit adds 0, which is right, but alone it would read 0 whatever ran.
 */
#ifndef VPMU_PMC_EVENTS_H
#define VPMU_PMC_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "vpmu/model/params.h"

/* Times of events in the model: for the interrupt that they trigger, and for the count mask. */
enum pmc_when {
    AT_RETIREMENT, /* of the instruction */
    AT_OP,         /* each macro-op at its own retirement */
    AT_ACCESS,     /* of the data cache; the count mask takes it as if it were at retirement */
    AT_FETCH,      /* likewise */
    AT_DISPATCH,   /* cycles in which nothing is dispatched, for a reason */
    AT_CYCLE,      /* each cycle */
};

enum pmc_row_flags {
    PMC_SPAN = 1,    /* counts cycles: one in a cycle at most, in runs */
    PMC_SINCE_C = 2, /* revision B does not have it */
    PMC_ONLY_B = 4,
    PMC_MANY = 8,      /* more than PMC_PER_INSN in one instruction */
    PMC_SHARING = 16,  /* never happens on one core alone */
    PMC_EARLY = 64,    /* other families before Zen have it, too */
    PMC_ZEN = 128,     /* Zen has it; without this and PMC_EARLY only Family 10h and 12h have it */
    PMC_NODE = 32,     /* counted once for all cores of the node: the total is in struct cache_node */
    PMC_SIX = 256,     /* only processors of six slots a cycle have it */
    PMC_EIGHT = 512,   /* of eight; both: of either */
    PMC_SLOTS = 1024,  /* the total is of cycles; each counts as many times as it has ops */
    PMC_UNUSED = 2048, /* each as many times as it has slots without an op */
    PMC_ZEN1 = 4096,   /* with these only Zen 1, 2, 3 have it */
    PMC_ZEN2 = 8192,
    PMC_ZEN3 = 16384,
    PMC_TOKENS = PMC_ZEN1 | PMC_ZEN2 | PMC_ZEN3,
};

struct pmc_row {
    uint16_t select;
    uint8_t care, want; /* care 0: the event has no unit mask */
    uint8_t when;       /* enum pmc_when */
    uint16_t flags;     /* enum pmc_row_flags */
    /* Offset of its uint64_t total in struct vpmu, with PMC_NODE in struct cache_node; PMC_NEVER: none, rightly 0. */
    uint32_t total;
    /* PMC_SPAN: of the number of runs; PMC_NODE: never happens on fewer nodes than this; PMC_SLOTS, PMC_UNUSED: the ops
     * of each cycle. */
    uint32_t times;
};

enum {
    /* No instruction makes more events than these; PMC_SPAN: see pmc_unit.c. */
    PMC_PER_INSN = 256,
    PMC_MANY_PER_INSN = 4096,

    PMC_NEVER = 0, /* no total is at the start of struct vpmu */
    PMC_ROWS_MAX = 288,
};

extern const struct pmc_row pmc_rows[];
extern const uint32_t pmc_row_count;

/* Returns whether the family has the row. Family 10h has all that are not Zen's alone. */
static inline bool pmc_row_of_family(const struct pmc_row *row, const struct vpmu_params *params)
{
    if (row->flags & (PMC_SIX | PMC_EIGHT | PMC_TOKENS))
        return (params->slots == 6 && (row->flags & PMC_SIX)) || (params->slots == 8 && (row->flags & PMC_EIGHT)) ||
               (params->tokens && (row->flags & PMC_ZEN1 << (params->tokens - 1)));
    if (params->events == EVENTS_10H)
        return (row->flags & (PMC_EARLY | PMC_ZEN)) != PMC_ZEN;
    return row->flags & (params->events == EVENTS_ZEN ? PMC_ZEN : PMC_EARLY);
}

/* Returns how many counts one of the row's total stands for. */
static inline uint32_t pmc_row_each(const struct pmc_row *row, const struct vpmu_params *params)
{
    if (row->flags & PMC_UNUSED)
        return params->slots - row->times;
    return row->flags & PMC_SLOTS ? row->times : 1;
}

/* Returns whether the row counts for this event and mask on this revision. */
static inline bool pmc_row_counts(const struct pmc_row *row, const struct vpmu_params *params, uint32_t select,
                                  uint32_t mask)
{
    return row->select == select && (mask & row->care) == row->want && pmc_row_of_family(row, params) &&
           !((row->flags & PMC_SINCE_C) && !params->cnt_ctl) && !((row->flags & PMC_ONLY_B) && params->cnt_ctl);
}

/* Returns whether the event is modelled. cores, nodes: of the machine. */
bool pmc_modelled(const struct vpmu_params *params, uint32_t cores, uint32_t nodes, uint32_t select, uint32_t mask);
/* Returns whether this core's machine counts the event. */
bool pmc_models(const struct vpmu *vpmu, uint32_t select, uint32_t mask);

/* Returns where the row's total is kept, or the number of its runs; NULL: PMC_NEVER. */
const uint64_t *pmc_row_total(const struct vpmu *vpmu, const struct pmc_row *row, bool times);

#endif
