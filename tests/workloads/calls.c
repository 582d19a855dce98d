/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls a function over and over: the returns that the other workloads do not have. */
#include "workloads/workload.h"

enum { PARAM_CALLS = 0 };

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

static void call_often(void *arena, const uint32_t *params)
{
    uint64_t value = 0;

    for (uint32_t i = 0; i < params[PARAM_CALLS]; i++)
        value = successor(value);
    *(volatile uint64_t *)arena = value;
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    *ret_check = (struct workload_check){params[PARAM_CALLS], *(const volatile uint64_t *)arena};
    return ret_check->expected == ret_check->got;
}

static uint64_t work(const uint32_t *params)
{
    return params[PARAM_CALLS];
}

WORKLOAD(calls) = {
    .name = "calls",
    .title = "calls and returns (test image only)",
    .shows = "returns",
    .kernel = "call_often",
    .unit = "calls",
    .unit_ops = 14,
    .params = {{"calls", 1, 1000000000, 20000, "calls of a function"}},
    .arena_size = arena_size,
    .prepare = prepare,
    .run = call_often,
    .check = check,
    .work = work,
};
