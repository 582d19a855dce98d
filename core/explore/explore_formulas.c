/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/explore/explore_formulas.h"

#include <stddef.h>

#include "core/base/wrap.h"

enum { WIDTH = 3 }; /* macro-ops dispatched and retired per cycle */

static uint64_t total(const struct explore_view *v, enum explore_event_index event)
{
    return v->input->count[event].total;
}

bool explore_of_cycles(const struct explore_view *v, uint64_t cycles, int64_t *value)
{
    return ratio(cycles, total(v, EXPLORE_C), value);
}

static int64_t value_of(const struct explore_view *v, enum explore_node_index node)
{
    return v->result->node[node].value;
}

/* Takes the cycles of mispredicted branches out of D0 and D2; D2 cannot be more than the net of stalls. */
static struct explore_slots slots_of(const struct explore_input *input, const uint32_t *cost)
{
    uint64_t d0 = input->count[EXPLORE_D0].total, d1 = input->count[EXPLORE_D1].total;
    struct explore_slots slots = {.abort = least(input->count[EXPLORE_D2].total, d1)};
    uint64_t penalty = times(input->count[EXPLORE_C3].total, cost[EXPLORE_COST_MISPREDICT]);

    slots.refill = less(least(penalty, add(d0, slots.abort)), slots.abort);
    slots.bad = slots.abort + slots.refill;
    slots.front = d0 - slots.refill;
    slots.back = d1 - slots.abort;
    return slots;
}

/* Returns the lateness of mispredicted branches, at most the slots that nothing else has. Each costs as much as a
 * sampled one. */
static uint64_t wait_of(const struct explore_view *v)
{
    const struct held_result *held = &v->input->ibs.held;
    uint64_t used = add(v->slots.bad, add(v->slots.front, v->slots.back));

    if (v->input->ibs.state != COUNTS_COUNTED || v->input->count[EXPLORE_U].state != COUNTS_COUNTED ||
        !held->mispredicted)
        return 0;
    return least(stats_mul_div(held->late_cycles, total(v, EXPLORE_C3), held->mispredicted),
                 less(times(less(total(v, EXPLORE_C), used), WIDTH), total(v, EXPLORE_U)) / WIDTH);
}

/* Scales a sample's cycles: it stands for as many ops as were retired for each. */
static uint64_t waited(const struct explore_view *v, uint64_t cycles)
{
    return stats_mul_div(cycles, total(v, EXPLORE_U), v->input->ibs.held.ops);
}

static uint64_t part_of_back(const struct explore_view *v, uint64_t cycles, uint64_t all)
{
    return all > v->slots.back ? stats_mul_div(cycles, v->slots.back, all) : cycles;
}

/* Returns the waits before they are made to fit. */
static uint64_t take_waits(struct explore_view *v)
{
    const struct held_sums *sums = &v->input->ibs.held.sums;
    const uint32_t *cost = v->result->costs.of;
    struct explore_waits *waits = &v->waits;
    uint64_t all;

    waits->dtlb =
        waited(v, add(times(sums->tlb_hits, cost[EXPLORE_COST_TLB_L2]), times(sums->walks, cost[EXPLORE_COST_WALK])));
    waits->forward = waited(v, add(times(sums->forwarded, cost[EXPLORE_COST_FORWARD]), sums->cancelled_cycles));
    all = add(waits->dtlb, waits->forward);
    for (int i = 0; i < HELD_SOURCES; i++) {
        waits->source[i] = waited(v, sums->miss_cycles[i]);
        all = add(all, waits->source[i]);
    }
    waits->dtlb = part_of_back(v, waits->dtlb, all);
    waits->forward = part_of_back(v, waits->forward, all);
    waits->memory = waits->dtlb;
    for (int i = 0; i < HELD_SOURCES; i++) {
        waits->source[i] = part_of_back(v, waits->source[i], all);
        waits->memory = add(waits->memory, waits->source[i]);
    }
    waits->core = less(v->slots.back, add(waits->memory, waits->forward));
    waits->stores = least(waits->core, total(v, EXPLORE_D8));
    waits->core -= waits->stores;
    return all;
}

void explore_begin(struct explore_view *v, struct explore_result *result)
{
    const struct explore_ibs *ibs = &v->input->ibs;

    v->slots = slots_of(v->input, v->result->costs.of);
    v->slots.wait = wait_of(v);
    v->slots.bad = add(v->slots.bad, v->slots.wait);
    if (ibs->state == COUNTS_COUNTED && ibs->held.ops) {
        uint64_t all = take_waits(v);

        uint64_t locked = part_of_back(v, waited(v, ibs->held.sums.locked_cycles), all);

        /* Stalls of another, longer pass can be more than these cycles. */
        result->locked_ppm = (uint32_t)least(stats_mul_div(locked, PPM, total(v, EXPLORE_C)), PPM);
        result->overlap_ppm = v->slots.back ? (uint32_t)least(stats_mul_div(all, PPM, v->slots.back), UINT32_MAX) : 0;
    }
}

static bool cpi(const struct explore_view *v, int64_t *value)
{
    return total(v, EXPLORE_C) != 0 && ratio(total(v, EXPLORE_C), total(v, EXPLORE_C0), value);
}

/* Works out VTune's ideal CPI, for the macro-ops of these instructions. */
static bool cpi_ideal(const struct explore_view *v, int64_t *value)
{
    return ratio(total(v, EXPLORE_U), times(total(v, EXPLORE_C0), WIDTH), value);
}

static bool cycles_active(const struct explore_view *v, int64_t *value)
{
    *value = PPM - value_of(v, EXPLORE_CYCLES_FRONT) - value_of(v, EXPLORE_CYCLES_BACK);
    return total(v, EXPLORE_C) != 0;
}

static bool retiring(const struct explore_view *v, int64_t *value)
{
    return ratio(total(v, EXPLORE_U), times(total(v, EXPLORE_C), WIDTH), value);
}

/* Estimates, but not more than there is to explain. */
static uint64_t ic_cycles(const struct explore_view *v)
{
    const uint32_t *cost = v->result->costs.of;
    uint64_t cycles =
        add(times(total(v, EXPLORE_82), cost[EXPLORE_COST_L2]), times(total(v, EXPLORE_83), cost[EXPLORE_COST_MEMORY]));

    return least(cycles, v->slots.front);
}

static bool front_ic(const struct explore_view *v, int64_t *value)
{
    return explore_of_cycles(v, ic_cycles(v), value);
}

static bool front_itlb(const struct explore_view *v, int64_t *value)
{
    const uint32_t *cost = v->result->costs.of;
    uint64_t cycles = add(times(total(v, EXPLORE_84), cost[EXPLORE_COST_TLB_L2]),
                          times(total(v, EXPLORE_85), cost[EXPLORE_COST_WALK]));

    return explore_of_cycles(v, least(cycles, v->slots.front - ic_cycles(v)), value);
}

static bool front_decode(const struct explore_view *v, int64_t *value)
{
    *value = value_of(v, EXPLORE_FRONT) - value_of(v, EXPLORE_FRONT_IC) - value_of(v, EXPLORE_FRONT_ITLB);
    if (*value < 0) /* rounding */
        *value = 0;
    return total(v, EXPLORE_C) != 0;
}

static bool mu_check(const struct explore_view *v, int64_t *value)
{
    uint64_t data = add(total(v, EXPLORE_D5), total(v, EXPLORE_D8));

    return ratio(data, add(data, add(total(v, EXPLORE_D6), total(v, EXPLORE_D7))), value);
}

bool explore_cause(const struct explore_view *v, unsigned row, int64_t *value)
{
    const struct explore_method *method = v->result->method;
    uint64_t sum = 0;

    for (unsigned i = 0; i < method->rows; i++)
        if (method->row[i].raw < EXPLORE_EVENTS)
            sum = add(sum, v->input->count[method->row[i].raw].total);
    if (sum == 0 || total(v, EXPLORE_C) == 0)
        return false;
    *value = scaled(v->result->node[method->row[row].parent].value, v->input->count[method->row[row].raw].total, sum);
    return true;
}

static bool slack(const struct explore_view *v, int64_t *value)
{
    *value = PPM - value_of(v, EXPLORE_RETIRING) - value_of(v, EXPLORE_BAD) - value_of(v, EXPLORE_FRONT) -
             value_of(v, EXPLORE_BACK);
    return total(v, EXPLORE_C) != 0;
}

/* Shares of counts: part / of, and (part - less) / of; of cycles: a field of the view, known with samples of ops. */
/* clang-format off */
#define RATIO(part_, of_)       {.part = EXPLORE_##part_, .of = EXPLORE_##of_}
#define LESS(part_, less_, of_) {.part = EXPLORE_##part_, .less = EXPLORE_##less_, .of = EXPLORE_##of_}
#define CYCLES(field)           {.cycles = offsetof(struct explore_view, field)}
#define SAMPLED(field)          {.cycles = offsetof(struct explore_view, field), .sampled = true}
/* clang-format on */

static const struct {
    bool (*function)(const struct explore_view *v, int64_t *value);
    uint16_t cycles; /* or this one, */
    bool sampled;
    uint8_t part, less, of; /* or these: enum explore_event_index; less: EXPLORE_C for nothing */
} formulas[EXPLORE_NODES] = {
    [EXPLORE_CPI] = {.function = cpi},
    [EXPLORE_CPI_IDEAL] = {.function = cpi_ideal},
    [EXPLORE_IPC] = RATIO(C0, C),
    [EXPLORE_CYCLES_FRONT] = RATIO(D0, C),
    [EXPLORE_CYCLES_BACK] = RATIO(D1, C),
    [EXPLORE_CYCLES_ACTIVE] = {.function = cycles_active},
    [EXPLORE_RETIRING] = {.function = retiring},
    [EXPLORE_OPS_PER_INSN] = RATIO(U, C0),
    [EXPLORE_DOUBLES] = RATIO(CC, C0),
    [EXPLORE_BAD] = CYCLES(slots.bad),
    [EXPLORE_BAD_REFILL] = CYCLES(slots.refill),
    [EXPLORE_BAD_ABORT] = CYCLES(slots.abort),
    [EXPLORE_BAD_WAIT] = CYCLES(slots.wait),
    [EXPLORE_BAD_RATIO] = RATIO(C3, C2),
    [EXPLORE_FRONT] = CYCLES(slots.front),
    [EXPLORE_FRONT_IC] = {.function = front_ic},
    [EXPLORE_FRONT_ITLB] = {.function = front_itlb},
    [EXPLORE_FRONT_DECODE] = {.function = front_decode},
    [EXPLORE_BACK] = CYCLES(slots.back),
    [EXPLORE_MEMORY] = SAMPLED(waits.memory),
    [EXPLORE_MEMORY_L2] = SAMPLED(waits.source[HELD_L2]),
    [EXPLORE_MEMORY_L3] = SAMPLED(waits.source[HELD_L3]),
    [EXPLORE_MEMORY_CACHE] = SAMPLED(waits.source[HELD_CACHE]),
    [EXPLORE_MEMORY_DRAM] = SAMPLED(waits.source[HELD_DRAM]),
    [EXPLORE_MEMORY_DTLB] = SAMPLED(waits.dtlb),
    [EXPLORE_TLB_HITS] = RATIO(45, 40),
    [EXPLORE_TLB_WALKS] = RATIO(46, 40),
    [EXPLORE_NB_SHARE] = RATIO(43, 42),
    [EXPLORE_L3_HITS] = LESS(4E0, 4E1, 4E0),
    [EXPLORE_MISS_LATENCY] = RATIO(69, 68),
    [EXPLORE_FORWARD] = SAMPLED(waits.forward),
    [EXPLORE_STORES] = SAMPLED(waits.stores),
    [EXPLORE_CORE] = SAMPLED(waits.core),
    [EXPLORE_MU_CHECK] = {.function = mu_check},
    [EXPLORE_SLACK] = {.function = slack},
    /* R1: cycles that retire one at least; R2: two; R3: three. */
    [EXPLORE_N0] = LESS(C, R1, C),
    [EXPLORE_N1] = LESS(R1, R2, C),
    [EXPLORE_N2] = LESS(R2, R3, C),
    [EXPLORE_N3] = RATIO(R3, C),
};

bool explore_formula(const struct explore_view *v, unsigned node, int64_t *value)
{
    uint8_t less = formulas[node].less, of = formulas[node].of;
    int64_t rest = 0;

    if (formulas[node].function)
        return formulas[node].function(v, value);
    if (formulas[node].cycles)
        return (!formulas[node].sampled || v->input->ibs.held.ops) &&
               explore_of_cycles(v, *(const uint64_t *)((const char *)v + formulas[node].cycles), value);
    if (!ratio(total(v, formulas[node].part), total(v, of), value) ||
        (less != EXPLORE_C && !ratio(total(v, less), total(v, of), &rest)))
        return false;
    *value -= rest;
    return true;
}

void explore_tell_share(struct out *out, uint32_t ppm, const char *before, const char *after)
{
    enum { LINE = 79, LEAST = 100000 /* ppm */ };
    char text[300];
    struct out_memory memory;

    if (ppm < LEAST)
        return;
    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "%s", before);
    out_ratio(&memory.out, ppm, PPM, 100, 1, 0);
    out_printf(&memory.out, " %% %s", after);
    wrap_text(out, text, 0, 0, LINE);
}
