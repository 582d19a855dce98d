/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/civil.h"

/* Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms". */
uint64_t civil_seconds(const struct civil *time)
{
    uint64_t year, day;

    if (time->year < 1970 || time->month < 1 || time->month > 12 || time->day < 1 || time->day > 31 ||
        time->hour > 23 || time->minute > 59 || time->second > 59)
        return 0;
    year = time->month > 2 ? time->year : time->year - 1u;
    day = (153 * (time->month + (time->month > 2 ? -3u : 9u)) + 2) / 5 + time->day - 1;
    day += year * 365 + year / 4 - year / 100 + year / 400 - 719468;
    return ((day * 24 + time->hour) * 60 + time->minute) * 60 + time->second;
}
