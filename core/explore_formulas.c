/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/explore_formulas.h"

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

/* Cycles that mispredicted branches cost are taken out of D0 and D2; D2 cannot be more than the net of stalls. */
static struct explore_slots slots_of(const struct explore_input *input, const struct explore_costs *costs)
{
    uint64_t d0 = input->count[EXPLORE_D0].total, d1 = input->count[EXPLORE_D1].total;
    struct explore_slots slots = {.abort = least(input->count[EXPLORE_D2].total, d1)};
    uint64_t penalty = times(input->count[EXPLORE_C3].total, costs->mispredict);

    slots.bad = least(penalty, add(d0, slots.abort));
    if (slots.bad < slots.abort)
        slots.bad = slots.abort;
    slots.front = d0 - (slots.bad - slots.abort);
    slots.back = d1 - slots.abort;
    return slots;
}

void explore_begin(struct explore_view *v)
{
    v->slots = slots_of(v->input, &v->result->costs);
}

static bool cpi(const struct explore_view *v, int64_t *value)
{
    return total(v, EXPLORE_C) != 0 && ratio(total(v, EXPLORE_C), total(v, EXPLORE_C0), value);
}

/* VTune's ideal CPI, for the macro-ops that these instructions have. */
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

static bool bad(const struct explore_view *v, int64_t *value)
{
    return explore_of_cycles(v, v->slots.bad, value);
}

static bool bad_refill(const struct explore_view *v, int64_t *value)
{
    return explore_of_cycles(v, v->slots.bad - v->slots.abort, value);
}

static bool bad_abort(const struct explore_view *v, int64_t *value)
{
    return explore_of_cycles(v, v->slots.abort, value);
}

static bool front(const struct explore_view *v, int64_t *value)
{
    return explore_of_cycles(v, v->slots.front, value);
}

/* Estimates: not more than there is to explain. */
static uint64_t ic_cycles(const struct explore_view *v)
{
    const struct explore_costs *costs = &v->result->costs;
    uint64_t cycles = add(times(total(v, EXPLORE_82), costs->l2), times(total(v, EXPLORE_83), costs->memory));

    return least(cycles, v->slots.front);
}

static bool front_ic(const struct explore_view *v, int64_t *value)
{
    return explore_of_cycles(v, ic_cycles(v), value);
}

static bool front_itlb(const struct explore_view *v, int64_t *value)
{
    const struct explore_costs *costs = &v->result->costs;
    uint64_t cycles = add(times(total(v, EXPLORE_84), costs->tlb_l2), times(total(v, EXPLORE_85), costs->walk));

    return explore_of_cycles(v, least(cycles, v->slots.front - ic_cycles(v)), value);
}

static bool front_decode(const struct explore_view *v, int64_t *value)
{
    *value = value_of(v, EXPLORE_FRONT) - value_of(v, EXPLORE_FRONT_IC) - value_of(v, EXPLORE_FRONT_ITLB);
    if (*value < 0) /* rounding */
        *value = 0;
    return total(v, EXPLORE_C) != 0;
}

static bool back(const struct explore_view *v, int64_t *value)
{
    return explore_of_cycles(v, v->slots.back, value);
}

static bool memory(const struct explore_view *v, int64_t *value)
{
    if (v->input->ibs.complete_all == 0 || total(v, EXPLORE_C) == 0)
        return false;
    *value = scaled(value_of(v, EXPLORE_BACK), v->input->ibs.complete_misses, v->input->ibs.complete_all);
    return true;
}

static bool core(const struct explore_view *v, int64_t *value)
{
    *value = value_of(v, EXPLORE_BACK) - value_of(v, EXPLORE_MEMORY);
    return v->input->ibs.complete_all != 0 && total(v, EXPLORE_C) != 0;
}

static bool mu(const struct explore_view *v, int64_t *value)
{
    return ratio(v->input->ibs.complete_misses, v->input->ibs.complete_all, value);
}

static bool mu_retire(const struct explore_view *v, int64_t *value)
{
    return ratio(v->input->ibs.retire_misses, v->input->ibs.retire_all, value);
}

static bool mu_check(const struct explore_view *v, int64_t *value)
{
    uint64_t data = add(total(v, EXPLORE_D5), total(v, EXPLORE_D8));

    return ratio(data, add(data, add(total(v, EXPLORE_D6), total(v, EXPLORE_D7))), value);
}

/* The cycles that refills of each source cost, one after the other. Without reads of an L3 there are no hits in it. */
struct sources {
    uint64_t l2, l3, dram;
};

static struct sources sources_of(const struct explore_view *v)
{
    const struct explore_costs *costs = &v->result->costs;
    uint64_t nb = total(v, EXPLORE_43), reads = total(v, EXPLORE_4E0);
    uint64_t hits = reads ? stats_mul_div(nb, less(reads, total(v, EXPLORE_4E1)), reads) : 0;

    return (struct sources){
        .l2 = times(less(total(v, EXPLORE_42), nb), costs->l2),
        .l3 = times(hits, costs->l3),
        .dram = times(nb - hits, costs->memory),
    };
}

static bool of_memory(const struct explore_view *v, uint64_t cycles, int64_t *value)
{
    struct sources sources = sources_of(v);
    uint64_t all = add(sources.l2, add(sources.l3, sources.dram));

    if (all == 0 || v->result->node[EXPLORE_MEMORY].state == EXPLORE_NO_BASE)
        return false;
    *value = scaled(value_of(v, EXPLORE_MEMORY), cycles, all);
    return true;
}

static bool memory_l2(const struct explore_view *v, int64_t *value)
{
    return of_memory(v, sources_of(v).l2, value);
}

static bool memory_l3(const struct explore_view *v, int64_t *value)
{
    return of_memory(v, sources_of(v).l3, value);
}

static bool memory_dram(const struct explore_view *v, int64_t *value)
{
    return of_memory(v, sources_of(v).dram, value);
}

static bool memory_dtlb(const struct explore_view *v, int64_t *value)
{
    const struct explore_costs *costs = &v->result->costs;
    uint64_t cycles = add(times(total(v, EXPLORE_45), costs->tlb_l2), times(total(v, EXPLORE_46), costs->walk));

    if (v->result->node[EXPLORE_MEMORY].state == EXPLORE_NO_BASE || !explore_of_cycles(v, cycles, value))
        return false;
    if (*value > value_of(v, EXPLORE_MEMORY))
        *value = value_of(v, EXPLORE_MEMORY);
    return true;
}

bool explore_cause(const struct explore_view *v, enum explore_event_index event, int64_t *value)
{
    uint64_t sum = 0;

    for (int i = EXPLORE_D3; i <= EXPLORE_DA; i++)
        sum = add(sum, total(v, (enum explore_event_index)i));
    if (sum == 0 || total(v, EXPLORE_C) == 0)
        return false;
    *value = scaled(value_of(v, EXPLORE_BACK), total(v, event), sum);
    return true;
}

static bool slack(const struct explore_view *v, int64_t *value)
{
    *value = PPM - value_of(v, EXPLORE_RETIRING) - value_of(v, EXPLORE_BAD) - value_of(v, EXPLORE_FRONT) -
             value_of(v, EXPLORE_BACK);
    return total(v, EXPLORE_C) != 0;
}

/* Of counts alone: part / of, and (part - less) / of. */
/* clang-format off */
#define RATIO(part_, of_)       {.part = EXPLORE_##part_, .of = EXPLORE_##of_}
#define LESS(part_, less_, of_) {.part = EXPLORE_##part_, .less = EXPLORE_##less_, .of = EXPLORE_##of_}
/* clang-format on */

static const struct {
    bool (*function)(const struct explore_view *v, int64_t *value);
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
    [EXPLORE_BAD] = {.function = bad},
    [EXPLORE_BAD_REFILL] = {.function = bad_refill},
    [EXPLORE_BAD_ABORT] = {.function = bad_abort},
    [EXPLORE_BAD_RATIO] = RATIO(C3, C2),
    [EXPLORE_FRONT] = {.function = front},
    [EXPLORE_FRONT_IC] = {.function = front_ic},
    [EXPLORE_FRONT_ITLB] = {.function = front_itlb},
    [EXPLORE_FRONT_DECODE] = {.function = front_decode},
    [EXPLORE_BACK] = {.function = back},
    [EXPLORE_MEMORY] = {.function = memory},
    [EXPLORE_MEMORY_L2] = {.function = memory_l2},
    [EXPLORE_MEMORY_L3] = {.function = memory_l3},
    [EXPLORE_MEMORY_DRAM] = {.function = memory_dram},
    [EXPLORE_MEMORY_DTLB] = {.function = memory_dtlb},
    [EXPLORE_NB_SHARE] = RATIO(43, 42),
    [EXPLORE_L3_HITS] = LESS(4E0, 4E1, 4E0),
    [EXPLORE_MISS_LATENCY] = RATIO(69, 68),
    [EXPLORE_CORE] = {.function = core},
    [EXPLORE_MU] = {.function = mu},
    [EXPLORE_MU_RETIRE] = {.function = mu_retire},
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
    if (!ratio(total(v, formulas[node].part), total(v, of), value) ||
        (less != EXPLORE_C && !ratio(total(v, less), total(v, of), &rest)))
        return false;
    *value -= rest;
    return true;
}
