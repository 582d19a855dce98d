/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Asks what the virtual PMU says about itself: a model has only some events, and a counter of any other event stays at
 * 0 like one whose event never happened. And what it is told: which memory was filled while it did not step.
 *
 * CPUID leaf 4000_0010h of ibsboot's virtual PMU (vpmu/): ECX = EventSelect | UnitMask << 16 -> EAX = 1: this
 * event is modelled, 0: it is not. Leaf 4000_0011h: EAX = the TSC's rate in kHz, EBX = that of the local APIC's timer.
 * Leaf 4000_0013h: EAX = an MSR that takes the linear address of a struct vpmu_filled; EBX = one whose write makes the
 * model forget what ran, ECX = one that takes the part (enum vpmu_part) of its exact counts to which what runs from
 * then on belongs, EDX = one that takes the address of a struct vpmu_own_code; 0: there is none.
 */
#ifndef DRIVERS_VPMU_QUERY_H
#define DRIVERS_VPMU_QUERY_H

#include "drivers/machine/machine.h"

/* Returns whether the hypervisor's signature is that of ibsboot's virtual PMU. */
bool vpmu_is_model(const struct machine *machine);

/* Returns whether a counter of this event counts: always true on silicon and under other hypervisors. */
bool vpmu_counts(const struct machine *machine, uint32_t select, uint32_t unit_mask);

/* Returns the TSC's rate in kHz as the model states it: exact, unlike one measured against the firmware's delay; 0:
 * not stated, as on silicon. */
uint64_t vpmu_tsc_khz(const struct machine *machine);

/* Returns the rate of the local APIC's timer, divided by 1. */
uint64_t vpmu_timer_khz(const struct machine *machine);

/* Returns the MSR by which a model is told of memory that was filled; 0: there is none, as on silicon. */
uint32_t vpmu_prepared_msr(const struct machine *machine);

/* Makes the model forget what ran until now, counts and caches, as if the program began here; nothing happens
 * on silicon. */
void vpmu_forget(const struct machine *machine);

/* Parts of the exact counts: what is measured; a reference run beside it; what is neither. The last value is no part:
 * it drops what the present one has counted. */
enum vpmu_part { VPMU_PART_MEASURED, VPMU_PART_REFERENCE, VPMU_PART_OTHER, VPMU_PART_DROP };

/* Tells a model, on each core, to which part belongs what runs from now on; nothing happens on silicon. Not while
 * anything is sampled or counted. */
void vpmu_part(const struct machine *machine, enum vpmu_part part);

/* Own code, as the model takes it: linear addresses of its map's file and of its RVA 0. */
struct vpmu_own_code {
    uint64_t map, bytes, base;
};

/* Tells a model, on each core, which code runs from now on; NULL: the image's. Nothing happens on silicon. */
void vpmu_own_code(const struct machine *machine, const struct vpmu_own_code *code);

enum { VPMU_RANGES = 63 };

/* Lists what this core has filled, in that order: linear addresses, bytes. */
struct vpmu_filled {
    uint64_t count;
    struct {
        uint64_t linear, bytes;
    } range[VPMU_RANGES];
};

/* Adds a range. A full table is told to the model; its caches then hold what a machine's would. */
void vpmu_filled_add(struct vpmu_filled *filled, uint32_t msr, uint64_t linear, uint64_t bytes);

/* Tells the model the ranges of the table, and empties it. */
void vpmu_filled_tell(struct vpmu_filled *filled, uint32_t msr);

#endif
