/* SPDX-License-Identifier: BSD-2-Clause */
/* The formulas of the method of Zen to Zen 3; explore_tokens.h has them with their source. */
#include "core/explore/explore_tokens.h"

#include "core/base/wrap.h"
#include "core/explore/explore_doubts.h"

enum { LINE = 79 };

/* The least that a mispredicted branch costs: "in the range from 11 to 18 cycles" (AMD Software Optimization Guide
 * 57647, of Zen 4). A restart has "a restart penalty similar to a branch mispredict" (Linux amdzen1 to amdzen3,
 * ex_ret_brn_resync). */
enum { REFILL_CYCLES = 11 };

_Static_assert((int)TOKENS_EVENTS <= (int)EXPLORE_4E0, "struct explore_input; no event of an L3");
_Static_assert((int)TOKENS_ROWS <= (int)EXPLORE_NODES && (int)TOKENS_CHECKS <= (int)EXPLORE_CHECKS,
               "struct explore_result");

static uint64_t total(const struct explore_view *v, enum explore_tokens_event event)
{
    return v->input->count[event].total;
}

static int64_t value_of(const struct explore_view *v, enum explore_tokens_row row)
{
    return v->result->node[row].value;
}

static uint64_t all_slots(const struct explore_view *v)
{
    return times(total(v, TOKENS_C), v->result->method->slots);
}

static uint64_t waits(const struct explore_view *v)
{
    return add(total(v, TOKENS_0AE), total(v, TOKENS_0AF));
}

/* Returns the cycles with ops in which none is dispatched; events that are not counted are 0. */
static uint64_t stalled(const struct explore_view *v)
{
    uint64_t least = total(v, TOKENS_DISPATCHED) / v->result->method->slots, groups = total(v, TOKENS_GROUPS);

    return less(total(v, TOKENS_C), add(total(v, TOKENS_EMPTY), groups > least ? groups : least));
}

static bool retired(const struct explore_view *v, int64_t *value)
{
    return ratio(total(v, TOKENS_U), all_slots(v), value);
}

/* Subtracts one share of all slots from another. */
static bool beyond(const struct explore_view *v, uint64_t slots, uint64_t part, int64_t *value)
{
    int64_t other;

    if (!ratio(slots, all_slots(v), value) || !ratio(part, all_slots(v), &other))
        return false;
    *value -= other;
    return true;
}

static uint64_t flushes(const struct explore_view *v)
{
    return add(total(v, TOKENS_C3), total(v, TOKENS_RESYNC));
}

/* Returns the cycles without an op after flushes; 0 where such cycles are not counted. */
static uint64_t refilled(const struct explore_view *v)
{
    return least(total(v, TOKENS_EMPTY), times(flushes(v), REFILL_CYCLES));
}

static bool bad(const struct explore_view *v, int64_t *value)
{
    int64_t refill;

    if (!beyond(v, total(v, TOKENS_DISPATCHED), total(v, TOKENS_U), value) ||
        !explore_of_cycles(v, refilled(v), &refill))
        return false;
    *value += refill;
    return true;
}

/* Divides bad speculation by the flushes of each kind. */
static bool flushed(const struct explore_view *v, enum explore_tokens_event kind, int64_t *value)
{
    return total(v, TOKENS_C) != 0 && part_of(value_of(v, TOKENS_BAD), total(v, kind), flushes(v), value);
}

/* Returns the cycles of the run for those of the samples, each of which stands for as many ops as were retired. */
static uint64_t for_all(const struct explore_view *v, uint64_t cycles)
{
    return stats_mul_div(cycles, total(v, TOKENS_U), v->input->ibs.held.ops);
}

/* Returns the cycles in which retirement waited for data and translations. */
static uint64_t waited(const struct explore_view *v)
{
    const struct held_result *held = &v->input->ibs.held;
    uint64_t cycles = held->sums.refill_cycles;

    for (unsigned i = 0; i < HELD_SOURCES; i++)
        cycles = add(cycles, held->sums.miss_cycles[i]);
    return for_all(v, cycles);
}

static bool memory(const struct explore_view *v, int64_t *value)
{
    return v->input->ibs.held.ops && explore_of_cycles(v, least(waited(v), least(waits(v), stalled(v))), value);
}

static void begin(struct explore_view *v, struct explore_result *result)
{
    const struct held_result *held = &v->input->ibs.held;
    uint64_t back = least(waits(v), stalled(v));
    int64_t others, all;

    result->overlap_ppm = back ? (uint32_t)least(stats_mul_div(waits(v), PPM, back), UINT32_MAX) : 0;
    if (explore_of_cycles(v, refilled(v), &all))
        (void)part_of(all, total(v, TOKENS_C3), flushes(v), &result->refill);
    explore_doubts_begin(result, held, held->sums.missed);
    if (held->ops && explore_of_cycles(v, for_all(v, held->sums.ops - held->sums.missed), &others))
        result->untold_ppm = (uint32_t)least((uint64_t)others, PPM);
}

static bool per_1000(const struct explore_view *v, enum explore_tokens_event event, int64_t *value)
{
    return ratio(times(total(v, event), 1000), total(v, TOKENS_C0), value);
}

static bool rest(const struct explore_view *v, int64_t *value)
{
    *value = PPM - value_of(v, TOKENS_RETIRING) - value_of(v, TOKENS_BAD) - value_of(v, TOKENS_LATENCY) -
             value_of(v, TOKENS_BANDWIDTH) - value_of(v, TOKENS_BACK_BOUND);
    return total(v, TOKENS_C) != 0;
}

static bool formula(const struct explore_view *v, unsigned row, int64_t *value)
{
    switch ((enum explore_tokens_row)row) {
    case TOKENS_CPI:
        return total(v, TOKENS_C) != 0 && ratio(total(v, TOKENS_C), total(v, TOKENS_C0), value);
    case TOKENS_CPI_IDEAL:
        return ratio(total(v, TOKENS_U), times(total(v, TOKENS_C0), v->result->method->slots), value);
    case TOKENS_IPC:
        return ratio(total(v, TOKENS_C0), total(v, TOKENS_C), value);
    case TOKENS_RETIRING:
        return retired(v, value);
    case TOKENS_OPS_PER_INSN:
        return ratio(total(v, TOKENS_U), total(v, TOKENS_C0), value);
    case TOKENS_BAD:
        return bad(v, value);
    case TOKENS_BAD_MISPREDICTS:
        return flushed(v, TOKENS_C3, value);
    case TOKENS_BAD_RESTARTS:
        return flushed(v, TOKENS_RESYNC, value);
    case TOKENS_BAD_RATIO:
        return ratio(total(v, TOKENS_C3), total(v, TOKENS_C2), value);
    case TOKENS_LATENCY:
        return explore_of_cycles(v, total(v, TOKENS_EMPTY) - refilled(v), value);
    case TOKENS_LATENCY_L2:
        return per_1000(v, TOKENS_CODE_L2, value);
    case TOKENS_LATENCY_BEYOND:
        return per_1000(v, TOKENS_CODE_BEYOND, value);
    case TOKENS_BANDWIDTH:
        return beyond(v, times(total(v, TOKENS_GROUPS), v->result->method->slots), total(v, TOKENS_DISPATCHED), value);
    case TOKENS_BANDWIDTH_OP_CACHE:
        return ratio(total(v, TOKENS_OP_CACHE), total(v, TOKENS_DISPATCHED), value);
    case TOKENS_BACK_BOUND:
        return explore_of_cycles(v, least(waits(v), stalled(v)), value);
    case TOKENS_BACK_MEMORY:
        return memory(v, value);
    case TOKENS_BACK_CORE:
        *value = value_of(v, TOKENS_BACK_BOUND) - value_of(v, TOKENS_BACK_MEMORY);
        return v->result->node[TOKENS_BACK_MEMORY].state == EXPLORE_KNOWN;
    case TOKENS_BACK_FILLS_L2:
        return per_1000(v, TOKENS_FILLS_L2, value);
    case TOKENS_BACK_FILLS_CACHES:
        return per_1000(v, TOKENS_FILLS_CACHES, value);
    case TOKENS_BACK_FILLS_MEMORY:
        return per_1000(v, TOKENS_FILLS_MEMORY, value);
    case TOKENS_BACK_L2_MISSES:
        return per_1000(v, TOKENS_L2_MISSES, value);
    case TOKENS_REST:
        return rest(v, value);
    default: /* causes, and what no event tells */
        return false;
    }
}

/* Returns the other part of the back end, where other ops than loads that missed held retirement up for so many cycles
 * that these, hidden by waits for data or hiding them, decide which part is larger. */
static int either(const struct explore_result *result, unsigned row, int64_t *ret_slots)
{
    int64_t memory = result->node[TOKENS_BACK_MEMORY].value, core = result->node[TOKENS_BACK_CORE].value;

    *ret_slots = result->untold_ppm < memory ? result->untold_ppm : memory;
    if ((row != TOKENS_BACK_MEMORY && row != TOKENS_BACK_CORE) || *ret_slots < DOUBTS_SHARE || memory < core ||
        memory - *ret_slots > core + *ret_slots)
        return -1;
    return row == TOKENS_BACK_CORE ? TOKENS_BACK_MEMORY : TOKENS_BACK_CORE;
}

/* Says that waits for data may be hidden, where other ops held retirement up. */
static void tell_hidden(struct out *out, const struct explore_result *result)
{
    enum { LEAST = 50000 /* of slots, ppm: a choice */ };

    if (result->held && result->node[TOKENS_BACK_BOUND].flagged && result->node[TOKENS_BACK_MEMORY].value >= LEAST &&
        explore_doubts_others(result))
        explore_tell_shares(
            out, "Of the op samples that held retirement up, ", PPM - (int64_t)result->held_loads_ppm,
            "are not loads that missed: a chain of such ops may take as long as the waits for data (no "
            "event before Zen 4's 0D6 tells), and 'Core bound' may cost as much as all of 'Back-end bound', ",
            result->node[TOKENS_BACK_BOUND].value, ".");
}

/* Says that ops may wait for each other beside an empty op queue, where they are in flight for long: longer than the
 * shortest by a refill, a choice. */
static void tell_in_flight(struct out *out, const struct explore_result *result)
{
    char text[300];
    struct out_memory memory;

    if (!result->held || !result->node[TOKENS_LATENCY].flagged || !explore_doubts_flight(result, REFILL_CYCLES))
        return;
    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "Ops are in flight for ");
    out_ratio(&memory.out, result->flight, PPM, 1, 1, 0);
    out_printf(&memory.out,
               " cycles on average, at least %u (op samples): if ops wait for each other, a fuller op queue may save "
               "little of 'Front-end latency'.",
               result->flight_least);
    wrap_text(out, text, 0, 0, LINE);
}

static void legend(struct out *out, const struct explore_result *result)
{
    char text[200];
    struct out_memory memory;

    out_printf(out, "Raw: cycles with this cause; they overlap. dropped: outside of -5 %% to 105 %%.\n");
    if (result->overlap_ppm > PPM) {
        out_memory_init(&memory, text, sizeof(text));
        out_printf(&memory.out, "0AE and 0AF overlap: together they are ");
        out_ratio(&memory.out, result->overlap_ppm, PPM, 1, 2, 0);
        out_printf(&memory.out, " times the remaining cycles without dispatch, and are scaled down to them.");
        wrap_text(out, text, 0, 0, LINE);
    }
    tell_hidden(out, result);
    tell_in_flight(out, result);
    explore_tell_mispredicts(out, result->node[TOKENS_BAD].value - result->node[TOKENS_BAD_RESTARTS].value,
                             result->refill);
    wrap_text(out,
              "Both threads of a core share its slots, and no event says how many the other thread took: run only one "
              "of them.",
              0, 0, LINE);
    if (result->model)
        wrap_text(out,
                  "The virtual PMU dispatches at most three ops per cycle: with three ops 3 of 6 slots count as "
                  "front-end bandwidth, and retiring is at most 50.0 %.",
                  0, 0, LINE);
}

/* Level 1 needs the first seven; Zen has no EMPTY. The events by count mask, which no sample stands for, and of L2
 * misses, which include prefetches, are left out. */
static const uint8_t sampled[] = {
    TOKENS_C,        TOKENS_C0,           TOKENS_U,           TOKENS_DISPATCHED,   TOKENS_0AE,
    TOKENS_0AF,      TOKENS_C3,           TOKENS_EMPTY,       TOKENS_C2,           TOKENS_RESYNC,
    TOKENS_INT_FILE, TOKENS_LOADS,        TOKENS_STORES,      TOKENS_INT_OTHERS,   TOKENS_BRANCHES,
    TOKENS_FP_FILE,  TOKENS_FP_SCHEDULER, TOKENS_FP_RECOVERS, TOKENS_SCHEDULERS,   TOKENS_RETIRE,
    TOKENS_CODE_L2,  TOKENS_CODE_BEYOND,  TOKENS_FILLS_L2,    TOKENS_FILLS_CACHES, TOKENS_FILLS_MEMORY,
    TOKENS_OP_CACHE,
};

static const struct explore_section sections[] = {
    {TOKENS_CPI, "Instructions", NULL},
    {TOKENS_RETIRING, "Slots, six per cycle (level 1 adds up to 100 %)", NULL},
};

#define METHOD(of, event_)                                                                                             \
    .title = of ", six slots, stalls by token", .slots = 6, .ibs = true, .events = TOKENS_EVENTS, .rows = TOKENS_ROWS, \
    .checks = TOKENS_CHECKS, .sections = sizeof(sections) / sizeof(sections[0]), .event = (event_),                    \
    .row = explore_tokens_tree, .check = explore_tokens_checks, .section = sections, .sampled = sampled, .needed = 7,  \
    .shallow = 8, .deep = sizeof(sampled),                                                                             \
    .column = {TOKENS_CPI, TOKENS_RETIRING, TOKENS_BAD, TOKENS_LATENCY, TOKENS_BACK_BOUND},                            \
    .left = "cycles that dispatch fewer than six ops, and what no event shows", .begin = begin, .formula = formula,    \
    .either = either, .legend = legend

const struct explore_method explore_tokens_zen = {METHOD("Zen", explore_tokens_events_zen), .sets = EVENT_IN(ZEN)};
const struct explore_method explore_tokens_zen2 = {METHOD("Zen 2", explore_tokens_events_zen2), .sets = EVENT_IN(ZEN2)};
const struct explore_method explore_tokens_zen3 = {METHOD("Zen 3", explore_tokens_events_zen3), .sets = EVENT_IN(ZEN3)};
