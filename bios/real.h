/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls the BIOS by INT n in real mode. Only for the boot core, and never while anything may raise an NMI: vector 2 is
 * then the BIOS's. */
#ifndef BIOS_REAL_H
#define BIOS_REAL_H

#include <stdbool.h>
#include <stdint.h>

enum { REAL_CARRY = 1, REAL_ZERO = 0x40 }; /* bits of the flags */

struct real_registers {
    uint32_t eax, ebx, ecx, edx, esi, edi, ebp, flags;
    uint16_t ds, es;
    uint32_t number; /* interrupt */
    uint32_t a20;    /* number of calls; with A20 on, the word 1 MB higher differs */
};

struct real {
    uint8_t mask_1, mask_2; /* interrupt masks of the BIOS */
    uint32_t wrong;         /* number of calls while IBS or a counter was on */
};

/* Copies the code to low memory, and masks interrupts outside of BIOS calls. To be called once, before the first
 * call. */
void real_prepare(void);

/* Calls the interrupt with these registers, and returns its registers. A call while IBS or a counter may raise an NMI
 * is an error of the program: both are switched off, and the first such call prints a line. */
void real_interrupt(uint8_t number, struct real_registers *registers);

/* Return the number of calls, and of those while IBS or a counter could raise an NMI. */
uint32_t real_calls(void);
uint32_t real_calls_wrong(void);

#endif
