/*
 * True sharing: all cores count in the same word, by a locked addition. No padding helps: the line has to go round.
 */
#include "workloads/workload.h"

enum { PARAM_INCREMENTS = 0 };

WORKLOAD_KERNEL static void count_together(uint64_t *counter, uint64_t increments)
{
    for (uint64_t i = 0; i < increments; i++)
        (void)__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static void run(void *arena, const uint32_t *params)
{
    count_together(arena, params[PARAM_INCREMENTS]);
}

static void prepare(void *arena, const uint32_t *params)
{
    (void)params;
    *(uint64_t *)arena = 0;
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    ret_check->expected = (uint64_t)params[WORKLOAD_CORES] * params[PARAM_INCREMENTS];
    ret_check->got = *(const uint64_t *)arena;
    return ret_check->expected == ret_check->got;
}

static size_t arena_size(const uint32_t *params)
{
    (void)params;
    return sizeof(uint64_t);
}

static uint64_t work(const uint32_t *params)
{
    return params[PARAM_INCREMENTS];
}

WORKLOAD(true_sharing) = {
    .name = "true-sharing",
    .title = "cores count in the same word, by locked additions",
    .shows = "a line that all cores need: locked operations that another core's cache serves",
    .group = WORKLOAD_ABOUT_SHARING,
    .kernel = "count_together",
    .unit = "increments",
    .unit_ops = 7,
    .shared = true,
    .params = {{"increments", 1, 1000000000, 100000, "by each core"}},
    .arena_size = arena_size,
    .prepare = prepare,
    .run = run,
    .check = check,
    .work = work,
};
