/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/pmu/contrary.h"

#include "vpmu/model/hostile.h"
#include "vpmu/model/state.h"

enum way {
    READS,    /* a register: bits read otherwise */
    UNSTABLE, /* likewise, in every fourth read of one register in a row, and the three that follow */
    THERE,    /* likewise, one that the family does not have */
    TAKES,    /* written bits differ */
    SILENT,   /* a write that would raise #GP is ignored */
    EAX,      /* CPUID: bits of these of the leaf */
    EBX,
    ECX,
    EDX,
    APIC, /* a register of the local APIC, by its offset */
};

#define BIT(n) (1ull << (n))

/* Numbers: Linux arch/x86/include/asm/msr-index.h, asm/apicdef.h; AMD APM vol. 3, appendix E. */
static const struct contrary_row {
    uint8_t by, way;
    uint32_t at;
    uint64_t when; /* only while one of these bits is set; 0: always */
    uint64_t clear, set;
} rows[] = {
    {HOSTILE_LOST_BITS, READS, 0xC0000301, 0, BIT(5), 0},         /* PerfCntrGlobalCtl: counter 5 */
    {HOSTILE_LOST_BITS, READS, 0xC000010E, 0, BIT(8), 0},         /* LBR_SELECT: far branches */
    {HOSTILE_LOST_BITS, READS, 0xC0010015, 0, BIT(25), 0},        /* HWCR: CpbDis */
    {HOSTILE_LOST_BITS, READS, 0xC0010202, 0, 0xFull << 32, 0},   /* counter 1: the event's bits 11:8 */
    {HOSTILE_LOST_BITS, READS, 0xC0010207, 0, BIT(47), 0},        /* count 3 */
    {HOSTILE_LOST_BITS, READS, 0xC0010230, 0, BIT(56), 0},        /* L3: threads */
    {HOSTILE_LOST_BITS, READS, 0xC0010231, 0, BIT(47), 0},        /* and its count */
    {HOSTILE_LOST_BITS, READS, 0xC0010240, 0, BIT(12), 0},        /* data fabric: unit mask */
    {HOSTILE_LOST_BITS, READS, 0xC0010241, 0, BIT(46), 0},        /* and its count */
    {HOSTILE_LOST_BITS, READS, 0xC0010800, 0, BIT(8), 0},         /* memory controller: reads or writes */
    {HOSTILE_LOST_BITS, READS, 0xC0010801, 0, BIT(45), 0},        /* and its count */
    {HOSTILE_LOST_BITS, READS, 0xC0011030, 0, VFETCH_L3_ONLY, 0}, /* the filter of fetches */
    {HOSTILE_LOST_BITS, READS, 0xC0011033, 0, BIT(26), 0},        /* the highest bit of MaxCnt */

    {HOSTILE_CPUID_SILENT, EAX, 0x8000001B, 0, BIT(5) | BIT(8) | BIT(9), 0}, /* IbsBrTarget, fusion, IbsFetchCtlExtd */
    {HOSTILE_CPUID_SILENT, EBX, 0x80000022, 0, 0x3F000F, 4 | 1 << 16},       /* four core counters, one of memory */
    {HOSTILE_CPUID_SILENT, ECX, 0x80000001, 0, BIT(28), 0},                  /* L3 counters */
    {HOSTILE_CPUID_SILENT, EBX, 0x80000008, 0, BIT(27), 0},                  /* CPPC */
    {HOSTILE_CPUID_SILENT, THERE, 0xC00102B0, 0, 0, 0},
    {HOSTILE_CPUID_SILENT, THERE, 0xC001103D, 0, 0, 0}, /* IbsOpData4 */

    {HOSTILE_GLOBAL_DEAF, TAKES, 0xC0000301, 0, 0, 0x3F},   /* counters go on */
    {HOSTILE_GLOBAL_DEAF, TAKES, 0xC0000302, 0, BIT(0), 0}, /* counter 0's overflow stays */

    {HOSTILE_ODD_READS, THERE, 0x00000401, 0, 0, BIT(63)},             /* MC0_STATUS: an error that boot left */
    {HOSTILE_ODD_READS, UNSTABLE, 0xC0010003, 0, 0, BIT(41)},          /* counter 3's control, by its old number */
    {HOSTILE_ODD_READS, READS, 0xC0010004, 0, BIT(46), 0},             /* count 0, by its old number */
    {HOSTILE_ODD_READS, READS, 0xC0010007, 0, 0, BIT(3)},              /* count 3, by its old number */
    {HOSTILE_ODD_READS, READS, 0xC0010063, 0, 0, BIT(0)},              /* P-state 1, where P0 is allowed */
    {HOSTILE_ODD_READS, READS, 0xC0010299, 0, 0x1F00, 9 << 8},         /* RAPL: 2^-9 J */
    {HOSTILE_ODD_READS, READS, 0xC00102B0, 0, 0, 0xFFull << 16},       /* CPPC: nominal above highest */
    {HOSTILE_ODD_READS, READS, 0xC0011030, VFETCH_VAL, VFETCH_CNT, 0}, /* the count of a sample */
    {HOSTILE_ODD_READS, READS, 0xC0011033, VOP_VAL, VOP_CUR_MASK, 0},
    {HOSTILE_ODD_READS, SILENT, 0xC0011031, 0, 0, 0}, /* IbsFetchLinAd, which is read-only */
    {HOSTILE_ODD_READS, TAKES, 0xC0011039, 0, 0, BIT(3)},
    {HOSTILE_ODD_READS, APIC, 0x390, 0, 0, BIT(0)},           /* the timer's count, after its end */
    {HOSTILE_ODD_READS, APIC, 0x400, 0, 0xFF << 16, 3 << 16}, /* three extended entries */

    {HOSTILE_BOOT_ID, EBX, 0x00000001, 0, 0, BIT(28)}, /* the id's bit 4 */
    {HOSTILE_BOOT_ID, EDX, 0x0000000B, 0, 0, BIT(4)},
    {HOSTILE_BOOT_ID, EAX, 0x8000001E, 0, 0, BIT(4)},
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* Returns the row if it is about this place and its switch is on, or NULL. */
static const struct contrary_row *row_of(const struct vpmu *vpmu, unsigned i, uint32_t at)
{
    bool of_boot_core = rows[i].by == HOSTILE_BOOT_ID;

    return rows[i].at == at && hostile_has(vpmu->config.hostile, rows[i].by) && !(of_boot_core && vpmu->config.with)
               ? &rows[i]
               : NULL;
}

static uint64_t changed(const struct contrary_row *row, uint64_t value)
{
    return (value & ~row->clear) | row->set;
}

/* Returns whether a register is read often: software that reads it once, to put it back later, must not find another
 * value. */
static bool often(struct vpmu *vpmu, uint32_t msr)
{
    vpmu->same_reads = vpmu->last_read == msr ? vpmu->same_reads + 1 : 0;
    vpmu->last_read = msr;
    return vpmu->same_reads & 4;
}

enum vpmu_access contrary_read(struct vpmu *vpmu, uint32_t msr, enum vpmu_access access, uint64_t *value)
{
    bool again = often(vpmu, msr);

    for (unsigned i = 0; i < ROWS; i++) {
        const struct contrary_row *row = row_of(vpmu, i, msr);

        if (!row || row->way > THERE || (row->way == UNSTABLE && !again))
            continue;
        if (row->way == THERE && access != VPMU_OK) {
            access = VPMU_OK;
            *value = 0;
        }
        if (access == VPMU_OK && (!row->when || *value & row->when))
            *value = changed(row, *value);
    }
    return access;
}

uint64_t contrary_written(const struct vpmu *vpmu, uint32_t msr, uint64_t value)
{
    for (unsigned i = 0; i < ROWS; i++) {
        const struct contrary_row *row = row_of(vpmu, i, msr);

        if (row && row->way == TAKES)
            value = changed(row, value);
    }
    return value;
}

enum vpmu_access contrary_write(const struct vpmu *vpmu, uint32_t msr, enum vpmu_access access)
{
    for (unsigned i = 0; i < ROWS && access == VPMU_GP; i++) {
        const struct contrary_row *row = row_of(vpmu, i, msr);

        if (row && row->way == SILENT)
            access = VPMU_OK;
    }
    return access;
}

void contrary_cpuid(const struct vpmu *vpmu, uint32_t leaf, uint32_t regs[4])
{
    for (unsigned i = 0; i < ROWS; i++) {
        const struct contrary_row *row = row_of(vpmu, i, leaf);

        if (row && row->way >= EAX && row->way <= EDX)
            regs[row->way - EAX] = (uint32_t)changed(row, regs[row->way - EAX]);
    }
}

uint32_t contrary_apic(const struct vpmu *vpmu, unsigned offset, uint32_t value)
{
    for (unsigned i = 0; i < ROWS; i++) {
        const struct contrary_row *row = row_of(vpmu, i, offset);

        if (row && row->way == APIC)
            value = (uint32_t)changed(row, value);
    }
    return value;
}
