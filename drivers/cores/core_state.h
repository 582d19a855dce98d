/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sets up what a run takes for granted of a core, and firmware promises of the boot core at most: the local APIC is on
 * by software, and x87 and SSE are usable and in the state that a program begins with. Only what is otherwise is
 * changed.
 */
#ifndef DRIVERS_CORE_STATE_H
#define DRIVERS_CORE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/cpu/cpu.h"
#include "drivers/machine/restore.h"

/* Holds the core's state as the firmware, or whoever started the core, left it. */
struct core_state {
    uint64_t cr0, cr4;
    uint32_t mxcsr;
    uint16_t fcw;
};

/* Sets it all; registers are in the log before they are written. True: *fpu has the floating-point state as it was,
 * to be loaded before the log is undone, because what makes that possible is in the log, and *was is set. False: the
 * log is full. */
bool core_state_take(struct core_state *was, struct cpu_fpu *fpu, uint64_t apic_msr, struct restore_log *log);

/* Sets CR0.WP, without which this privilege level writes to pages that are only read (AMD APM vol. 2 section 3.1.1).
 * False: the log has no room, and nothing is changed. */
bool core_state_protect(struct restore_log *log);

#endif
