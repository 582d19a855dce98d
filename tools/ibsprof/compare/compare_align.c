/* Runs to cells: the same instruction of all runs is found by its function and its offset there. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/codemap.h"
#include "tools/ibsprof/compare/compare_found.h"
#include "tools/ibsprof/base/must.h"

static const char *mapped(const struct comparison *c, uint32_t side, const char *function)
{
    for (uint32_t i = 0; side == SIDE_B && i < c->options->map_count; i++)
        if (strcmp(c->options->maps[i].b, function) == 0)
            return c->options->maps[i].a;
    return function;
}

static void collect(struct aligning *w, uint32_t side, uint32_t run, uint32_t part, const struct run_profile *profile)
{
    for (uint32_t i = 0; i < profile->place_count; i++) {
        const struct profile_place *place = &profile->places[i];
        const char *function = profile_function(profile, place);
        struct found *found;

        if (!place->workload)
            continue;
        if (w->count == w->room) {
            w->room = w->room == 0 ? 256 : 2 * w->room;
            w->found = must_grow(w->found, w->room, sizeof(*w->found));
        }
        found = &w->found[w->count++];
        *found = (struct found){.object = compare_base_name(profile_object(profile, place)),
                                .offset = place->rva,
                                .profile = profile,
                                .place = place,
                                .side = side,
                                .run = run,
                                .part = part};
        if (function != NULL) {
            found->function = mapped(w->c, side, function);
            found->offset -= profile_function_start(profile, place->object, place->func);
        }
    }
}

static void name_place(struct aligning *w, struct compare_place *place, const struct found *found)
{
    const struct codemap *map;

    place->object = found->object;
    place->offset = found->offset;
    place->text = "";
    place->rva[SIDE_A] = place->rva[SIDE_B] = UINT64_MAX;
    if (found->function != NULL && found_namesake(w, found->function) != NULL) {
        size_t size = strlen(found->function) + strlen(found->object) + 20;
        int length;

        place->function = must_alloc(size, 1);
        length = snprintf(place->function, size, "%s@%s", found->function, found->object);
        if (found_namesake(w, found->function)->by_start)
            snprintf(place->function + length, size - (size_t)length, ":%" PRIx64, found_start(found));
    } else {
        place->function = must_copy(found->function != NULL ? found->function : found->object);
    }
    if (found->place->insn < 0)
        return;
    map = found->profile->maps[found->place->object];
    place->text = map->strings + map->insns[found->place->insn].text;
    if (map->insns[found->place->insn].file != 0xffff)
        place->file = map->strings + map->files[map->insns[found->place->insn].file];
    place->line = map->insns[found->place->insn].line;
}

/* Gives every found place its cell. Rare ones share the last. */
static void make_cells(struct aligning *w)
{
    struct comparison *c = w->c;
    const double *total = w->total;
    bool leftover = false;

    c->places = must_alloc(w->count + 1, sizeof(*c->places));
    for (size_t begin = 0, end; begin < w->count; begin = end) {
        double x[SIDES] = {0, 0}, least;
        struct compare_place *place = &c->places[c->place_count];
        bool rare;

        for (end = begin; end < w->count && found_compare(w, &w->found[begin], &w->found[end]) == 0; end++)
            if (w->found[end].part == 0)
                x[w->found[end].side] += compare_samples(c, w->found[end].profile, w->found[end].place);
        least = (x[0] + x[1]) / (total[0] + total[1]) * (total[0] < total[1] ? total[0] : total[1]);
        rare = !(least >= EXPECTED_MIN);
        leftover = leftover || rare;
        if (x[0] + x[1] > 0) /* others have samples of another kind only */
            c->rare_count += rare;
        if (!rare)
            name_place(w, place, &w->found[begin]);
        for (size_t i = begin; i < end; i++) {
            w->found[i].cell = rare ? UINT32_MAX : c->place_count;
            if (!rare)
                place->rva[w->found[i].side] = w->found[i].place->rva;
        }
        if (!rare)
            c->place_count++;
    }
    if (leftover)
        c->places[c->place_count++] = (struct compare_place){.text = "", .offset = 0};
    for (size_t i = 0; i < w->count; i++) {
        if (w->found[i].cell == UINT32_MAX)
            w->found[i].cell = c->place_count - 1;
        if (w->found[i].part == 0 && compare_samples(c, w->found[i].profile, w->found[i].place) > 0)
            c->places[w->found[i].cell].seen[w->found[i].side] = true;
    }
}

/* ---------------------------------------------------------------- counts of the cells */

static double derived_of(const struct profile_place *place, enum derived event)
{
    return event < DERIVED_COUNT ? (double)place->counts[event] : 0;
}

static void count_cells(struct aligning *w)
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
        const struct found *found = &w->found[i];
        double samples = compare_samples(c, found->profile, found->place), *values;

        if (found->part > 0) {
            c->x_halves[found->side][(found->part - 1) * cells + found->cell] += samples;
            c->n_halves[found->side][found->part - 1] += samples;
            continue;
        }
        c->x[found->side][(size_t)found->run * cells + found->cell] += samples;
        c->n[found->side][found->run] += samples;
        values = c->values[found->side] + (size_t)found->run * compare_column_count * 2 * cells;
        for (uint32_t k = 0; k < compare_column_count; k++) {
            const struct compare_column *column = &compare_columns[k]; /* those that are no rates have no events */

            values[k * 2 * cells + found->cell] +=
                derived_of(found->place, column->above[0]) + derived_of(found->place, column->above[1]);
            values[(k * 2 + 1) * cells + found->cell] += derived_of(found->place, column->below);
        }
        if (found->place->latency != NULL) {
            uint32_t **latency = &c->latency[found->side][(size_t)found->run * cells + found->cell];

            if (*latency == NULL)
                *latency = must_alloc(LATENCY_BINS, sizeof(**latency));
            for (uint32_t bin = 0; bin < LATENCY_BINS; bin++)
                (*latency)[bin] += found->place->latency[bin];
        }
    }
    for (uint32_t side = 0; side < SIDES; side++)
        c->shares[side] =
            (struct stat_side){.runs = c->run_count[side], .cells = cells, .x = c->x[side], .n = c->n[side]};
}

static int by_size(const void *left, const void *right)
{
    const struct compare_lonely *a = left, *b = right;

    return a->samples < b->samples ? 1 : a->samples > b->samples ? -1 : strcmp(a->function, b->function);
}

static void find_lonely(struct aligning *w)
{
    struct comparison *c = w->c;

    c->lonely = must_alloc(w->count, sizeof(*c->lonely));
    for (size_t begin = 0, end; begin < w->count; begin = end) {
        double x[SIDES] = {0, 0};

        for (end = begin; end < w->count && found_same_function(w, &w->found[begin], &w->found[end]); end++)
            if (w->found[end].part == 0)
                x[w->found[end].side] += compare_samples(c, w->found[end].profile, w->found[end].place);
        /* A few samples may as well have fallen on neither side. */
        if ((x[SIDE_A] > 0) == (x[SIDE_B] > 0) || x[SIDE_A] + x[SIDE_B] < EXPECTED_MIN)
            continue;
        c->lonely[c->lonely_count++] = (struct compare_lonely){
            .function = w->found[begin].function != NULL ? w->found[begin].function : w->found[begin].object,
            .object = w->found[begin].object,
            .side = x[SIDE_A] > 0 ? SIDE_A : SIDE_B,
            .samples = x[SIDE_A] + x[SIDE_B]};
    }
    if (c->lonely_count > 0)
        qsort(c->lonely, c->lonely_count, sizeof(*c->lonely), by_size);
}

bool compare_align(struct comparison *c, char *error, size_t error_size)
{
    struct aligning w = {.c = c};
    bool good;

    if (!compare_choose_event(c, error, error_size))
        return false;
    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t run = 0; run < c->run_count[side]; run++) {
            const struct compare_run *of = &c->runs[side][run];

            collect(&w, side, run, 0, of->profile);
            for (uint32_t half = 0; half < 2 && of->halves[half] != NULL; half++)
                collect(&w, side, run, 1 + half, of->halves[half]);
        }
    for (size_t i = 0; i < w.count; i++)
        if (w.found[i].part == 0)
            w.total[w.found[i].side] += compare_samples(c, w.found[i].profile, w.found[i].place);
    found_tell_ambiguous_apart(&w);
    found_sort(&w);
    good = found_check_code(&w, error, error_size);
    if (good) {
        found_sort(&w);
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
                         c->event, compare_is_ibs(c) ? "" : "; --comm says whose samples are the workload's");
        }
    }
    for (uint32_t i = 0; i < w.ambiguous_count; i++)
        free(w.ambiguous[i].name);
    free(w.ambiguous);
    free(w.found);
    return good;
}
