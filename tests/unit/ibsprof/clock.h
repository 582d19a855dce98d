/* SPDX-License-Identifier: BSD-2-Clause */
/* clock_gettime() of the tests: the system's, unless a test sets the time. */
#ifndef TESTS_UNIT_IBSPROF_CLOCK_H
#define TESTS_UNIT_IBSPROF_CLOCK_H

#include <stdint.h>

extern int64_t clock_now_ns;  /* time of all clocks; negative: the system's */
extern int64_t clock_step_ns; /* increase for the next call */

#endif
