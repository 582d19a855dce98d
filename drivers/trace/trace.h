/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shows where the program is when it hangs: a byte on port 80h for each step, which boards with a POST display show,
 * and, if wanted, a line on the first serial port. Nothing of it lies in the measured part: from the first write that
 * arms something to the last that disarms it no step is shown.
 *
 * Port 80h has been the diagnostic port since the PC/AT. Linux wrote to it for delays on all machines until some
 * laptops with nForce chipsets were found to lock up (arch/x86/kernel/io_delay.c); for those there is TRACE_NONE.
 */
#ifndef DRIVERS_TRACE_H
#define DRIVERS_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/trace/uart.h"

enum trace_mode { TRACE_POST, TRACE_COM1, TRACE_NONE }; /* the setting 'trace' */

enum trace_step {
#define TRACE_ROW(name, code, last, what) TRACE_##name,
#include "drivers/trace/trace_rows.h"
#undef TRACE_ROW
    TRACE_STEPS,
};

struct trace_row {
    uint8_t code, last;
    const char *what;
};
extern const struct trace_row trace_table[TRACE_STEPS];

/* Begins the trace; no step is shown before. Returns false if mode is TRACE_COM1 and no serial port answers; the bytes
 * are written all the same. rate: the port's. */
bool trace_begin(enum trace_mode mode, enum uart_rate rate);

/* Shows a step on the boot core. 'number' is that of the core or vector where the row is a range, else 0. */
void trace_number(enum trace_step step, uint32_t number);
static inline void trace(enum trace_step step)
{
    trace_number(step, 0);
}

/* Shows a step on any core. Only the boot core, 0, writes a byte: the display shows one. */
void trace_on(uint32_t cpu, enum trace_step step);

/* Shows an exception that leaves a guarded call or, with 'last', stops the program; on any core. With TRACE_COM1 its
 * registers follow, before anything else is tried. */
struct cpu_fault;
void trace_fault(const struct cpu_fault *fault, bool last);

#endif
