/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/machine/silicon.h"

#include "core/family/ibs_regs.h"
#include "drivers/cpu/apic.h"
#include "drivers/cpu/cpu.h"
#include "drivers/machine/pci.h"

enum { FAMILY_K8 = 0x0F, EXTENDED_OFFSET = 0x100 };

static const uint32_t no_register = 0xFFFFFFFF; /* PCI reads it where no register is */

static bool has(const struct machine *machine, const struct silicon_row *row)
{
    switch (row->family) {
    case SILICON_ANY:
        return machine->mtrr;
    case SILICON_AMD:
        return machine->amd && machine->family >= FAMILY_K8;
    case SILICON_ZEN:
        return machine_zen(machine);
    case SILICON_F10_ZEN:
        return machine_zen(machine) || machine_registers_known(machine);
    case SILICON_E721:
        return machine->errata & IBS_E_721;
    default:
        return machine_registers_known(machine);
    }
}

static void read_apic(struct silicon *silicon, const struct machine *machine)
{
    uint64_t apic;
    if (!machine_registers_known(machine) || apic_find(machine->apic_msr, &apic))
        return;
    uint32_t entries = apic_lvts(apic), extended = apic_extended_lvts(apic);
    for (unsigned i = SILICON_APIC_FIRST; i < SILICON_PCI_FIRST; i++) {
        const struct silicon_row *row = &silicon_rows[i];
        if (row->function > entries || row->address >= apic_extended_lvt(0, extended))
            continue;
        silicon->value[i] = apic_read(apic + row->address) & ~(uint32_t)(APIC_LVT_STATUS | APIC_LVT_REMOTE);
        silicon->state[i] = SILICON_READ;
    }
}

void silicon_read_core(struct silicon *silicon, const struct machine *machine)
{
    silicon->read = true;
    silicon->clocks = machine->row ? machine->row->clocks : 0;
    for (unsigned i = 0; i < SILICON_APIC_FIRST; i++) {
        const struct silicon_row *row = &silicon_rows[i];
        if (has(machine, row))
            silicon->state[i] = cpu_rdmsr_safe(row->address, &silicon->value[i]) ? SILICON_FAULTS : SILICON_READ;
    }
    read_apic(silicon, machine);
}

static void read_node(struct silicon_node *node, uint32_t number, bool extended)
{
    for (unsigned i = 0; i < SILICON_PCI_ROWS; i++) {
        const struct silicon_row *row = &silicon_rows[SILICON_PCI_FIRST + i];
        uint32_t value = no_register;
        if (extended || row->address < EXTENDED_OFFSET)
            value = pci_read(PCI_NODE_DEVICE + number, row->function, row->address);
        node->value[i] = value;
        node->state[i] = value == no_register ? SILICON_FAULTS : SILICON_READ;
    }
}

void silicon_read(struct machine *machine, struct restore_log *log)
{
    machine->silicon = (struct silicon){0};
    silicon_read_core(&machine->silicon, machine);
    if (!machine->nodes.mask)
        return;
    bool extended = !pci_open_extended(log);
    if (!extended)
        (void)restore_save(log, RESTORE_PORT, PCI_ADDRESS_PORT, 0, ~0ull, "port CF8", NULL);
    unsigned first = NODES_PCI;
    for (unsigned number = 0; number < NODES_PCI; number++) {
        if (!(machine->nodes.mask >> number & 1))
            continue;
        read_node(&machine->node_silicon[number], number, extended);
        first = first < number ? first : number;
    }
    for (unsigned i = 0; i < SILICON_PCI_ROWS; i++) {
        machine->silicon.value[SILICON_PCI_FIRST + i] = machine->node_silicon[first].value[i];
        machine->silicon.state[SILICON_PCI_FIRST + i] = machine->node_silicon[first].state[i];
    }
}
