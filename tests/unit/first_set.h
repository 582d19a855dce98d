/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_UNIT_FIRST_SET_H
#define TESTS_UNIT_FIRST_SET_H

#include "core/ibs/derived.h"

/* The derived events of Family 10h. */
static inline const struct derived_set *first_set(void)
{
    static struct derived_set set;
    struct ibs_machine machine = ibs_machine_of(0x10, 4, 0x1F);

    if (!set.machine.row)
        set = derived_set_of(&machine);
    return &set;
}

#endif
