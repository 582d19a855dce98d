/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/rng.h"
#include "core/run/plan.h"

void plan_order(const struct plan_design *design, unsigned round, uint16_t order[PLAN_POINTS_MAX])
{
    bool back = design->order == PLAN_ABBA && round % 2;
    struct rng rng;

    for (unsigned i = 0; i < design->points; i++)
        order[i] = (uint16_t)(back ? design->points - 1 - i : i);
    if (design->order != PLAN_RANDOM)
        return;
    rng_seed(&rng, rng_part_seed(design->seed, RNG_PASS, round + 1));
    for (unsigned i = design->points; i > 1; i--) {
        unsigned other = rng_below(&rng, i);
        uint16_t point = order[i - 1];

        order[i - 1] = order[other];
        order[other] = point;
    }
}

struct plan_run plan_nth(const struct plan_design *design, unsigned n, uint16_t order[PLAN_POINTS_MAX])
{
    struct plan_run run = {.round = n / design->points};

    plan_order(design, run.round, order);
    run.point = order[n % design->points];
    run.block = design->order == PLAN_ABBA ? run.round / 2 : run.round;
    run.seed = (uint64_t)run.round * design->points + run.point;
    return run;
}
