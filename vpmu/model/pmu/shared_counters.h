/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters that cores share, from Zen on: of the L3, of the data fabric, and from Zen 4 on of the memory controller;
 * here each node has one set. Numbers and bits are written independently of the drivers. Sources: Linux
 * arch/x86/events/amd/uncore.c, asm/perf_event.h and asm/msr-index.h; events: tools/perf/pmu-events/arch/x86/amdzen1 to
 * amdzen6.
 *
 * They stand still while no core is stepped: nothing is modelled then. An event that is not modelled counts nothing.
 */
#ifndef VPMU_SHARED_COUNTERS_H
#define VPMU_SHARED_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

struct vpmu;

enum {
    SHARED_L3 = 6,
    SHARED_FABRIC = 4,
    SHARED_MEMORY = 4,
    SHARED_COUNTERS = SHARED_L3 + SHARED_FABRIC + SHARED_MEMORY
};

struct shared_counter {
    uint64_t ctl;
    uint64_t value, base; /* value at the event's total 'base', from where it moves on while enabled */
};

/* Return CPUID's words on them: Fn8000_0001 ECX; Fn8000_0022 EBX, and ECX, the memory controllers. */
uint32_t shared_counters_features(const struct vpmu *vpmu);
uint32_t shared_counters_numbers(const struct vpmu *vpmu);
uint32_t shared_counters_controllers(const struct vpmu *vpmu);

/* Return false for other registers. */
bool shared_counters_read(const struct vpmu *vpmu, uint32_t msr, uint64_t *value);
bool shared_counters_write(struct vpmu *vpmu, uint32_t msr, uint64_t value);

#endif
