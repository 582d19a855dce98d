/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/kinds/counters/pmc.h"

#include "core/base/stats.h"

enum { MILLION = 1000000 };

/* Sums over an event's counters: their counts, and for how long they ran. */
struct sums {
    uint64_t total;
    uint64_t active, possible; /* TSC ticks */
    unsigned passes;           /* number of passes that counted it */
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

/* Joins the turns of each counter over all repeats. */
static void take_turns(const struct run *run, struct turns counter[PMC_GROUPS_MAX][TURNS_COUNTERS])
{
    for (unsigned r = 0; r < run->pmc.repeats; r++)
        for (unsigned g = 0; g < run->task.groups.count; g++)
            for (unsigned c = 0; c < run->task.groups.group[g].count; c++)
                turns_then(&counter[g][c], &pmc_group_result(run, r, g)->turns[c]);
}

void measure_pmc_estimate(const struct run *run, unsigned event, struct turns_estimate *ret)
{
    const struct event_groups *groups = &run->task.groups;
    struct turns counter[PMC_GROUPS_MAX][TURNS_COUNTERS] = {{{0}}}, own = {0};
    struct sums sums = {0};
    struct turns_time time;

    *ret = (struct turns_estimate){.reliability_ppm = MILLION};
    if (!pmc_multiplexed(run))
        return;
    take_turns(run, counter);
    for (unsigned r = 0; r < run->pmc.repeats; r++)
        add_sums(run, event, r, &sums);
    for (unsigned g = 0; g < groups->count; g++)
        for (unsigned c = 0; c < groups->group[g].count; c++)
            if (groups->group[g].event[c] == event)
                turns_beside(&own, &counter[g][c]);
    time = (struct turns_time){sums.active, sums.possible};
    turns_estimate(&own, sums.total, &time,
                   turns_unsteady((const struct turns(*)[TURNS_COUNTERS])counter, groups->count), ret);
}

void measure_pmc_turns(const struct run *run, uint64_t *ret_least, uint64_t *ret_most)
{
    *ret_least = UINT64_MAX;
    *ret_most = 0;
    for (unsigned g = 0; g < run->task.groups.count; g++) {
        uint64_t turns = 0;

        for (unsigned r = 0; r < run->pmc.repeats; r++)
            turns += pmc_group_result(run, r, g)->turns[0].turns;
        *ret_least = turns < *ret_least ? turns : *ret_least;
        *ret_most = turns > *ret_most ? turns : *ret_most;
    }
}
