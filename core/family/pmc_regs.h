/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Performance counters of AMD Family 10h, and what later ones share: numbers, masks and getters, nothing that executes
 * a privileged instruction.
 *
 * Sources, unless a line says otherwise: AMD BKDG 31116 (MSRC001_00[07:00]), AMD APM vol. 2 section 13.2, Linux
 * arch/x86/include/asm/perf_event.h, oprofile and CodeAnalyst kernel drivers (op_model_athlon.c, op_model_amd.c),
 * libpfm4 pfmlib_amd64_priv.h.
 *
 * Every core has four counters of 48 bits, later six, and no fixed ones; each counts any event except those that name
 * their counters.
 */
#ifndef CORE_PMC_REGS_H
#define CORE_PMC_REGS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PMC_COUNTERS = 6, /* at most: struct ibs_pmc has the number */
    PMC_LEGACY = 4,   /* counters at C001_0000h, all that Family 10h has */
    PMC_COUNTER_BITS = 48,
};

/* ---------------------------------------------------------------- MSR numbers */

#define MSR_PERF_CTL0   0xC0010000u /* ..0003h: control of counter 0..3 */
#define MSR_PERF_CTR0   0xC0010004u /* ..0007h: the counters */
#define MSR_PERF_CTL(i) (MSR_PERF_CTL0 + (i))
#define MSR_PERF_CTR(i) (MSR_PERF_CTR0 + (i))

#define CPUID_EXT_ECX_PMC_CORE (1u << 23)  /* Fn8000_0001 ECX: the counters at C001_0200h (Linux: PERFCTR_CORE) */
#define CPUID_LEAF_PMC         0x80000022u /* EAX[0]: version 2, EBX[3:0]: core counters */

/* Version 2, Zen 4 and later: a bit per counter (Linux arch/x86/events/amd/core.c, msr-index.h). */
#define MSR_PMC_GLOBAL_STATUS       0xC0000300u /* overflows, read only */
#define MSR_PMC_GLOBAL_CTL          0xC0000301u /* a counter counts if its bit here and its control's are set */
#define MSR_PMC_GLOBAL_STATUS_CLEAR 0xC0000302u /* a 1 clears the bit of the status */

/* Local vector table entry of the counters' overflow interrupt: APIC base + 340h. NMI delivery is message type 4:
 * 0x400. The APIC masks the entry itself when it delivers (bit 16), so the handler writes it again
 * (Linux arch/x86/events/core.c). IBS has its own entry in the extended LVT. */
#define APIC_LVT_PERF 0x340u

/* ---------------------------------------------------------------- PERF_CTL, MSRC001_0000..3
 *
 *  63   42 41   40   39  36 35     32 31   24 23  22 21 20  19  18   17 16  15    8 7       0
 *  | res. |Host|Guest| res. |Sel 11:8|CntMask|Inv|En|r.|Int|Pin|Edge|OS|Usr|UnitMask|Sel 7:0 |
 */
#define PMC_CTL_SELECT_LOW  0x00000000000000FFull /* 7:0: EventSelect[7:0] */
#define PMC_CTL_UNIT_MASK   0x000000000000FF00ull /* 15:8 */
#define PMC_CTL_USR         (1ull << 16)          /* count at CPL > 0 */
#define PMC_CTL_OS          (1ull << 17)          /* count at CPL 0: without an OS all code runs there */
#define PMC_CTL_EDGE        (1ull << 18)          /* count the rises, not the cycles */
#define PMC_CTL_PIN         (1ull << 19)          /* pin control: left 0 */
#define PMC_CTL_INT         (1ull << 20)          /* APIC interrupt on overflow */
#define PMC_CTL_RESERVED_21 (1ull << 21)          /* to be kept as read */
#define PMC_CTL_EN          (1ull << 22)
#define PMC_CTL_INV         (1ull << 23) /* with a count mask: compare less than, not greater or equal */
#define PMC_CTL_COUNT_MASK                                                                                             \
    0x00000000FF000000ull /* 31:24: 0 = add the number of events in each clock; 1..3 = add one in                      \
                             each clock with at least this many; 4..255 are reserved */
#define PMC_CTL_SELECT_HIGH 0x0000000F00000000ull /* 35:32: EventSelect[11:8] */
#define PMC_CTL_GUEST_ONLY  (1ull << 40)          /* count only in SVM guest mode */
#define PMC_CTL_HOST_ONLY   (1ull << 41)

/* Bits that are kept as they are read when a control is written (CodeAnalyst op_model_amd.c: 31..0 only bit 21, 63..32
 * the mask FFFFFCF0h, so GuestOnly and HostOnly are rewritten). */
#define PMC_CTL_PRESERVE ((0xFFFFFCF0ull << 32) | PMC_CTL_RESERVED_21)

enum {
    PMC_COUNT_MASK_MAX = 3,
    PMC_COUNT_MASK_LATER = 127, /* struct ibs_pmc.count_mask_max of families from 15h on */
};

/* Returns EventSelect (12 bits) and UnitMask in their places; flags are PMC_CTL_* bits; count_mask 0..3. */
static inline uint64_t pmc_ctl(uint32_t select, uint32_t unit_mask, uint32_t count_mask, uint64_t flags)
{
    return (select & 0xFFu) | (uint64_t)(select >> 8 & 0xFu) << 32 | (uint64_t)(unit_mask & 0xFFu) << 8 |
           (uint64_t)(count_mask & 0xFFu) << 24 | flags;
}

/* Event 003h of Family 17h and later may add up to 64 in a cycle, but a counter 15 at most. So an even one counts it,
 * and the next one is merged with it by event FFFh, enabled and with no other bit. The pair is one counter of 64 bits:
 * the odd one's 15:0 are the upper ones, and are written before the even one, which is read as a whole. Linux
 * arch/x86/events/amd/core.c (AMD_MERGE_EVENT, amd_is_pair_event_code, amd_core_pmu_init: all families from 17h on),
 * events/core.c (x86_perf_event_set_period: FFFFh, or no overflow of 48 bits interrupts), its commits 5738891229a2 and
 * 26e52558ead4, which cite the PPRs of Family 17h. */
enum {
    PMC_SELECT_MERGE = 0xFFF,
    PMC_MERGE_UPPER = 0xFFFF, /* with it the pair overflows as a counter of 48 bits does */
    PMC_PAIRS = 0x15,         /* counters that may have a partner */
};

/* ---------------------------------------------------------------- PERF_CTR, MSRC001_0004..7 */

#define PMC_COUNTER_MASK ((1ull << PMC_COUNTER_BITS) - 1)

/* The overflow interrupt comes when a counter wraps from 2^48-1 to 0. A counter that was preset to -period has bit 47
 * set until then; later drivers test bit 31, which limits periods to 2^31 (CodeAnalyst op_model_amd.c). */
#define PMC_COUNTER_WAITING (1ull << 47)
#define PMC_PERIOD_MAX      (1ull << 47)

/* Returns what to write so that the counter wraps after 'period' events, 1..PMC_PERIOD_MAX. */
static inline uint64_t pmc_preset(uint64_t period)
{
    return (0 - period) & PMC_COUNTER_MASK;
}
static inline bool pmc_overflowed(uint64_t counter)
{
    return (counter & PMC_COUNTER_WAITING) == 0;
}

#endif
