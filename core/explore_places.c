/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/explore_places.h"

#include "core/mem.h"
#include "core/stats.h"

enum {
    MILLION = 1000000,
    /* Half of an interval above which a figure says nothing: half of the tree's limit for the back end, so that what
     * is at the limit cannot be told from what is far below it; of CPI, half of its value. */
    SLOTS_HALF_MAX = 100000,
    CPI_HALF_PARTS = 2,
};

static const enum explore_event_index needed[] = {
    EXPLORE_C, EXPLORE_C0, EXPLORE_U, EXPLORE_C3, EXPLORE_D0, EXPLORE_D1, EXPLORE_D2,
};
enum { NEEDED = sizeof(needed) / sizeof(needed[0]) };

static const enum explore_node_index nodes[EXPLORE_PLACE_FIGURES] = {
    [EXPLORE_PLACE_CPI] = EXPLORE_CPI,   [EXPLORE_PLACE_RETIRING] = EXPLORE_RETIRING,
    [EXPLORE_PLACE_BAD] = EXPLORE_BAD,   [EXPLORE_PLACE_FRONT] = EXPLORE_FRONT,
    [EXPLORE_PLACE_BACK] = EXPLORE_BACK,
};

void explore_places_list(struct event_list *list, char revision)
{
    struct event_list all;

    explore_list(&all, revision);
    list->count = 0;
    for (unsigned i = 0; i < NEEDED; i++)
        list->spec[list->count++] = all.spec[needed[i]];
    list->spec[list->count++] = all.spec[EXPLORE_C2];
}

static bool find_events(const struct pmc_profile *profile, int event[NEEDED])
{
    for (unsigned i = 0; i < NEEDED; i++) {
        const struct explore_event *wanted = &explore_events[needed[i]];

        event[i] = pmc_profile_event(profile, wanted->select, wanted->mask);
        if (event[i] < 0)
            return false;
    }
    return true;
}

bool explore_places_possible(const struct pmc_profile *profile)
{
    int event[NEEDED];

    return find_events(profile, event);
}

/* The figures of these totals; those that cannot be computed stay 0. Returns a bit for each that is known. */
static unsigned figures(const struct explore_input *input, int64_t value[EXPLORE_PLACE_FIGURES])
{
    struct explore_result result;
    unsigned known = 0;

    explore_compute(&result, input);
    for (unsigned f = 0; f < EXPLORE_PLACE_FIGURES; f++) {
        value[f] = result.node[nodes[f]].value;
        known |= (unsigned)(result.node[nodes[f]].state == EXPLORE_KNOWN) << f;
    }
    return known;
}

/* Adds what the error of one total does to each figure, squared. */
static void add_squares(struct explore_input *input, struct explore_count *count, uint64_t error,
                        uint64_t squares[EXPLORE_PLACE_FIGURES])
{
    int64_t above[EXPLORE_PLACE_FIGURES], below[EXPLORE_PLACE_FIGURES];
    uint64_t total = count->total;

    count->total = total + error;
    (void)figures(input, above);
    count->total = total > error ? total - error : 0;
    (void)figures(input, below);
    count->total = total;
    for (unsigned f = 0; f < EXPLORE_PLACE_FIGURES; f++) {
        uint64_t half = (uint64_t)(above[f] > below[f] ? above[f] - below[f] : below[f] - above[f]) / 2;

        half = half < 10 * MILLION ? half : 10 * MILLION; /* the squares of seven fit */
        squares[f] += half * half;
    }
}

static bool is_known(unsigned figure, int64_t value, int64_t half)
{
    return figure == EXPLORE_PLACE_CPI ? half * CPI_HALF_PARTS <= value : half <= SLOTS_HALF_MAX;
}

bool explore_place(struct explore_place *ret, const struct pmc_profile *profile,
                   const uint64_t counts[PMC_PROFILE_EVENTS])
{
    struct explore_input input = {0};
    uint64_t squares[EXPLORE_PLACE_FIGURES] = {0};
    int64_t value[EXPLORE_PLACE_FIGURES];
    int event[NEEDED];
    unsigned known;

    if (!find_events(profile, event))
        return false;
    for (unsigned i = 0; i < NEEDED; i++)
        input.count[needed[i]] =
            (struct explore_count){.total = pmc_profile_estimate(&profile->event[event[i]], counts[event[i]]),
                                   .state = COUNTS_COUNTED,
                                   .reliability_ppm = MILLION};
    known = figures(&input, value);
    for (unsigned i = 0; i < NEEDED; i++) {
        struct explore_count *count = &input.count[needed[i]];
        uint64_t samples = counts[event[i]];
        uint64_t error = samples ? stats_mul_div(count->total, pmc_profile_error_ppm(samples), MILLION)
                                 : pmc_profile_estimate(&profile->event[event[i]], 1);

        add_squares(&input, count, error, squares);
    }
    *ret = (struct explore_place){.clocks = counts[event[0]]};
    for (unsigned f = 0; f < EXPLORE_PLACE_FIGURES; f++) {
        uint32_t limit = explore_tree[nodes[f]].limit_ppm;
        int64_t half = (int64_t)(stats_isqrt(squares[f]) * 196ull / 100);

        ret->figure[f].value = value[f];
        ret->figure[f].half = half;
        ret->figure[f].known = (known >> f & 1) && is_known(f, value[f], half);
        ret->figure[f].flagged = ret->figure[f].known && limit != EXPLORE_NO_LIMIT && value[f] - half > limit;
    }
    return true;
}
