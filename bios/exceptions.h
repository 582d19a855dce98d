/* SPDX-License-Identifier: BSD-2-Clause */
/* Descriptor tables: for exceptions, which print one line and end the program, and a task state segment, which a
 * program finds loaded and loads again after its own. */
#ifndef BIOS_EXCEPTIONS_H
#define BIOS_EXCEPTIONS_H

#include <stdint.h>

enum { EXCEPTION_VECTORS = 256 };

struct exception_gate {
    uint16_t low, selector, type, middle;
    uint32_t high, reserved;
};

void exceptions_prepare(void);

#endif
