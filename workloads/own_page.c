/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Proves which core a sample belongs to: each core reads and writes its own page, and makes one round more for each
 * core before it.
 *
 * The address that IBS reports with a load or store names the core, whatever the record says; and core n has n + 1
 * times the samples of core 0.
 */
#include "workloads/workload.h"

enum { PARAM_ROUNDS = 0, PAGE = 4096, WORDS = PAGE / 8 };

WORKLOAD_KERNEL static void walk_page(volatile uint64_t *page, uint64_t rounds)
{
    for (uint64_t round = 0; round < rounds; round++)
        for (uint64_t i = 0; i < WORDS; i++)
            page[i] = page[i] + 1;
}

static uint64_t rounds_of(const uint32_t *params, uint32_t core)
{
    return (uint64_t)params[PARAM_ROUNDS] * (core + 1);
}

static void run(void *arena, const uint32_t *params)
{
    walk_page((uint64_t *)arena + (size_t)params[WORKLOAD_CORE] * WORDS, rounds_of(params, params[WORKLOAD_CORE]));
}

static void prepare(void *arena, const uint32_t *params)
{
    for (size_t i = 0; i < (size_t)params[WORKLOAD_CORES] * WORDS; i++)
        ((uint64_t *)arena)[i] = 0;
}

static bool filled(const uint32_t *params, uint32_t n, struct workload_range *ret_range)
{
    *ret_range = (struct workload_range){(uint64_t)n * PAGE, PAGE};
    return n < params[WORKLOAD_CORES];
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    const uint64_t *word = arena;
    bool right = true;

    *ret_check = (struct workload_check){0, 0};
    for (uint32_t core = 0; core < params[WORKLOAD_CORES]; core++) {
        for (uint32_t i = 0; i < WORDS; i++, word++) {
            right = right && *word == rounds_of(params, core);
            ret_check->expected += rounds_of(params, core);
            ret_check->got += *word;
        }
    }
    return right;
}

static size_t arena_size(const uint32_t *params)
{
    return workload_places(params) * PAGE;
}

static uint64_t work(const uint32_t *params)
{
    return rounds_of(params, params[WORKLOAD_CORE]) * WORDS;
}

WORKLOAD(own_page) = {
    .name = "own-page",
    .title = "each core works on its own page",
    .shows = "that each sample belongs to the core it names, by its address and by the number of samples",
    .group = WORKLOAD_ABOUT_SHARING,
    .kernel = "walk_page",
    .unit = "words",
    .unit_ops = 16,
    .shared = true,
    .params = {{"rounds", 1, 1000000, 100, "passes of core 0 over its page; core n makes n + 1 times as many"}},
    .arena_size = arena_size,
    .prepare = prepare,
    .filled = filled,
    .arrays = {"pages"},
    .run = run,
    .check = check,
    .work = work,
};
