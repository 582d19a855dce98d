/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * State of the processor that own code may change without an exception, since it runs at the highest privilege level:
 * read before each call of own code, and put back after.
 */
#ifndef DRIVERS_KEPT_STATE_H
#define DRIVERS_KEPT_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/cpu/cpu.h"

enum kept_register {
    KEPT_ALL,
    KEPT_INTERRUPTS,
    KEPT_IDTR,
    KEPT_GDTR,
    KEPT_EFER,
    KEPT_CR4,
    KEPT_CR0,
    KEPT_CR3,
    KEPT_UNREADABLE
};

struct kept_state {
    struct cpu_table gdt, idt;
    uint64_t flags, efer, cr0, cr3, cr4;
};

#define KEPT_MSR_EFER 0xC0000080u /* AMD APM vol. 2 section 3.1.7 */

/* Reads the state; returns false if EFER cannot be read. */
bool kept_state_read(struct kept_state *state);

/* Puts back what differs; returns the first such register. KEPT_ALL: none; KEPT_UNREADABLE: EFER could be neither read
 * nor written. */
enum kept_register kept_state_put_back(const struct kept_state *before);

/* Returns a name: "CR4" ... */
const char *kept_register_name(enum kept_register which);

#endif
