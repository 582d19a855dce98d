/*
 * What the virtual PMU below says of itself: a model knows some events only, and a counter of another one stands at 0 like
 * one whose event never happened.
 *
 * CPUID leaf 4000_0010h of ibsboot's virtual PMU (tests/vpmu): ECX = EventSelect | UnitMask << 16 -> EAX = 1: this event
 * is modelled, 0: it is not. Leaf 4000_0011h: EAX = the TSC's rate in kHz, EBX = that of the
 * local APIC's timer.
 */
#ifndef DRIVERS_VPMU_QUERY_H
#define DRIVERS_VPMU_QUERY_H

#include "drivers/machine.h"

/* The hypervisor's signature is that of ibsboot's virtual PMU. */
bool vpmu_is_model(const struct machine *machine);

/* Whether a counter of this event counts: always so on silicon and under other hypervisors, of which nothing is known. */
bool vpmu_counts(const struct machine *machine, uint32_t select, uint32_t unit_mask);

/* The rate of the TSC in kHz as the model states it: exact, where one measured against the firmware's delay is not. 0: it
 * is not stated, as on silicon. */
uint64_t vpmu_tsc_khz(const struct machine *machine);

/* The same for the local APIC's timer, divided by 1. */
uint64_t vpmu_timer_khz(const struct machine *machine);

#endif
