/*
 * An indirect jump to some places in turn, as an interpreter's loop has it.
 *
 * The order is as regular as can be. But a predictor that keeps one target for a jump, or chooses among several by the
 * directions of conditional branches, which here are always the same, expects the last target again, and is wrong
 * every time there is more than one.
 */
#include "workloads/workload.h"

enum {
    PARAM_ITERATIONS = 0,
    PARAM_TARGETS = 1,
    TARGETS = 16, /* the asm has it, too */
    LOOP_OPS = 11,
};

struct jumps {
    uint64_t sum; /* each target adds its number, from 1 on */
};

WORKLOAD_ASM static void jump_indirect(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "mov 4(%rsi), %r8d\n\t"
            "lea 3f(%rip), %r10\n\t"
            "xor %r9d, %r9d\n\t"
            "xor %r11d, %r11d\n\t"
            "xor %edx, %edx");
    __asm__("1: add $1, %edx\n\t"
            "cmp %r8d, %edx\n\t"
            "cmove %r11d, %edx\n\t"
            "mov %edx, %eax\n\t"
            "shl $4, %eax\n\t"
            "add %r10, %rax");
    __asm__("jmp *%rax");
    __asm__("2: sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__("mov %r9, (%rdi)\n\t"
            "ret");
    __asm__(".balign 16, 0xcc\n"
            "3:\n\t"
            ".irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16\n\t"
            "add $\\number, %r9\n\t"
            "jmp 2b\n\t"
            ".balign 16, 0xcc\n\t"
            ".endr");
}

static void prepare(void *arena, const uint32_t *params)
{
    struct jumps *jumps = arena;

    (void)params;
    jumps->sum = 0;
}

/* Whole turns, and what is left of one, which begins with the second target. */
static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    const struct jumps *jumps = arena;
    uint64_t targets = params[PARAM_TARGETS], turns = params[PARAM_ITERATIONS] / targets;
    uint64_t rest = params[PARAM_ITERATIONS] % targets;

    ret_check->expected = turns * targets * (targets + 1) / 2 + rest * (rest + 1) / 2 + rest;
    ret_check->got = jumps->sum;
    return ret_check->expected == ret_check->got;
}

static size_t arena_size(const uint32_t *params)
{
    (void)params;
    return sizeof(struct jumps);
}

static uint64_t work(const uint32_t *params)
{
    return params[PARAM_ITERATIONS];
}

static uint64_t instructions(const uint32_t *params)
{
    return work(params) * LOOP_OPS + 8;
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
    (void)params;
    return 1;
}

static uint64_t accesses(const uint32_t *params)
{
    (void)params;
    return 4;
}

WORKLOAD(jumps) = {
    .name = "jump-indirect",
    .title = "an indirect jump to some places in turn",
    .shows = "a jump to the same place is predicted, one that goes to others in turn is not",
    .group = WORKLOAD_ABOUT_BRANCHES,
    .kernel = "jump_indirect",
    .unit = "jumps",
    .unit_ops = LOOP_OPS,
    .params = {{"iterations", 1, 1000000000, 100000, "passes of the loop"},
               {"targets", 1, TARGETS, 4, "places that are jumped to; 1: always the same"}},
    .arena_size = arena_size,
    .prepare = prepare,
    .run = jump_indirect,
    .check = check,
    .work = work,
    .instructions = instructions,
    .expected = {{0x0C2, 0x00, branches}, {0x0C4, 0x00, taken}, {0x0C8, 0x00, returns}, {0x040, 0x00, accesses}},
};
