/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Branch records of AMD's Zen 4 and later ("LBR version 2"): numbers and masks, nothing that executes a privileged
 * instruction. Sources: Linux arch/x86/events/amd/lbr.c (bits of the records and of the selection),
 * arch/x86/include/asm/msr-index.h (numbers of MSRs), arch/x86/include/asm/perf_event.h (union cpuid_0x80000022_ebx).
 */
#ifndef CORE_BRANCH_REGS_H
#define CORE_BRANCH_REGS_H

#include <stdint.h>

/* CPUID Fn8000_0022 (CPUID_LEAF_PMC): EAX[1] there are branch records, EBX[9:4] their number. */
static inline uint32_t branch_records_of_cpuid(uint32_t eax, uint32_t ebx)
{
    return eax >> 1 & 1 ? ebx >> 4 & 0x3F : 0;
}

#define MSR_LBR_SELECT    0xC000010Eu
#define MSR_DBG_EXTN_CFG  0xC000010Fu
#define MSR_BRANCH_FROM0  0xC0010300u /* 300h + 2n comes from, 301h + 2n leads to; 0 is the latest branch */
#define DBG_EXTN_BRANCHES (1ull << 6) /* LbrV2En: taken branches are recorded */

/* A set bit of the selection keeps branches of a kind out. */
#define LBR_SELECT_MASK 0x1FFull
#define LBR_NO_FAR      (1ull << 8) /* interrupts, IRET and their like */

#define BRANCH_ADDRESS      ((1ull << 58) - 1)
#define BRANCH_MISPREDICTED (1ull << 63) /* of From */
enum { BRANCH_HOW_SHIFT = 62 };          /* of To: 62 executed speculatively, 63 on the right path */

#endif
