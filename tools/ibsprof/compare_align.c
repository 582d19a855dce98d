/* Runs to cells: the same instruction of all runs is found by its function and its offset there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/codemap.h"
#include "tools/ibsprof/compare_count.h"

/* A cell is judged by itself when both sides would expect so many samples if they were equal: chi-squares need that. */
enum { EXPECTED_MIN = 5 };
/* A function with a smaller share than this, with other code in another file, is another one that has the same name. A
 * larger one is what is to be compared, and the user must know. */
static const double namesake_max = 0.01;

/* A place of a run, with the name that aligns it. */
struct found {
    const char *function, *object;
    uint64_t offset;
    const struct run_profile *profile;
    const struct profile_place *place;
    uint32_t side, run, part; /* part: 0 the run, 1 and 2 its halves */
    uint32_t cell;
};

/* A name that several functions have: they are told apart by their object's name, and when one object has several of
 * them, by where they start. */
struct namesake {
    char *name;
    bool by_start;
};

struct aligning {
    struct comparison *c;
    struct found *found;
    size_t count, room;
    double total[SIDES];
    struct namesake *ambiguous; /* names of functions that several objects of one side have */
    uint32_t ambiguous_count;
};

/* ---------------------------------------------------------------- the same instruction */

static const char *mapped(const struct comparison *c, uint32_t side, const char *function)
{
    for (uint32_t i = 0; side == SIDE_B && i < c->options->map_count; i++)
        if (strcmp(c->options->maps[i].b, function) == 0)
            return c->options->maps[i].a;
    return function;
}

static bool is_mapped(const struct comparison *c, const char *function)
{
    for (uint32_t i = 0; i < c->options->map_count; i++)
        if (strcmp(c->options->maps[i].a, function) == 0)
            return true;
    return false;
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
            w->found = realloc(w->found, w->room * sizeof(*w->found));
            if (w->found == NULL)
                abort();
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
            found->offset -= profile->maps[place->object]->funcs[place->func].rva;
        }
    }
}

static struct namesake *ambiguous(const struct aligning *w, const char *function)
{
    for (uint32_t i = 0; i < w->ambiguous_count; i++)
        if (strcmp(w->ambiguous[i].name, function) == 0)
            return &w->ambiguous[i];
    return NULL;
}

static uint64_t start_of(const struct found *found)
{
    return found->place->rva - found->offset;
}

/* Order of two functions of the same name: 0 when they are one. */
static int by_namesake(const struct aligning *w, const struct found *a, const struct found *b)
{
    const struct namesake *namesake = ambiguous(w, a->function);
    int order = namesake == NULL ? 0 : strcmp(a->object, b->object);

    if (order != 0 || namesake == NULL || !namesake->by_start)
        return order;
    return start_of(a) < start_of(b) ? -1 : start_of(a) > start_of(b);
}

static void tell_apart(struct aligning *w, const char *function, bool by_start)
{
    struct namesake *namesake = ambiguous(w, function);

    if (namesake == NULL) {
        w->ambiguous = realloc(w->ambiguous, (w->ambiguous_count + 1) * sizeof(*w->ambiguous));
        if (w->ambiguous == NULL)
            abort();
        namesake = &w->ambiguous[w->ambiguous_count++];
        *namesake = (struct namesake){.name = strdup(function)};
    }
    namesake->by_start = namesake->by_start || by_start;
}

static int by_side_and_function(const void *left, const void *right)
{
    const struct found *a = left, *b = right;
    int order;

    if (a->side != b->side)
        return a->side < b->side ? -1 : 1;
    if (a->function == NULL || b->function == NULL)
        return (a->function != NULL) - (b->function != NULL);
    order = strcmp(a->function, b->function);
    if (order == 0)
        order = strcmp(a->object, b->object);
    if (order != 0)
        return order;
    return start_of(a) < start_of(b) ? -1 : start_of(a) > start_of(b);
}

/* Functions that two objects of one side have by the same name are told apart by the object's name. Without that, the
 * object does not matter: the same code is part of the image here and of a Linux program there. */
static void find_ambiguous(struct aligning *w)
{
    qsort(w->found, w->count, sizeof(*w->found), by_side_and_function);
    for (size_t i = 1; i < w->count; i++) {
        const struct found *a = &w->found[i - 1], *b = &w->found[i];

        if (a->side != b->side || a->function == NULL || b->function == NULL || strcmp(a->function, b->function) != 0 ||
            !(compare_samples(w->c, a->profile, a->place) > 0) || !(compare_samples(w->c, b->profile, b->place) > 0))
            continue;
        if (strcmp(a->object, b->object) != 0)
            tell_apart(w, a->function, false);
        else if (a->profile->objects[a->place->object] == b->profile->objects[b->place->object] &&
                 start_of(a) != start_of(b))
            tell_apart(w, a->function, true);
    }
}

static const struct aligning *sorting; /* qsort has no argument for it */

static int by_cell(const void *left, const void *right)
{
    const struct found *a = left, *b = right;
    int order;

    if ((a->function == NULL) != (b->function == NULL))
        return a->function == NULL ? 1 : -1;
    order = a->function != NULL ? strcmp(a->function, b->function) : strcmp(a->object, b->object);
    if (order == 0 && a->function != NULL)
        order = by_namesake(sorting, a, b);
    if (order != 0)
        return order;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static uint64_t hash_of(const struct comparison *c, const struct found *found)
{
    const struct codemap_func *function;

    if (found->function == NULL)
        return 0;
    function = &found->profile->maps[found->place->object]->funcs[found->place->func];
    return c->options->code_hash(found->profile->objects[found->place->object], function->rva, function->size);
}

static bool same_bytes(const struct found *a, const struct found *b)
{
    return a->function != NULL && b->function != NULL &&
           a->profile->objects[a->place->object] == b->profile->objects[b->place->object] && start_of(a) == start_of(b);
}

static bool same_function(const struct aligning *w, const struct found *a, const struct found *b)
{
    if (a->function == NULL || b->function == NULL)
        return a->function == b->function && strcmp(a->object, b->object) == 0;
    return strcmp(a->function, b->function) == 0 && by_namesake(w, a, b) == 0;
}

/* Offsets only mean the same when the code does. */
static bool check_code(struct aligning *w, char *error, size_t error_size)
{
    struct comparison *c = w->c;
    uint32_t unchecked = 0;

    for (size_t begin = 0, end, after; begin < w->count; begin = end) {
        const struct found *first = NULL;
        double samples[SIDES] = {0, 0};
        uint64_t hash = 0;
        bool known = true;

        for (end = begin; end < w->count && same_function(w, &w->found[begin], &w->found[end]); end++)
            if (w->found[end].part == 0)
                samples[w->found[end].side] += compare_samples(c, w->found[end].profile, w->found[end].place);
        after = end;
        /* What hardly runs on one side (other programs' code, when all of a processor was recorded) is not judged. */
        if (fmin(samples[SIDE_A], samples[SIDE_B]) < EXPECTED_MIN)
            continue;
        for (end = begin; end < after; end++) {
            const struct found *found = &w->found[end];
            uint64_t own;

            if (first != NULL && same_bytes(found, first))
                continue;
            own = hash_of(c, found);
            if (own == 0) {
                known = false;
            } else if (first == NULL) {
                first = found;
                hash = own;
            } else if (own != hash && strcmp(found->object, first->object) != 0 && !is_mapped(c, found->function) &&
                       fmin(samples[SIDE_A] / w->total[SIDE_A], samples[SIDE_B] / w->total[SIDE_B]) < namesake_max) {
                compare_note(c, false, "'%s' of %s and of %s are different functions of the same name.",
                             found->function, first->object, found->object);
                tell_apart(w, found->function, false);
                break;
            } else if (own != hash && !c->options->force_code && !is_mapped(c, found->function)) {
                snprintf(error, error_size,
                         "compare: the code of '%s' in %s is not that in %s, so its instructions cannot be told to be "
                         "the same; --map=%s=%s takes them by offset, --force-code does so for all functions",
                         found->function, found->profile->facts->path, first->profile->facts->path, found->function,
                         found->function);
                return false;
            } else if (own != hash) {
                compare_note(c, true, "The code of '%s' differs: its instructions are aligned by offset as was asked.",
                             found->function);
                break;
            }
        }
        end = after;
        unchecked += !known;
    }
    if (unchecked > 0)
        compare_note(c, true,
                     "Of %u function%s the code bytes are not known on both sides (no ELF file was found): that they "
                     "are the same was not checked.",
                     unchecked, unchecked == 1 ? "" : "s");
    return true;
}

static void name_place(struct aligning *w, struct compare_place *place, const struct found *found)
{
    const struct codemap *map;

    place->object = found->object;
    place->offset = found->offset;
    place->text = "";
    place->rva[SIDE_A] = place->rva[SIDE_B] = UINT64_MAX;
    if (found->function != NULL && ambiguous(w, found->function) != NULL) {
        size_t size = strlen(found->function) + strlen(found->object) + 20;
        int length;

        place->function = stat_alloc(size, 1);
        length = snprintf(place->function, size, "%s@%s", found->function, found->object);
        if (ambiguous(w, found->function)->by_start)
            snprintf(place->function + length, size - (size_t)length, ":%llx", (unsigned long long)start_of(found));
    } else {
        place->function = strdup(found->function != NULL ? found->function : found->object);
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

    c->places = stat_alloc(w->count + 1, sizeof(*c->places));
    for (size_t begin = 0, end; begin < w->count; begin = end) {
        double x[SIDES] = {0, 0}, least;
        struct compare_place *place = &c->places[c->place_count];
        bool rare;

        for (end = begin; end < w->count && by_cell(&w->found[begin], &w->found[end]) == 0; end++)
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
        c->x[side] = stat_alloc((size_t)c->run_count[side] * cells, sizeof(double));
        c->n[side] = stat_alloc(c->run_count[side], sizeof(double));
        c->exposure[side] = stat_alloc(c->run_count[side], sizeof(double));
        c->x_halves[side] = stat_alloc(2 * (size_t)cells, sizeof(double));
        c->values[side] = stat_alloc((size_t)c->run_count[side] * compare_column_count * 2 * cells, sizeof(double));
        c->latency[side] = stat_alloc((size_t)c->run_count[side] * cells * LATENCY_BINS, sizeof(double));
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
            const struct compare_column *column = &compare_columns[k];

            if (column->kind != COLUMN_RATE)
                continue;
            values[k * 2 * cells + found->cell] +=
                derived_of(found->place, column->above[0]) + derived_of(found->place, column->above[1]);
            values[(k * 2 + 1) * cells + found->cell] += derived_of(found->place, column->below);
        }
        for (uint32_t bin = 0; found->place->latency != NULL && bin < LATENCY_BINS; bin++)
            c->latency[found->side][((size_t)found->run * cells + found->cell) * LATENCY_BINS + bin] +=
                found->place->latency[bin];
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

    c->lonely = stat_alloc(w->count, sizeof(*c->lonely));
    for (size_t begin = 0, end; begin < w->count; begin = end) {
        double x[SIDES] = {0, 0};

        for (end = begin; end < w->count && same_function(w, &w->found[begin], &w->found[end]); end++)
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
    find_ambiguous(&w);
    sorting = &w;
    qsort(w.found, w.count, sizeof(*w.found), by_cell);
    good = check_code(&w, error, error_size);
    if (good) {
        qsort(w.found, w.count, sizeof(*w.found), by_cell);
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
