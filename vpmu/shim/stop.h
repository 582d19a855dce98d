/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ends QEMU through its isa-debug-exit device (I/O port f4h), whose exit status is code * 2 + 1.
 */
#ifndef VPMU_SHIM_STOP_H
#define VPMU_SHIM_STOP_H

#include <stdint.h>

enum stop_code {
    STOP_GOOD = 0x10,   /* status 33: all as it should be */
    STOP_BAD = 0x11,    /* status 35: a check failed, or ibsboot returned an error */
    STOP_BROKEN = 0x12, /* status 37: the shim itself cannot go on */
};

/* Does not return. Without the device it halts for good. */
void stop_qemu(enum stop_code code) __attribute__((noreturn));

/* Returns the address of RVA 0 of this image: subtracted from addresses in messages, they can be looked up in
 * vpmu.elf. */
unsigned long long stop_image_base(void);

#endif
