/*
 * Calls through a pointer to functions that a random number chooses: one target against several.
 *
 * The generator is that of branch-random (G. Marsaglia, "Xorshift RNGs", 2003; 13, 7, 17). With one function the call
 * goes where it went last time. With several of the same probability no predictor can know the next: of k targets it
 * finds one in k at best. The returns are to one place, and are predicted.
 */
#include "workloads/workload.h"

enum {
    PARAM_ITERATIONS = 0,
    PARAM_TARGETS = 1,
    TARGETS = 16, /* the asm has it, too */
    LOOP_OPS = 19,
};

struct calls {
    uint64_t sum; /* each target adds its number, from 1 on */
    uint64_t seed;
};

#define SEED 88172645463325252ull /* Marsaglia's */

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
            "2:\n\t"
            ".irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16\n\t"
            "add $\\number, %r9\n\t"
            "ret\n\t"
            ".balign 16, 0xcc\n\t"
            ".endr");
}

_Static_assert(offsetof(struct calls, seed) == 8, "as the code has it");

static void prepare(void *arena, const uint32_t *params)
{
    struct calls *calls = arena;

    (void)params;
    calls->sum = 0;
    calls->seed = SEED;
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    const struct calls *calls = arena;
    uint64_t x = SEED, sum = 0;

    for (uint32_t i = 0; i < params[PARAM_ITERATIONS]; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        sum += (x & 0xFFFFFFFF) * params[PARAM_TARGETS] / (1ull << 32) + 1;
    }
    ret_check->expected = sum;
    ret_check->got = calls->sum;
    return ret_check->expected == ret_check->got;
}

static size_t arena_size(const uint32_t *params)
{
    (void)params;
    return sizeof(struct calls);
}

static uint64_t work(const uint32_t *params)
{
    return params[PARAM_ITERATIONS];
}

static uint64_t instructions(const uint32_t *params)
{
    return work(params) * LOOP_OPS + 7;
}

static uint64_t branches(const uint32_t *params)
{
    return 3 * work(params) + 1;
}

static uint64_t taken(const uint32_t *params)
{
    return 3 * work(params);
}

static uint64_t returns(const uint32_t *params)
{
    return work(params) + 1;
}

static uint64_t accesses(const uint32_t *params)
{
    return 2 * work(params) + 5;
}

WORKLOAD(calls) = {
    .name = "call-indirect",
    .title = "calls through a pointer, to where chance wants",
    .shows = "bad speculation: of calls to k random targets all but one in k are mispredicted",
    .group = WORKLOAD_ABOUT_BRANCHES,
    .kernel = "call_indirect",
    .unit = "calls",
    .unit_ops = LOOP_OPS + 2,
    .params = {{"iterations", 1, 1000000000, 60000, "passes of the loop"},
               {"targets", 1, TARGETS, 4, "functions that are called; 1: always the same"}},
    .arena_size = arena_size,
    .prepare = prepare,
    .run = call_indirect,
    .check = check,
    .work = work,
    .instructions = instructions,
    .expected = {{0x0C2, 0x00, branches}, {0x0C4, 0x00, taken}, {0x0C8, 0x00, returns}, {0x040, 0x00, accesses}},
};
