/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/kinds/pmc.h"

#include "core/counts.h"
#include "core/stats.h"

enum { MILLION = 1000000 };

/* What an event's counters held, and for how long. */
struct sums {
    uint64_t total;
    uint64_t active, possible; /* TSC ticks */
    unsigned passes;           /* that it was counted in */
};

static void add_sums(const struct run *run, unsigned event, unsigned repeat, struct sums *sums)
{
    const struct event_groups *groups = &run->task.groups;

    for (unsigned g = 0; g < groups->count; g++) {
        const struct pmc_group_result *result = pmc_group_result(run, repeat, g);

        sums->possible += result->tsc;
        for (unsigned c = 0; c < groups->group[g].count; c++) {
            if (groups->group[g].event[c] != event || !result->tsc)
                continue;
            sums->total += result->counter[c].total;
            sums->active += result->tsc;
            sums->passes++;
        }
    }
}

bool measure_pmc_total(const struct run *run, unsigned event, unsigned repeat, uint64_t *ret_total)
{
    struct sums sums = {0};

    add_sums(run, event, repeat, &sums);
    if (!sums.passes)
        return false;
    *ret_total =
        pmc_multiplexed(run) ? stats_mul_div(sums.total, sums.possible, sums.active) : sums.total / sums.passes;
    return true;
}

bool measure_pmc_mean(const struct run *run, unsigned event, uint64_t *ret_mean, uint32_t *ret_cv_ppm)
{
    struct sums sums = {0};
    uint64_t squares = 0, total;
    unsigned counted = 0;

    for (unsigned r = 0; r < run->pmc.repeats; r++)
        add_sums(run, event, r, &sums);
    if (!sums.passes)
        return false;
    *ret_cv_ppm = 0;
    if (pmc_multiplexed(run))
        *ret_mean = stats_mul_div(sums.total, sums.possible, sums.active) / run->pmc.repeats;
    else
        *ret_mean = (sums.total + sums.passes / 2) / sums.passes;
    for (unsigned r = 0; r < run->pmc.repeats && *ret_mean; r++) {
        if (!measure_pmc_total(run, event, r, &total))
            continue;
        total = stats_mul_div(total > *ret_mean ? total - *ret_mean : *ret_mean - total, MILLION, *ret_mean);
        squares += total * total;
        counted++;
    }
    if (counted > 1)
        *ret_cv_ppm = stats_isqrt(squares / (counted - 1));
    return true;
}

uint32_t measure_pmc_reliability_ppm(const struct run *run, unsigned event)
{
    const struct event_groups *groups = &run->task.groups;
    uint64_t sentinel[EVENT_GROUPS_MAX] = {0};
    uint32_t worst = MILLION;

    if (!pmc_multiplexed(run) || event_groups_with(groups, event) == groups->count)
        return worst;
    for (unsigned r = 0; r < run->pmc.repeats; r++)
        for (unsigned g = 0; g < groups->count; g++)
            sentinel[g] += pmc_group_result(run, r, g)->tsc;
    for (unsigned g = 0; g < groups->count; g++) {
        uint32_t reliability = counts_reliability_ppm(sentinel, groups->count, g);
        for (unsigned c = 0; c < groups->group[g].count; c++)
            if (groups->group[g].event[c] == event && reliability < worst)
                worst = reliability;
    }
    return worst;
}
