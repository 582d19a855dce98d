/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The code with which a core begins after INIT and SIPI: real mode at the start of a page below 1 MB, then protected
 * mode, then long mode as the boot core has it (AMD APM vol. 2 sections 14.1, 14.6 and 16.5). trampoline.S has the
 * code; it is copied into that page, and reads what follows its first instruction.
 */
#ifndef DRIVERS_TRAMPOLINE_H
#define DRIVERS_TRAMPOLINE_H

/* Offsets in the page; startup.c asserts those of struct trampoline. */
#define TRAMPOLINE_BASE  8
#define TRAMPOLINE_CR3   12
#define TRAMPOLINE_EFER  16
#define TRAMPOLINE_CR0   24
#define TRAMPOLINE_CR4   32
#define TRAMPOLINE_ROOT  40
#define TRAMPOLINE_STACK 48
#define TRAMPOLINE_ENTRY 56
#define TRAMPOLINE_VALUE 64
#define TRAMPOLINE_GDT   72
#define TRAMPOLINE_IDT   88
#define TRAMPOLINE_CS    104
#define TRAMPOLINE_SS    108
#define TRAMPOLINE_OWN   112
#define TRAMPOLINE_TABLE 144
#define TRAMPOLINE_TO_32 152
#define TRAMPOLINE_TO_64 160
#define TRAMPOLINE_CODE  168

/* Selectors of the table with which it begins. */
#define TRAMPOLINE_CODE_32 0x08
#define TRAMPOLINE_DATA    0x10
#define TRAMPOLINE_CODE_64 0x18

#ifndef __ASSEMBLER__

#include <stdint.h>

#include "drivers/cpu/cpu.h"

struct trampoline {
    uint8_t jump[8];
    uint32_t base; /* of the page */
    uint32_t cr3;  /* the first page table: a copy of the boot core's below 4 GB, because 32-bit code loads it */
    uint64_t efer; /* without LMA, which the processor sets */
    uint64_t cr0, cr4;
    uint64_t root;  /* the boot core's CR3 */
    uint64_t stack; /* its end */
    uint64_t entry; /* void (*)(uint64_t value), which does not return */
    uint64_t value;
    struct cpu_table gdt; /* the boot core's, so that its selectors are valid here, too */
    uint8_t unused1[6];
    struct cpu_table idt;
    uint8_t unused2[6];
    uint32_t cs, ss; /* the boot core's */
    uint64_t own[4]; /* descriptors of the three selectors above */
    uint16_t own_limit;
    uint32_t own_base;
    uint16_t unused3;
    uint32_t to_32;
    uint16_t to_32_cs, unused4;
    uint32_t to_64;
    uint16_t to_64_cs, unused5;
} __attribute__((packed));

extern const uint8_t trampoline_code[] __attribute__((visibility("hidden")));
/* Offsets of the 32-bit part, of the 64-bit part, and of its end. */
extern const uint32_t trampoline_places[3] __attribute__((visibility("hidden")));

#endif
#endif
