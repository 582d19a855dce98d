/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sets up what a run needs of a core, which firmware promises of the boot core at most: the local APIC is on by
 * software, and x87 and SSE are usable and in the state that a program begins with. Only what differs is changed.
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

/* Sets it all, and logs registers before it writes them. Returns true with *was and *fpu set: *fpu is the former
 * floating-point state, to be loaded before the log is undone, because the log undoes what makes that possible.
 * Returns false if the log is full. */
bool core_state_take(struct core_state *was, struct cpu_fpu *fpu, uint64_t apic_msr, struct restore_log *log);

/* Sets CR0.WP, without which this privilege level writes to pages that are only read (AMD APM vol. 2 section 3.1.1).
 * Returns false, and changes nothing, if the log has no room. */
bool core_state_protect(struct restore_log *log);

#endif
