/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/pmu/branch_stack.h"

#include <stddef.h>

#include "core/ibs/codemap.h"

enum { MSR_SELECT = 0xC000010E, MSR_CONTROL_EXTENDED, MSR_RECORDS = 0xC0010300, CONTROL_ON = 1 << 6 };
#define SELECT_BITS 0x1FFull
#define ADDRESS     (~0ull >> 6) /* 57:0 */
/* On the right path (63), executed speculatively (62): so it is said of every branch (choice). */
#define TO_RETIRED    (3ull << 62)
#define TO_WRONG_PATH (1ull << 62)
#define FROM_WRONG    (1ull << 63)

enum { HOSTILE_SELECT = 0x1F, WRONG_PATH_EVERY = 8 };

void branch_stack_init(struct branch_stack *stack, bool hostile)
{
    *stack = (struct branch_stack){.wrong_paths = hostile};
    if (hostile) {
        stack->select = HOSTILE_SELECT;
        stack->control = CONTROL_ON;
        stack->on = true;
    }
}

/* Returns the bits of the selection that exclude a branch; 0 and 1 are the privilege levels. */
static uint64_t kept_out_by(uint8_t branch, bool user)
{
    static const uint8_t bits[] = {
        [CODEMAP_BR_NONE] = 7, /* outside the map: taken for a jump */
        [CODEMAP_BR_COND] = 2,   [CODEMAP_BR_CALL] = 3,          [CODEMAP_BR_CALL_INDIRECT] = 4,
        [CODEMAP_BR_RETURN] = 5, [CODEMAP_BR_JUMP_INDIRECT] = 6, [CODEMAP_BR_JUMP] = 7,
    };

    return 1ull << bits[branch] | (user ? 2 : 1);
}

static void put(struct branch_stack *stack, uint64_t from, uint64_t to)
{
    stack->latest = (stack->latest + 1) % BRANCH_STACK_MAX;
    stack->from[stack->latest] = from;
    stack->to[stack->latest] = to;
}

void branch_stack_push(struct branch_stack *stack, uint8_t branch, uint64_t from, uint64_t to, bool mispredicted,
                       bool user)
{
    if (stack->select & kept_out_by(branch, user))
        return;
    put(stack, (from & ADDRESS) | (mispredicted ? FROM_WRONG : 0), (to & ADDRESS) | TO_RETIRED);
    if (stack->wrong_paths && ++stack->pushed % (WRONG_PATH_EVERY - 1) == 0)
        put(stack, to & ADDRESS, (from & ADDRESS) | TO_WRONG_PATH);
}

/* Returns the register, or NULL for others. */
static uint64_t *found(struct branch_stack *stack, uint32_t entries, uint32_t msr)
{
    uint32_t n = (msr - MSR_RECORDS) / 2;

    if (entries && msr == MSR_SELECT)
        return &stack->select;
    if (entries && msr == MSR_CONTROL_EXTENDED)
        return &stack->control;
    if (n >= entries)
        return NULL;
    n = (stack->latest - n) % BRANCH_STACK_MAX; /* record 0 is the latest */
    return msr & 1 ? &stack->to[n] : &stack->from[n];
}

bool branch_stack_read(struct branch_stack *stack, uint32_t entries, uint32_t msr, uint64_t *value)
{
    const uint64_t *reg = found(stack, entries, msr);

    if (reg)
        *value = *reg;
    return reg;
}

bool branch_stack_write(struct branch_stack *stack, uint32_t entries, uint32_t msr, uint64_t value)
{
    uint64_t *reg = found(stack, entries, msr);

    if (reg)
        *reg = msr == MSR_SELECT ? value & SELECT_BITS : value;
    stack->on = stack->control & CONTROL_ON;
    return reg;
}
