/* SPDX-License-Identifier: BSD-2-Clause */
/* String instructions with REP, also with nothing to do, and one that ends early: a stepper must announce each
 * iteration once, and an instruction with nothing to do once. */
#include "workloads/workload.h"

enum { PARAM_ROUNDS = 0, BYTES = 64 };

static size_t arena_size(const uint32_t *params)
{
    (void)params;
    return 4096;
}

/* The first 64 bytes are written, the next 64 have a 1 at their end. */
static void prepare(void *arena, const uint32_t *params)
{
    volatile uint8_t *bytes = arena;

    (void)params;
    for (uint32_t i = 0; i < 2 * BYTES + 8; i++)
        bytes[i] = 0;
    bytes[2 * BYTES - 1] = 1;
}

/* rdi: arena; rsi: params. In round i: STOSB of i & 7 bytes, MOVSB of as many, CMPSB that ends at the 1. */
WORKLOAD_ASM static void repeat_strings(void *arena, const uint32_t *params)
{
    __asm__("mov %rdi, %r8\n\t"
            "mov (%rsi), %edx\n\t"
            "xor %r9d, %r9d");
    __asm__("1: mov %r8, %rdi\n\t"
            "mov %edx, %ecx\n\t"
            "and $7, %ecx\n\t"
            "mov %ecx, %r10d\n\t"
            "xor %eax, %eax\n\t"
            "rep stosb");
    __asm__("mov %r8, %rsi\n\t"
            "lea 8(%r8), %rdi\n\t"
            "mov %r10d, %ecx\n\t"
            "rep movsb");
    __asm__("mov %r8, %rsi\n\t"
            "lea 64(%r8), %rdi\n\t"
            "mov $100, %ecx\n\t"
            "repe cmpsb\n\t"
            "add %rcx, %r9");
    __asm__("dec %edx\n\t"
            "jnz 1b\n\t"
            "mov %r9, 128(%r8)\n\t"
            "ret");
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    uint64_t left = 100 - BYTES;

    *ret_check =
        (struct workload_check){params[PARAM_ROUNDS] * left, *(const volatile uint64_t *)((const char *)arena + 128)};
    return ret_check->expected == ret_check->got;
}

static uint64_t work(const uint32_t *params)
{
    return params[PARAM_ROUNDS];
}

WORKLOAD(repeat) = {
    .name = "repeat",
    .title = "string instructions with REP (test image only)",
    .shows = "iterations of REP",
    .kernel = "repeat_strings",
    .unit = "rounds",
    .unit_ops = 200,
    .params = {{"rounds", 1, 1000000000, 2000, "rounds"}},
    .arena_size = arena_size,
    .prepare = prepare,
    .run = repeat_strings,
    .check = check,
    .work = work,
};
