/* SPDX-License-Identifier: BSD-2-Clause */
/* Times for people. */
#ifndef CORE_DURATION_H
#define CORE_DURATION_H

#include <stdint.h>

enum { DURATION_MAX = 40 };

/* Writes "50 s", "12 min", "3 h 05 min", rounded up. */
void duration_write(char (*text)[DURATION_MAX], uint64_t ms);

#endif
