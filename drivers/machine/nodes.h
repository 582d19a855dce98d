/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The nodes of the machine: northbridges, the memory of each, and which cores belong to it.
 */
#ifndef DRIVERS_NODES_H
#define DRIVERS_NODES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/platform/srat.h"

struct machine;

enum {
    NODES_MAX = SRAT_NODES,
    NODES_PCI = 8,             /* devices 18h..1Fh */
    NODES_RANGES = SRAT_RANGES /* of memory: registers F1x40..F1x7C are 8 */
};

enum { NODE_UNKNOWN = -1 };

/* Memory of a node: physical addresses base..end-1. The hole below 4 GB may be in it. */
struct node_range {
    uint64_t base, end;
    uint32_t node;
};

struct nodes {
    uint32_t count; /* nodes found on PCI bus 0 (Family 10h: 1022:1203 at device 18h + n, function 3), or in ACPI's
                     * table; 0: it is not known */
    uint32_t mask;  /* bit n: the northbridge of node n is there */
    uint32_t of_processor; /* nodes in a processor: 1, in some models 2 */
    bool node_low;         /* an APIC id's lowest bits are the node, not the core: NB_CFG[54] is clear */
    uint32_t boot_apic_id; /* of the core that probed: core 0 of node 0 */
    uint32_t ranges;       /* 0: the map cannot be read, or says nothing */
    struct node_range range[NODES_RANGES];
    const struct srat *srat; /* ACPI's table of cores and nodes, or NULL */
    bool interleaved;        /* memory goes round the nodes in small pieces: no address is near */
};

/* Finds Family 10h's nodes; part of machine_probe(), after CPUID. Port CF8h is left as it was found. */
void nodes_probe(struct machine *machine);

/* Finds the nodes of processors that say them by CPUID Fn8000_001E, from Family 17h on: ECX[7:0] the node of the
 * calling core, ECX[10:8] nodes in its processor less one (AMD APM vol. 3; Linux arch/x86/kernel/cpu/topology_amd.c).
 * CPUID tells nothing of other cores or memory: ACPI does, and its domains, in ascending order, are then the nodes.
 * srat: the table, used as long as the machine's description; NULL: none. */
void nodes_take(struct machine *machine, const struct srat *srat);

/* Return the node of the calling core; the expected node of any, by its APIC ID. Family 10h processors of two nodes
 * say so by an MSR (Linux arch/x86/kernel/cpu/amd.c: MSR_FAM10H_NODE_ID where CPUID 8000_0001h ECX[19] is set; cores
 * are divided evenly between them); in the others the node is the processor (AMD CPUID specification 25481,
 * ApicIdCoreIdSize), in the upper bits if firmware has set NB_CFG[54], else in bits 2:0 (AGESA
 * cpuCommonF10Utilities.c, InitApicIdCpuIdLo; NetBSD sys/arch/x86/x86/cpu_topology.c). Firmware may begin its APIC ids
 * at another number than 0 (Linux arch/x86/mm/amdtopology.c). */
uint32_t nodes_own(const struct machine *machine, uint32_t apic_id);
uint32_t nodes_of_core(const struct machine *machine, uint32_t apic_id);

/* The APIC ids that firmware lists (ACPI's MADT, MP Services). They are those of the APICs' registers, which firmware
 * may have lifted by a number, for all cores or for all but the boot core, while CPUID still has the initial ones
 * (coreboot's amdfam10 init_cpus.c: APIC_ID_OFFSET, LIFT_BSP_APIC_ID; Linux arch/x86/kernel/cpu/amd.c,
 * srat_detect_node: "increased by a constant offset, but in the same order"). */
struct nodes_ids {
    uint32_t boot;        /* the boot core's */
    uint32_t least, most; /* of the others; most 0: there are none */
};

/* Returns the number by which the others' ids are lifted: the boot core's own lift, or else what moves them down to
 * where ids of this many nodes end. */
uint32_t nodes_lift(const struct machine *machine, const struct nodes_ids *ids);

/* Returns the node of another core with this listed id, lifted by 'lift'; NODE_UNKNOWN if that node is not there, or
 * if ACPI's table, which has listed ids, does not name it. */
int nodes_of_listed(const struct machine *machine, uint32_t apic_id, uint32_t lift);

/* Returns the node with the memory at an address, or NODE_UNKNOWN. */
int nodes_of_address(const struct nodes *nodes, uint64_t physical);

/* Returns whether there are several nodes, and each address is one's: "near" and "far" mean something. */
bool nodes_matter(const struct nodes *nodes);

#endif
