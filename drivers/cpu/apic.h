/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The local APIC's registers, memory-mapped (xAPIC) or MSRs (x2APIC). Offsets: AMD APM vol. 2 chapter 16, BKDG 31116
 * APIC registers. In x2APIC mode the register at an offset is MSR 800h + offset / 16, for the extended ones as well,
 * but the command register is a single one of 64 bits (AMD APM vol. 2 section 16.11; Linux arch/x86/include/asm/apic.h,
 * native_apic_msr_write). That the extended local vector table follows the rule, at MSR 850h, is inferred from it.
 */
#ifndef DRIVERS_APIC_H
#define DRIVERS_APIC_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/cpu/cpu.h"
#include "drivers/cpu/session_error.h"

#define MSR_APIC_BASE 0x1Bu

enum {
    APIC_ID = 0x20,      /* 31:24; of x2APIC 31:0 */
    APIC_VERSION = 0x30, /* 23:16: number of entries of the local vector table less one */
    APIC_EOI = 0xB0,
    APIC_SPURIOUS = 0xF0,      /* bit 8: APIC_SOFTWARE_ENABLE */
    APIC_COMMAND = 0x300,      /* writing it sends an interrupt */
    APIC_COMMAND_HIGH = 0x310, /* 31:24: APIC ID of the core that gets it; not in x2APIC: bits 63:32 of the MSR */
    APIC_LVT_TIMER = 0x320,
    APIC_TIMER_INITIAL = 0x380,    /* writing it starts the count; 0 stops it */
    APIC_TIMER_CURRENT = 0x390,    /* counts down to 0 and, in one-shot mode, stays there */
    APIC_TIMER_DIVIDE = 0x3E0,     /* bits 3, 1:0 */
    APIC_EXTENDED_FEATURE = 0x400, /* 23:16: number of extended LVT entries, 4 on Family 10h */
    APIC_EXTENDED_LVT = 0x500,     /* + 10h * entry */
    APIC_EXTENDED_LVT_STEP = 0x10,
};

enum { APIC_SOFTWARE_ENABLE = 0x100 };

/* Bits of an LVT entry (Linux arch/x86/include/asm/apicdef.h). */
enum {
    APIC_LVT_NMI = 0x400,     /* 10:8 message type 4, not masked; the vector does not matter */
    APIC_LVT_TYPE = 0x700,    /* 0: fixed */
    APIC_LVT_STATUS = 0x1000, /* delivery status, read-only */
    APIC_LVT_REMOTE = 0x4000, /* remote IRR, read-only */
    APIC_LVT_MASKED = 0x10000,
    APIC_LVT_PERIODIC = 0x20000, /* timer only; 0: one-shot */
};

/* Finds the base of the registers from MSR 1Bh, whose low bits are flags: 11 enabled, 10 x2APIC, 8 boot core. It is
 * their physical address or, in x2APIC mode, APIC_BASE_OF_MSRS: bits 35:4 of base + offset are then an MSR's number.
 */
#define APIC_BASE_OF_MSRS (1ull << 63 | 0x8000)
enum session_error apic_find(uint64_t apic_msr, uint64_t *base);

/* Returns whether such an address is an MSR's: no physical address has bit 63. */
static inline bool apic_is_msr(uint64_t address)
{
    return address >> 63;
}

/* Reads the register at such an address; 'msr' is apic_is_msr(), for those who know it before. */
static inline uint32_t apic_read_as(bool msr, uint64_t address)
{
    return msr ? (uint32_t)cpu_rdmsr((uint32_t)(address >> 4)) : cpu_mmio_read32(address);
}

static inline void apic_write_as(bool msr, uint64_t address, uint32_t value)
{
    if (msr)
        cpu_wrmsr((uint32_t)(address >> 4), value);
    else
        cpu_mmio_write32(address, value);
}

static inline uint32_t apic_read(uint64_t address)
{
    return apic_read_as(apic_is_msr(address), address);
}

static inline void apic_write(uint64_t address, uint32_t value)
{
    apic_write_as(apic_is_msr(address), address, value);
}

/* Writes a value that an MSR may refuse. Returns 0, or the exception vector. */
uint32_t apic_try_write(uint64_t address, uint32_t value);

enum { APIC_DIVIDE_BY_1 = 0xB, APIC_DIVIDE_BITS = 0xB };

/* Returns the calling core's id, as other cores' command registers address it: 8 bits or, of x2APIC, 32. */
uint32_t apic_own_id(uint64_t base);

/* Puts the calling core's APIC into x2APIC mode, if it is not: reset leaves that mode (AMD APM vol. 2 section 16.9.1).
 * Returns whether the mode was another. */
bool apic_use_msrs(void);

/* Puts it back into xAPIC mode, by way of off; INIT would leave it in x2APIC mode (Intel SDM vol. 3, x2APIC state
 * transitions). Returns whether it is in that mode then. */
bool apic_use_memory(void);

/* Returns the number of LVT entries without the extended ones. */
uint32_t apic_lvts(uint64_t base);

/* Returns the number of extended LVT entries. */
uint32_t apic_extended_lvts(uint64_t base);

/* Returns the address of an extended LVT entry's register. */
uint64_t apic_extended_lvt(uint64_t base, uint32_t entry);

/* Sends INIT to the core with this APIC ID: it stops, whatever it does, and waits for the firmware to start it again.
 * Its registers stay as they are, but its local vector table is masked. */
void apic_send_init(uint64_t base, uint32_t apic_id);

/* Sends STARTUP: a core that waits after INIT begins in real mode at the page with this number (0 to 9Fh). Others
 * ignore it. */
void apic_send_startup(uint64_t base, uint32_t apic_id, uint32_t page);

#endif
