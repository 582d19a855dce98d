/* SPDX-License-Identifier: BSD-2-Clause */
/* Time: the TSC, measured by the interval timer, and the clock of the CMOS. */
#ifndef BIOS_CLOCK_H
#define BIOS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/civil.h"

/* Measures the TSC: some 50 ms. False: the interval timer does not count, and 1 GHz is assumed. */
bool clock_measure(void);

uint64_t clock_tsc_khz(void);

/* Waits at least so long. */
void clock_wait(uint64_t microseconds);

/* The years 2000 to 2099: the CMOS has two digits. False: the clock does not run, or has no time. */
bool clock_read(struct civil *ret_time);

/* Seconds since 1970-01-01, taking the clock's time for UTC; 0: it has none. */
uint64_t clock_unix_time(void);

#endif
