/* SPDX-License-Identifier: BSD-2-Clause */
/* Never ends: only the time limit leads out of it. */
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

static void never_end(void *arena, const uint32_t *params)
{
    volatile uint64_t *count = arena;

    (void)params;
    for (;;)
        ++*count;
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    (void)params;
    *ret_check = (struct workload_check){0, *(const volatile uint64_t *)arena};
    return false;
}

static uint64_t work(const uint32_t *params)
{
    (void)params;
    return 1000000;
}

WORKLOAD(endless) = {
    .name = "endless",
    .title = "never ends (test image only)",
    .shows = "that the time limit stops a workload and keeps its samples",
    .kernel = "never_end",
    .unit = "increments",
    .unit_ops = 4,
    .arena_size = arena_size,
    .prepare = prepare,
    .run = never_end,
    .check = check,
    .work = work,
};
