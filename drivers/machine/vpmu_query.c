/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/machine/vpmu_query.h"

#include "core/base/str.h"
#include "drivers/cpu/cpu.h"

enum { UNIT_MASK_SHIFT = 16 };

static const uint32_t hypervisor_leaf = 0x40000000, events_leaf = 0x40000010, clocks_leaf = 0x40000011,
                      prepared_leaf = 0x40000013;

bool vpmu_is_model(const struct machine *machine)
{
    return machine->hypervisor && str_equal(machine->hypervisor_signature, "ibsbootvPMU");
}

/* Reads a leaf of the model's; returns false when no model has it. */
static bool read_leaf(const struct machine *machine, uint32_t leaf, uint32_t subleaf, struct cpu_cpuid *registers)
{
    if (!vpmu_is_model(machine))
        return false;
    cpu_cpuid(hypervisor_leaf, 0, registers);
    if (registers->eax < leaf)
        return false;
    cpu_cpuid(leaf, subleaf, registers);
    return true;
}

bool vpmu_counts(const struct machine *machine, uint32_t select, uint32_t unit_mask)
{
    struct cpu_cpuid registers;

    if (!vpmu_is_model(machine))
        return true;
    return read_leaf(machine, events_leaf, select | unit_mask << UNIT_MASK_SHIFT, &registers) && registers.eax == 1;
}

uint64_t vpmu_tsc_khz(const struct machine *machine)
{
    struct cpu_cpuid registers;

    return read_leaf(machine, clocks_leaf, 0, &registers) ? registers.eax : 0;
}

uint64_t vpmu_timer_khz(const struct machine *machine)
{
    struct cpu_cpuid registers;

    return read_leaf(machine, clocks_leaf, 0, &registers) ? registers.ebx : 0;
}

uint32_t vpmu_prepared_msr(const struct machine *machine)
{
    struct cpu_cpuid registers;

    return read_leaf(machine, prepared_leaf, 0, &registers) ? registers.eax : 0;
}

void vpmu_forget(const struct machine *machine)
{
    struct cpu_cpuid registers;

    if (read_leaf(machine, prepared_leaf, 0, &registers) && registers.ebx)
        cpu_wrmsr(registers.ebx, 1);
}

void vpmu_part(const struct machine *machine, enum vpmu_part part)
{
    struct cpu_cpuid registers;

    if (read_leaf(machine, prepared_leaf, 0, &registers) && registers.ecx)
        cpu_wrmsr(registers.ecx, part);
}

void vpmu_own_code(const struct machine *machine, const struct vpmu_own_code *code)
{
    struct cpu_cpuid registers;

    if (read_leaf(machine, prepared_leaf, 0, &registers) && registers.edx)
        cpu_wrmsr(registers.edx, (uintptr_t)code);
}

void vpmu_filled_tell(struct vpmu_filled *filled, uint32_t msr)
{
    if (filled->count)
        cpu_wrmsr(msr, (uintptr_t)filled);
    filled->count = 0;
}

void vpmu_filled_add(struct vpmu_filled *filled, uint32_t msr, uint64_t linear, uint64_t bytes)
{
    filled->range[filled->count].linear = linear;
    filled->range[filled->count].bytes = bytes;
    if (++filled->count == VPMU_RANGES)
        vpmu_filled_tell(filled, msr);
}
