/* SPDX-License-Identifier: BSD-2-Clause */
/* Time: the TSC, measured by the interval timer, and the CMOS clock. */
#ifndef BIOS_CLOCK_H
#define BIOS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/civil.h"

/* Measures the TSC for some 50 ms. Returns false if the interval timer does not count; the rate is then assumed to be 1
 * GHz. */
bool clock_measure(void);

uint64_t clock_tsc_khz(void);

/* Waits at least this long. */
void clock_wait(uint64_t microseconds);

/* Reads a time in the years 2000 to 2099: the CMOS has two digits. Returns false if the clock does not run, or has no
 * time. */
bool clock_read(struct civil *ret_time);

/* Returns seconds since 1970-01-01, if the clock shows UTC; 0: it has no time. */
uint64_t clock_unix_time(void);

#endif
