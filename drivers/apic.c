/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/apic.h"

#include "drivers/cpu.h"

/* MSR 1Bh, AMD APM vol. 2 section 16.3.1. */
#define APIC_BASE_ENABLED 0x800ull
#define APIC_BASE_X2APIC  0x400ull
#define APIC_BASE_ADDRESS 0x000FFFFFFFFFF000ull

enum session_error apic_find(uint64_t apic_msr, uint64_t *base)
{
    if (!(apic_msr & APIC_BASE_ENABLED))
        return SESSION_APIC_DISABLED;
    if (apic_msr & APIC_BASE_X2APIC)
        return SESSION_APIC_X2APIC;
    *base = apic_msr & APIC_BASE_ADDRESS;
    return SESSION_OK;
}

uint32_t apic_extended_lvts(uint64_t base)
{
    return cpu_mmio_read32(base + APIC_EXTENDED_FEATURE) >> 16 & 0xFF;
}

uint64_t apic_extended_lvt(uint64_t base, uint32_t entry)
{
    return base + APIC_EXTENDED_LVT + (uint64_t)entry * APIC_EXTENDED_LVT_STEP;
}

/* AMD APM vol. 2 section 16.5: message type 5, level asserted; bit 12: not sent yet. */
enum { COMMAND_INIT = 0x4500, COMMAND_PENDING = 0x1000, SEND_PAUSES = 100000 };

void apic_send_init(uint64_t base, uint32_t apic_id)
{
    cpu_mmio_write32(base + APIC_COMMAND_HIGH, apic_id << 24);
    cpu_mmio_write32(base + APIC_COMMAND, COMMAND_INIT);
    for (unsigned i = 0; i < SEND_PAUSES && cpu_mmio_read32(base + APIC_COMMAND) & COMMAND_PENDING; i++)
        cpu_pause();
}
