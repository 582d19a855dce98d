/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/explore/explore_places.h"

#include "core/base/mem.h"
#include "core/base/stats.h"

enum {
    MILLION = 1000000,
    /* Half of an interval above which a figure is dropped: half of the tree's limit for the back end, so that a figure
     * at the limit cannot be told from one far below it; for a ratio, half of its value. */
    SLOTS_HALF_MAX = 100000,
    RATIO_HALF_PARTS = 2,
};

static void list_sampled(struct event_list *list, const struct ibs_family *row, char revision, bool deep)
{
    const struct explore_method *method = explore_of((enum event_set)row->events);

    list->count = 0;
    for (unsigned i = 0; method && i < (deep ? method->deep : method->shallow); i++)
        explore_add(list, method, method->sampled[i], (enum event_set)row->events, revision);
}

void explore_places_list(struct event_list *list, const struct ibs_family *row, char revision)
{
    list_sampled(list, row, revision, false);
}

void explore_places_list_deep(struct event_list *list, const struct ibs_family *row, char revision)
{
    list_sampled(list, row, revision, true);
}

/* Returns the first events of a method's list, as bits. */
static uint64_t first(const struct explore_method *method, unsigned count)
{
    uint64_t events = 0;

    for (unsigned i = 0; i < count; i++)
        events |= 1ull << method->sampled[i];
    return events;
}

bool explore_places_suffice(struct explore_sampling of)
{
    return of.method && !(first(of.method, of.method->needed) & ~of.events);
}

bool explore_places_raw(struct explore_sampling of, unsigned node)
{
    const struct explore_node_row *row = &of.method->row[node];

    return row->raw != EXPLORE_EVENTS && (row->inputs & ~of.events);
}

uint64_t explore_places_nodes(struct explore_sampling of)
{
    uint64_t nodes = 0;

    for (unsigned i = 0; i < EXPLORE_PLACE_COLUMNS; i++)
        nodes |= 1ull << of.method->column[i];
    if (!(of.events & ~first(of.method, of.method->shallow)))
        return nodes;
    for (unsigned i = 0; i < of.method->rows; i++) {
        const struct explore_node_row *row = &of.method->row[i];
        bool whole = !(row->inputs & ~of.events);

        if (row->level > 1 && !row->unobservable &&
            (whole || (explore_places_raw(of, i) && (of.events >> row->raw & 1))))
            nodes |= 1ull << i;
    }
    return nodes;
}

/* ---------------------------------------------------------------- figures */

/* Works out each node's value from these totals or, where that cannot be computed, its raw one. */
static void figures(const struct explore_input *input, struct explore_sampling of, struct explore_result *ret)
{
    explore_compute(ret, input);
    for (unsigned i = 0; i < of.method->rows; i++)
        if (explore_places_raw(of, i)) {
            ret->node[i].value = ret->node[i].raw;
            ret->node[i].state = ret->node[i].raw_state;
        }
}

/* Adds the effect of one total's error on each figure, squared. */
static void add_squares(struct explore_input *input, unsigned event, struct explore_sampling of, uint64_t error,
                        uint64_t squares[EXPLORE_NODES])
{
    struct explore_count *count = &input->count[event];
    struct explore_result above, below;
    uint64_t total = count->total;

    count->total = total + error;
    figures(input, of, &above);
    count->total = total > error ? total - error : 0;
    figures(input, of, &below);
    count->total = total;
    for (unsigned i = 0; i < of.method->rows; i++) {
        int64_t high = above.node[i].value, low = below.node[i].value;
        uint64_t half = (uint64_t)(high > low ? high - low : low - high) / 2;

        half = half < 10 * MILLION ? half : 10 * MILLION; /* squares of all events fit */
        squares[i] += half * half;
    }
}

static bool says_something(const struct explore_node_row *row, int64_t value, int64_t half)
{
    return row->unit == EXPLORE_UNIT_RATIO ? half * RATIO_HALF_PARTS <= value : half <= SLOTS_HALF_MAX;
}

static void judge(struct explore_place *place, unsigned node)
{
    const struct explore_node_row *row = &place->method->row[node];
    struct explore_place_node *figure = &place->node[node];

    figure->known = figure->known && says_something(row, figure->value, figure->half);
    figure->flagged = figure->known && row->limit_ppm != EXPLORE_NO_LIMIT &&
                      figure->value - figure->half > row->limit_ppm &&
                      (row->parent == EXPLORE_ROOT || row->alone || place->node[row->parent].flagged);
}

void explore_place_compute(struct explore_place *ret, const struct explore_place_samples *samples)
{
    const struct explore_method *method = samples->of.method;
    struct explore_input input = {.method = method};
    uint64_t squares[EXPLORE_NODES] = {0};
    struct explore_result result;

    for (unsigned e = 0; e < method->events; e++)
        if (samples->of.events >> e & 1)
            input.count[e] = (struct explore_count){
                .total = samples->event[e].total, .state = COUNTS_COUNTED, .reliability_ppm = MILLION};
    figures(&input, samples->of, &result);
    for (unsigned e = 0; e < method->events; e++) {
        const struct explore_sampled *event = &samples->event[e];

        if (!(samples->of.events >> e & 1))
            continue;
        add_squares(&input, e, samples->of,
                    event->samples ? stats_mul_div(event->total, pmc_profile_error_ppm(event->samples), MILLION)
                                   : event->one,
                    squares);
    }
    *ret = (struct explore_place){.method = method, .clocks = samples->event[EXPLORE_C].samples};
    for (unsigned i = 0; i < method->rows; i++) {
        ret->node[i].known = result.node[i].state == EXPLORE_KNOWN;
        ret->node[i].value = result.node[i].value;
        ret->node[i].half = (int64_t)(stats_isqrt(squares[i]) * 196ull / 100);
        judge(ret, i);
    }
}

/* ---------------------------------------------------------------- of a profile */

/* Finds the profile's event for each of the method's; -1: it has none. Events with a count mask do not count. */
static struct explore_sampling find_events(const struct pmc_profile *profile, int event[EXPLORE_EVENTS])
{
    struct explore_sampling of = {.method = explore_of(profile->set)};

    for (unsigned e = 0; of.method && e < of.method->events; e++) {
        const struct explore_event *wanted = &of.method->event[e];

        event[e] = wanted->count_mask ? -1 : pmc_profile_event(profile, wanted->select, wanted->mask);
        of.events |= (uint64_t)(event[e] >= 0) << e;
    }
    return of;
}

struct explore_sampling explore_places_sampled(const struct pmc_profile *profile)
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

    samples.of = find_events(profile, event);
    if (!explore_places_suffice(samples.of))
        return false;
    for (unsigned e = 0; e < samples.of.method->events; e++) {
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
