/* SPDX-License-Identifier: BSD-2-Clause */
/* Dates of the civil calendar. */
#ifndef CORE_CIVIL_H
#define CORE_CIVIL_H

#include <stdint.h>

struct civil {
    uint16_t year;
    uint8_t month, day, hour, minute, second;
};

/* Returns the seconds since 1970-01-01; 0 if the clock shows no later date. */
uint64_t civil_seconds(const struct civil *time);

#endif
