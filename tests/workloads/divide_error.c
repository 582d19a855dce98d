/* SPDX-License-Identifier: BSD-2-Clause */
/* Divides by zero in the measured part: the run must end with the registers on the console and the machine restored. */
#include "workloads/workload.h"

static size_t arena_size(const uint32_t *params)
{
    (void)params;
    return 4096;
}

static void prepare(void *arena, const uint32_t *params)
{
    (void)params;
    *(volatile int *)arena = 0;
}

static void divide_by_zero(void *arena, const uint32_t *params)
{
    volatile int *divisor = arena;

    for (int i = 0; i < 1000; i++)
        (void)i;
    divisor[1] = 1000 / *divisor;
    (void)params;
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    (void)arena;
    (void)params;
    *ret_check = (struct workload_check){0, 0};
    return true;
}

static uint64_t work(const uint32_t *params)
{
    (void)params;
    return 1;
}

WORKLOAD(divide_error) = {
    .name = "divide-error",
    .title = "divides by zero (test image only)",
    .shows = "that a fault in a workload ends the run, not the machine",
    .kernel = "divide_by_zero",
    .unit = "divisions",
    .unit_ops = 4000,
    .arena_size = arena_size,
    .prepare = prepare,
    .run = divide_by_zero,
    .check = check,
    .work = work,
};
