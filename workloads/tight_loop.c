/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One flat loop of 17 instructions and nothing else: what a fixed sampling interval does to a profile.
 *
 * Each pass executes the same 17 macro-ops (an odd number, so that some multiple of 16 fits every remainder). With
 * random intervals each of them gets 1/17 of the samples. With a fixed interval that makes the ops between two samples
 * a multiple of 17, one instruction gets them all; docs/measuring.md shows how to find it.
 */
#include "workloads/loop.h"
#include "workloads/result.h"

WORKLOAD_KERNEL static uint64_t tight_loop(uint64_t iterations)
{
    uint64_t a = 1, b = 2, c = 3, d = 4;

    for (uint64_t i = 0; i < iterations; i++) {
        a += i;
        b += a;
        c ^= b;
        d += c;
        a ^= d;
        b += 5;
        c += 7;
        d += 9;
    }
    return a ^ b ^ c ^ d;
}

static void run(void *arena, const uint32_t *params)
{
    *(uint64_t *)arena = tight_loop(iterations(params));
}

/* Makes the sums in another form: b, c and d hold their own additions separately. */
static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    uint64_t v[4] = {1, 2, 3, 4};

    for (uint64_t i = 0; i < iterations(params); i++) {
        uint64_t next[4];

        next[0] = v[0] + i;
        next[1] = v[1] + next[0];
        next[2] = v[2] ^ next[1];
        next[3] = v[3] + next[2];
        v[0] = next[0] ^ next[3];
        v[1] = next[1] + 5;
        v[2] = next[2] + 7;
        v[3] = next[3] + 9;
    }
    return result_is(arena, v[0] ^ v[1] ^ v[2] ^ v[3], ret_check);
}

WORKLOAD(tight) = {
    .name = "tight-loop",
    .title = "one flat loop of 17 instructions",
    .shows = "that with a fixed sampling interval a loop is sampled at the same op each time",
    .group = WORKLOAD_ABOUT_CORE,
    .kernel = "tight_loop",
    .unit = "iterations",
    .unit_ops = 17,
    .params = {{"iterations", 1, 1000000000, 100000, "passes of the loop"}},
    .arena_size = result_size,
    .prepare = result_clear,
    .run = run,
    .check = check,
    .work = iterations,
};
