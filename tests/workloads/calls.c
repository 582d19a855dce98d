/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls within calls, with frame pointers: the returns and call stacks that the other workloads do not have. */
#include "workloads/workload.h"

enum { PARAM_CALLS = 0, PARAM_DEPTH = 1 };

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

__attribute__((noinline)) static uint64_t successor(uint64_t value)
{
    return value + 1;
}

__attribute__((noinline)) static uint64_t climb(uint64_t value, uint32_t depth)
{
    if (depth > 0)
        value = climb(value, depth - 1);
    return successor(value);
}

static void call_often(void *arena, const uint32_t *params)
{
    uint64_t value = 0;

    for (uint32_t i = 0; i < params[PARAM_CALLS]; i++)
        value = climb(value, params[PARAM_DEPTH]);
    *(volatile uint64_t *)arena = value;
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    *ret_check =
        (struct workload_check){(params[PARAM_DEPTH] + 1ull) * params[PARAM_CALLS], *(const volatile uint64_t *)arena};
    return ret_check->expected == ret_check->got;
}

static uint64_t work(const uint32_t *params)
{
    return (params[PARAM_DEPTH] + 1ull) * params[PARAM_CALLS];
}

WORKLOAD(calls) = {
    .name = "calls",
    .title = "calls and returns (test image only)",
    .shows = "returns",
    .kernel = "call_often",
    .unit = "calls",
    .unit_ops = 40,
    .params = {{"calls", 1, 1000000000, 20000, "calls of a function"},
               {"depth", 0, 40, 0, "times that it calls itself, each time followed by a call of another one"}},
    .arena_size = arena_size,
    .prepare = prepare,
    .run = call_often,
    .check = check,
    .work = work,
};
