/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two cores pass a line to and fro, then each reads lines that the other has just written. The other cores have nothing
 * to do. It has no place in the list of workloads: config=pairs chooses the cores, and reads the ticks.
 */
#include "workloads/two_cores.h"

static inline uint64_t tsc(void)
{
    uint32_t low, high;

    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

/* Waits until the ball has this number, or the next one: where the ways turn, the other passes twice. False: the other
 * core does not answer. */
static inline bool await(const struct two_cores_arena *arena, uint64_t number, const uint32_t *params)
{
    for (uint32_t left = params[TWO_CORES_PARAM_PATIENCE]; left; left--)
        if (__atomic_load_n(&arena->ball, __ATOMIC_ACQUIRE) >= number)
            return true;
    return false;
}

static inline void pass(struct two_cores_arena *arena, uint64_t number)
{
    __atomic_store_n(&arena->ball, number, __ATOMIC_RELEASE);
}

/* Passes the ball to and fro: its numbers are odd on the way to the core that does not begin. */
WORKLOAD_KERNEL static bool hop(struct two_cores_arena *arena, const uint32_t *params, bool begins, uint64_t number)
{
    for (uint32_t block = 0; block < params[TWO_CORES_PARAM_BLOCKS]; block++) {
        uint64_t start = tsc();

        for (unsigned i = 0; i < TWO_CORES_HOPS; i += 2, number += 2) {
            if (begins)
                pass(arena, number + 1);
            if (!await(arena, number + 1 + begins, params))
                return false;
            if (!begins)
                pass(arena, number + 2);
        }
        if (begins)
            arena->ticks.hops[block] = tsc() - start;
    }
    return true;
}

/* Returns the ticks of one load from each line. RDTSC does not wait for loads, MFENCE does. */
WORKLOAD_KERNEL static uint64_t read_lines(const struct two_cores_arena *arena)
{
    uint64_t start = tsc();

    for (unsigned i = 0; i < TWO_CORES_LINES; i++)
        (void)*(const volatile uint64_t *)arena->words[i];
    __asm__ volatile("mfence" ::: "memory");
    return tsc() - start;
}

WORKLOAD_KERNEL static void write_lines(struct two_cores_arena *arena, uint64_t value)
{
    for (unsigned i = 0; i < TWO_CORES_LINES; i++)
        *(volatile uint64_t *)arena->words[i] = value;
}

static bool hand_over(struct two_cores_arena *arena, const uint32_t *params, bool writes, uint64_t *ticks,
                      uint64_t number)
{
    for (uint32_t block = 0; block < params[TWO_CORES_PARAM_BLOCKS]; block++, number += 2) {
        if (writes) {
            write_lines(arena, number);
            pass(arena, number + 1);
        }
        if (!await(arena, number + 1 + writes, params))
            return false;
        if (!writes) {
            ticks[block] = read_lines(arena);
            pass(arena, number + 2);
        }
    }
    return true;
}

/* Returns the numbers of the ball at the end of the hops, and for each way. */
static inline uint64_t hop_numbers(const uint32_t *params)
{
    return (uint64_t)TWO_CORES_HOPS * params[TWO_CORES_PARAM_BLOCKS];
}

static inline uint64_t way_numbers(const uint32_t *params)
{
    return 2ull * params[TWO_CORES_PARAM_BLOCKS];
}

static void run(void *memory, const uint32_t *params)
{
    struct two_cores_arena *arena = memory;
    bool first = params[WORKLOAD_CORE] == params[TWO_CORES_PARAM_FIRST];
    uint64_t number = hop_numbers(params);

    if (!first && params[WORKLOAD_CORE] != params[TWO_CORES_PARAM_SECOND])
        return;
    if (hop(arena, params, first, 0) && hand_over(arena, params, first, arena->ticks.read[0], number))
        (void)hand_over(arena, params, !first, arena->ticks.read[1], number + way_numbers(params));
}

static size_t arena_size(const uint32_t *params)
{
    (void)params;
    return sizeof(struct two_cores_arena);
}

static void prepare(void *memory, const uint32_t *params)
{
    uint8_t *bytes = memory;

    (void)params;
    for (size_t i = 0; i < sizeof(struct two_cores_arena); i++)
        bytes[i] = 0;
}

/* The last number says whether both have answered to the end. */
static bool check(const void *memory, const uint32_t *params, struct workload_check *ret_check)
{
    const struct two_cores_arena *arena = memory;

    *ret_check = (struct workload_check){hop_numbers(params) + 2 * way_numbers(params), arena->ball};
    return ret_check->got == ret_check->expected;
}

static uint64_t work(const uint32_t *params)
{
    return params[TWO_CORES_PARAM_BLOCKS];
}

const struct workload two_cores = {
    .name = "two-cores",
    .title = "two cores pass a line to and fro, then read what the other has written",
    .shows = "how far cores are from each other",
    .kernel = "hop",
    .unit = "blocks",
    .unit_ops = 1,
    .shared = true,
    .arena_size = arena_size,
    .prepare = prepare,
    .run = run,
    .check = check,
    .work = work,
};
