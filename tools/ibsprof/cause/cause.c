/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/cause/cause.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"

enum {
    LEAST_OPS = 100,  /* samples below which nothing is said */
    LEAST_COUNT = 10, /* samples of the cause itself */
    SURE_COUNT = 100,
    AT_ONCE = 3,          /* cycles from the tag of a branch to its completion that every branch takes */
    FRONT_LEAST = 500000, /* the front end leads where it has more than half of the time */
    SMALL_PART = 10,      /* a cause is not told that takes less than 1 / SMALL_PART of the least that the ops take */
};

/*
 * Family 10h: AMD 40546, appendix A (refill at least 10, as everywhere here 12; three ops retire; three schedulers of
 * eight). Two cycles for a taken branch, the walk, the L2 DTLB and forwarding are those of docs/model.md. Later
 * families: AMD 56665, chapter 2 (13 cycles are the common misprediction, six ops are dispatched), LLVM
 * X86ScheduleZnver3.td (four schedulers of 24); for Zen 3, and near enough to rank causes on the others.
 */
static const double costs_first[CAUSE_COSTS] = {
    [CAUSE_COST_REFILL] = 12, [CAUSE_COST_TAKEN] = 2,   [CAUSE_COST_WALK] = 18,
    [CAUSE_COST_L2_TLB] = 3,  [CAUSE_COST_FORWARD] = 6, [CAUSE_COST_CANCELLED] = 12,
    [CAUSE_COST_ONE] = 1,     [CAUSE_COST_WIDTH] = 3,   [CAUSE_COST_WAITING] = 24,
};
static const double costs_later[CAUSE_COSTS] = {
    [CAUSE_COST_REFILL] = 13, [CAUSE_COST_TAKEN] = 1,   [CAUSE_COST_WALK] = 20,
    [CAUSE_COST_L2_TLB] = 7,  [CAUSE_COST_FORWARD] = 7, [CAUSE_COST_CANCELLED] = 12,
    [CAUSE_COST_ONE] = 1,     [CAUSE_COST_WIDTH] = 6,   [CAUSE_COST_WAITING] = 96,
};

struct weighing {
    const struct run_profile *profile;
    const double *costs;
    double latency[SOURCES]; /* mean of loads that the source answered; 0: no such load */
    double part[SOURCES];    /* of all misses' cycles */
    double fetches;          /* fetches that a sample of one stands for, by the ops that a sample of one does */
    bool all;                /* no sample is known to be the workload's */
    const struct cause_time *time;
    double cycles; /* that all ops take, by the samples */
    struct place_time {
        double part; /* of the cycles by which its ops wait: as much as its time has room for */
        double rest; /* cycles of its time that those leave */
    } * places;      /* by the profile's; NULL: the time of places is not known */
};

/* ---------------------------------------------------------------- figures of a place */

static bool has_terms(const struct run_profile *profile, const struct cause_term *terms)
{
    for (unsigned i = 0; i < CAUSE_TERMS; i++)
        if (terms[i].there && !profile_has(profile, terms[i].event))
            return false;
    return true;
}

static uint64_t sum_terms(const struct cause_term *terms, const uint64_t *counts)
{
    int64_t sum = 0;

    for (unsigned i = 0; i < CAUSE_TERMS; i++)
        if (terms[i].there)
            sum += terms[i].less ? -(int64_t)counts[terms[i].event] : (int64_t)counts[terms[i].event];
    return sum > 0 ? (uint64_t)sum : 0;
}

/* Sums the events that count loads of a source (data_source_loads). False: there are none, or not on this processor. */
static bool source_loads(const struct weighing *of, enum data_source source, const uint64_t *counts, uint64_t *ret)
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

static double to_completion(const uint64_t *counts)
{
    return (double)counts[DERIVED_F101_TAG_TO_RETIRE] - (double)counts[DERIVED_F102_COMP_TO_RETIRE];
}

static double weigh_source(const struct weighing *of, const struct cause_row *row, const uint64_t *counts)
{
    uint64_t loads;

    if (source_loads(of, row->source, counts, &loads))
        return (double)loads * of->latency[row->source];
    return (double)counts[DERIVED_F219_DC_LOAD_LATENCY] * of->part[row->source];
}

static double weigh_branch(const struct weighing *of, const struct cause_row *row, const uint64_t *counts)
{
    double cycles =
        (double)counts[DERIVED_X100_BRANCH_TAG_TO_RETIRE] - (double)counts[DERIVED_X101_BRANCH_COMP_TO_RETIRE];
    double late = counts[DERIVED_F103_BRANCH] ? cycles / (double)counts[DERIVED_F103_BRANCH] - AT_ONCE : 0;

    return (double)sum_terms(row->count, counts) * (of->costs[row->cost] + fmax(late, 0));
}

/* Leaves out locked ops where other caches answer: these wait for the line, not for the lock. */
static double weigh_locked(const struct weighing *of, const struct cause_row *row, const uint64_t *counts)
{
    double locked = (double)sum_terms(row->count, counts), ops = (double)counts[DERIVED_F100_OP_ALL], shared = 0;
    uint64_t loads;

    for (unsigned source = SOURCE_CACHE; source <= SOURCE_REMOTE_CACHE; source++)
        if (source_loads(of, (enum data_source)source, counts, &loads))
            shared += (double)loads;
    return fmax(locked - shared, 0) * to_completion(counts) / fmax(ops, 1);
}

static double weigh_fetch(const struct weighing *of, const struct cause_row *row, const uint64_t *counts)
{
    return (double)counts[DERIVED_F00E_FETCH_LATENCY] * (double)sum_terms(row->count, counts) /
           fmax((double)counts[DERIVED_F002_FETCH_ATTEMPTED], 1) * of->fetches;
}

static double weigh(const struct weighing *of, const struct cause_row *row, const uint64_t *counts)
{
    switch ((enum cause_kind)row->kind) {
    case CAUSE_SOURCE:
        return weigh_source(of, row, counts);
    case CAUSE_EACH:
        return (double)sum_terms(row->count, counts) * of->costs[row->cost];
    case CAUSE_BRANCH:
        return weigh_branch(of, row, counts);
    case CAUSE_LOCKED:
        return weigh_locked(of, row, counts);
    case CAUSE_FETCH:
        return weigh_fetch(of, row, counts);
    case CAUSE_WAITING:
        return fmax(to_completion(counts), 0) / of->costs[row->cost];
    case CAUSE_RETIRING:
        return (double)counts[DERIVED_F100_OP_ALL] / of->costs[row->cost];
    default:
        return 0;
    }
}

/* ---------------------------------------------------------------- figures of the run */

static void add_latencies(struct weighing *of)
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

static bool is_weighed(const struct weighing *of, const struct profile_place *place)
{
    return of->all || place->workload;
}

static bool can_be_asked(const struct weighing *of, const struct cause_row *row)
{
    if (row->kind == CAUSE_SOURCE && row->source >= of->profile->source_count)
        return false;
    return has_terms(of->profile, row->count) && has_terms(of->profile, row->whole);
}

/* Finds how much of a place's estimated time the waits of its own ops take, without the least that its ops take. */
static struct place_time time_of(const struct weighing *of, const struct profile_place *place)
{
    int32_t insn = place->rva <= UINT32_MAX ? codemap_find(of->time->map, (uint32_t)place->rva) : -1;
    double time, waits = 0;

    if (insn < 0)
        return (struct place_time){1, INFINITY};
    time = of->cycles * of->time->rows[insn].part.share / TIME_SHARE_MILLION -
           (double)place->counts[DERIVED_F100_OP_ALL] / of->costs[CAUSE_COST_WIDTH];
    time = fmax(time, 0);
    for (unsigned i = 0; i < cause_row_count; i++)
        if (cause_rows[i].waits && can_be_asked(of, &cause_rows[i]))
            waits += weigh(of, &cause_rows[i], place->counts);
    return (struct place_time){waits > time ? time / waits : 1, fmax(time - waits, 0)};
}

static struct weighing begin(const struct run_profile *profile, const struct cause_time *time)
{
    struct weighing of = {.profile = profile, .all = true, .time = time};
    double ops = period_of(profile->facts, SAMPLE_OP);

    of.costs =
        profile->set.machine.row && (profile->set.machine.row->traits & IBS_TRAIT_DEFAULT) ? costs_first : costs_later;
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

/* Counts a cause's samples. Of a source that no event counts: by its part of the loads that missed. */
static uint64_t count_of(const struct weighing *of, const struct cause_row *row, const uint64_t *counts)
{
    uint64_t loads;

    if (row->kind != CAUSE_SOURCE)
        return sum_terms(row->count, counts);
    if (source_loads(of, row->source, counts, &loads))
        return loads;
    return of->latency[row->source] > 0 ? (uint64_t)(weigh_source(of, row, counts) / of->latency[row->source] + 0.5)
                                        : 0;
}

static void add_place(struct cause *cause, const struct weighing *of, const struct profile_place *place, double *most)
{
    const struct place_time *time = of->places ? &of->places[place - of->profile->places] : NULL;
    double cycles = weigh(of, cause->row, place->counts), ops = (double)place->counts[DERIVED_F100_OP_ALL], held;

    if (time && cause->row->waits)
        cycles *= time->part;
    if (time && cause->row->kind == CAUSE_WAITING)
        cycles = fmin(cycles, time->rest);
    held = cycles;

    /* Ops that wait, complete, for older ones hold nothing up. */
    if (cause->row->kind == CAUSE_WAITING)
        held /= 1 + (double)place->counts[DERIVED_F102_COMP_TO_RETIRE] / fmax(ops, 1);
    cause->cycles += cycles;
    if (held > *most) {
        *most = held;
        cause->where = place;
        cause->there = count_of(of, cause->row, place->counts);
    }
}

static struct cause look_at(const struct weighing *of, const struct cause_row *row, const uint64_t *totals)
{
    struct cause cause = {.row = row};
    double most = 0;

    cause.count = count_of(of, row, totals);
    cause.whole = sum_terms(row->whole, totals);
    for (uint32_t i = 0; i < of->profile->place_count; i++)
        if (is_weighed(of, &of->profile->places[i]))
            add_place(&cause, of, &of->profile->places[i], &most);
    if (row->kind == CAUSE_SOURCE)
        cause.each = of->latency[row->source];
    else if ((row->kind == CAUSE_BRANCH || row->kind == CAUSE_LOCKED) && cause.count)
        cause.each = cause.cycles / (double)cause.count;
    else if ((row->kind == CAUSE_WAITING || row->kind == CAUSE_RETIRING) && cause.count)
        cause.each = to_completion(totals) / (double)cause.count;
    if (row->kind == CAUSE_RETIRING)
        cause.where = NULL;
    return cause;
}

static struct cause *found_kind(struct causes *causes, enum cause_kind kind)
{
    for (unsigned i = 0; i < causes->count; i++)
        if (causes->found[i].row->kind == kind)
            return &causes->found[i];
    return NULL;
}

/* Leaves to ops that wait for ops what other waits leave; those of forwarding are no longer than all together. Where
 * the time of places is known, both are so already. */
static void share_out(struct causes *causes)
{
    struct cause *waiting = found_kind(causes, CAUSE_WAITING);
    double others = 0;

    for (unsigned i = 0; waiting && i < causes->count; i++) {
        struct cause *cause = &causes->found[i];

        if (!cause->row->waits)
            continue;
        if (cause->row->cost == CAUSE_COST_FORWARD && cause->cycles > waiting->cycles)
            cause->cycles = waiting->cycles;
        others += cause->cycles;
    }
    if (waiting)
        waiting->cycles = fmax(waiting->cycles - others, 0);
}

/* Leaves to taken branches what all other causes leave of the time: the op that is fetched next waits behind them. */
static void leave_to_taken(struct causes *causes)
{
    double left = causes->cycles;

    for (unsigned i = 0; i < causes->count; i++)
        if (causes->found[i].row->cost != CAUSE_COST_TAKEN)
            left -= causes->found[i].cycles;
    for (unsigned i = 0; i < causes->count; i++)
        if (causes->found[i].row->cost == CAUSE_COST_TAKEN)
            causes->found[i].cycles = fmin(causes->found[i].cycles, fmax(left, 0));
}

/* Gives the front end its estimated part of the time beside the largest other cause. Fetches that miss have it, where
 * some do. */
static void add_front(struct causes *causes, uint32_t front_ppm)
{
    struct cause *front = found_kind(causes, CAUSE_FRONT);
    double largest = 0;

    if (!front || front_ppm < FRONT_LEAST)
        return;
    for (unsigned i = 0; i < causes->count; i++) {
        largest = fmax(largest, causes->found[i].cycles);
        if (causes->found[i].row->kind == CAUSE_FETCH && causes->found[i].count >= LEAST_COUNT &&
            causes->found[i].cycles > front->cycles)
            front = &causes->found[i];
    }
    if (front->row->kind == CAUSE_FRONT)
        front->each = front_ppm / 1e4;
    front->cycles = fmax(front->cycles, largest * front_ppm / fmax(1e6 - front_ppm, 1));
}

static int by_cycles(const void *left, const void *right)
{
    const struct cause *a = left, *b = right;

    if (a->cycles != b->cycles)
        return a->cycles > b->cycles ? -1 : 1;
    return a->row < b->row ? -1 : 1;
}

static bool is_told(const struct causes *causes, const struct cause *cause)
{
    const struct cause *least = found_kind((struct causes *)causes, CAUSE_RETIRING);

    if (cause->row->kind == CAUSE_FRONT)
        return cause->cycles > 0;
    if (cause->row->kind == CAUSE_RETIRING && causes->cycles > 0 && causes->count > 1)
        return cause->cycles * 2 >= causes->cycles;
    return cause->count >= LEAST_COUNT && least && cause->cycles * SMALL_PART >= least->cycles;
}

/* Trusts a cause by its samples and by how far it is ahead of the next. */
static enum cause_trust trust(const struct causes *causes, unsigned i)
{
    const struct cause *cause = &causes->found[i];
    double next = i + 1 < causes->count ? causes->found[i + 1].cycles : 0;

    if (cause->row->kind != CAUSE_FRONT && cause->count < SURE_COUNT)
        return CAUSE_LOW;
    return cause->cycles >= 2 * next ? CAUSE_HIGH : cause->cycles * 4 >= 5 * next ? CAUSE_FAIR : CAUSE_LOW;
}

static void choose(struct causes *causes)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < causes->count; i++)
        if (is_told(causes, &causes->found[i]))
            causes->found[kept++] = causes->found[i];
    causes->count = kept;
    qsort(causes->found, kept, sizeof(causes->found[0]), by_cycles);
    for (unsigned i = 0; i < kept; i++)
        causes->found[i].trust = trust(causes, i);
}

void causes_find(struct causes *ret, const struct run_profile *profile, const struct cause_time *time)
{
    struct weighing of = begin(profile, time);
    uint64_t totals[DERIVED_COUNT] = {0};

    *ret = (struct causes){0};
    for (uint32_t i = 0; i < profile->place_count; i++)
        for (unsigned k = 0; k < DERIVED_COUNT && is_weighed(&of, &profile->places[i]); k++)
            totals[k] += profile->places[i].counts[k];
    ret->ops = totals[DERIVED_F100_OP_ALL];
    ret->cycles = of.places ? of.cycles : 0;
    for (unsigned i = 0; ret->ops >= LEAST_OPS && i < cause_row_count; i++)
        if (can_be_asked(&of, &cause_rows[i]))
            ret->found[ret->count++] = look_at(&of, &cause_rows[i], totals);
    if (of.places)
        leave_to_taken(ret);
    else
        share_out(ret);
    free(of.places);
    add_front(ret, time->front_ppm);
    choose(ret);
}
