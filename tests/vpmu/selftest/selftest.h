/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Declarations that the parts of the self-test share.
 */
#ifndef VPMU_SELFTEST_SELFTEST_H
#define VPMU_SELFTEST_SELFTEST_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/vpmu/selftest/fixture.h"

void selftest_check(bool good, const char *what, uint64_t value);
volatile uint32_t *selftest_apic(unsigned offset);
/* Gets the NMIs while it is set. */
extern void (*selftest_nmi)(const struct nmi_frame *frame);

/* counters.c: performance counters, their interrupts, the APIC timer, the TSC. Interrupts off, own IDT. */
void counters_check(void);

/* fill.c: REP STOSB over several pages, and over code. */
void fill_check(void);

/* doors.c. Stepped as an operating system is: by the host, without a stub in the IDT. */
bool selftest_by_exits(void);
void doors_check(void);
/* Checks this guest while nothing is enabled. */
void doors_check_unstepped(void);

#endif
