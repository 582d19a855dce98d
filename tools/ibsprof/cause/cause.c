/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/cause/cause_weigh.h"

enum {
    LEAST_OPS = 100,  /* fewer samples give no cause */
    LEAST_COUNT = 10, /* samples of the cause itself */
    SURE_COUNT = 100,
    FRONT_LEAST = 500000, /* the front end comes first with more than half of the time */
    SMALL_PART = 10,      /* omits a cause below 1 / SMALL_PART of the least time for the ops */
};

static void add_place(struct cause *cause, const struct cause_weighing *of, const struct profile_place *place,
                      double *most)
{
    const struct place_time *time = of->places ? &of->places[place - of->profile->places] : NULL;
    double cycles = cause_weigh(of, cause->row, place->counts), ops = (double)place->counts[DERIVED_F100_OP_ALL], held;

    if (time && cause->row->waits)
        cycles *= time->part;
    if (time && cause->row->kind == CAUSE_WAITING)
        cycles = fmin(cycles, time->rest);
    held = cycles;

    /* Ops that complete while they wait for older ones delay nothing. */
    if (cause->row->kind == CAUSE_WAITING)
        held /= 1 + (double)place->counts[DERIVED_F102_COMP_TO_RETIRE] / fmax(ops, 1);
    cause->cycles += cycles;
    if (held > *most) {
        *most = held;
        cause->where = place;
        cause->there = cause_count(of, cause->row, place->counts);
    }
}

static struct cause look_at(const struct cause_weighing *of, const struct cause_row *row, const uint64_t *totals)
{
    struct cause cause = {.row = row};
    double most = 0;

    cause.count = cause_count(of, row, totals);
    cause.whole = cause_sum(row->whole, totals);
    for (uint32_t i = 0; i < of->profile->place_count; i++)
        if (cause_is_weighed(of, &of->profile->places[i]))
            add_place(&cause, of, &of->profile->places[i], &most);
    if (row->kind == CAUSE_SOURCE)
        cause.each = of->latency[row->source];
    else if ((row->kind == CAUSE_BRANCH || row->kind == CAUSE_LOCKED) && cause.count)
        cause.each = cause.cycles / (double)cause.count;
    else if ((row->kind == CAUSE_WAITING || row->kind == CAUSE_RETIRING) && cause.count)
        cause.each = cause_to_completion(totals) / (double)cause.count;
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

/* Limits ops that wait for ops to what other waits leave, and waits of forwarding to all waits together. If the time of
 * places is known, both hold already. */
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

/* Limits taken branches to the time that all other causes leave: the op that is fetched next waits behind them. */
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

/* Gives the front end its estimated share of the time beside the largest other cause. If some fetches miss, the share
 * is theirs. */
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
        return cause->cycles * 4 >= causes->cycles * 3;
    return cause->count >= LEAST_COUNT && least && cause->cycles * SMALL_PART >= least->cycles;
}

/* Trusts a cause by its samples and by its distance to the next one. */
static enum cause_trust trust(const struct causes *causes, unsigned i)
{
    const struct cause *cause = &causes->found[i];
    double next = i + 1 < causes->count ? causes->found[i + 1].cycles : 0;

    if (cause->few)
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
    for (unsigned i = 0; i < kept; i++) {
        struct cause *cause = &causes->found[i];

        cause->few = cause->row->kind != CAUSE_FRONT && cause->count < SURE_COUNT;
        cause->trust = trust(causes, i);
    }
}

void causes_find(struct causes *ret, const struct run_profile *profile, const struct cause_time *time)
{
    struct cause_weighing of = cause_weighing_begin(profile, time);
    uint64_t totals[DERIVED_COUNT] = {0};

    *ret = (struct causes){0};
    for (uint32_t i = 0; i < profile->place_count; i++)
        for (unsigned k = 0; k < DERIVED_COUNT && cause_is_weighed(&of, &profile->places[i]); k++)
            totals[k] += profile->places[i].counts[k];
    ret->ops = totals[DERIVED_F100_OP_ALL];
    ret->cycles = of.places ? of.cycles : 0;
    for (unsigned i = 0; ret->ops >= LEAST_OPS && i < cause_row_count; i++)
        if (cause_can_be_asked(&of, &cause_rows[i]))
            ret->found[ret->count++] = look_at(&of, &cause_rows[i], totals);
    if (of.places)
        leave_to_taken(ret);
    else
        share_out(ret);
    free(of.places);
    add_front(ret, time->front_ppm);
    choose(ret);
}
