/* SPDX-License-Identifier: BSD-2-Clause */
/* Aligns runs in cells: an instruction is identified in all runs by its function and its offset there. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/ibs/codemap.h"
#include "tools/ibsprof/compare/compare_alignment.h"
#include "tools/ibsprof/base/must.h"

static const char *mapped(const struct comparison *c, uint32_t side, const char *function)
{
    for (uint32_t i = 0; side == SIDE_B && i < c->options->map_count; i++)
        if (strcmp(c->options->maps[i].b, function) == 0)
            return c->options->maps[i].a;
    return function;
}

static void collect(struct alignment *w, uint32_t side, uint32_t run, uint32_t part, const struct run_profile *profile)
{
    for (uint32_t i = 0; i < profile->place_count; i++) {
        const struct profile_place *place = &profile->places[i];
        const char *function = profile_function(profile, place);
        struct named_place *named;

        if (!place->workload)
            continue;
        named = must_add(w->places, w->count);
        *named = (struct named_place){.object = compare_base_name(profile_object(profile, place)),
                                      .offset = place->rva,
                                      .profile = profile,
                                      .place = place,
                                      .side = side,
                                      .run = run,
                                      .part = part};
        if (function) {
            named->function = mapped(w->c, side, function);
            named->offset -= profile_function_start(profile, place->object, place->func);
        }
    }
}

static void name_place(struct alignment *w, struct compare_place *place, const struct named_place *named)
{
    const struct codemap *map;

    place->object = named->object;
    place->offset = named->offset;
    place->text = "";
    place->rva[SIDE_A] = place->rva[SIDE_B] = UINT64_MAX;
    if (named->function && ambiguous_name_find(w, named->function)) {
        size_t size = strlen(named->function) + strlen(named->object) + 20;
        int length;

        place->function = must_alloc(size, 1);
        length = snprintf(place->function, size, "%s@%s", named->function, named->object);
        if (ambiguous_name_find(w, named->function)->by_start)
            snprintf(place->function + length, size - (size_t)length, ":%" PRIx64, named_place_start(named));
    } else {
        place->function = must_copy(named->function ? named->function : named->object);
    }
    if (named->place->insn < 0)
        return;
    map = named->profile->maps[named->place->object];
    place->text = map->strings + map->insns[named->place->insn].text;
    if (map->insns[named->place->insn].file != 0xffff)
        place->file = map->strings + map->files[map->insns[named->place->insn].file];
    place->line = map->insns[named->place->insn].line;
}

/* Assigns a cell to every named place. Rare ones share the last. */
static void make_cells(struct alignment *w)
{
    struct comparison *c = w->c;
    const double *total = w->total;
    bool leftover = false;

    c->places = must_alloc(w->count + 1, sizeof(*c->places));
    for (size_t begin = 0, end; begin < w->count; begin = end) {
        double x[SIDES] = {0, 0}, least;
        struct compare_place *place = &c->places[c->place_count];
        bool rare;

        for (end = begin; end < w->count && named_place_compare(w, &w->places[begin], &w->places[end]) == 0; end++)
            if (w->places[end].part == 0)
                x[w->places[end].side] += compare_samples(c, w->places[end].profile, w->places[end].place);
        least = (x[0] + x[1]) / (total[0] + total[1]) * (total[0] < total[1] ? total[0] : total[1]);
        rare = !(least >= EXPECTED_MIN);
        leftover = leftover || rare;
        if (x[0] + x[1] > 0) /* others have only samples of another kind */
            c->rare_count += rare;
        if (!rare)
            name_place(w, place, &w->places[begin]);
        for (size_t i = begin; i < end; i++) {
            w->places[i].cell = rare ? UINT32_MAX : c->place_count;
            if (!rare)
                place->rva[w->places[i].side] = w->places[i].place->rva;
        }
        if (!rare)
            c->place_count++;
    }
    if (leftover)
        c->places[c->place_count++] = (struct compare_place){.text = "", .offset = 0};
    for (size_t i = 0; i < w->count; i++) {
        if (w->places[i].cell == UINT32_MAX)
            w->places[i].cell = c->place_count - 1;
        if (w->places[i].part == 0 && compare_samples(c, w->places[i].profile, w->places[i].place) > 0)
            c->places[w->places[i].cell].seen[w->places[i].side] = true;
    }
}

/* ---------------------------------------------------------------- counts of the cells */

static double derived_of(const struct profile_place *place, enum derived event)
{
    return event < DERIVED_COUNT ? (double)place->counts[event] : 0;
}

static void count_cells(struct alignment *w)
{
    struct comparison *c = w->c;
    uint32_t cells = c->place_count;

    for (uint32_t side = 0; side < SIDES; side++) {
        c->x[side] = must_alloc((size_t)c->run_count[side] * cells, sizeof(double));
        c->n[side] = must_alloc(c->run_count[side], sizeof(double));
        c->exposure[side] = must_alloc(c->run_count[side], sizeof(double));
        c->x_halves[side] = must_alloc(2 * (size_t)cells, sizeof(double));
        c->values[side] = must_alloc((size_t)c->run_count[side] * compare_column_count * 2 * cells, sizeof(double));
        c->latency[side] = must_alloc((size_t)c->run_count[side] * cells, sizeof(*c->latency[side]));
    }
    for (size_t i = 0; i < w->count; i++) {
        const struct named_place *named = &w->places[i];
        double samples = compare_samples(c, named->profile, named->place), *values;

        if (named->part > 0) {
            c->x_halves[named->side][(named->part - 1) * cells + named->cell] += samples;
            c->n_halves[named->side][named->part - 1] += samples;
            continue;
        }
        c->x[named->side][(size_t)named->run * cells + named->cell] += samples;
        c->n[named->side][named->run] += samples;
        values = c->values[named->side] + (size_t)named->run * compare_column_count * 2 * cells;
        for (uint32_t k = 0; k < compare_column_count; k++) {
            const struct compare_column *column = &compare_columns[k]; /* columns other than rates have no events */

            values[k * 2 * cells + named->cell] +=
                derived_of(named->place, column->above[0]) + derived_of(named->place, column->above[1]);
            values[(k * 2 + 1) * cells + named->cell] += derived_of(named->place, column->below);
        }
        if (named->place->latency) {
            uint32_t **latency = &c->latency[named->side][(size_t)named->run * cells + named->cell];

            if (!*latency)
                *latency = must_alloc(LATENCY_BINS, sizeof(**latency));
            for (uint32_t bin = 0; bin < LATENCY_BINS; bin++)
                (*latency)[bin] += named->place->latency[bin];
        }
    }
    for (uint32_t side = 0; side < SIDES; side++)
        c->shares[side] =
            (struct stat_side){.runs = c->run_count[side], .cells = cells, .x = c->x[side], .n = c->n[side]};
}

static int by_size(const void *left, const void *right)
{
    const struct compare_one_sided *a = left, *b = right;

    return a->samples < b->samples ? 1 : a->samples > b->samples ? -1 : strcmp(a->function, b->function);
}

static void find_lonely(struct alignment *w)
{
    struct comparison *c = w->c;

    c->one_sided = must_alloc(w->count, sizeof(*c->one_sided));
    for (size_t begin = 0, end; begin < w->count; begin = end) {
        double x[SIDES] = {0, 0};

        for (end = begin; end < w->count && named_place_same_function(w, &w->places[begin], &w->places[end]); end++)
            if (w->places[end].part == 0)
                x[w->places[end].side] += compare_samples(c, w->places[end].profile, w->places[end].place);
        /* A few samples may fall on one side by chance. */
        if ((x[SIDE_A] > 0) == (x[SIDE_B] > 0) || x[SIDE_A] + x[SIDE_B] < EXPECTED_MIN)
            continue;
        c->one_sided[c->one_sided_count++] = (struct compare_one_sided){
            .function = w->places[begin].function ? w->places[begin].function : w->places[begin].object,
            .object = w->places[begin].object,
            .side = x[SIDE_A] > 0 ? SIDE_A : SIDE_B,
            .samples = x[SIDE_A] + x[SIDE_B]};
    }
    if (c->one_sided_count > 0)
        qsort(c->one_sided, c->one_sided_count, sizeof(*c->one_sided), by_size);
}

bool compare_align(struct comparison *c, char *error, size_t error_size)
{
    struct alignment w = {.c = c};
    bool good;

    if (!compare_choose_event(c, error, error_size))
        return false;
    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t run = 0; run < c->run_count[side]; run++) {
            const struct compare_run *of = &c->runs[side][run];

            collect(&w, side, run, 0, of->profile);
            for (uint32_t half = 0; half < 2 && of->halves[half]; half++)
                collect(&w, side, run, 1 + half, of->halves[half]);
        }
    for (size_t i = 0; i < w.count; i++)
        if (w.places[i].part == 0)
            w.total[w.places[i].side] += compare_samples(c, w.places[i].profile, w.places[i].place);
    ambiguous_names_collect(&w);
    named_places_sort(&w);
    good = alignment_check_code(&w, error, error_size);
    if (good) {
        named_places_sort(&w);
        make_cells(&w);
        count_cells(&w);
        find_lonely(&w);
        compare_count_outside(c);
        compare_measure_work(c);
        for (uint32_t side = 0; side < SIDES && good; side++) {
            double n = 0;

            for (uint32_t run = 0; run < c->run_count[side]; run++)
                n += c->n[side][run];
            good = n > 0;
            if (!good)
                snprintf(error, error_size, "compare: %s: no sample of %s is in the workload%s", c->runs[side][0].path,
                         c->event, sample_is_ibs(c->kind) ? "" : "; --comm names the process that is the workload");
        }
    }
    for (uint32_t i = 0; i < w.ambiguous_count; i++)
        free(w.ambiguous[i].name);
    free(w.ambiguous);
    free(w.places);
    return good;
}
