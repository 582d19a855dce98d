/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/explore/explore_places.h"

#include "core/base/mem.h"
#include "core/base/stats.h"

enum {
    MILLION = 1000000,
    /* Half of an interval above which a figure says nothing: half of the tree's limit for the back end, so that what
     * is at the limit cannot be told from what is far below it; of a ratio, half of its value. */
    SLOTS_HALF_MAX = 100000,
    RATIO_HALF_PARTS = 2,
};

static const enum explore_event_index needed[] = {
    EXPLORE_C, EXPLORE_C0, EXPLORE_U, EXPLORE_C3, EXPLORE_D0, EXPLORE_D1, EXPLORE_D2,
};
enum { NEEDED = sizeof(needed) / sizeof(needed[0]) };

static const enum explore_event_index deeper[] = {
    EXPLORE_82, EXPLORE_83, EXPLORE_84, EXPLORE_85, EXPLORE_D3, EXPLORE_D4, EXPLORE_D5, EXPLORE_D6,
    EXPLORE_D7, EXPLORE_D8, EXPLORE_D9, EXPLORE_DA, EXPLORE_42, EXPLORE_43, EXPLORE_68, EXPLORE_69,
};

const enum explore_node_index explore_place_columns[EXPLORE_PLACE_COLUMNS] = {
    EXPLORE_CPI, EXPLORE_RETIRING, EXPLORE_BAD, EXPLORE_FRONT, EXPLORE_BACK,
};

static void add_events(struct event_list *list, const enum explore_event_index *events, unsigned count, char revision)
{
    struct event_list all;

    explore_list(&all, revision);
    for (unsigned i = 0; i < count; i++)
        list->spec[list->count++] = all.spec[events[i]];
}

void explore_places_list(struct event_list *list, const struct ibs_family *row, char revision)
{
    static const enum explore_event_index ratio[] = {EXPLORE_C2};

    list->count = 0;
    if (row->events != EVENT_SET_10H)
        return;
    add_events(list, needed, NEEDED, revision);
    add_events(list, ratio, 1, revision);
}

void explore_places_list_deep(struct event_list *list, const struct ibs_family *row, char revision)
{
    explore_places_list(list, row, revision);
    if (list->count)
        add_events(list, deeper, sizeof(deeper) / sizeof(deeper[0]), revision);
}

bool explore_places_suffice(uint64_t sampled)
{
    for (unsigned i = 0; i < NEEDED; i++)
        if (!(sampled >> needed[i] & 1))
            return false;
    return true;
}

bool explore_places_raw(uint64_t sampled, unsigned node)
{
    return explore_tree[node].raw != EXPLORE_EVENTS && (explore_tree[node].inputs & ~sampled);
}

uint64_t explore_places_nodes(uint64_t sampled)
{
    uint64_t level1 = 1ull << EXPLORE_C2, nodes = 0;

    for (unsigned i = 0; i < NEEDED; i++)
        level1 |= 1ull << needed[i];
    for (unsigned i = 0; i < EXPLORE_PLACE_COLUMNS; i++)
        nodes |= 1ull << explore_place_columns[i];
    if (!(sampled & ~level1))
        return nodes;
    for (unsigned i = 0; i < EXPLORE_NODES; i++) {
        const struct explore_node_row *row = &explore_tree[i];
        bool whole = !(row->inputs & ~sampled);

        if (row->level > 1 && !row->unobservable &&
            (whole || (explore_places_raw(sampled, i) && (sampled >> row->raw & 1))))
            nodes |= 1ull << i;
    }
    return nodes;
}

/* ---------------------------------------------------------------- figures */

/* Works out what the formulas make of these totals: of each node its value or, where that cannot be computed, its raw
 * one. */
static void figures(const struct explore_input *input, uint64_t sampled, struct explore_result *ret)
{
    explore_compute(ret, input);
    for (unsigned i = 0; i < EXPLORE_NODES; i++)
        if (explore_places_raw(sampled, i)) {
            ret->node[i].value = ret->node[i].raw;
            ret->node[i].state = ret->node[i].raw_state;
        }
}

/* Adds what the error of one total does to each figure, squared. */
static void add_squares(struct explore_input *input, unsigned event, uint64_t sampled, uint64_t error,
                        uint64_t squares[EXPLORE_NODES])
{
    struct explore_count *count = &input->count[event];
    struct explore_result above, below;
    uint64_t total = count->total;

    count->total = total + error;
    figures(input, sampled, &above);
    count->total = total > error ? total - error : 0;
    figures(input, sampled, &below);
    count->total = total;
    for (unsigned i = 0; i < EXPLORE_NODES; i++) {
        int64_t high = above.node[i].value, low = below.node[i].value;
        uint64_t half = (uint64_t)(high > low ? high - low : low - high) / 2;

        half = half < 10 * MILLION ? half : 10 * MILLION; /* the squares of all events fit */
        squares[i] += half * half;
    }
}

static bool says_something(unsigned node, int64_t value, int64_t half)
{
    return explore_tree[node].unit == EXPLORE_UNIT_RATIO ? half * RATIO_HALF_PARTS <= value : half <= SLOTS_HALF_MAX;
}

static void judge(struct explore_place *place, unsigned node)
{
    const struct explore_node_row *row = &explore_tree[node];
    struct explore_place_node *figure = &place->node[node];

    figure->known = figure->known && says_something(node, figure->value, figure->half);
    figure->flagged = figure->known && row->limit_ppm != EXPLORE_NO_LIMIT &&
                      figure->value - figure->half > row->limit_ppm &&
                      (row->parent == EXPLORE_ROOT || place->node[row->parent].flagged);
}

void explore_place_compute(struct explore_place *ret, const struct explore_place_samples *samples)
{
    struct explore_input input = {.method = &explore_10h};
    uint64_t squares[EXPLORE_NODES] = {0};
    struct explore_result result;

    for (unsigned e = 0; e < EXPLORE_EVENTS; e++)
        if (samples->sampled >> e & 1)
            input.count[e] = (struct explore_count){
                .total = samples->event[e].total, .state = COUNTS_COUNTED, .reliability_ppm = MILLION};
    figures(&input, samples->sampled, &result);
    for (unsigned e = 0; e < EXPLORE_EVENTS; e++) {
        const struct explore_sampled *event = &samples->event[e];

        if (!(samples->sampled >> e & 1))
            continue;
        add_squares(&input, e, samples->sampled,
                    event->samples ? stats_mul_div(event->total, pmc_profile_error_ppm(event->samples), MILLION)
                                   : event->one,
                    squares);
    }
    *ret = (struct explore_place){.clocks = samples->event[EXPLORE_C].samples};
    for (unsigned i = 0; i < EXPLORE_NODES; i++) {
        ret->node[i].known = result.node[i].state == EXPLORE_KNOWN;
        ret->node[i].value = result.node[i].value;
        ret->node[i].half = (int64_t)(stats_isqrt(squares[i]) * 196ull / 100);
        judge(ret, i);
    }
}

/* ---------------------------------------------------------------- of a profile */

static uint64_t find_events(const struct pmc_profile *profile, int event[EXPLORE_EVENTS])
{
    uint64_t sampled = 0;

    for (unsigned e = 0; e < EXPLORE_EVENTS; e++) {
        event[e] = explore_events[e].count_mask
                       ? -1
                       : pmc_profile_event(profile, explore_events[e].select, explore_events[e].mask);
        sampled |= (uint64_t)(event[e] >= 0) << e;
    }
    return sampled;
}

uint64_t explore_places_sampled(const struct pmc_profile *profile)
{
    int event[EXPLORE_EVENTS];

    return find_events(profile, event);
}

bool explore_places_possible(const struct pmc_profile *profile)
{
    return explore_places_suffice(explore_places_sampled(profile));
}

bool explore_place(struct explore_place *ret, const struct pmc_profile *profile,
                   const uint64_t counts[PMC_PROFILE_EVENTS])
{
    struct explore_place_samples samples = {0};
    int event[EXPLORE_EVENTS];

    samples.sampled = find_events(profile, event);
    if (!explore_places_suffice(samples.sampled))
        return false;
    for (unsigned e = 0; e < EXPLORE_EVENTS; e++) {
        if (event[e] >= 0) {
            const struct pmc_profile_event *row = &profile->event[event[e]];

            samples.event[e] = (struct explore_sampled){.samples = counts[event[e]],
                                                        .total = pmc_profile_estimate(row, counts[event[e]]),
                                                        .one = pmc_profile_estimate(row, 1)};
        }
    }
    explore_place_compute(ret, &samples);
    return true;
}
