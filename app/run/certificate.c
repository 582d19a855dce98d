/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/run/certificate.h"

#include "core/base/stats.h"
#include "drivers/machine/vpmu_query.h"
#include "noise/loops.h"

enum {
    GAPS_SILICON = 256, /* gaps that determine the usual one */
    GAPS_MODEL = 32,
    LOOP_US_SILICON = 5000,
    LOOP_US_MODEL = 10, /* a model steps a hundred thousand instructions */
    WARM_UP = 8,        /* part of the loop before it, for warming up */
};

void certificate_init(struct certificate *certificate, const struct machine *machine, unsigned shares)
{
    *certificate =
        (struct certificate){.khz = (uint32_t)machine->tsc_khz, .model = vpmu_is_model(machine), .shares = shares};
    if (!machine->tsc_khz)
        certificate->found.no_loop = "the TSC's rate is not known";
}

/* Returns the counters that the plan leaves free. A model is stepped while any counts, and setting up timer or counters
 * takes much longer than the measured part. */
static unsigned free_counters(const struct session_plan *plan)
{
    const struct pmc_plan *pmc = &plan->program.pmc;
    const struct timer_plan *timer = &plan->program.timer;
    unsigned used = 0;

    if (vpmu_is_model(plan->place.machine) && (pmc->mode != PMC_OFF || timer->period || timer->limit_ms))
        return 0;
    for (uint32_t g = 0; pmc->mode != PMC_OFF && g < pmc->groups; g++)
        if (pmc->group[g].events > used)
            used = pmc->group[g].events;
    return ((1u << plan->place.machine->pmc.count) - 1) & ~((1u << used) - 1);
}

static void add_gap(struct certificate *c, const struct noise_gap *gap, bool after)
{
    struct certificate_gap row = {stats_mul_div(gap->ticks, 1000000, c->khz), gap->at, c->found.begun - 1, after,
                                  gap->cause};
    uint32_t place = c->found.gaps_shown;

    while (place && c->found.gap[place - 1].ns < row.ns)
        place--;
    if (place == CERTIFICATE_GAPS)
        return;
    if (c->found.gaps_shown < CERTIFICATE_GAPS)
        c->found.gaps_shown++;
    for (uint32_t i = c->found.gaps_shown - 1; i > place; i--)
        c->found.gap[i] = c->found.gap[i - 1];
    c->found.gap[place] = row;
}

static void look(struct certificate *c, bool after)
{
    struct noise_trace trace = {
        .gap = c->kept, .capacity = CERTIFICATE_KEPT, .witness = witness_ask, .context = &c->witness};
    uint64_t gap[GAPS_SILICON];
    uint64_t duration = (uint64_t)c->khz * (c->model ? LOOP_US_MODEL : LOOP_US_SILICON) / 1000;
    uint32_t gaps = c->model ? GAPS_MODEL : GAPS_SILICON;

    noise_gap_loop(gap, gaps);
    noise_thresholds(&trace, gap, gaps, c->khz);
    noise_warm_up(&trace, duration / WARM_UP);
    witness_begin(&c->witness);
    noise_detour_loop(&trace, duration);
    c->ticks += trace.stop - trace.start - trace.blind;
    c->found.reads += trace.reads;
    c->found.gaps += trace.count[NOISE_NINE];
    c->threshold = trace.threshold[NOISE_NINE];
    for (unsigned i = 0; i < NOISE_CAUSES; i++)
        c->found.by_cause[i] += trace.by_cause[i];
    for (uint32_t i = 0; i < trace.kept; i++)
        add_gap(c, &trace.gap[i], after);
}

/* Returns false on a model that is not stepped: its time, and so its gaps, would be the host's. */
static bool worth_a_look(struct certificate *c)
{
    if (c->model && !c->found.no_loop && c->witness.why_not[WITNESS_INTERRUPTS])
        c->found.no_loop = "without counting, the virtual PMU shows host time";
    return !c->found.no_loop;
}

void certificate_begin(struct certificate *c, const struct session_plan *plan, struct restore_log *log)
{
    struct session_live live = session_live(plan->place.workspace);

    c->found.begun++;
    live.shares = c->shares;
    witness_open(&c->witness, plan->place.machine, free_counters(plan), log, live);
    if (worth_a_look(c))
        look(c, false);
    witness_read(&c->witness, &c->begin);
    if (c->found.begun == 1)
        c->first = c->begin;
}

void certificate_end(struct certificate *c, uint64_t ticks)
{
    const struct witness_reading *begin = &c->begin, *end = &c->last;

    witness_read(&c->witness, &c->last);
    c->found.ended++;
    c->measured += ticks;
    for (unsigned what = 0; what < WITNESS_ROWS; what++)
        c->found.sum[what] += end->value[what] - begin->value[what];
    if (!c->found.no_loop)
        look(c, true);
    witness_close(&c->witness); /* what follows is not the workload, and a model would continue stepping */
}
