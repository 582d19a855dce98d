/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Properties of this machine: read once, used everywhere.
 */
#ifndef DRIVERS_MACHINE_H
#define DRIVERS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/family/ibs_family.h"
#include "core/platform/silicon.h"
#include "core/platform/smbios.h"
#include "core/platform/topology.h"
#include "drivers/cpu/machine_check.h"
#include "drivers/machine/nodes.h"

struct machine {
    char vendor[13]; /* CPUID leaf 0: "AuthenticAMD" */
    char name[49];   /* leaves 8000_0002h..4h, leading and trailing blanks removed; "" when absent */
    bool amd;
    uint32_t max_leaf, max_extended_leaf;
    uint32_t family, model, stepping;
    char revision; /* Family 10h: 'B'..'E', '?' for an unknown model; 0 for other families */

    uint32_t extended_ecx; /* CPUID 8000_0001h ECX */
    bool ibs;              /* its bit 10 */
    bool ibs_leaf;         /* 8000_001Bh exists and its bit 0 is set */
    uint32_t ibs_caps;     /* its EAX, or 7 when ibs_leaf is false; 0 without IBS. Bits: core/family/ibs_regs.h */
    bool ibs_switched;     /* CPUID announces IBS only while a session has it switched on (drivers/machine/zen_ibs.h) */

    bool hypervisor;               /* CPUID 1 ECX[31] */
    char hypervisor_signature[13]; /* leaf 4000_0000h, "" without a hypervisor; bytes that are not printable become '.'
                                    */

    bool mtrr;    /* CPUID 1 EDX[12] */
    bool mca;     /* CPUID 1 EDX[14]: there are machine-check banks */
    bool page_1g; /* CPUID 8000_0001h EDX[26] */
    bool nx;      /* EDX[20] */
    bool nxe;     /* EFER.NXE: the NX bit of a page-table entry is not reserved */
    uint32_t physical_address_bits;
    bool pstates;       /* CPUID 8000_0007h EDX[7], of AMD's: hardware P-states */
    bool boost;         /* EDX[9]: core performance boost */
    bool tsc_told;      /* CPUID 8000_0007h exists: */
    bool tsc_invariant; /* its EDX[8]: the TSC counts at one rate in all power states */
    bool caches_told;   /* CPUID 8000_0006h exists */
    uint32_t l3_kb;     /* its EDX[31:18] * 512; 0: there is no L3, if caches_told */
    uint32_t cores;     /* of this processor: CPUID 8000_0008h ECX[7:0] + 1, or of leaf 0Bh */
    uint32_t core_bits; /* of an APIC id: the core in its processor (ECX[15:12], or by the number of cores) */
    struct nodes nodes;
    struct topology topology; /* its threads and core complexes */
    uint64_t apic_msr;        /* MSR 1Bh */
    uint64_t efer;
    uint64_t cr4;               /* of the boot core as firmware left it */
    struct machine_check check; /* errors that were recorded before this program began */
    uint64_t tsc_khz;           /* as the caller measured it */
    struct silicon silicon;     /* of the boot core and its node (drivers/machine/silicon.h); all unread elsewhere */
    struct silicon_node node_silicon[NODES_PCI];
    uint32_t probe_not_restored; /* registers that the probe changed and could not restore */

    const struct ibs_family *row; /* what this program knows of the family; NULL: not AMD's, or unknown */
    uint32_t errata;              /* enum ibs_erratum */
    struct ibs_pmc pmc;           /* its counters; count 0: none that this program drives */
    struct smbios board;          /* as firmware tells it; the caller's reading */
    uint32_t branches;            /* branch records (core/family/branch_regs.h); 0: none */
    bool branch_sampling;         /* recorded only after a counter's overflow */
};

/* Reads CPUID, MSRs and PCI configuration space, but not the rate of the TSC. Call it by session_probe(): MSR reads
 * may raise exceptions. */
void machine_probe(struct machine *machine);

/* Reads what CPUID says of IBS now; part of machine_probe(). */
void machine_probe_ibs(struct machine *machine);

/* Returns the initial APIC id of the calling core. */
uint32_t machine_apic_id(void);

/* Returns whether sampling can work here: the family is known, CPUID says IBS. */
bool machine_ibs_usable(const struct machine *machine);

/* Returns whether there are counters that pmc.h drives. */
bool machine_pmc_usable(const struct machine *machine);

/* Returns whether registers besides those of IBS and counters are as this program knows them: P-states, boost,
 * northbridge, and the silicon's in report and run.ini. */
static inline bool machine_registers_known(const struct machine *machine)
{
    return machine->row && machine->row->traits & IBS_TRAIT_SILICON_KNOWN;
}

/* Returns whether the family is 17h or later. */
static inline bool machine_zen(const struct machine *machine)
{
    return machine->row && machine->row->nodes == IBS_NODES_CPUID;
}

/* Returns false when CPUID says that there is no L3: Athlon II, Sempron (AMD 41322, models 5 and 6). */
static inline bool machine_has_l3(const struct machine *machine)
{
    return !machine->amd || !machine->caches_told || machine->l3_kb;
}

/* Writes one line that says why IBS cannot work, with vendor, family, model and what CPUID said; cut to size. Empty
 * when IBS is usable. */
void machine_ibs_refusal(const struct machine *machine, char *text, size_t size);

#endif
