/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/json/report_choose.h"

#include <stdlib.h>

#include "tools/ibsprof/base/must.h"

const struct codemap *report_map(const struct run_profile *profile, uint32_t object)
{
    return object < profile->object_count ? profile->maps[object] : NULL;
}

uint64_t report_samples(const struct run_profile *profile, const struct profile_place *place)
{
    uint64_t samples = place->counts[DERIVED_F100_OP_ALL] + place->counts[DERIVED_F000_FETCH_ALL];

    for (uint32_t e = 0; place->events && e < profile->facts->event_count; e++)
        samples += sample_is_ibs(profile->facts->events[e].kind) ? 0 : place->events[e];
    return samples;
}

uint32_t report_first_insn(const struct codemap *map, int32_t func)
{
    int32_t insn = codemap_find(map, map->funcs[func].rva);

    return insn < 0 ? map->insn_count : (uint32_t)insn;
}

static uint32_t insn_count(const struct codemap *map, int32_t func)
{
    uint32_t first = report_first_insn(map, func), end = first;

    while (end < map->insn_count && map->insns[end].func == func)
        end++;
    return end - first;
}

/* Finds the functions. Places ascend by object and address, so those of a function are adjacent. Places without a
 * function are collected first. */
static void find_functions(struct report_choice *choice, const struct run_profile *profile)
{
    struct report_function *nameless = NULL;

    for (uint32_t i = 0; i < profile->place_count; i++) {
        const struct profile_place *place = &profile->places[i];
        struct report_function *last = choice->count ? &choice->function[choice->count - 1] : NULL;
        struct report_function *function = last;

        if (!last || last->object != place->object)
            nameless = NULL;
        if (place->func < 0 && nameless) {
            function = nameless;
        } else if (place->func < 0 || !last || last->object != place->object || last->func != place->func) {
            const struct codemap *map = report_map(profile, place->object);

            function = &choice->function[choice->count++];
            *function = (struct report_function){.object = place->object, .func = place->func, .first = i};
            if (place->func < 0)
                nameless = function;
            else
                function->insns = insn_count(map, place->func);
        }
        function->samples += report_samples(profile, place);
        function->workload |= place->workload;
    }
}

static int by_samples(const void *left, const void *right)
{
    const struct report_function *a = *(struct report_function *const *)left,
                                 *b = *(struct report_function *const *)right;

    if (a->samples != b->samples)
        return a->samples > b->samples ? -1 : 1;
    return a < b ? -1 : a > b;
}

static int descending(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return a > b ? -1 : a < b;
}

/* Chooses the functions listed whole, and the least samples of a written row. */
static void choose_rows(struct report_choice *choice, const struct run_profile *profile,
                        const struct report_json_options *options)
{
    struct report_function **order = must_alloc(choice->count, sizeof(struct report_function *));
    uint64_t *samples = must_alloc(profile->place_count, sizeof(*samples));
    uint64_t listed = 0;

    for (uint32_t i = 0; i < choice->count; i++)
        order[i] = &choice->function[i];
    qsort(order, choice->count, sizeof(struct report_function *), by_samples);
    for (uint32_t i = 0; i < choice->count; i++) {
        listed += order[i]->insns;
        if (listed > options->listed_max)
            break;
        order[i]->listed = true;
    }
    if (profile->place_count > options->rows_max) {
        for (uint32_t i = 0; i < profile->place_count; i++)
            samples[i] = report_samples(profile, &profile->places[i]);
        qsort(samples, profile->place_count, sizeof(*samples), descending);
        choice->least = samples[options->rows_max] + 1;
    }
    free(order);
    free(samples);
}

void report_choose(struct report_choice *choice, const struct run_profile *profile,
                   const struct report_json_options *options)
{
    *choice = (struct report_choice){.function = must_alloc(profile->place_count, sizeof(struct report_function))};
    find_functions(choice, profile);
    choose_rows(choice, profile, options);
}

void report_choice_free(struct report_choice *choice)
{
    free(choice->function);
    choice->function = NULL;
}
