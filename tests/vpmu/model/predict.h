/*
 * Branch prediction: global history counters for conditional branches, a branch target buffer, an indirect target array
 * and a return stack. Sizes: params.h.
 */
#ifndef VPMU_PREDICT_H
#define VPMU_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/vpmu/model/params.h"

struct predictor {
    uint8_t counters[GHB_COUNTERS]; /* 0..3, taken from 2 on; all "strongly not taken" after reset (choice) */
    uint32_t history;
    struct {
        uint64_t branch, target;
    } btb[BTB_SETS][BTB_WAYS]; /* in order of use */
    uint64_t indirect[INDIRECT_ENTRIES];
    uint64_t returns[RETURN_STACK];
    uint32_t top;   /* index of the newest return address */
    uint32_t depth; /* valid ones */
    /* Running totals: returns that found an address on the stack, right or wrong; calls that pushed one out. */
    uint64_t stack_hits, stack_overflows;
};

struct branch {
    uint8_t kind; /* enum codemap_branch */
    uint64_t rip;
    uint64_t fall_through;
    uint64_t target; /* where it really went */
    bool taken;
};

enum branch_result {
    BRANCH_RIGHT,
    BRANCH_LATE, /* direction right, but the target came from the decoder, not from the BTB */
    BRANCH_WRONG,
};

/* Predicts, compares, learns. *wrong_path is where fetching went on when the prediction was wrong. */
enum branch_result predict(struct predictor *predictor, const struct branch *branch, uint64_t *wrong_path);

#endif
