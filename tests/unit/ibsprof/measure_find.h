/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_UNIT_IBSPROF_MEASURE_FIND_H
#define TESTS_UNIT_IBSPROF_MEASURE_FIND_H

#include "tools/ibsprof/profile/event_names.h"
#include "tools/ibsprof/profile/measure.h"

/* Finds a measure by any name that event_names.h knows. Returns false for none or several events of the file. */
static inline bool measure_find(const struct run_profile *profile, const char *name, struct measure *ret_measure)
{
    uint32_t found[EVENT_NAMES_MAX];

    if (event_names_find(profile->facts, name, found) != 1)
        return false;
    *ret_measure = measure_at(profile, found[0]);
    return true;
}

#endif
