/* SPDX-License-Identifier: BSD-2-Clause */
/* Plans of counters, and the fake processor's counters. */
#ifndef TESTS_UNIT_DRIVERS_PMC_PLANS_H
#define TESTS_UNIT_DRIVERS_PMC_PLANS_H

#include "tests/unit/drivers/fake_cpu.h"

#include "drivers/pmu/pmc.h"

#define EVENT(sel, mask, n)                                                                                            \
    {                                                                                                                  \
        .select = sel, .unit_mask = mask, .os = true, .period = n                                                      \
    }

/* Counts retired instructions and DC misses. */
extern const struct pmc_plan two_events;
/* Counts cycles in each of three groups, on different counters; group 1 is the smallest. */
extern const struct pmc_plan three_groups;

uint64_t ctr(unsigned counter);
uint64_t ctl(unsigned counter);

#endif
