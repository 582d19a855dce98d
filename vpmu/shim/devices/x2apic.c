/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The local APIC in x2APIC mode, with the setting x2apic=1: registers are MSRs 800h to 8FFh (AMD APM vol. 2
 * sections 16.9 to 16.12; the extended ones at 850h by the same rule, which is inferred), and its page is no register's
 * any more. QEMU's TCG knows no such mode: each access is one to its registers in memory, or to the model's.
 *
 * The boot core, and cores that firmware has begun, are in this mode from the start, as firmware leaves them; those
 * that the guest starts itself begin in xAPIC mode, as reset leaves them.
 */
#include "vpmu/shim/shim.h"

enum {
    FIRST = 0x800,
    LAST = 0x8ff,
    APIC_ID = 0x20,
    APIC_VERSION = 0x30,
    APIC_EOI = 0xb0,
    APIC_DFR = 0xe0,
    APIC_COMMAND = 0x300,
    APIC_COMMAND_HIGH = 0x310,
    APIC_LVT_TIMER = 0x320,
    APIC_LVT_ERROR = 0x370,
    APIC_END = 0x400,
    EXTENDED_LVT = 0x500,
    EXTENDED_END = 0x540,
    APIC_ENABLED = 1 << 11,
    APIC_X2APIC = 1 << 10,
    APIC_MODE = APIC_ENABLED | APIC_X2APIC,
    DELIVERY_STATUS = 1 << 12,
};

/* Returns the bits that a write may set; any other raises #GP. The timer's entry has no message type. */
static uint64_t writable(unsigned offset)
{
    if (offset == APIC_COMMAND)
        return ~(uint64_t)DELIVERY_STATUS;
    if (offset == APIC_LVT_TIMER)
        return 0x700ff;
    if (offset > APIC_LVT_TIMER && offset <= APIC_LVT_ERROR)
        return 0x1a7ff;
    if (offset >= EXTENDED_LVT)
        return 0x107ff;
    return offset == APIC_EOI || offset == APIC_ID || offset == APIC_VERSION ? 0 : 0xffffffff;
}

static bool exists(unsigned offset)
{
    return offset >= APIC_ID && offset < EXTENDED_END && offset != APIC_DFR && offset != APIC_COMMAND_HIGH &&
           (offset <= APIC_END || offset >= EXTENDED_LVT);
}

static enum vpmu_access access_register(struct shim *shim, unsigned offset, bool write, uint64_t *value)
{
    if (!exists(offset) || (write && *value & ~writable(offset)) || (!write && offset == APIC_EOI) ||
        (write && (offset == APIC_ID || offset == APIC_VERSION)))
        return VPMU_GP;
    if (write && offset == APIC_COMMAND)
        apic_put(shim, APIC_COMMAND_HIGH, (uint32_t)(*value >> 32) << 24);
    if (write) {
        apic_put(shim, offset, (uint32_t)*value);
        return VPMU_OK;
    }
    *value = apic_get(shim, offset);
    if (offset == APIC_ID)
        *value >>= 24;
    else if (offset == APIC_COMMAND)
        *value = (*value & writable(offset)) | (uint64_t)(apic_get(shim, APIC_COMMAND_HIGH) >> 24) << 32;
    else if (offset >= APIC_LVT_TIMER && offset <= APIC_LVT_ERROR)
        *value &= ~(uint64_t)DELIVERY_STATUS;
    return VPMU_OK;
}

/* Changes the mode: from off to xAPIC, on to x2APIC, and from either to off; the processor refuses all others. The real
 * APIC stays in xAPIC mode. */
static enum vpmu_access access_base(struct shim *shim, bool write, uint64_t *value)
{
    uint64_t now = x86_rdmsr(MSR_APIC_BASE) & ~(uint64_t)APIC_MODE, mode = *value & APIC_MODE;
    uint64_t before = shim->apic_off ? 0 : APIC_ENABLED | (shim->x2apic ? APIC_X2APIC : 0);
    if (!write) {
        *value = now | before;
        return VPMU_OK;
    }
    if ((*value ^ now) & ~(uint64_t)APIC_MODE || mode == APIC_X2APIC || (mode == APIC_MODE && !before) ||
        (mode == APIC_ENABLED && before == APIC_MODE))
        return VPMU_GP;
    shim->x2apic = mode == APIC_MODE;
    shim->apic_off = !mode;
    return VPMU_OK;
}

enum vpmu_access x2apic_access(struct shim *shim, uint32_t msr, bool write, uint64_t *value)
{
    if (!shim->settings.x2apic)
        return VPMU_NOT_MINE;
    if (msr == MSR_APIC_BASE)
        return access_base(shim, write, value);
    if (msr < FIRST || msr > LAST)
        return VPMU_NOT_MINE;
    return shim->x2apic ? access_register(shim, (msr - FIRST) * 16, write, value) : VPMU_GP;
}
