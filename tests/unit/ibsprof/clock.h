/* SPDX-License-Identifier: BSD-2-Clause */
/* clock_gettime of the tests: the system's, unless a test sets the time. */
#ifndef TESTS_UNIT_IBSPROF_CLOCK_H
#define TESTS_UNIT_IBSPROF_CLOCK_H

#include <stdint.h>

extern int64_t clock_now_ns;  /* what all clocks say; negative: the system's */
extern int64_t clock_step_ns; /* and how much more the next time */

#endif
