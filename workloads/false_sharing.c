/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * False sharing: each core counts in its own word, but the words are neighbours.
 *
 * With the default padding the counters of eight cores are in one 64-byte line. Each store takes the line from the core
 * that has it, so the load before the next store misses, and is served by another core's cache, which has the line
 * modified: IBS reports that at the load. From padding=64 on each counter has its own line, and the same code no longer
 * misses. On one core there is no effect.
 */
#include "workloads/loop.h"

enum { PARAM_PADDING = 1, LINE = 64 };

static uint64_t *counter_of(const void *arena, const uint32_t *params, uint32_t core)
{
    return (uint64_t *)((uintptr_t)arena + (uintptr_t)core * (params[PARAM_PADDING] & ~7u));
}

WORKLOAD_KERNEL static void count_beside_others(volatile uint64_t *counter, uint64_t increments)
{
    for (uint64_t i = 0; i < increments; i++)
        *counter = *counter + 1;
}

static void run(void *arena, const uint32_t *params)
{
    count_beside_others(counter_of(arena, params, params[WORKLOAD_CORE]), iterations(params));
}

static void prepare(void *arena, const uint32_t *params)
{
    for (uint32_t core = 0; core < params[WORKLOAD_CORES]; core++)
        *counter_of(arena, params, core) = 0;
}

static bool filled(const uint32_t *params, uint32_t n, struct workload_range *ret_range)
{
    *ret_range = (struct workload_range){(uintptr_t)counter_of(NULL, params, n), sizeof(uint64_t)};
    return n < params[WORKLOAD_CORES];
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    bool right = true;

    *ret_check = (struct workload_check){params[WORKLOAD_CORES] * iterations(params), 0};
    for (uint32_t core = 0; core < params[WORKLOAD_CORES]; core++) {
        right = right && *counter_of(arena, params, core) == iterations(params);
        ret_check->got += *counter_of(arena, params, core);
    }
    return right;
}

static size_t arena_size(const uint32_t *params)
{
    return workload_places(params) * params[PARAM_PADDING] + LINE;
}

WORKLOAD(false_sharing) = {
    .name = "false-sharing",
    .title = "cores increment neighbouring words of a line",
    .shows = "a line that moves between the cores' caches; padding=64 ends this",
    .group = WORKLOAD_ABOUT_SHARING,
    .kernel = "count_beside_others",
    .unit = "increments",
    .unit_ops = 10,
    .shared = true,
    .params = {{"increments", 1, 1000000000, 100000, "increments of each core's counter"},
               {"padding", 8, 4096, 8, "bytes from one core's counter to the next"}},
    .steps = {0, 8},
    .arena_size = arena_size,
    .prepare = prepare,
    .filled = filled,
    .arrays = {"counters"},
    .run = run,
    .check = check,
    .work = iterations,
};
