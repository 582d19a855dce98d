/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tells whoever started QEMU that the guest is being stepped: a byte through a debug port now and then (QEMU: -device
 * isa-debugcon,iobase=0xe8,chardev=...). A measurement says nothing on the console for minutes on a slow machine;
 * without this it could not be told from a hang (tools/qemu/watch).
 */
#ifndef VPMU_SHIM_PROGRESS_H
#define VPMU_SHIM_PROGRESS_H

#include <stdint.h>

#include "vpmu/shim/x86.h"

/* PROGRESS_STEPS: steps of a core per byte, also used by tools/qemu/boot. A few bytes a second where each step is a #DB
 * exit, and few enough writes where steps are fast. */
enum { PROGRESS_PORT = 0xe8, PROGRESS_STEPS = 16384 };

/* Reports a core's steps until now. Not for code that a QEMU plugin calls natively: port I/O is privileged. */
static inline void progress_step(uint64_t steps)
{
    if (steps % PROGRESS_STEPS == 0)
        x86_outb(PROGRESS_PORT, '.');
}

#endif
