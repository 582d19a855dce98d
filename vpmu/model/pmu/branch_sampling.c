/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/pmu/branch_sampling.h"

#include "vpmu/model/state.h"

enum {
    MSR_CONTROL_EXTENDED = 0xC000010F,
    MSR_RECORDS = 0xC0010300,
    CONTROL_ON = 1 << 2,
    CONTROL_ALWAYS = 3 << 3,
    CONTROL_VALID = 1 << 5,
    CONTROL_NEXT_SHIFT = 16, /* 19:16 the record that is written next, 0 when all are */
    CONTROL_NEXT = 0xF << CONTROL_NEXT_SHIFT,
    CONTROL_COUNTER_SHIFT = 24, /* 26:24 */
    HOSTILE_NEXT = 5,
};
#define TO_BITS (~0ull >> 3) /* 63:61 are reserved */

static bool is_on(const struct branch_stack *stack)
{
    return (stack->control & (CONTROL_ON | CONTROL_ALWAYS)) == (CONTROL_ON | CONTROL_ALWAYS);
}

void branch_sampling_init(struct vpmu *vpmu, bool hostile)
{
    struct branch_stack *stack = &vpmu->branches;

    *stack = (struct branch_stack){.control = CONTROL_ALWAYS};
    if (!hostile)
        return;
    stack->control |= CONTROL_ON | CONTROL_VALID | HOSTILE_NEXT << CONTROL_NEXT_SHIFT;
    for (uint32_t n = 0; n < BRANCH_STACK_MAX; n++)
        stack->from[n] = stack->to[n] = 0x1000 + n;
}

/* Lets the waiting interrupt come. */
static void deliver(struct vpmu *vpmu)
{
    if (vpmu->branches.waits == BRANCHES_CAPTURED)
        vpmu->apic.due |= APIC_FROM_COUNTER;
    vpmu->branches.waits = BRANCHES_NOT;
    vpmu->branches.on = false;
}

static void capture(struct vpmu *vpmu, uint64_t from, uint64_t to)
{
    struct branch_stack *stack = &vpmu->branches;
    uint32_t next = (stack->control & CONTROL_NEXT) >> CONTROL_NEXT_SHIFT;

    stack->from[next] = from;
    stack->to[next] = to & TO_BITS;
    next = (next + 1) % BRANCH_STACK_MAX;
    stack->control = (stack->control & ~(uint64_t)CONTROL_NEXT) | CONTROL_VALID | next << CONTROL_NEXT_SHIFT;
    if (next)
        return;
    stack->control &= ~(uint64_t)CONTROL_ON;
    deliver(vpmu);
}

void branches_record(struct vpmu *vpmu, uint8_t branch, uint64_t from, uint64_t to, bool mispredicted)
{
    if (vpmu->params->branch_sampling)
        capture(vpmu, from, to);
    else
        branch_stack_push(&vpmu->branches, branch, from, to, mispredicted, vpmu->pmc.user);
}

void branch_sampling_overflow(struct vpmu *vpmu, uint32_t n)
{
    struct branch_stack *stack = &vpmu->branches;

    if (vpmu->params->branch_sampling && is_on(stack) && (stack->control >> CONTROL_COUNTER_SHIFT & 7) == n &&
        stack->waits == BRANCHES_NOT && (vpmu->apic.waiting & APIC_FROM_COUNTER))
        stack->waits = BRANCHES_REQUESTED;
}

uint32_t branch_sampling_catch(struct vpmu *vpmu, uint32_t sources)
{
    struct branch_stack *stack = &vpmu->branches;

    if (stack->waits != BRANCHES_REQUESTED)
        return sources;
    stack->waits = BRANCHES_CAPTURED;
    stack->on = true;
    return sources & ~(uint32_t)APIC_FROM_COUNTER;
}

/* Returns the register, or NULL for others. */
static uint64_t *found(struct vpmu *vpmu, uint32_t msr)
{
    struct branch_stack *stack = &vpmu->branches;
    uint32_t n = (msr - MSR_RECORDS) / 2;

    if (!vpmu->params->branch_sampling)
        return NULL;
    if (msr == MSR_CONTROL_EXTENDED)
        return &stack->control;
    if (n >= BRANCH_STACK_MAX)
        return NULL;
    return msr & 1 ? &stack->to[n] : &stack->from[n];
}

bool branch_sampling_read(struct vpmu *vpmu, uint32_t msr, uint64_t *value)
{
    const uint64_t *reg = found(vpmu, msr);

    if (reg)
        *value = *reg;
    return reg;
}

bool branch_sampling_write(struct vpmu *vpmu, uint32_t msr, uint64_t value)
{
    uint64_t *reg = found(vpmu, msr);

    if (reg)
        *reg = value;
    if (reg && !is_on(&vpmu->branches))
        deliver(vpmu);
    return reg;
}
