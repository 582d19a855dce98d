/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Branch prediction: global history counters for conditional branches, a branch target buffer, an indirect target array
 * and a return stack. Sizes: params.h.
 *
 * From Zen on a load may begin before the addresses of older stores are known, if it is predicted that none of them has
 * its bytes (Linux arch/x86/kernel/cpu/common.c lists Families 0Fh to 12h alone as never doing this; Families 14h to
 * 16h do in silicon, but not in the model). Choice: a load does next time what would have been right this time.
 */
#ifndef VPMU_PREDICT_H
#define VPMU_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/ibs/codemap.h"
#include "vpmu/model/params.h"

struct predictor {
    uint8_t counters[GHB_COUNTERS]; /* 0..3, taken from 2 on; all "strongly not taken" after reset (choice) */
    uint32_t history;
    struct {
        uint64_t branch, target;
    } btb[BTB_SETS][BTB_WAYS]; /* in order of use */
    uint64_t indirect[INDIRECT_ENTRIES];
    uint64_t returns[RETURN_STACK];
    uint32_t top;              /* index of the newest return address */
    uint32_t depth;            /* valid ones */
    bool waits[PASSING_LOADS]; /* by a load's address: it waits until the addresses of all older stores are known */
    /* Running totals: returns that found an address on the stack, right or wrong; calls that pushed one out. */
    uint64_t stack_hits, stack_overflows;
};

struct branch {
    uint8_t kind; /* enum codemap_branch */
    uint64_t rip;
    uint64_t fall_through;
    uint64_t target; /* where the branch went */
    bool taken;
};

enum branch_result {
    BRANCH_RIGHT,
    BRANCH_LATE, /* direction right, but the target came from the decoder, not from the BTB */
    BRANCH_WRONG,
};

INLINED uint32_t predict_counter(const struct predictor *predictor, uint64_t rip)
{
    return (uint32_t)(rip ^ (rip >> 14) ^ ((uint64_t)predictor->history << 2)) & (GHB_COUNTERS - 1);
}

INLINED bool *predict_waits(struct predictor *predictor, uint64_t rip)
{
    return &predictor->waits[(rip ^ (rip >> 10)) & (PASSING_LOADS - 1)];
}

INLINED uint32_t predict_set(uint64_t rip)
{
    return (uint32_t)(rip ^ (rip >> 9)) & (BTB_SETS - 1);
}

INLINED void predict_learn(struct predictor *predictor, uint32_t counter, bool taken)
{
    uint8_t value = predictor->counters[counter];

    if (taken)
        predictor->counters[counter] = (uint8_t)(value < 3 ? value + 1 : 3);
    else
        predictor->counters[counter] = (uint8_t)(value > 0 ? value - 1 : 0);
    predictor->history = ((predictor->history << 1) | taken) & ((1u << GHB_HISTORY_BITS) - 1);
}

/* Predicts a direct jump or conditional branch that is the most recently used of its set of the BTB, and learns it;
 * returns true if that was right. Else no state has changed: call predict(). */
INLINED bool predict_usual(struct predictor *predictor, const struct branch *branch)
{
    uint32_t set = predict_set(branch->rip), counter = predict_counter(predictor, branch->rip);

    if (predictor->btb[set][0].branch != branch->rip)
        return false;
    if (branch->kind == CODEMAP_BR_COND) {
        if ((predictor->counters[counter] >= 2) != branch->taken)
            return false;
        predict_learn(predictor, counter, branch->taken);
    }
    if (branch->taken || branch->kind != CODEMAP_BR_COND)
        predictor->btb[set][0].target = branch->target;
    return true;
}

/* Predicts, compares, learns. *wrong_path: where fetching continued after a wrong prediction. */
enum branch_result predict(struct predictor *predictor, const struct branch *branch, uint64_t *wrong_path);

#endif
