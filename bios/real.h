/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls of the BIOS: INT n in real mode. On the boot core only, and not while anything may raise an NMI: vector 2 there
 * is the BIOS's. */
#ifndef BIOS_REAL_H
#define BIOS_REAL_H

#include <stdbool.h>
#include <stdint.h>

enum { REAL_CARRY = 1, REAL_ZERO = 0x40 }; /* of the flags */

struct real_registers {
    uint32_t eax, ebx, ecx, edx, esi, edi, ebp, flags;
    uint16_t ds, es;
    uint32_t number; /* of the interrupt */
    uint32_t a20;    /* counts calls; the same word 1 MB higher must differ */
};

struct real {
    uint8_t mask_1, mask_2; /* the BIOS's */
    uint32_t wrong;         /* calls that left IBS on */
};

/* Copies the code to low memory, and masks interrupts until the BIOS is called. Once, before the first call. */
void real_prepare(void);

/* Calls the interrupt with these registers and takes over what it left. The first call while IBS or a counter may raise
 * an NMI, which would be an error of the program, is told in a line, and both are switched off. */
void real_interrupt(uint8_t number, struct real_registers *registers);

/* How many calls there were; those while IBS or a counter could raise an NMI. */
uint32_t real_calls(void);
uint32_t real_calls_wrong(void);

#endif
