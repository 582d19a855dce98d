#include "drivers/vpmu_query.h"

#include "core/str.h"
#include "drivers/cpu.h"

enum { UNIT_MASK_SHIFT = 16 };

static const uint32_t hypervisor_leaf = 0x40000000, events_leaf = 0x40000010;

bool vpmu_is_model(const struct machine *machine)
{
    return machine->hypervisor && str_equal(machine->hypervisor_signature, "ibsbootvPMU");
}

bool vpmu_counts(const struct machine *machine, uint32_t select, uint32_t unit_mask)
{
    struct cpu_cpuid registers;

    if (!vpmu_is_model(machine))
        return true;
    cpu_cpuid(hypervisor_leaf, 0, &registers);
    if (registers.eax < events_leaf)
        return false;
    cpu_cpuid(events_leaf, select | unit_mask << UNIT_MASK_SHIFT, &registers);
    return registers.eax == 1;
}
