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
    APIC_EXTENDED_FEATURE = 0x400, /* 23:16: number of extended LVT entries, 4 on Family 10h */
    APIC_EXTENDED_LVT = 0x500,     /* + 10h * entry */
    APIC_EXTENDED_LVT_STEP = 0x10,
};

/* Bits of an LVT entry (Linux arch/x86/include/asm/apicdef.h). */
enum {
    APIC_LVT_NMI = 0x400,     /* 10:8 message type 4, not masked; the vector does not matter */
    APIC_LVT_TYPE = 0x700,    /* 0: fixed */
    APIC_LVT_STATUS = 0x1000, /* delivery status, read-only */
    APIC_LVT_MASKED = 0x10000,
};

/* The physical address of the registers from MSR 1Bh, whose low bits are flags: 11 enabled, 10 x2APIC, 8 boot core. */
enum session_error apic_find(uint64_t apic_msr, uint64_t *base);

/* Number of extended LVT entries. */
uint32_t apic_extended_lvts(uint64_t base);

/* Address of the register of an extended LVT entry. */
uint64_t apic_extended_lvt(uint64_t base, uint32_t entry);

#endif
