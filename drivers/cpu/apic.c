/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/cpu/apic.h"

/* MSR 1Bh, AMD APM vol. 2 section 16.3.1. */
#define APIC_BASE_ENABLED 0x800ull
#define APIC_BASE_X2APIC  0x400ull
#define APIC_BASE_ADDRESS 0x000FFFFFFFFFF000ull

enum session_error apic_find(uint64_t apic_msr, uint64_t *base)
{
    if (!(apic_msr & APIC_BASE_ENABLED))
        return SESSION_APIC_DISABLED;
    *base = apic_msr & APIC_BASE_X2APIC ? APIC_BASE_OF_MSRS : apic_msr & APIC_BASE_ADDRESS;
    return SESSION_OK;
}

uint32_t apic_try_write(uint64_t address, uint32_t value)
{
    if (apic_is_msr(address))
        return cpu_wrmsr_safe((uint32_t)(address >> 4), value);
    cpu_mmio_write32(address, value);
    return 0;
}

uint32_t apic_own_id(uint64_t base)
{
    uint32_t id = apic_read(base + APIC_ID);
    return apic_is_msr(base) ? id : id >> 24;
}

/* Goes through xAPIC mode from an APIC that is off. */
bool apic_use_msrs(void)
{
    uint64_t now = cpu_rdmsr(MSR_APIC_BASE);
    if (!(now & APIC_BASE_ENABLED))
        cpu_wrmsr(MSR_APIC_BASE, now | APIC_BASE_ENABLED);
    if (!(now & APIC_BASE_X2APIC))
        cpu_wrmsr(MSR_APIC_BASE, now | APIC_BASE_ENABLED | APIC_BASE_X2APIC);
    return !(now & APIC_BASE_X2APIC);
}

bool apic_use_memory(void)
{
    uint64_t off = cpu_rdmsr(MSR_APIC_BASE) & ~(APIC_BASE_ENABLED | APIC_BASE_X2APIC);

    cpu_wrmsr(MSR_APIC_BASE, off);
    cpu_wrmsr(MSR_APIC_BASE, off | APIC_BASE_ENABLED);
    return cpu_rdmsr(MSR_APIC_BASE) == (off | APIC_BASE_ENABLED);
}

/* AMD APM vol. 2 section 16.3.1. */
uint32_t apic_lvts(uint64_t base)
{
    return (apic_read(base + APIC_VERSION) >> 16 & 0xFF) + 1;
}

uint32_t apic_extended_lvts(uint64_t base)
{
    return apic_read(base + APIC_EXTENDED_FEATURE) >> 16 & 0xFF;
}

uint64_t apic_extended_lvt(uint64_t base, uint32_t entry)
{
    return base + APIC_EXTENDED_LVT + (uint64_t)entry * APIC_EXTENDED_LVT_STEP;
}

/* AMD APM vol. 2 section 16.5: message type 5 (INIT) or 6 (STARTUP), level asserted; bit 12: not sent yet. */
enum { COMMAND_INIT = 0x4500, COMMAND_STARTUP = 0x4600, COMMAND_PENDING = 0x1000, SEND_PAUSES = 100000 };

static void send(uint64_t base, uint32_t apic_id, uint32_t command)
{
    if (apic_is_msr(base)) {
        __atomic_thread_fence(__ATOMIC_SEQ_CST); /* the other core sees all that was written before */
        cpu_wrmsr((uint32_t)((base + APIC_COMMAND) >> 4), (uint64_t)apic_id << 32 | command);
        return;
    }
    cpu_mmio_write32(base + APIC_COMMAND_HIGH, apic_id << 24);
    cpu_mmio_write32(base + APIC_COMMAND, command);
    for (unsigned i = 0; i < SEND_PAUSES && cpu_mmio_read32(base + APIC_COMMAND) & COMMAND_PENDING; i++)
        cpu_pause();
}

void apic_send_init(uint64_t base, uint32_t apic_id)
{
    send(base, apic_id, COMMAND_INIT);
}

void apic_send_startup(uint64_t base, uint32_t apic_id, uint32_t page)
{
    send(base, apic_id, COMMAND_STARTUP | page);
}
