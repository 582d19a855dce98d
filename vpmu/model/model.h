/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The virtual Family 10h PMU, model side: what a Family 10h core and its IBS unit would have done for an instruction
 * stream.
 *
 * The stepper (vpmu/shim in QEMU, or a unit test on the host) calls vpmu_step() at every instruction boundary;
 * the model keeps caches, TLBs, branch predictor, dispatch and retire times, the IBS registers, and exact counts (the
 * truth). Pure C: no privileged instruction, no libc, general registers only; one instance per core, in memory of the
 * caller. Instances of one machine share memory and coherence, those of a node its L3 and its registers: only one
 * instance may be stepped at a time.
 * Every constant cites its source (docs/model.md lists them).
 */
#ifndef VPMU_MODEL_H
#define VPMU_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/out.h"
#include "core/ibs/codemap.h"

/* Hypervisor vendor signature (CPUID Fn4000_0000 EBX, ECX, EDX), padded with 0: says that this is a model. */
#define VPMU_HYPERVISOR_SIGNATURE "ibsbootvPMU"

/* Names what vpmu_cpuid() reports in the hypervisor's range; the other leaves of the range are 0. */
enum {
    VPMU_LEAF_SIGNATURE = 0x40000000, /* EAX = the highest leaf */
    VPMU_LEAF_EVENTS = 0x40000010,    /* ECX = EventSelect (12 bits) | UnitMask << 16 -> EAX = 1: modelled, 0: the
                                         counter of this event stands still */
    VPMU_LEAF_CLOCKS = 0x40000011,    /* EAX = TSC in kHz, EBX = APIC timer before its divider in kHz */
    VPMU_LEAF_PREPARED = 0x40000013,  /* EAX = VPMU_MSR_PREPARED, EBX = VPMU_MSR_FORGET,
                                         ECX = VPMU_MSR_PART, EDX = VPMU_MSR_CODE */
    VPMU_LEAF_LAST = 0x400000FF,
};

/* Takes the linear address of a table of filled memory: a count, and that number of pairs of address and size in bytes,
 * all 64-bit. The shim reads the table. MSRs 4000_0000h to 4000_00FFh exist in no processor (Intel SDM vol. 4
 * table 2-2) and are left to hypervisors. */
enum { VPMU_MSR_PREPARED = 0x40000080, VPMU_PREPARED_RANGES = 63 };

/* The shim takes a write of any value for vpmu_forget(); reads as 0. A program's self-test ends so: what it ran is no
 * part of what is measured. */
enum { VPMU_MSR_FORGET = 0x40000081 };

/* Chooses the part of the exact counts to which what runs from now on belongs: vpmu_truth_part(), called by the shim.
 * Reads as 0. */
enum { VPMU_MSR_PART = 0x40000082 };
enum vpmu_part { VPMU_PART_MEASURED, VPMU_PART_REFERENCE, VPMU_PART_OTHER, VPMU_PARTS };

/* Takes the linear address of a struct of three 64-bit numbers, by the shim: linear address and size of a file of a
 * map (core/code/code_map.h), and the linear address of its RVA 0; or 0: the code is the image's again. Reads as 0. */
enum { VPMU_MSR_CODE = 0x40000083 };

enum { NO_WINDOWS = 63 }; /* all addresses are in one window */

/* Modelled processors: a revision of Family 10h, or the rows of later.c. */
enum vpmu_revision { VPMU_REV_B, VPMU_REV_C, VPMU_REV_E, VPMU_REV_LATER, VPMU_REV_LAST = VPMU_REV_LATER + 12 };

/* Finds a revision by its name: "B", "C", "E", or one of later.c, "zen2". Returns false if there is none. */
bool vpmu_revision_parse(const char *name, enum vpmu_revision *ret_revision);
/* Returns "Family 10h PMU, revision C"; "PMU: registers of Family 17h model 71h (Zen 2), timing of none: ...". */
const char *vpmu_revision_text(enum vpmu_revision revision);

enum { VPMU_NODES = 8 }; /* at most: PCI devices 18h to 1Fh */

/* Says what page walks of data do while another is under way. */
enum vpmu_walks {
    WALKS_OVERLAP,
    WALKS_IN_TURN, /* wait for it */
    WALKS_ALONE,   /* likewise, and no access looks up the TLB */
};

/* Order in which the micro-ops of a lane (a place in the line) leave its reservation station. */
enum vpmu_issue {
    ISSUE_ANY,   /* each when its operands are there */
    ISSUE_UNITS, /* those for the same unit in program order: addresses, integers */
    ISSUE_LANES, /* all in program order */
};

struct vpmu_config {
    enum vpmu_revision revision;
    /* One NMI with Val = 0 after each disable, as silicon may raise it: it has left the APIC before the disable, so
     * masking the entry of the LVT in the disable comes too late for it. */
    bool late_nmi;
    uint64_t hostile; /* set of enum hostile_switch (hostile.h), a bit each */
    /* Rules that AMD's IBS paper speaks against (docs/paper.md), to compare with. Cycle mode: a tag that expires while
     * the back end stalls dispatch is lost; false: it goes to an op of the line that waits. */
    bool lose_stalled;
    /* log2 of the bytes of a decoding window: a line has only instructions that end in the same one, and each line
     * retires in a cycle of its own. NO_WINDOWS: lines run on from one to the next, and any three ops retire together.
     * 0: as the revision has it (params.c). */
    uint8_t window_shift;
    uint32_t free;         /* set of enum free_cause (free.h), whose time is not taken; 0: all is */
    bool lookups_in_order; /* accesses look up the data cache in program order */
    uint8_t walks;         /* enum vpmu_walks */
    uint8_t issue;         /* enum vpmu_issue */
    uint64_t seed;         /* of the hardware's pseudo-random bits */
    struct vpmu *with;     /* another core of the same machine; NULL: the first one */
    /* This core's node; the first core's is 0, and nodes are created in ascending order. */
    uint32_t node;
    /* The first core's: the number of nodes (0: one), each a separate processor with the same number of cores, a power
     * of two; and where the memory of each ends, bytes, multiples of 16 MB; 0: no map of the memory, all of it is node
     * 0's. */
    uint32_t nodes;
    uint64_t memory_end[VPMU_NODES];
    /* Not 0: one NMI from elsewhere, this number of TSC ticks after a counter or the timer was first enabled. */
    uint64_t disturb;
    const struct codemap *map;
    uint64_t image_base; /* run-time address of RVA 0 */
    /* Walks the page tables in force. Returns the page's size as a shift (12, 21, 30), 0 if not mapped. table_addresses
     * gets the physical addresses of the entries that were read, outermost first, so that the walk itself can go
     * through the caches. */
    unsigned (*translate)(void *context, uint64_t linear, uint64_t *physical, uint64_t table_addresses[4],
                          unsigned *tables);
    void *context;
};

struct vpmu; /* opaque */
/* Returns the size that is enough for any revision. */
size_t vpmu_size(const struct codemap *map);
/* Returns the revision's size with room for maps of own code: vpmu_use_map(). Machines of 64 MB boot with revision C,
 * and have no 7 MB for an L3 of 32 MB. */
enum { VPMU_OWN_INSNS = 16384, VPMU_OWN_BYTES = 1 << 20 };
size_t vpmu_size_with_own(const struct codemap *map, enum vpmu_revision revision);
struct vpmu *vpmu_init(void *memory, size_t size, const struct vpmu_config *config);

/* Returns whether IBS or a performance counter is enabled, or the APIC timer counts towards an NMI: the stepper must
 * step. */
bool vpmu_armed(const struct vpmu *vpmu);

/* Takes an instruction boundary: rip and gpr[16] (order of codemap.h) are the state BEFORE the next instruction
 * executes; the model finishes the instruction announced before, whose outcome is now known, and remembers this one.
 * Returns true when an NMI is to be delivered at this boundary (its LVT entry is unmasked and of NMI type). The
 * instruction just announced stays remembered: it runs after the handler, and the next call may announce either the
 * same instruction again (same rip) or its successor. */
bool vpmu_step(struct vpmu *vpmu, uint64_t rip, const uint64_t gpr[16]);

/* Says where the announced instruction is: vpmu_step_at() is vpmu_step() for several programs at several privilege
 * levels. */
enum vpmu_place {
    VPMU_KERNEL = 0,
    VPMU_USER = 1,    /* at a CPL above 0 */
    VPMU_FOREIGN = 2, /* not the map's code, whatever its address */
};
bool vpmu_step_at(struct vpmu *vpmu, uint64_t rip, const uint64_t gpr[16], unsigned place);

/* Returns whether an instruction could be sampled or counted now: false while all that is enabled has a sample
 * waiting. */
bool vpmu_counts(const struct vpmu *vpmu);

/* Forgets the pending instruction: the stream was broken (stepping starts again elsewhere). */
void vpmu_break(struct vpmu *vpmu);

/* Flushes after the page tables changed. Not needed before a start: the first programmed register flushes too. */
void vpmu_flush_tlb(struct vpmu *vpmu);

/* Fills the caches with bytes that a program has written before it is stepped, as a machine's would hold them: as if
 * each line had been stored to once, in ascending order, in no time and uncounted. Linear addresses of this core;
 * unmapped pages are skipped. The TLBs are not concerned: they are empty when stepping begins (regs.c). */
void vpmu_prepared(struct vpmu *vpmu, uint64_t linear, uint64_t bytes);

/* Takes the request of an NMI that is due outside stepping, and returns whether there was one: of a counter that was
 * stopped while its interrupt was on the way, the late one after an IBS disable, or those of erratum 420 (En cleared
 * while counting, a bounded number of them; with HOSTILE_STORM without end). To be called after every MSR write, and
 * again when the guest has returned from the NMI. Requests that the extended LVT masks are lost, but for those of
 * HOSTILE_STORM_STAYS. */
bool vpmu_take_pending_nmi(struct vpmu *vpmu);

/* Asks again after a write to the APIC, which may have opened the entry: true only for a request that stands
 * (HOSTILE_STORM_STAYS). */
bool vpmu_take_standing_nmi(struct vpmu *vpmu);

/* Returns whether IBS asks again, after the handler, for what that left valid: HOSTILE_VAL_LEVEL. */
bool vpmu_asks_again(const struct vpmu *vpmu);

/* Returns the sources, apart from IBS, of the NMIs since the last call. */
enum { VPMU_CAUSE_COUNTER = 1, VPMU_CAUSE_TIMER = 2, VPMU_CAUSE_PLANTED = 4 };
unsigned vpmu_nmi_causes(struct vpmu *vpmu);

/* Returns the TSC when the NMI that struct vpmu_config's 'disturb' asks for was raised; 0: not yet. */
uint64_t vpmu_planted(const struct vpmu *vpmu);

/* The time stamp counter advances with the model's cycles; for the time between steppings the stepper calls
 * vpmu_elapse(), in ticks of the TSC. MSR 10h reads and writes what software sees of it, which RDTSC returns as well:
 * with HOSTILE_TSC_SLOW half of it. */
uint64_t vpmu_tsc(const struct vpmu *vpmu);
uint64_t vpmu_tsc_shown(const struct vpmu *vpmu);
uint32_t vpmu_tsc_khz(const struct vpmu *vpmu);
void vpmu_elapse(struct vpmu *vpmu, uint64_t ticks);
/* Lets time pass that the stepper itself has taken, after stepping has begun: the timer does not count it. */
void vpmu_elapse_uncounted(struct vpmu *vpmu, uint64_t ticks);

/* Changes the host's values of CPUID, regs = {eax, ebx, ecx, edx}, to those of this machine. */
void vpmu_cpuid(const struct vpmu *vpmu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

enum vpmu_access { VPMU_OK, VPMU_GP, VPMU_NOT_MINE };
enum vpmu_access vpmu_rdmsr(struct vpmu *vpmu, uint32_t msr, uint64_t *value);
enum vpmu_access vpmu_wrmsr(struct vpmu *vpmu, uint32_t msr, uint64_t value);

/* Access PCI configuration of a node (bus 0, device 18h + node, functions 0 to 4), dword-aligned offset;
 * VPMU_NOT_MINE: not modelled. */
enum vpmu_access vpmu_pci_read(struct vpmu *vpmu, unsigned node, unsigned function, unsigned offset, uint32_t *value);
enum vpmu_access vpmu_pci_write(struct vpmu *vpmu, unsigned node, unsigned function, unsigned offset, uint32_t value);
/* Returns NB_CFG[46] of the core's node: port CF8h decodes register bits 11:8 from its bits 27:24. When false these
 * bits are ignored. */
bool vpmu_cf8_extended(const struct vpmu *vpmu);

/* Access the local APIC: the extended part, offsets 400h and 500h..530h; 340h (LVT of the counters); and the timer
 * (320h, 380h, 390h, 3E0h) while its LVT entry is of message type NMI, from the write that sets this type to the write
 * that ends it, which is VPMU_NOT_MINE: the real timer's. When the model takes over the timer, it is stopped, with
 * divider 2. APIC version register bit 31 (extended space) is the shim's. */
enum vpmu_access vpmu_apic_read(struct vpmu *vpmu, unsigned offset, uint32_t *value);
enum vpmu_access vpmu_apic_write(struct vpmu *vpmu, unsigned offset, uint32_t value);
/* Resets the spurious vector register and the local vector table as INIT does (AMD APM vol. 2 section 14.1.3): not
 * by software, so the list of written registers does not have them. */
void vpmu_apic_init(struct vpmu *vpmu);

/* Makes this core forget what ran on it: caches, TLBs and branch predictors are empty, the hardware's pseudo-random
 * bits begin anew, and so do the exact counts. Registers and time stay. Not while armed. */
void vpmu_forget(struct vpmu *vpmu);

/* Knows this map's code from now on, in place of the one before, whose exact counts are gone. Returns false if there
 * is no room for the map, or the model is armed. */
bool vpmu_use_map(struct vpmu *vpmu, const struct codemap *map, uint64_t image_base);

/* Remembers from now on each register of the model that is written, of this core and of its node. */
void vpmu_begin_touched(struct vpmu *vpmu);
/* Writes a line of the core's names since vpmu_forget(), for the machine's first core also one of each node's, and one
 * for each register since vpmu_begin_touched() that reads otherwise than before. The local APIC has names alone.
 * Returns how many read otherwise. */
unsigned vpmu_write_touched(struct vpmu *vpmu, unsigned core, struct out *out);

/* Resets the exact counts. Not while armed. */
void vpmu_reset_truth(struct vpmu *vpmu);
/* Chooses the part (enum vpmu_part) of the exact counts to which what runs from now on belongs; vpmu_write_truth()
 * writes it and vpmu_reset_truth() resets it; the others keep what they have. VPMU_PARTS: resets the chosen one.
 * Returns false if there is no such part. Not while armed. */
bool vpmu_truth_part(struct vpmu *vpmu, uint64_t part);
/* Returns whether an instruction was counted in this part. */
bool vpmu_truth_counted(const struct vpmu *vpmu);
/* Writes the exact counts of what ran while armed, one CSV row per instruction of the map that executed, totals first
 * as comments. */
void vpmu_write_truth(struct vpmu *vpmu, struct out *out);

#endif
