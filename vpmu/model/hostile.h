/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ways in which silicon, its firmware or its board may differ from what the model does otherwise, and which a driver
 * must survive: one switch each. docs/model.md has the table.
 */
#ifndef VPMU_HOSTILE_H
#define VPMU_HOSTILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hostile_switch {
    HOSTILE_STORM,
    HOSTILE_STORM_STAYS,
    HOSTILE_TIMER_NMI,
    HOSTILE_TIMER_ENDS,
    HOSTILE_SVR_OFF,
    HOSTILE_BARE_CORE,
    HOSTILE_MACHINE_CHECK,
    HOSTILE_MP_REFUSES,
    HOSTILE_MP_FREEZES,
    HOSTILE_MP_LOSES,
    HOSTILE_LVT_TAKEN,
    HOSTILE_LVTPC_OPEN,
    HOSTILE_STUCK_VALID,
    HOSTILE_CURCNT,
    HOSTILE_MEMORY_UC,
    HOSTILE_CORE_MTRRS,
    HOSTILE_NO_L3,
    HOSTILE_TSC_SLOW,
    HOSTILE_REVISION_B,
    HOSTILE_PML4_FULL,
    HOSTILE_LVT_NONE, /* from here on for families after 10h */
    HOSTILE_RIP_INVALID,
    HOSTILE_IBS_OFF,
    HOSTILE_GLOBAL_OFF,
    HOSTILE_BRANCHES,
    HOSTILE_CPPC_IGNORED,
    HOSTILE_ENERGY_FAULTS,
    HOSTILE_LEFT_ON,
    HOSTILE_LOST_BITS,
    HOSTILE_CPUID_SILENT,
    HOSTILE_GLOBAL_DEAF,
    HOSTILE_ODD_READS,
    HOSTILE_ODD_FIELDS,
    HOSTILE_SOURCES_WRONG,
    HOSTILE_WALK_IN_LATENCY,
    HOSTILE_FILTERS_LEAK,
    HOSTILE_LVTPC_MASKED,
    HOSTILE_NOT_INTERRUPTS,
    HOSTILE_ENTRIES_DIFFER,
    HOSTILE_SLOW_CYCLES,
    HOSTILE_TSC_APART,
    HOSTILE_REARM_OTHERWISE,
    HOSTILE_OFF_OPENS,
    HOSTILE_SLOW_NMI,
    HOSTILE_VAL_LEVEL,
    HOSTILE_LATE_OVERFLOW,
    HOSTILE_INVERT_ALWAYS,
    HOSTILE_TIMER_SLOWS,
    HOSTILE_BOOT_ID,
    HOSTILE_LVT_STICKS,
    HOSTILE_NMI_REASON, /* for any family */
    HOSTILE_SWITCHES,
};

struct hostile_row {
    const char *name;
    const char *what;   /* it does */
    const char *source; /* which says that silicon may do so */
};

extern const struct hostile_row hostile_table[HOSTILE_SWITCHES];

/* Reads names separated by '+'; bit n of *ret_set is switch n. Returns false if there is no such name. */
bool hostile_parse(const char *text, uint64_t *ret_set);

static inline bool hostile_has(uint64_t set, enum hostile_switch which)
{
    return set >> which & 1;
}

#endif
