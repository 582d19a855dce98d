/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Branch records of AMD's Zen 4 and later ("LBR version 2"), and of Zen 3 ("Branch Sampling"): numbers and masks,
 * nothing that executes a privileged instruction. Sources: Linux arch/x86/events/amd/lbr.c (bits of the records and of
 * the selection), brs.c (union amd_debug_extn_cfg, 16 records, none of wrong paths, nothing of predictions),
 * arch/x86/include/asm/msr-index.h (numbers of MSRs), perf_event.h (union cpuid_0x80000022_ebx, AMD_FAM19H_BRS_EVENT),
 * cpufeatures.h (X86_FEATURE_BRS).
 */
#ifndef CORE_BRANCH_REGS_H
#define CORE_BRANCH_REGS_H

#include <stdint.h>

/* Returns the number of branch records by CPUID Fn8000_0022 (CPUID_LEAF_PMC): EAX[1] there are any, EBX[9:4] how many.
 */
static inline uint32_t branch_records_of_cpuid(uint32_t eax, uint32_t ebx)
{
    return eax >> 1 & 1 ? ebx >> 4 & 0x3F : 0;
}

#define MSR_LBR_SELECT    0xC000010Eu
#define MSR_DBG_EXTN_CFG  0xC000010Fu
#define MSR_BRANCH_FROM0  0xC0010300u /* 300h + 2n comes from, 301h + 2n leads to; 0 is the latest branch */
#define DBG_EXTN_BRANCHES (1ull << 6) /* LbrV2En: taken branches are recorded */

/* Zen 3: from a counter's overflow on this many branches are recorded, the latest one last; the counter's interrupt
 * waits for them. CPUID Fn8000_0008 EBX[31] counts where the family's row allows it (IBS_TRAIT_BRANCH_SAMPLING). */
enum { BRANCH_SAMPLING_RECORDS = 16, BRANCH_SAMPLING_EVENT = 0x0C4, CPUID_BRANCH_SAMPLING_SHIFT = 31 };
#define DBG_EXTN_SAMPLING       (1ull << 2) /* BrsmEn: the processor clears it when all are recorded */
#define DBG_EXTN_ALWAYS         (3ull << 3) /* must be set in each write */
#define DBG_EXTN_VALID          (1ull << 5) /* there are records */
#define DBG_EXTN_NEXT           (0xFull << 16)
#define DBG_EXTN_COUNTER        (7ull << 24) /* counter that overflowed: 0 is counter 0 */
#define DBG_EXTN_SAMPLING_STATE (DBG_EXTN_SAMPLING | DBG_EXTN_VALID | DBG_EXTN_NEXT | DBG_EXTN_COUNTER)
static inline uint32_t branch_sampling_recorded(uint64_t control)
{
    uint32_t next = (uint32_t)(control & DBG_EXTN_NEXT) >> 16; /* 0: all */

    return !(control & DBG_EXTN_VALID) ? 0 : next ? next : BRANCH_SAMPLING_RECORDS;
}

/* A set bit excludes branches of a kind. */
#define LBR_SELECT_MASK 0x1FFull
#define LBR_NO_FAR      (1ull << 8) /* interrupts, IRET and their like */

#define BRANCH_ADDRESS      ((1ull << 58) - 1)
#define BRANCH_MISPREDICTED (1ull << 63) /* of From */
enum { BRANCH_HOW_SHIFT = 62 };          /* of To: 62 executed speculatively, 63 on the right path */

#endif
