/*
 * A chain of integer multiplications, each of the result of the one before: the multiplier's latency.
 *
 * Multiplications of 64 bits take 4 cycles (GCC i386.c, amdfam10_cost), although the multiplier could begin others
 * meanwhile: the chain has none for it.
 */
#include "workloads/workload.h"

enum {
    PARAM_ITERATIONS = 0,
    TURNS = 60, /* in one iteration; the asm has it, too */
};

struct chain {
    uint64_t result;
};

WORKLOAD_ASM static void imul_chain(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "mov $1, %eax");
    __asm__("1:\n\t"
            ".rept 60\n\t"
            "imul $3, %rax, %rax\n\t"
            ".endr");
    __asm__("sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__("mov %rax, (%rdi)\n\t"
            "ret");
}

static void prepare(void *arena, const uint32_t *params)
{
    struct chain *chain = arena;

    (void)params;
    chain->result = 0;
}

static uint64_t work(const uint32_t *params)
{
    return (uint64_t)params[PARAM_ITERATIONS] * TURNS;
}

/* By squaring, modulo 2^64. */
static uint64_t power(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;

    for (; exponent; exponent >>= 1, base *= base)
        if (exponent & 1)
            result *= base;
    return result;
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    const struct chain *chain = arena;

    ret_check->expected = power(3, work(params));
    ret_check->got = chain->result;
    return ret_check->expected == ret_check->got;
}

static size_t arena_size(const uint32_t *params)
{
    (void)params;
    return sizeof(struct chain);
}

static uint64_t instructions(const uint32_t *params)
{
    return work(params) + 2 * (uint64_t)params[PARAM_ITERATIONS] + 4;
}

static uint64_t branches(const uint32_t *params)
{
    return (uint64_t)params[PARAM_ITERATIONS] + 1;
}

static uint64_t taken(const uint32_t *params)
{
    return params[PARAM_ITERATIONS];
}

static uint64_t returns(const uint32_t *params)
{
    (void)params;
    return 1;
}

static uint64_t accesses(const uint32_t *params)
{
    (void)params;
    return 3;
}

WORKLOAD(imul) = {
    .name = "imul-chain",
    .title = "integer multiplications, each of the one before",
    .shows = "back-end bound by results: a multiplication of 64 bits every 4 cycles",
    .group = WORKLOAD_ABOUT_CORE,
    .kernel = "imul_chain",
    .unit = "multiplications",
    .unit_ops = 1,
    .params = {{"iterations", 1, 1000000000, 10000, "passes of the loop, of 60 each"}},
    .arena_size = arena_size,
    .prepare = prepare,
    .run = imul_chain,
    .check = check,
    .work = work,
    .instructions = instructions,
    .expected = {{0x0C2, 0x00, branches}, {0x0C4, 0x00, taken}, {0x0C8, 0x00, returns}, {0x040, 0x00, accesses}},
};
