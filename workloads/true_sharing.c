/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * True sharing: all cores count in the same word, by a locked addition. Padding does not help: the line must move.
 */
#include "workloads/loop.h"
#include "workloads/result.h"

WORKLOAD_KERNEL static void count_together(uint64_t *counter, uint64_t increments)
{
    for (uint64_t i = 0; i < increments; i++)
        (void)__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static void run(void *arena, const uint32_t *params)
{
    count_together(arena, iterations(params));
}

static void prepare(void *arena, const uint32_t *params)
{
    (void)params;
    *(uint64_t *)arena = 0;
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    return result_is(arena, params[WORKLOAD_CORES] * iterations(params), ret_check);
}

WORKLOAD(true_sharing) = {
    .name = "true-sharing",
    .title = "cores increment the same word by locked additions",
    .shows = "a line that all cores need: locked operations served by another core's cache",
    .group = WORKLOAD_ABOUT_SHARING,
    .kernel = "count_together",
    .unit = "increments",
    .unit_ops = 7,
    .shared = true,
    .params = {{"increments", 1, 1000000000, 100000, "increments by each core"}},
    .arena_size = result_size,
    .prepare = prepare,
    .run = run,
    .check = check,
    .work = iterations,
};
