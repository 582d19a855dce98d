/* SPDX-License-Identifier: BSD-2-Clause */
/* The formulas of AMD's top-down method; explore_slots.h has them with their source. */
#include "core/explore/explore_slots.h"

#include "core/base/wrap.h"
#include "core/explore/explore_doubts.h"

/* The least that a mispredicted branch costs: "in the range from 11 to 18 cycles" (AMD Software Optimization Guide for
 * the Zen 4 Microarchitecture, 57647). A restart has "a restart penalty similar to a branch mispredict" (Linux
 * amdzen1, ex_ret_brn_resync). */
enum { LINE = 79, REFILL_CYCLES = 11 };

_Static_assert((int)SLOTS_EVENTS <= (int)EXPLORE_EVENTS, "struct explore_input");
_Static_assert((int)SLOTS_ROWS <= (int)EXPLORE_NODES && (int)SLOTS_CHECKS <= (int)EXPLORE_CHECKS,
               "struct explore_result");

static uint64_t total(const struct explore_view *v, enum explore_slots_event event)
{
    return v->input->count[event].total;
}

static int64_t value_of(const struct explore_view *v, enum explore_slots_row row)
{
    return v->result->node[row].value;
}

/* Computes slots as a fraction of all slots. */
static bool of_slots(const struct explore_view *v, uint64_t slots, int64_t *value)
{
    return ratio(slots, times(total(v, SLOTS_C), v->result->method->slots), value);
}

/* Subtracts the part from its row. */
static bool rest_of(const struct explore_view *v, enum explore_slots_row row, enum explore_slots_row part,
                    int64_t *value)
{
    *value = value_of(v, row) - value_of(v, part);
    return v->result->node[part].state != EXPLORE_NO_BASE;
}

static bool bad(const struct explore_view *v, int64_t *value)
{
    int64_t retired;

    if (!of_slots(v, total(v, SLOTS_DISPATCHED), value) || !of_slots(v, total(v, SLOTS_U), &retired))
        return false;
    *value -= retired;
    return true;
}

/* Takes AMD's part, but no more than the cycles that were seen: a chain that retires an op in each cycle has a few of
 * them at its ends, and their shares would be all of the back end's. The counters take a locked op for a load: its
 * waits, except for its line, are the core's. */
static bool memory(const struct explore_view *v, int64_t *value)
{
    int64_t seen;

    if (!ratio(total(v, SLOTS_WAIT_LOAD), total(v, SLOTS_C), &seen) ||
        !part_of(value_of(v, SLOTS_BACK_BOUND), total(v, SLOTS_WAIT_LOAD), total(v, SLOTS_WAIT), value))
        return false;
    if (*value > seen)
        *value = seen;
    *value -= (int64_t)stats_mul_div((uint64_t)(*value > 0 ? *value : 0), v->result->locked_ppm, PPM);
    return true;
}

static bool rest(const struct explore_view *v, int64_t *value)
{
    *value = PPM - value_of(v, SLOTS_RETIRING) - value_of(v, SLOTS_BAD) - value_of(v, SLOTS_FRONT_BOUND) -
             value_of(v, SLOTS_BACK_BOUND) - value_of(v, SLOTS_OTHER_THREAD);
    return total(v, SLOTS_C) != 0;
}

static bool formula(const struct explore_view *v, unsigned row, int64_t *value)
{
    uint64_t cycles = total(v, SLOTS_C), c3 = total(v, SLOTS_C3);

    switch ((enum explore_slots_row)row) {
    case SLOTS_CPI:
        return cycles && ratio(cycles, total(v, SLOTS_C0), value);
    case SLOTS_CPI_IDEAL:
        return ratio(total(v, SLOTS_U), times(total(v, SLOTS_C0), v->result->method->slots), value);
    case SLOTS_IPC:
        return ratio(total(v, SLOTS_C0), cycles, value);
    case SLOTS_RETIRING:
        return of_slots(v, total(v, SLOTS_U), value);
    case SLOTS_RETIRING_MICROCODE:
        return of_slots(v, total(v, SLOTS_MICROCODE), value);
    case SLOTS_RETIRING_FAST:
        return rest_of(v, SLOTS_RETIRING, SLOTS_RETIRING_MICROCODE, value);
    case SLOTS_OPS_PER_INSN:
        return ratio(total(v, SLOTS_U), total(v, SLOTS_C0), value);
    case SLOTS_BAD:
        return bad(v, value);
    case SLOTS_BAD_MISPREDICTS:
        return cycles && part_of(value_of(v, SLOTS_BAD), c3, add(c3, total(v, SLOTS_RESYNC)), value);
    case SLOTS_BAD_RESTARTS:
        return rest_of(v, SLOTS_BAD, SLOTS_BAD_MISPREDICTS, value);
    case SLOTS_BAD_RATIO:
        return ratio(c3, total(v, SLOTS_C2), value);
    case SLOTS_FRONT_BOUND:
        return of_slots(v, total(v, SLOTS_FRONT), value);
    case SLOTS_FRONT_LATENCY:
        return ratio(total(v, SLOTS_FRONT_ALL), cycles, value);
    case SLOTS_FRONT_BANDWIDTH:
        return rest_of(v, SLOTS_FRONT_BOUND, SLOTS_FRONT_LATENCY, value);
    case SLOTS_BACK_BOUND:
        return of_slots(v, total(v, SLOTS_BACK), value);
    case SLOTS_BACK_MEMORY:
        return memory(v, value);
    case SLOTS_BACK_CORE:
        return rest_of(v, SLOTS_BACK_BOUND, SLOTS_BACK_MEMORY, value);
    case SLOTS_OTHER_THREAD:
        return of_slots(v, total(v, SLOTS_OTHER), value);
    case SLOTS_REST:
        return rest(v, value);
    case SLOTS_ROWS:
        break;
    }
    return false;
}

static void begin(struct explore_view *v, struct explore_result *result)
{
    const struct held_sums *held = &v->input->ibs.held.sums;
    uint64_t locks = times(held->locks, held->lock_least);
    uint64_t flushes = add(total(v, SLOTS_C3), total(v, SLOTS_RESYNC));
    uint64_t refilled = least(total(v, SLOTS_FRONT_ALL), times(flushes, REFILL_CYCLES));
    int64_t back, waits, all;

    if (ratio(refilled, total(v, SLOTS_C), &all) && part_of(all, total(v, SLOTS_C3), flushes, &result->refill))
        result->restarted = all - result->refill;
    else
        result->refill = 0;
    if (v->input->count[SLOTS_WAIT].state == COUNTS_COUNTED && of_slots(v, total(v, SLOTS_BACK), &back) &&
        ratio(total(v, SLOTS_WAIT), total(v, SLOTS_C), &waits)) {
        result->untold_ppm = back > waits ? (uint32_t)(back - waits) : 0;
        result->hidden_ppm = waits > back ? (uint32_t)(waits - back) : 0;
    }
    explore_doubts_begin(result, &v->input->ibs.held, held->loads);
    if (locks > held->locked_cycles)
        result->locked_ppm = (uint32_t)stats_mul_div(locks - held->locked_cycles, PPM, add(locks, held->load_cycles));
}

/* Ranks mispredicted branches and restarts with the slots that stay empty after them. */
static int64_t rank(const struct explore_result *result, unsigned row)
{
    int64_t value = result->node[row].value, all = result->refill + result->restarted;

    switch (row) {
    case SLOTS_BAD:
        return value + all;
    case SLOTS_BAD_MISPREDICTS:
        return value + result->refill;
    case SLOTS_BAD_RESTARTS:
        return value + result->restarted;
    case SLOTS_FRONT_BOUND:
    case SLOTS_FRONT_LATENCY:
        return value - all;
    default:
        return value;
    }
}

/* Returns the other one of microcode and the front end's bandwidth, where the slots that stay empty beside ops of
 * microcode may be either's and decide which is larger: these ops come from the sequencer, not from the decoder or the
 * op cache, and no counter gives the empty slots of each. Each op is taken to leave equally many. */
static int supplier(const struct explore_result *result, unsigned row, int64_t *ret_slots)
{
    const struct explore_node *microcode = &result->node[SLOTS_RETIRING_MICROCODE];
    int64_t bandwidth = result->node[SLOTS_FRONT_BANDWIDTH].value, retiring = result->node[SLOTS_RETIRING].value;

    if (!microcode->flagged || retiring <= 0 || bandwidth < microcode->value)
        return -1;
    *ret_slots = scaled(bandwidth, (uint64_t)microcode->value, (uint64_t)retiring);
    if (*ret_slots < DOUBTS_SHARE || bandwidth - *ret_slots > microcode->value + *ret_slots)
        return -1;
    return row == SLOTS_RETIRING_MICROCODE ? SLOTS_FRONT_BANDWIDTH : SLOTS_RETIRING_MICROCODE;
}

/* Returns the other part of the back end, where what no counter tells may be either's and decides which is larger. */
static int either(const struct explore_result *result, unsigned row, int64_t *ret_slots)
{
    int64_t memory = result->node[SLOTS_BACK_MEMORY].value, core = result->node[SLOTS_BACK_CORE].value;

    if (row == SLOTS_RETIRING_MICROCODE || row == SLOTS_FRONT_BANDWIDTH)
        return supplier(result, row, ret_slots);
    *ret_slots = result->untold_ppm;
    if ((row != SLOTS_BACK_MEMORY && row != SLOTS_BACK_CORE) || *ret_slots < DOUBTS_SHARE ||
        !explore_doubts_loads(result) || core < memory || core - *ret_slots > memory + *ret_slots)
        return -1;
    return row == SLOTS_BACK_CORE ? SLOTS_BACK_MEMORY : SLOTS_BACK_CORE;
}

/* Says that the front end costs less than its latency, as far as ops wait beside it: for longer than a refill takes, a
 * choice. */
static void tell_hidden(struct out *out, const struct explore_result *result)
{
    int64_t latency = result->node[SLOTS_FRONT_LATENCY].value, others = rank(result, SLOTS_FRONT_LATENCY);
    int64_t hidden = others < result->hidden_ppm ? others : result->hidden_ppm;

    if (result->node[SLOTS_FRONT_LATENCY].flagged && hidden >= DOUBTS_SHARE &&
        explore_doubts_flight(result, REFILL_CYCLES))
        explore_tell_shares(out, "Ops wait for their results (0D6:02) in ", hidden,
                            "of the cycles beside an empty front end: a faster one may save as little as ",
                            latency - hidden, " of the slots.");
}

/* Explains so many slots in a pipeline of three ops a cycle. */
static void tell_model(struct out *out, unsigned slots)
{
    char text[200];
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out,
               "The virtual PMU dispatches at most three ops per cycle: with three ops %u of %u slots count as "
               "front-end bound, and retiring is at most ",
               slots - 3, slots);
    out_ratio(&memory.out, 3, slots, 100, 1, 0);
    out_printf(&memory.out, " %%.");
    wrap_text(out, text, 0, 0, LINE);
}

/* Says what no event tells, and what IBS tells of it: misaligned loads. Of loads that use the same bank at the same
 * time neither does on Zen (IbsDcLdBnkCon is Bulldozer's last). */
static void tell_untold(struct out *out, const struct explore_result *result)
{
    explore_tell_share(out, result->untold_ppm, "Dispatch waits while ops retire in ",
                       "of the cycles, and no event gives the reason (0AE and 0AF tell which queue is full, not what "
                       "its ops wait for): they are in 'Core bound', but loads that hit the data cache may be the "
                       "cause.");
    if (result->untold_ppm >= DOUBTS_SHARE)
        explore_tell_share(out, result->misaligned_ppm, "This is likely where loads are misaligned, as are ",
                           "of the sampled loads (IbsDcMisAcc): each accesses the data cache twice.");
}

static void legend(struct out *out, const struct explore_result *result)
{
    out_printf(out, "dropped: outside of -5 %% to 105 %%.\n");
    explore_tell_share(
        out, result->locked_ppm, "By the op samples ",
        "of the waits for loads (0D6:A2) are waits of locked ops that had their line: they are in 'Core bound'.");
    if (explore_doubts_loads(result))
        tell_untold(out, result);
    if (result->held && result->node[SLOTS_BACK_BOUND].flagged && explore_doubts_loads(result) &&
        explore_doubts_others(result))
        explore_tell_shares(out, "Of the op samples that held retirement up, ", result->held_loads_ppm,
                            "are loads: if loads and other ops wait for each other in turn, either kind alone may save "
                            "as much as all of 'Back-end bound', ",
                            result->node[SLOTS_BACK_BOUND].value, ".");
    tell_hidden(out, result);
    explore_tell_mispredicts(out, rank(result, SLOTS_BAD) - rank(result, SLOTS_BAD_RESTARTS), result->refill);
    wrap_text(out,
              "'Where to look' counts the refill after a mispredicted branch or a restart, at least 11 cycles, with "
              "these; the tree has it in the front end's latency.",
              0, 0, LINE);
    wrap_text(out,
              "Both threads of a core share its slots: if the other thread is busy, too, its slots are a row, and the "
              "best CPI of each thread is twice the ideal.",
              0, 0, LINE);
    if (result->model)
        tell_model(out, result->method->slots);
}

/* ---------------------------------------------------------------- the methods */

/* clang-format off */
#define METHOD(number, words)                                                                                          \
    .title = "top-down of " words " slots per cycle", .slots = (number), .events = SLOTS_EVENTS, .rows = SLOTS_ROWS,     \
    .checks = SLOTS_CHECKS, .sections = sizeof(sections_##number) / sizeof(sections_##number[0]),                      \
    .event = explore_slots_events_##number, .row = explore_slots_tree, .check = explore_slots_checks,                  \
    .section = sections_##number, .sampled = sampled, .needed = 6, .shallow = 7, .deep = sizeof(sampled),              \
    .column = {SLOTS_CPI, SLOTS_RETIRING, SLOTS_BAD, SLOTS_FRONT_BOUND, SLOTS_BACK_BOUND},                             \
    .left = "the other thread and what no counter shows", .begin = begin, .formula = formula, .rank = rank, .either = either, \
    .legend = legend
/* clang-format on */

/* Omits the front end's event by count mask: its rows are of the whole run. */
static const uint8_t sampled[] = {
    SLOTS_C,  SLOTS_C0, SLOTS_U,      SLOTS_DISPATCHED, SLOTS_FRONT,     SLOTS_BACK,      SLOTS_OTHER,
    SLOTS_C2, SLOTS_C3, SLOTS_RESYNC, SLOTS_WAIT,       SLOTS_WAIT_LOAD, SLOTS_MICROCODE,
};

static const struct explore_section sections_6[] = {
    {SLOTS_CPI, "Instructions", NULL},
    {SLOTS_RETIRING, "Slots, six per cycle (level 1 adds up to 100 %)", NULL},
};
static const struct explore_section sections_8[] = {
    {SLOTS_CPI, "Instructions", NULL},
    {SLOTS_RETIRING, "Slots, eight per cycle (level 1 adds up to 100 %)", NULL},
};

const struct explore_method explore_slots_6 = {METHOD(6, "six"), .sets = EVENT_IN(ZEN4)};
const struct explore_method explore_slots_8 = {METHOD(8, "eight"), .sets = EVENT_IN(ZEN5) | EVENT_IN(ZEN6)};
