/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/caches/pace.h"

void pace_init(struct pace *pace, uint32_t cycles)
{
    *pace = (struct pace){.cycles = cycles};
}

static uint64_t begin_of(const struct pace *pace, uint64_t slot)
{
    return pace->origin + (slot - pace->base) * pace->cycles;
}

/* Rounds down: cycles may be before the origin. */
static uint64_t slot_of(const struct pace *pace, uint64_t cycle)
{
    int64_t since = (int64_t)(cycle - pace->origin), cycles = pace->cycles;

    return pace->base + (uint64_t)((since < 0 ? since - (cycles - 1) : since) / cycles);
}

uint64_t pace_take(struct pace *pace, uint64_t cycle)
{
    uint64_t slot;

    if (!pace->base || (int64_t)(cycle - begin_of(pace, pace->top)) >= PACE_SLOTS * (int64_t)pace->cycles) {
        pace->origin = cycle;
        pace->base = pace->top += PACE_SLOTS;
    }
    slot = slot_of(pace, cycle);
    for (uint32_t i = 0; i < PACE_SLOTS && pace->taken[slot & (PACE_SLOTS - 1)] == slot; i++)
        slot++;
    pace->taken[slot & (PACE_SLOTS - 1)] = slot;
    if ((int64_t)(slot - pace->top) > 0)
        pace->top = slot;
    return (int64_t)(begin_of(pace, slot) - cycle) > 0 ? begin_of(pace, slot) : cycle;
}
