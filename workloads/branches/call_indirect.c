/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls through a pointer to functions that a random number chooses: one target against several.
 *
 * The generator is that of branch-random (G. Marsaglia, "Xorshift RNGs", 2003; 13, 7, 17). With one function the call
 * goes to its last target. With several of the same probability no predictor can know the next: with k targets it is
 * right once in k times at best. All returns go to one place, and are predicted.
 */
#include "workloads/random.h"
#include "workloads/result.h"
#include "workloads/branches/targets.h"

enum { LOOP_OPS = 19 };

struct calls {
    uint64_t sum; /* each target adds its number, from 1 on */
    uint64_t seed;
};

WORKLOAD_ASM static void call_indirect(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "mov 4(%rsi), %r8d\n\t"
            "mov 8(%rdi), %rax\n\t"
            "lea 2f(%rip), %r10\n\t"
            "xor %r9d, %r9d");
    __asm__("1: mov %rax, %rdx\n\t"
            "shl $13, %rdx\n\t"
            "xor %rdx, %rax");
    __asm__("mov %rax, %rdx\n\t"
            "shr $7, %rdx\n\t"
            "xor %rdx, %rax");
    __asm__("mov %rax, %rdx\n\t"
            "shl $17, %rdx\n\t"
            "xor %rdx, %rax");
    __asm__("mov %eax, %edx\n\t"
            "imul %r8, %rdx\n\t"
            "shr $32, %rdx\n\t"
            "shl $4, %edx\n\t"
            "add %r10, %rdx");
    __asm__("call *%rdx");
    __asm__("sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__("mov %r9, (%rdi)\n\t"
            "ret");
    __asm__(".balign 16, 0xcc\n"
            "2:\n\t" TARGETS_CODE("ret"));
}

_Static_assert(offsetof(struct calls, seed) == 8, "as the code has it");

static void prepare(void *arena, const uint32_t *params)
{
    struct calls *calls = arena;

    result_clear(arena, params);
    calls->seed = XORSHIFT_SEED;
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    uint64_t x = XORSHIFT_SEED, sum = 0;

    for (uint32_t i = 0; i < iterations(params); i++) {
        x = xorshift(x);
        sum += (x & 0xFFFFFFFF) * params[PARAM_TARGETS] / (1ull << 32) + 1;
    }
    return result_is(arena, sum, ret_check);
}

static size_t arena_size(const uint32_t *params)
{
    (void)params;
    return sizeof(struct calls);
}

WORKLOAD(calls) = {
    .name = "call-indirect",
    .title = "calls through a pointer to random targets",
    .shows = "bad speculation: of calls to k random targets all but one in k are mispredicted",
    .group = WORKLOAD_ABOUT_BRANCHES,
    .kernel = "call_indirect",
    .unit = "calls",
    .unit_ops = LOOP_OPS + 2,
    .params = {{"iterations", 1, 1000000000, 60000, "passes of the loop"},
               {"targets", 1, TARGETS, 4, "number of functions called; 1: always the same"}},
    .arena_size = arena_size,
    .prepare = prepare,
    .run = call_indirect,
    .check = check,
    .work = iterations,
    .expected = {INSTRUCTIONS(.per_unit = LOOP_OPS, .once = 7),
                 TARGETS_BRANCHES,
                 {0x0C8, 0, {.per_unit = 1, .once = 1}},
                 {0x040, 0, {.per_unit = 2, .once = 5}}},
};
