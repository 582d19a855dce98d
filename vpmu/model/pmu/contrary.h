/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Registers and CPUID of a later family that contradict its sources, by switches of vpmu/model/hostile.h. Each row of
 * contrary.c turns an answer of config=hardware, or more than one.
 */
#ifndef VPMU_CONTRARY_H
#define VPMU_CONTRARY_H

#include "vpmu/model/model.h"

/* Returns the result of a read of the register, and changes the value, from what they would be without the switches.
 */
enum vpmu_access contrary_read(struct vpmu *vpmu, uint32_t msr, enum vpmu_access access, uint64_t *value);

/* Returns what the register takes of a written value. */
uint64_t contrary_written(const struct vpmu *vpmu, uint32_t msr, uint64_t value);

/* Returns the result of a write that would otherwise be 'access'. */
enum vpmu_access contrary_write(const struct vpmu *vpmu, uint32_t msr, enum vpmu_access access);

/* Changes the registers of a leaf; EAX, EBX, ECX, EDX. */
void contrary_cpuid(const struct vpmu *vpmu, uint32_t leaf, uint32_t regs[4]);

/* Returns what a register of the local APIC reads as. */
uint32_t contrary_apic(const struct vpmu *vpmu, unsigned offset, uint32_t value);

#endif
