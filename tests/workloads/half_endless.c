/* SPDX-License-Identifier: BSD-2-Clause */
/* Ends on the first core, and never on the others. */
#include "workloads/workload.h"

static size_t arena_size(const uint32_t *params)
{
    (void)params;
    return 4096;
}

static void prepare(void *arena, const uint32_t *params)
{
    (void)params;
    *(volatile uint64_t *)arena = 0;
}

static void end_on_first(void *arena, const uint32_t *params)
{
    volatile uint64_t *count = arena;

    do {
        ++*count;
    } while (params[WORKLOAD_CORE] || *count < 100);
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    (void)params;
    *ret_check = (struct workload_check){100, *(const volatile uint64_t *)arena};
    return ret_check->expected == ret_check->got;
}

static uint64_t work(const uint32_t *params)
{
    (void)params;
    return 100;
}

WORKLOAD(half_endless) = {
    .name = "half-endless",
    .title = "ends on the first core only (test image only)",
    .shows = "that a core which does not end is abandoned without a time limit",
    .kernel = "end_on_first",
    .unit = "increments",
    .unit_ops = 4,
    .arena_size = arena_size,
    .prepare = prepare,
    .run = end_on_first,
    .check = check,
    .work = work,
};
