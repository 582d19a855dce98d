/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/drivers/pmc_plans.h"

const struct pmc_plan two_events = {
    .mode = PMC_SAMPLING,
    .events = 2,
    .event = {EVENT(0x0C0, 0, 1000), EVENT(0x041, 0, 500)},
    .groups = 1,
    .group = {{.events = 2, .event = {0, 1}}},
};
const struct pmc_plan three_groups = {
    .mode = PMC_SAMPLING,
    .events = 4,
    .event = {EVENT(0x076, 0, 10000), EVENT(0x0C0, 0, 1000), EVENT(0x041, 0, 500), EVENT(0x042, 0x1F, 0)},
    .groups = 3,
    .group = {{.events = 2, .event = {0, 1}}, {.events = 1, .event = {0}}, {.events = 3, .event = {2, 3, 0}}},
    .slice = 2500000,
    .turns_seed = 1, /* two rounds in the plan's order */
};

uint64_t ctr(unsigned counter)
{
    return fake_msr(MSR_PERF_CTR(counter))->value;
}

uint64_t ctl(unsigned counter)
{
    return fake_msr(MSR_PERF_CTL(counter))->value;
}
