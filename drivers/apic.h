/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The local APIC's registers (xAPIC: memory-mapped). Offsets: AMD APM vol. 2 chapter 16, BKDG 31116 APIC registers.
 */
#ifndef DRIVERS_APIC_H
#define DRIVERS_APIC_H

#include <stdint.h>

#include "drivers/session_error.h"

#define MSR_APIC_BASE 0x1Bu

enum {
    APIC_EOI = 0xB0,
    APIC_SPURIOUS = 0xF0,      /* bit 8: APIC_SOFTWARE_ENABLE */
    APIC_COMMAND = 0x300,      /* writing it sends an interrupt */
    APIC_COMMAND_HIGH = 0x310, /* 31:24: APIC ID of the core that gets it */
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
    APIC_LVT_MASKED = 0x10000,
    APIC_LVT_PERIODIC = 0x20000, /* timer only; 0: one-shot */
};

/* The physical address of the registers from MSR 1Bh, whose low bits are flags: 11 enabled, 10 x2APIC, 8 boot core. */
enum session_error apic_find(uint64_t apic_msr, uint64_t *base);

enum { APIC_DIVIDE_BY_1 = 0xB, APIC_DIVIDE_BITS = 0xB };

/* Number of extended LVT entries. */
uint32_t apic_extended_lvts(uint64_t base);

/* Address of the register of an extended LVT entry. */
uint64_t apic_extended_lvt(uint64_t base, uint32_t entry);

/* Sends INIT to the core with this APIC ID: it stops, whatever it does, and waits for the firmware to start it again.
 * Its registers stay as they are, but its local vector table is masked. */
void apic_send_init(uint64_t base, uint32_t apic_id);

#endif
