/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loads and stores of 8-byte words at misaligned addresses: the running sum of an array that begins at an odd
 * address. A word's address waits for the word before, as in a list, so that what a load takes is seen in the time.
 *
 * A word that crosses 16 bytes takes two accesses of the data cache instead of one (event 047h, and IBS reports it at
 * the load and at the store), and a word that crosses a line touches two of them. Adjacent words (stride=8) cross 16
 * bytes every other time, and a line one time in eight, whatever the offset; with offset=12 stride=16 each word crosses
 * 16 bytes, with offset=60 stride=64 a line. With offset=8 none does.
 */
#include "workloads/loop.h"
#include "workloads/passes.h"
#include "workloads/result.h"

enum {
    PARAM_OFFSET = 2,
    PARAM_STRIDE = 3,
    LOOP_OPS = 8,
    FIRST = 4096, /* offset of the source in the arena; the asm has it, too, and the next one */
    APART = 8192, /* from the source's end to the sums */
    WORD = 8,
};

typedef uint64_t word_anywhere __attribute__((aligned(1)));

WORKLOAD_ASM static void misaligned(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "mov 4(%rsi), %edx\n\t"
            "shl $10, %rdx\n\t"
            "mov 8(%rsi), %r8d\n\t"
            "mov 12(%rsi), %r9d\n\t"
            "lea 4096(%rdi,%r8), %r8\n\t"
            "lea 8192(%r8,%rdx), %r10\n\t"
            "xor %r11d, %r11d");
    __asm__("1: xor %eax, %eax");
    __asm__("2: mov (%r8,%rax), %rsi");
    __asm__("add %rsi, %r11\n\t"
            "mov %r11, (%r10,%rax)");
    __asm__("and $0, %esi\n\t"
            "add %r9, %rax\n\t"
            "add %rsi, %rax\n\t"
            "cmp %rdx, %rax\n\t"
            "jb 2b");
    __asm__("sub $1, %ecx\n\t"
            "jnz 1b\n\t"
            "ret");
}

/* Returns the words in a pass, since a unit is a word. */
static uint64_t units_in_pass(const uint32_t *params)
{
    return (bytes(params) + params[PARAM_STRIDE] - 1) / params[PARAM_STRIDE];
}

static word_anywhere *source(const void *arena, const uint32_t *params, uint64_t i)
{
    return (word_anywhere *)((uintptr_t)arena + FIRST + params[PARAM_OFFSET] + i * params[PARAM_STRIDE]);
}

static word_anywhere *sum(const void *arena, const uint32_t *params, uint64_t i)
{
    return (word_anywhere *)((uintptr_t)source(arena, params, i) + bytes(params) + APART);
}

static void prepare(void *arena, const uint32_t *params)
{
    uint8_t *byte = arena;

    for (uint64_t i = 0; i < FIRST + bytes(params) + APART; i++)
        byte[i] = (uint8_t)(i * 7 + 1);
    for (uint64_t i = 0; i < units_in_pass(params); i++)
        *sum(arena, params, i) = 0;
}

/* The state after the last pass: the sums continue from pass to pass. */
static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    uint64_t all = 0, running;
    bool right = true;

    for (uint64_t i = 0; i < units_in_pass(params); i++)
        all += *source(arena, params, i);
    running = (params[PARAM_PASSES] - 1) * all;
    for (uint64_t i = 0; i < units_in_pass(params); i++) {
        running += *source(arena, params, i);
        right = right && *sum(arena, params, i) == running;
    }
    return agree(ret_check, params[PARAM_PASSES] * all, *sum(arena, params, units_in_pass(params) - 1)) && right;
}

static size_t arena_size(const uint32_t *params)
{
    /* The last word may begin at the end of the kilobytes. */
    return FIRST + 2 * ((size_t)bytes(params) + params[PARAM_OFFSET] + WORD) + APART;
}

/* Returns how many loads and stores have bytes on both sides of a multiple of 16. */
static uint64_t crossings(const uint32_t *params)
{
    uint64_t loads = 0;

    for (uint64_t i = 0; i < units_in_pass(params); i++)
        loads += (params[PARAM_OFFSET] + i * params[PARAM_STRIDE]) % 16 > 16 - WORD;
    return 2 * params[PARAM_PASSES] * loads;
}

WORKLOAD(misaligned_row) = {
    .name = "misaligned",
    .title = "loads and stores of words at odd addresses",
    .shows = "misaligned accesses: half of the loads and stores of an array of words at an odd address, none of "
             "those with offset=8, and all with offset=12 stride=16",
    .group = WORKLOAD_ABOUT_MEMORY,
    .kernel = "misaligned",
    .unit = "words",
    .unit_ops = LOOP_OPS,
    .params = {{"passes", 1, 1000000, 128, "passes over the words"},
               {"kb", 4, 65536, 16, "KB that are read; as many are written"},
               {"offset", 1, 64, 3, "bytes from a multiple of 64 to the first word"},
               {"stride", 8, 4096, 8, "bytes from one word to the next"}},
    .arena_size = arena_size,
    .prepare = prepare,
    .run = misaligned,
    .check = check,
    .work = passes_work,
    .expected = {INSTRUCTIONS(.per_unit = LOOP_OPS, .per_pass = 3, .once = 9),
                 PASSES_FLOW,
                 {0x040, 0, {.per_unit = 2, .once = 5, .others = crossings}}, /* four parameters, the ret */
                 {0x047, 0, {.others = crossings}}},
};
