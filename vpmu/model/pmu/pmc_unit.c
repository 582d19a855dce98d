/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/pmu/pmc_unit.h"

#include "vpmu/model/hostile.h"
#include "vpmu/model/pmu/branch_sampling.h"
#include "vpmu/model/state.h"

enum { AHEAD = 4096 }; /* cycles, far more than any fetch takes */

/* ---------------------------------------------------------------- values */

static inline uint64_t sum(const struct pmc_counter *counter)
{
    uint64_t total = 0;

    for (uint32_t i = 0; i < counter->sources; i++)
        total += *counter->source[i] * counter->each[i];
    return total;
}

/* Returns the counter's running total, from an arbitrary origin. */
static inline uint64_t position(const struct vpmu *vpmu, const struct pmc_counter *counter)
{
    switch (counter->kind) {
    case PMC_SUM:
        return sum(counter);
    case PMC_INVERSE:
        return vpmu->pipe.retire_cycle - sum(counter);
    default:
        return pmc_level_value(&counter->level, vpmu->pipe.retire_cycle);
    }
}

uint64_t pmc_elapsed(const struct vpmu *vpmu, const struct pmc_counter *counter)
{
    return counter->counts ? position(vpmu, counter) - counter->base : 0;
}

static bool needs_partner(const struct vpmu *vpmu, uint64_t ctl)
{
    return vpmu->params->events == EVENTS_ZEN && pmc_select_of(ctl) == VPMC_LARGE;
}

static bool is_pair(const struct vpmu *vpmu, uint32_t n)
{
    const struct pmc_counter *counter = &vpmu->pmc.counter[n];

    return n % 2 == 0 && needs_partner(vpmu, counter->ctl) && pmc_select_of(counter[1].ctl) == VPMC_MERGE &&
           (counter[1].ctl & VPMC_EN);
}

/* Returns bits 63:48 of a pair that counted up to 'total' from its value. */
static uint64_t upper(const struct pmc_counter *counter, uint64_t total)
{
    return (counter[1].value + (total >> VPMC_COUNTER_BITS)) & VPMC_UPPER;
}

uint64_t pmc_read(const struct vpmu *vpmu, uint32_t n)
{
    const struct pmc_counter *counter = &vpmu->pmc.counter[n];
    uint64_t total = counter->value + pmc_elapsed(vpmu, counter);

    return (total & VPMC_COUNTER_MASK) | (is_pair(vpmu, n) ? upper(counter, total) << VPMC_COUNTER_BITS : 0);
}

static void set_value(struct vpmu *vpmu, struct pmc_counter *counter, uint64_t value)
{
    counter->value = value & VPMC_COUNTER_MASK;
    counter->settled = 0;
    if (counter->counts)
        counter->base = position(vpmu, counter);
    counter->limit = counter->base + VPMC_COUNTER_MASK + 1 - counter->value;
    vpmu->pmc.check_left = 1;
}

void pmc_write(struct vpmu *vpmu, uint32_t n, uint64_t value)
{
    pmc_truth_settle(vpmu);
    set_value(vpmu, &vpmu->pmc.counter[n], value);
}

/* Stops the counter with its present value, from which it may go on. */
static void halt(struct vpmu *vpmu, uint32_t n)
{
    struct pmc_counter *counter = &vpmu->pmc.counter[n];
    uint64_t value = pmc_read(vpmu, n);

    if (is_pair(vpmu, n))
        counter[1].value = value >> VPMC_COUNTER_BITS;
    set_value(vpmu, counter, value);
    counter->able = counter->counts = false;
}

/* ---------------------------------------------------------------- control */

static void add_source(struct pmc_counter *counter, const uint64_t *total, uint32_t each)
{
    if (!total || counter->sources == PMC_SOURCES)
        return;
    counter->each[counter->sources] = each;
    counter->source[counter->sources++] = total;
}

/* Sets up slots of a cycle: each cycle is in one of the totals, with the same number of events as the others there.
 * Rises are not known. */
static void set_up_slots(struct pmc_counter *counter, uint32_t threshold, bool edge)
{
    uint32_t sources = counter->sources;

    if (threshold == 0 && !edge)
        return;
    counter->kind = threshold > 0 && (counter->ctl & VPMC_INV) ? PMC_INVERSE : PMC_SUM;
    counter->sources = 0;
    for (uint32_t i = 0; i < sources && !edge; i++)
        if (counter->each[i] >= threshold)
            add_source(counter, counter->source[i], 1);
    counter->flags |= PMC_SPAN; /* at most one in a cycle */
}

/* Sets up cycles in a row: a threshold of 1 changes nothing, and a higher one is never reached. */
static void set_up_span(struct pmc_counter *counter, uint32_t threshold, bool edge)
{
    bool inverse = threshold > 0 && (counter->ctl & VPMC_INV);

    counter->kind = inverse && !edge ? PMC_INVERSE : PMC_SUM;
    if (threshold > 1)
        counter->sources = 0;
}

static void set_up_level(struct pmc_counter *counter, uint32_t threshold, bool edge)
{
    counter->kind = PMC_LEVEL;
    counter->level.threshold = threshold > 0 ? threshold : 1;
    counter->level.edge = edge;
    counter->level.inverse = threshold > 0 && (counter->ctl & VPMC_INV); /* with mask 0 nothing is compared */
}

/* Sets the counter up by its control. A reserved count mask (4..255) is compared like others, and never reached. */
static void set_up(struct vpmu *vpmu, struct pmc_counter *counter)
{
    uint32_t select = pmc_select_of(counter->ctl), mask = pmc_mask_of(counter->ctl);
    uint32_t threshold = (uint32_t)(counter->ctl >> VPMC_MASK_SHIFT) & 0xFF;
    bool edge = counter->ctl & VPMC_EDGE, span = false;

    counter->sources = counter->flags = 0;
    counter->kind = PMC_SUM;
    counter->when = AT_RETIREMENT;
    for (uint32_t i = 0; i < pmc_row_count; i++) {
        const struct pmc_row *row = &pmc_rows[i];

        if (!pmc_row_counts(row, vpmu->params, select, mask))
            continue;
        span = row->flags & PMC_SPAN;
        counter->when = row->when;
        counter->flags = row->flags;
        add_source(counter, pmc_row_total(vpmu, row, span && edge), pmc_row_each(row, vpmu->params));
    }
    if (counter->flags & (PMC_SLOTS | PMC_UNUSED))
        set_up_slots(counter, threshold, edge);
    else if (span)
        set_up_span(counter, threshold, edge);
    else if (threshold > 0 || edge)
        set_up_level(counter, threshold, edge);
    if (threshold == 0 && (counter->ctl & VPMC_INV) && params_later(vpmu->params) &&
        hostile_has(vpmu->config.hostile, HOSTILE_INVERT_ALWAYS))
        counter->sources = 0;
}

static bool enabled(const struct pmc_unit *pmc, uint32_t n)
{
    return (pmc->counter[n].ctl & VPMC_EN) && (pmc->global >> n & 1);
}

static void update_sets(struct vpmu *vpmu)
{
    struct pmc_unit *pmc = &vpmu->pmc;

    pmc->enabled = pmc->watched = pmc->levels = 0;
    pmc->each_op = vpmu->params->slots != 0;
    for (uint32_t i = 0; i <= RETIRE_WIDTH; i++)
        pmc->ops[i] = 0;
    for (uint32_t n = 0; n < PMC_COUNTERS; n++) {
        const struct pmc_counter *counter = &pmc->counter[n];
        uint32_t bit = 1u << n;

        pmc->enabled |= enabled(pmc, n) ? bit : 0;
        if (!counter->counts)
            continue;
        pmc->watched |= counter->ctl & VPMC_INT ? bit : 0;
        if (counter->kind != PMC_LEVEL)
            continue;
        if (counter->when != AT_OP)
            pmc->levels |= bit;
        else if (counter->level.threshold <= RETIRE_WIDTH) {
            pmc->ops[counter->level.threshold] |= bit;
            pmc->each_op = true;
        }
    }
}

/* Starts or stops counting here, by the privilege level. */
static void go_on(struct vpmu *vpmu, struct pmc_counter *counter)
{
    counter->counts = counter->able && (counter->ctl & (vpmu->pmc.user ? VPMC_USR : VPMC_OS));
    pmc_level_start(&counter->level, vpmu->pipe.retire_cycle, sum(counter));
    set_value(vpmu, counter, counter->value);
}

static void start(struct vpmu *vpmu, struct pmc_counter *counter)
{
    uint32_t select = pmc_select_of(counter->ctl), mask = pmc_mask_of(counter->ctl);

    counter->able = (counter->ctl & (VPMC_OS | VPMC_USR)) && pmc_models(vpmu, select, mask) &&
                    (!needs_partner(vpmu, counter->ctl) || is_pair(vpmu, (uint32_t)(counter - vpmu->pmc.counter)));
    go_on(vpmu, counter);
    pmc_truth_start(vpmu, counter);
}

void pmc_set_user(struct vpmu *vpmu, bool user)
{
    struct pmc_unit *pmc = &vpmu->pmc;

    pmc_truth_settle(vpmu);
    pmc->user = user;
    for (uint32_t n = 0; n < PMC_COUNTERS; n++) {
        struct pmc_counter *counter = &pmc->counter[n];

        if (!counter->able)
            continue;
        halt(vpmu, n);
        counter->able = true;
        go_on(vpmu, counter);
    }
    update_sets(vpmu);
}

void pmc_start_waiting(struct vpmu *vpmu)
{
    struct pmc_unit *pmc = &vpmu->pmc;

    if (!pmc->starting)
        return;
    pmc_truth_settle(vpmu);
    pipeline_drain(vpmu, &vpmu->signals.serial);
    for (uint32_t n = 0; n < PMC_COUNTERS; n++)
        if (pmc->starting & 1u << n)
            start(vpmu, &pmc->counter[n]);
    pmc->starting = 0;
    update_sets(vpmu);
    pipeline_choose_steps(vpmu);
}

void pmc_write_ctl(struct vpmu *vpmu, uint32_t n, uint64_t value)
{
    struct pmc_unit *pmc = &vpmu->pmc;
    struct pmc_counter *counter = &pmc->counter[n];
    bool partner = n % 2 && needs_partner(vpmu, counter[-1].ctl);

    pmc_truth_settle(vpmu);
    if (partner)
        halt(vpmu, n - 1);
    halt(vpmu, n);
    if ((counter->ctl | value) & VPMC_EN) {
        pipeline_drain(vpmu, &vpmu->signals.serial);
        apic_drained(vpmu);
    }
    counter->ctl = value & VPMC_CTL_BITS;
    set_up(vpmu, counter);
    pmc->starting &= ~(1u << n);
    if (enabled(pmc, n))
        pmc->starting |= 1u << n;
    if (partner && enabled(pmc, n - 1))
        pmc->starting |= 1u << (n - 1);
    update_sets(vpmu);
    pmc_truth_written(vpmu, n);
    if (vpmu->pending->info->kind == KIND_NOTHING)
        pmc_start_waiting(vpmu);
}

/* Stops all when the ops in flight have drained, and so at the same place. */
void pmc_write_global(struct vpmu *vpmu, uint64_t value)
{
    struct pmc_unit *pmc = &vpmu->pmc;
    uint32_t counters = (1u << vpmu->params->pmc_count) - 1, changed = 0;

    for (uint32_t n = 0; n < PMC_COUNTERS; n++)
        if (((pmc->global ^ value) & counters & 1u << n) && (pmc->counter[n].ctl & VPMC_EN))
            changed |= 1u << n;
    if (changed) {
        pipeline_drain(vpmu, &vpmu->signals.serial);
        apic_drained(vpmu);
    }
    pmc_truth_settle(vpmu);
    pmc->global = value & counters;
    for (uint32_t set = changed; set; set &= set - 1) {
        uint32_t n = (uint32_t)__builtin_ctz(set);

        halt(vpmu, n);
        pmc->starting = (pmc->starting & ~(1u << n)) | (enabled(pmc, n) ? 1u << n : 0);
    }
    update_sets(vpmu);
    for (uint32_t set = changed; set; set &= set - 1)
        pmc_truth_written(vpmu, (uint32_t)__builtin_ctz(set));
    if (vpmu->pending->info->kind == KIND_NOTHING)
        pmc_start_waiting(vpmu);
}

/* ---------------------------------------------------------------- after an instruction */

/* Returns the cycle of the event that made the counter wrap; 'beyond' more have been counted since. */
static uint64_t event_cycle(const struct vpmu *vpmu, const struct pmc_counter *counter, uint64_t beyond)
{
    if (counter->kind != PMC_SUM)
        return vpmu->pipe.retire_cycle;
    switch (counter->when) {
    case AT_CYCLE:
        return vpmu->pipe.retire_cycle - beyond;
    case AT_ACCESS:
        return vpmu->pipe.access_cycle;
    case AT_DISPATCH:
        return vpmu->pipe.cycle;
    case AT_FETCH:
        return vpmu->front.cycle;
    default:
        return vpmu->pipe.retire_cycle;
    }
}

static __attribute__((noinline)) void wrapped(struct vpmu *vpmu, struct pmc_counter *counter, uint64_t beyond)
{
    uint32_t n = (uint32_t)(counter - vpmu->pmc.counter);

    counter->limit += VPMC_COUNTER_MASK + 1;
    if (is_pair(vpmu, n) && upper(counter, counter->value + pmc_elapsed(vpmu, counter)))
        return;
    apic_request(vpmu, APIC_FROM_COUNTER, event_cycle(vpmu, counter, beyond));
    branch_sampling_overflow(vpmu, n);
    vpmu->pmc.overflowed |= 1ull << n;
}

/* Finds until when the counter need not be checked: it cannot wrap before 'left' more events. */
static void schedule(struct vpmu *vpmu, const struct pmc_counter *counter, uint64_t left)
{
    struct pmc_unit *pmc = &vpmu->pmc;
    uint64_t cycle = vpmu->pipe.retire_cycle + left, instructions;

    if (counter->kind == PMC_LEVEL || (counter->flags & PMC_SPAN)) {
        /* At most every cycle counts; only fetch and dispatch may be ahead of retirement. */
        if (counter->kind == PMC_INVERSE || counter->when == AT_DISPATCH || counter->when == AT_FETCH)
            cycle -= left < AHEAD ? left : AHEAD;
        pmc->check_cycle = cycle < pmc->check_cycle ? cycle : pmc->check_cycle;
    } else {
        instructions = (left - 1) / (counter->flags & PMC_MANY ? PMC_MANY_PER_INSN : PMC_PER_INSN) + 1;
        pmc->check_left = instructions < pmc->check_left ? (uint32_t)instructions : pmc->check_left;
    }
}

void pmc_check(struct vpmu *vpmu)
{
    vpmu->pmc.check_left = UINT32_MAX;
    vpmu->pmc.check_cycle = UINT64_MAX;
    for (uint32_t set = vpmu->pmc.watched; set; set &= set - 1) {
        struct pmc_counter *counter = &vpmu->pmc.counter[__builtin_ctz(set)];
        uint64_t now = position(vpmu, counter);

        /* An inverted count may go back by the cycles that dispatch is ahead of retirement. */
        if ((int64_t)(now - counter->limit) >= 0)
            wrapped(vpmu, counter, now - counter->limit);
        schedule(vpmu, counter, counter->limit - now);
    }
}

void pmc_feed(struct vpmu *vpmu)
{
    uint64_t cycle = vpmu->pipe.retire_cycle;

    for (uint32_t set = vpmu->pmc.levels; set; set &= set - 1) {
        struct pmc_counter *counter = &vpmu->pmc.counter[__builtin_ctz(set)];
        uint64_t now = sum(counter), events = now - counter->level.seen;

        if (events == 0)
            continue;
        counter->level.seen = now;
        pmc_level_add(&counter->level, cycle, events);
    }
}

void pmc_hold(struct pmc_unit *pmc, uint32_t set, uint64_t cycle)
{
    for (; set; set &= set - 1)
        pmc_level_hold(&pmc->counter[__builtin_ctz(set)].level, cycle);
}
