/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/cause/cause_weigh.h"

#include <math.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"

enum { AT_ONCE = 3 }; /* cycles from the tag of a branch to its completion that every branch takes */

/*
 * Family 10h: AMD 40546, appendix A (refill at least 10, as everywhere here 12; three ops retire; three schedulers of
 * eight). Two cycles for a taken branch, the walk, the L2 DTLB and forwarding are those of docs/model.md. Later
 * families: AMD 56665, chapter 2 (13 cycles are the common misprediction, six ops are dispatched), LLVM
 * X86ScheduleZnver3.td (four schedulers of 24); for Zen 3, and near enough to rank causes on the others. The L2 and L3
 * answer after more cycles than here on all of them (docs/model.md: 15 and 55).
 */
static const double costs_first[CAUSE_COSTS] = {
    [CAUSE_COST_REFILL] = 12,  [CAUSE_COST_TAKEN] = 2,      [CAUSE_COST_WALK] = 18, [CAUSE_COST_L2_TLB] = 3,
    [CAUSE_COST_FORWARD] = 6,  [CAUSE_COST_CANCELLED] = 12, [CAUSE_COST_ONE] = 1,   [CAUSE_COST_WIDTH] = 3,
    [CAUSE_COST_WAITING] = 24, [CAUSE_COST_L2] = 12,        [CAUSE_COST_L3] = 40,
};
static const double costs_later[CAUSE_COSTS] = {
    [CAUSE_COST_REFILL] = 13,  [CAUSE_COST_TAKEN] = 1,      [CAUSE_COST_WALK] = 20, [CAUSE_COST_L2_TLB] = 7,
    [CAUSE_COST_FORWARD] = 7,  [CAUSE_COST_CANCELLED] = 12, [CAUSE_COST_ONE] = 1,   [CAUSE_COST_WIDTH] = 6,
    [CAUSE_COST_WAITING] = 96, [CAUSE_COST_L2] = 12,        [CAUSE_COST_L3] = 40,
};

/* ---------------------------------------------------------------- figures of a place */

static bool has_terms(const struct run_profile *profile, const struct cause_term *terms)
{
    for (unsigned i = 0; i < CAUSE_TERMS; i++)
        if (terms[i].there && !profile_has(profile, terms[i].event))
            return false;
    return true;
}

uint64_t cause_sum(const struct cause_term *terms, const uint64_t *counts)
{
    int64_t sum = 0;

    for (unsigned i = 0; i < CAUSE_TERMS; i++)
        if (terms[i].there)
            sum += terms[i].less ? -(int64_t)counts[terms[i].event] : (int64_t)counts[terms[i].event];
    return sum > 0 ? (uint64_t)sum : 0;
}

/* Sums the events that count loads of a source (data_source_loads). Returns false if there are none, or not on this
 * processor. */
static bool source_loads(const struct cause_weighing *of, enum data_source source, const uint64_t *counts,
                         uint64_t *ret)
{
    const char *const *codes = data_source_loads(source);
    int64_t sum = 0;

    if (!codes[0] || (of->profile->source_count > SOURCES_FIRST && source == SOURCE_L2))
        return false;
    for (unsigned k = 0; k < DATA_SOURCE_OPERANDS && codes[k]; k++) {
        bool less = codes[k][0] == '-';
        int event = 0;

        while (event < DERIVED_COUNT && strcmp(derived_events[event].code, codes[k] + less) != 0)
            event++;
        if (event == DERIVED_COUNT || !profile_has(of->profile, event))
            return false;
        sum += less ? -(int64_t)counts[event] : (int64_t)counts[event];
    }
    *ret = sum > 0 ? (uint64_t)sum : 0;
    return true;
}

double cause_to_completion(const uint64_t *counts)
{
    return (double)counts[DERIVED_F101_TAG_TO_RETIRE] - (double)counts[DERIVED_F102_COMP_TO_RETIRE];
}

static double weigh_source(const struct cause_weighing *of, const struct cause_row *row, const uint64_t *counts)
{
    uint64_t loads;

    if (source_loads(of, row->source, counts, &loads))
        return (double)loads * of->latency[row->source];
    return (double)counts[DERIVED_F219_DC_LOAD_LATENCY] * of->part[row->source];
}

static double weigh_branch(const struct cause_weighing *of, const struct cause_row *row, const uint64_t *counts)
{
    double cycles =
        (double)counts[DERIVED_X100_BRANCH_TAG_TO_RETIRE] - (double)counts[DERIVED_X101_BRANCH_COMP_TO_RETIRE];
    double late = counts[DERIVED_F103_BRANCH] ? cycles / (double)counts[DERIVED_F103_BRANCH] - AT_ONCE : 0;

    return (double)cause_sum(row->count, counts) * (of->costs[row->cost] + fmax(late, 0));
}

/* Leaves out locked ops answered by other caches: these wait for the line, not for the lock. */
static double weigh_locked(const struct cause_weighing *of, const struct cause_row *row, const uint64_t *counts)
{
    double locked = (double)cause_sum(row->count, counts), ops = (double)counts[DERIVED_F100_OP_ALL], shared = 0;
    uint64_t loads;

    for (unsigned source = SOURCE_CACHE; source <= SOURCE_REMOTE_CACHE; source++)
        if (source_loads(of, (enum data_source)source, counts, &loads))
            shared += (double)loads;
    return fmax(locked - shared, 0) * cause_to_completion(counts) / fmax(ops, 1);
}

static double weigh_fetch(const struct cause_weighing *of, const struct cause_row *row, const uint64_t *counts)
{
    return (double)counts[DERIVED_F00E_FETCH_LATENCY] * (double)cause_sum(row->count, counts) /
           fmax((double)counts[DERIVED_F002_FETCH_ATTEMPTED], 1) * of->fetches;
}

double cause_weigh(const struct cause_weighing *of, const struct cause_row *row, const uint64_t *counts)
{
    switch ((enum cause_kind)row->kind) {
    case CAUSE_SOURCE:
        return weigh_source(of, row, counts);
    case CAUSE_EACH:
        return (double)cause_sum(row->count, counts) * of->costs[row->cost];
    case CAUSE_BRANCH:
        return weigh_branch(of, row, counts);
    case CAUSE_LOCKED:
        return weigh_locked(of, row, counts);
    case CAUSE_FETCH:
        return weigh_fetch(of, row, counts);
    case CAUSE_WAITING:
        return fmax(cause_to_completion(counts), 0) / of->costs[row->cost];
    case CAUSE_RETIRING:
        return (double)counts[DERIVED_F100_OP_ALL] / of->costs[row->cost];
    default:
        return 0;
    }
}

/* ---------------------------------------------------------------- figures of the run */

static void add_latencies(struct cause_weighing *of)
{
    const struct run_profile *profile = of->profile;
    double all = 0, cycles[SOURCES] = {0};

    for (unsigned source = SOURCE_L2; source < profile->source_count; source++) {
        uint64_t loads = 0;

        for (uint32_t bin = 0; bin < LATENCY_BINS; bin++) {
            loads += profile->latency[source][bin];
            cycles[source] += (double)profile->latency[source][bin] * latency_bin_low(bin);
        }
        of->latency[source] = loads ? cycles[source] / (double)loads : 0;
        all += cycles[source];
    }
    for (unsigned source = SOURCE_L2; source < profile->source_count; source++)
        of->part[source] = all > 0 ? cycles[source] / all : 0;
}

static double period_of(const struct input_facts *facts, enum sample_kind kind)
{
    for (uint32_t i = 0; i < facts->event_count; i++)
        if (facts->events[i].kind == kind)
            return (double)facts->events[i].period;
    return 0;
}

const double *cause_costs(const struct run_profile *profile)
{
    const struct ibs_family *row = profile->set.machine.row;

    return row && (row->traits & IBS_TRAIT_DEFAULT) ? costs_first : costs_later;
}

bool cause_is_weighed(const struct cause_weighing *of, const struct profile_place *place)
{
    return of->all || place->workload;
}

bool cause_can_be_asked(const struct cause_weighing *of, const struct cause_row *row)
{
    if (row->kind == CAUSE_COUNTER || (row->kind == CAUSE_SOURCE && row->source >= of->profile->source_count))
        return false;
    return has_terms(of->profile, row->count) && has_terms(of->profile, row->whole);
}

/* Computes how much of a place's estimated time its own ops wait, without the least time for them. */
static struct place_time time_of(const struct cause_weighing *of, const struct profile_place *place)
{
    int32_t insn = place->rva <= UINT32_MAX ? codemap_find(of->time->map, (uint32_t)place->rva) : -1;
    double time, waits = 0;

    if (insn < 0)
        return (struct place_time){1, INFINITY};
    time = of->cycles * of->time->rows[insn].part.share / TIME_SHARE_MILLION -
           (double)place->counts[DERIVED_F100_OP_ALL] / of->costs[CAUSE_COST_WIDTH];
    time = fmax(time, 0);
    for (unsigned i = 0; i < cause_row_count; i++)
        if (cause_rows[i].waits && cause_can_be_asked(of, &cause_rows[i]))
            waits += cause_weigh(of, &cause_rows[i], place->counts);
    return (struct place_time){waits > time ? time / waits : 1, fmax(time - waits, 0)};
}

struct cause_weighing cause_weighing_begin(const struct run_profile *profile, const struct cause_time *time)
{
    struct cause_weighing of = {.profile = profile, .all = true, .time = time};
    double ops = period_of(profile->facts, SAMPLE_OP);

    of.costs = cause_costs(profile);
    of.fetches = ops > 0 ? period_of(profile->facts, SAMPLE_FETCH) / ops : 0;
    for (uint32_t i = 0; i < profile->place_count; i++)
        of.all &= !profile->places[i].workload;
    add_latencies(&of);
    of.cycles = ops > 0 ? time->cycles / ops : 0;
    if (time->map && of.cycles > 0) {
        of.places = must_alloc(profile->place_count, sizeof(*of.places));
        for (uint32_t i = 0; i < profile->place_count; i++)
            of.places[i] = time_of(&of, &profile->places[i]);
    }
    return of;
}

uint64_t cause_count(const struct cause_weighing *of, const struct cause_row *row, const uint64_t *counts)
{
    uint64_t loads;

    if (row->kind != CAUSE_SOURCE)
        return cause_sum(row->count, counts);
    if (source_loads(of, row->source, counts, &loads))
        return loads;
    return of->latency[row->source] > 0 ? (uint64_t)(weigh_source(of, row, counts) / of->latency[row->source] + 0.5)
                                        : 0;
}
