/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/machine/nodes.h"

#include "core/family/ibs_regs.h"
#include "drivers/cpu/cpu.h"
#include "drivers/machine/machine.h"
#include "drivers/machine/pci.h"

#define CPUID_EXT_ECX_NODE_ID (1u << 19)
#define MSR_NODE_ID           0xC001100Cu
#define NODE_ID               7u /* bits 2:0; 5:3: nodes in the processor less one */

/* BKDG 31116, F1x[7C:40]; Linux arch/x86/mm/amdtopology.c. Base: bit 0 can be read, 1 written, 9:8 interleaving, 31:16
 * address bits 39:24. Limit, 4 bytes on: 2:0 node, 9:8 interleaving, 31:16 address bits 39:24 of its last byte. */
enum {
    MAP_RANGES = 8,
    MAP_FUNCTION = 1,
    MAP_ID = 0x12011022,
    MAP_FIRST = 0x40,
    MAP_ACCESS = 3,
    MAP_INTERLEAVE = 3 << 8,
    MAP_NODE = 7,
};

static uint64_t map_address(uint32_t value)
{
    return (uint64_t)(value >> 16) << 24;
}

static void probe_range(struct nodes *nodes, uint32_t device, uint32_t offset)
{
    uint32_t base = pci_read(device, MAP_FUNCTION, offset);
    uint32_t limit = pci_read(device, MAP_FUNCTION, offset + 4);
    struct node_range range = {map_address(base), map_address(limit) + (1u << 24), limit & MAP_NODE};
    if (!(base & MAP_ACCESS) || range.end <= range.base)
        return;
    nodes->interleaved |= ((base | limit) & MAP_INTERLEAVE) != 0;
    nodes->range[nodes->ranges++] = range;
}

/* Reads the map of the first node: each node has the whole. */
static void probe_memory(struct nodes *nodes)
{
    uint32_t device = PCI_NODE_DEVICE;
    while (!(nodes->mask >> (device - PCI_NODE_DEVICE) & 1))
        device++;
    if (pci_read(device, MAP_FUNCTION, 0) != MAP_ID)
        return;
    for (uint32_t i = 0; i < MAP_RANGES; i++)
        probe_range(nodes, device, MAP_FIRST + 8 * i);
}

static bool has_node_id(const struct machine *machine, uint64_t *id)
{
    return machine->extended_ecx & CPUID_EXT_ECX_NODE_ID && !cpu_rdmsr_safe(MSR_NODE_ID, id);
}

void nodes_probe(struct machine *machine)
{
    struct nodes *nodes = &machine->nodes;
    uint32_t before = cpu_in32(PCI_ADDRESS_PORT);
    uint64_t id;
    for (uint32_t node = 0; node < NODES_PCI; node++) {
        if (pci_read(PCI_NODE_DEVICE + node, PCI_IBS_FUNCTION, 0) != PCI_F10H_F3_ID)
            continue;
        nodes->mask |= 1u << node;
        nodes->count++;
    }
    if (nodes->count)
        probe_memory(nodes);
    cpu_out32(PCI_ADDRESS_PORT, before);
    nodes->of_processor = has_node_id(machine, &id) ? (id >> 3 & NODE_ID) + 1 : 1;
    nodes->boot_apic_id = machine_apic_id();
    nodes->node_low = nodes->count > 1 && nodes->of_processor == 1 && !cpu_rdmsr_safe(MSR_NB_CFG, &id) &&
                      !(id & NB_CFG_INIT_APIC_ID_CPU_LOW);
}

/* Returns Fn8000_001E ECX, or 0 where it does not exist. */
static uint32_t node_leaf(const struct machine *machine)
{
    struct cpu_cpuid r = {0};
    if (machine->max_extended_leaf >= CPUID_LEAF_CORE && machine->extended_ecx & CPUID_EXT_ECX_TOPOLOGY)
        cpu_cpuid(CPUID_LEAF_CORE, 0, &r);
    return r.ecx;
}

void nodes_take(struct machine *machine, const struct srat *srat)
{
    struct nodes *nodes = &machine->nodes;
    if (!machine_zen(machine))
        return;
    *nodes = (struct nodes){.of_processor = (node_leaf(machine) >> 8 & NODE_ID) + 1, .srat = srat};
    nodes->boot_apic_id = machine_apic_id();
    if (!srat)
        return;
    nodes->count = srat->nodes;
    for (uint32_t i = 0; i < srat->ranges; i++)
        nodes->range[nodes->ranges++] =
            (struct node_range){srat->range[i].base, srat->range[i].end, srat->range[i].node};
}

uint32_t nodes_of_core(const struct machine *machine, uint32_t apic_id)
{
    const struct nodes *nodes = &machine->nodes;
    if (machine_zen(machine)) {
        int node = nodes->srat ? srat_node_of(nodes->srat, apic_id) : 0;
        return node < 0 ? 0 : (uint32_t)node;
    }
    uint32_t from_first = apic_id - nodes->boot_apic_id;
    uint32_t core = from_first & ((1u << machine->core_bits) - 1);
    if (nodes->node_low)
        return from_first & NODE_ID;
    uint32_t of_node = nodes->of_processor ? machine->cores / nodes->of_processor : 0;
    return (from_first >> machine->core_bits) * nodes->of_processor + (of_node ? core / of_node : 0);
}

uint32_t nodes_lift(const struct machine *machine, const struct nodes_ids *ids)
{
    const struct nodes *nodes = &machine->nodes;
    uint32_t first = nodes->boot_apic_id, core_ids = 1u << machine->core_bits;
    uint32_t processors = nodes->of_processor ? nodes->count / nodes->of_processor : nodes->count;
    uint32_t end = first + processors * core_ids;
    uint32_t second = first + (machine->cores > 1 ? 1 : core_ids);
    if (nodes->srat || nodes->count < 2)
        return 0;
    if (ids->boot != first)
        return ids->boot - first;
    if (nodes->node_low || ids->most < end || ids->least < second || ids->most - (ids->least - second) >= end)
        return 0;
    return ids->least - second;
}

int nodes_of_listed(const struct machine *machine, uint32_t apic_id, uint32_t lift)
{
    const struct nodes *nodes = &machine->nodes;
    if (nodes->srat)
        return srat_node_of(nodes->srat, apic_id);
    uint32_t node = nodes_of_core(machine, apic_id - lift);
    return node < nodes->count ? (int)node : NODE_UNKNOWN;
}

uint32_t nodes_own(const struct machine *machine, uint32_t apic_id)
{
    uint64_t id;
    if (machine_zen(machine) && !machine->nodes.srat)
        return node_leaf(machine) & 0xFF;
    return has_node_id(machine, &id) ? id & NODE_ID : nodes_of_core(machine, apic_id);
}

int nodes_of_address(const struct nodes *nodes, uint64_t physical)
{
    for (uint32_t i = 0; i < nodes->ranges && !nodes->interleaved; i++)
        if (physical >= nodes->range[i].base && physical < nodes->range[i].end)
            return (int)nodes->range[i].node;
    return NODE_UNKNOWN;
}

bool nodes_matter(const struct nodes *nodes)
{
    return nodes->count > 1 && nodes->ranges > 1 && !nodes->interleaved;
}
