/*
 * Functions and their instructions. A function is what the object's symbols say; samples of an object without a symbol
 * there make one more "function" without a name, whose rows are single addresses.
 */
#include "tools/ibsprof/report_parts.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/source.h"

struct function {
    uint32_t object; /* UINT32_MAX: none */
    int32_t func;    /* -1: none */
    uint32_t first;  /* place */
    uint64_t samples;
    uint32_t insns; /* of the code map */
    bool workload;
    bool listed; /* whole, else only what has samples */
};

struct position {
    uint16_t file, line;
};

/* What a row adds up. */
struct sums {
    uint64_t counts[DERIVED_COUNT];
    uint64_t latency[LATENCY_BINS];
    uint64_t *events, *weights;
    bool any, workload;
};

struct rows {
    struct json *json;
    const struct run_profile *profile;
    const struct report_json_options *options;
    uint32_t *row_of_place;
    uint32_t *next_row;
    struct function *function;
    uint32_t count;
    uint64_t least; /* rows with fewer samples are left out */
    struct sums sums, rest;
    uint32_t rest_rows;
    struct position *position; /* source lines of the function being written */
    uint32_t positions, positions_room;
    struct source *source;
};

static const struct codemap *map_of(const struct run_profile *profile, uint32_t object)
{
    return object < profile->object_count ? profile->maps[object] : NULL;
}

static bool other_kind(const struct run_profile *profile, uint32_t event)
{
    enum ibs_kind kind = profile->facts->events[event].kind;

    return kind != IBS_KIND_OP && kind != IBS_KIND_FETCH;
}

static uint64_t samples_of(const struct run_profile *profile, const struct profile_place *place)
{
    uint64_t samples = place->counts[DERIVED_F100_OP_ALL] + place->counts[DERIVED_F000_FETCH_ALL];

    for (uint32_t e = 0; place->events && e < profile->facts->event_count; e++)
        samples += other_kind(profile, e) ? place->events[e] : 0;
    return samples;
}

/* First instruction of a function in its map. */
static uint32_t first_insn(const struct codemap *map, int32_t func)
{
    int32_t insn = codemap_find(map, map->funcs[func].rva);

    return insn < 0 ? map->insn_count : (uint32_t)insn;
}

static uint32_t insn_count(const struct codemap *map, int32_t func)
{
    uint32_t first = first_insn(map, func), end = first;

    while (end < map->insn_count && map->insns[end].func == func)
        end++;
    return end - first;
}

/* Places ascend by object and address: those of a function lie together. Those without one are collected in front. */
static void find_functions(struct rows *rows)
{
    const struct run_profile *profile = rows->profile;
    struct function *nameless = NULL;

    for (uint32_t i = 0; i < profile->place_count; i++) {
        const struct profile_place *place = &profile->places[i];
        struct function *last = rows->count ? &rows->function[rows->count - 1] : NULL;
        struct function *function = last;

        if (last == NULL || last->object != place->object)
            nameless = NULL;
        if (place->func < 0 && nameless) {
            function = nameless;
        } else if (place->func < 0 || last == NULL || last->object != place->object || last->func != place->func) {
            const struct codemap *map = map_of(profile, place->object);

            function = &rows->function[rows->count++];
            *function = (struct function){.object = place->object, .func = place->func, .first = i};
            if (place->func < 0)
                nameless = function;
            else
                function->insns = insn_count(map, place->func);
        }
        function->samples += samples_of(profile, place);
        function->workload |= place->workload;
    }
}

static int by_samples(const void *left, const void *right)
{
    const struct function *a = *(struct function *const *)left, *b = *(struct function *const *)right;

    if (a->samples != b->samples)
        return a->samples > b->samples ? -1 : 1;
    return a < b ? -1 : a > b;
}

static int descending(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return a > b ? -1 : a < b;
}

/* Which functions are listed whole, and from how many samples on a row is written. False: no memory. */
static bool choose(struct rows *rows)
{
    const struct run_profile *profile = rows->profile;
    struct function **order = calloc(rows->count + 1ul, sizeof(struct function *));
    uint64_t *samples = calloc(profile->place_count + 1ul, sizeof(*samples));
    uint64_t listed = 0;
    bool good = order && samples;

    if (good) {
        for (uint32_t i = 0; i < rows->count; i++)
            order[i] = &rows->function[i];
        qsort(order, rows->count, sizeof(struct function *), by_samples);
        for (uint32_t i = 0; i < rows->count; i++) {
            listed += order[i]->insns;
            if (listed > rows->options->listed_max)
                break;
            order[i]->listed = true;
        }
        if (profile->place_count > rows->options->rows_max) {
            for (uint32_t i = 0; i < profile->place_count; i++)
                samples[i] = samples_of(profile, &profile->places[i]);
            qsort(samples, profile->place_count, sizeof(*samples), descending);
            rows->least = samples[rows->options->rows_max] + 1;
        }
    }
    free(order);
    free(samples);
    return good;
}

static void add_place(const struct run_profile *profile, struct sums *sums, const struct profile_place *place)
{
    for (unsigned i = 0; i < DERIVED_COUNT; i++)
        sums->counts[i] += place->counts[i];
    for (unsigned i = 0; place->latency && i < LATENCY_BINS; i++)
        sums->latency[i] += place->latency[i];
    for (uint32_t e = 0; e < profile->facts->event_count; e++) {
        if (!other_kind(profile, e))
            continue;
        sums->events[e] += place->events ? place->events[e] : 0;
        sums->weights[e] += place->event_weights ? place->event_weights[e] : 0;
    }
    sums->any = true;
    sums->workload |= place->workload;
}

static void clear(const struct run_profile *profile, struct sums *sums)
{
    memset(sums->counts, 0, sizeof(sums->counts));
    memset(sums->latency, 0, sizeof(sums->latency));
    memset(sums->events, 0, profile->facts->event_count * sizeof(*sums->events));
    memset(sums->weights, 0, profile->facts->event_count * sizeof(*sums->weights));
    sums->any = sums->workload = false;
}

/* counts, counter events [event, samples, weight, ...], latency; without what is empty at the end. */
static void write_sums(struct rows *rows, const struct sums *sums)
{
    bool events = false, latency = false;

    for (uint32_t e = 0; e < rows->profile->facts->event_count; e++)
        events |= sums->events[e] != 0;
    for (unsigned i = 0; i < LATENCY_BINS; i++)
        latency |= sums->latency[i] != 0;
    report_sparse(rows->json, sums->counts, DERIVED_COUNT);
    if (!events && !latency)
        return;
    json_array(rows->json);
    for (uint32_t e = 0; e < rows->profile->facts->event_count; e++) {
        if (sums->events[e] == 0)
            continue;
        json_uint(rows->json, e);
        json_uint(rows->json, sums->events[e]);
        json_uint(rows->json, sums->weights[e]);
    }
    json_end(rows->json);
    if (latency)
        report_sparse(rows->json, sums->latency, LATENCY_BINS);
}

/* Number of the instruction's source line among those of the function, or -1. */
static int64_t position_of(struct rows *rows, const struct codemap_insn *insn)
{
    if (insn->file == 0xFFFF || insn->line == 0)
        return -1;
    for (uint32_t i = rows->positions; i-- > 0;) /* the latest is the likeliest */
        if (rows->position[i].file == insn->file && rows->position[i].line == insn->line)
            return i;
    if (rows->positions == rows->positions_room) {
        uint32_t room = rows->positions_room ? 2 * rows->positions_room : 64;
        struct position *more = realloc(rows->position, room * sizeof(*more));

        if (more == NULL)
            return -1;
        rows->position = more;
        rows->positions_room = room;
    }
    rows->position[rows->positions] = (struct position){insn->file, insn->line};
    return rows->positions++;
}

/* One row: of an instruction of the map, or of an address. The sums are used up. */
static void write_row(struct rows *rows, const struct function *function, int32_t insn, uint64_t rva)
{
    const struct codemap *map = map_of(rows->profile, function->object);
    struct json *json = rows->json;

    json_array(json);
    if (insn >= 0) {
        json_uint(json, map->insns[insn].rva - map->funcs[function->func].rva);
        json_text(json, map->strings + map->insns[insn].text);
        json_int(json, position_of(rows, &map->insns[insn]));
    } else {
        if (function->func >= 0)
            json_uint(json, rva - map->funcs[function->func].rva);
        else
            json_hex(json, rva);
        json_null(json);
        json_int(json, -1);
    }
    if (rows->sums.any)
        write_sums(rows, &rows->sums);
    json_end(json);
    clear(rows->profile, &rows->sums);
    (*rows->next_row)++;
}

/* Places that make one row: a fetch address inside of an instruction, or one address in two modes. */
static uint32_t row_end(const struct run_profile *profile, uint32_t first)
{
    const struct profile_place *begin = &profile->places[first];
    uint32_t end = first + 1;

    while (end < profile->place_count && profile->places[end].object == begin->object &&
           profile->places[end].func == begin->func && profile->places[end].insn == begin->insn &&
           (begin->insn >= 0 || profile->places[end].rva == begin->rva))
        end++;
    return end;
}

/* Instructions without samples up to 'end'. */
static uint32_t write_silent(struct rows *rows, const struct function *function, uint32_t insn, uint32_t end)
{
    if (!function->listed)
        return insn;
    for (; insn < end; insn++)
        write_row(rows, function, (int32_t)insn, 0);
    return insn;
}

static void write_rows(struct rows *rows, const struct function *function)
{
    const struct run_profile *profile = rows->profile;
    const struct codemap *map = map_of(profile, function->object);
    uint32_t insn = function->func >= 0 ? first_insn(map, function->func) : 0;
    uint32_t insn_end = insn + function->insns, end;

    for (uint32_t first = function->first;
         first < profile->place_count && profile->places[first].object == function->object; first = end) {
        const struct profile_place *place = &profile->places[first];
        uint64_t samples = 0;

        end = row_end(profile, first);
        if (place->func != function->func) {
            if (function->func >= 0)
                break;
            continue;
        }
        for (uint32_t i = first; i < end; i++)
            samples += samples_of(profile, &profile->places[i]);
        if (samples < rows->least) {
            for (uint32_t i = first; i < end; i++)
                add_place(profile, &rows->rest, &profile->places[i]);
            rows->rest_rows++;
            continue;
        }
        if (place->insn >= 0)
            insn = write_silent(rows, function, insn, (uint32_t)place->insn);
        for (uint32_t i = first; i < end; i++) {
            rows->row_of_place[i] = *rows->next_row;
            add_place(profile, &rows->sums, &profile->places[i]);
        }
        write_row(rows, function, place->insn, place->rva);
        if (place->insn >= 0)
            insn = (uint32_t)place->insn + 1;
    }
    write_silent(rows, function, insn, insn_end);
}

static void write_sources(struct rows *rows, const struct function *function)
{
    const struct codemap *map = map_of(rows->profile, function->object);

    json_key(rows->json, "sources");
    json_array(rows->json);
    for (uint32_t i = 0; i < rows->positions; i++) {
        const char *file = map->strings + map->files[rows->position[i].file];

        json_array(rows->json);
        json_text(rows->json, file);
        json_uint(rows->json, rows->position[i].line);
        json_text(rows->json, source_line(rows->source, rows->profile->objects[function->object]->path, file,
                                          rows->position[i].line));
        json_end(rows->json);
    }
    json_end(rows->json);
}

static void write_function(struct rows *rows, const struct function *function)
{
    const struct codemap *map = map_of(rows->profile, function->object);
    struct json *json = rows->json;

    rows->positions = 0;
    rows->rest_rows = 0;
    json_object(json);
    json_key(json, "object");
    json_int(json, function->object == UINT32_MAX ? -1 : (int64_t)function->object);
    json_key_text(json, "name", function->func >= 0 ? map->strings + map->funcs[function->func].name : NULL);
    json_key_hex(json, "start", function->func >= 0 ? map->funcs[function->func].rva : 0);
    json_key_uint(json, "size", function->func >= 0 ? map->funcs[function->func].size : 0);
    json_key_bool(json, "workload", function->workload);
    json_key_uint(json, "first_row", *rows->next_row);
    json_key(json, "rows");
    json_array(json);
    write_rows(rows, function);
    json_end(json);
    write_sources(rows, function);
    if (rows->rest.any) {
        json_key_uint(json, "rest_rows", rows->rest_rows);
        json_key(json, "rest");
        json_array(json);
        write_sums(rows, &rows->rest);
        json_end(json);
        clear(rows->profile, &rows->rest);
    }
    json_end(json);
}

void report_functions(struct json *json, const struct run_profile *profile, const struct report_json_options *options,
                      uint32_t *row_of_place)
{
    uint32_t next_row = 0, events = profile->facts->event_count;
    struct rows rows = {
        .json = json,
        .profile = profile,
        .options = options,
        .row_of_place = row_of_place,
        .next_row = &next_row,
        .function = calloc(profile->place_count + 1ul, sizeof(struct function)),
        .source = source_new(),
    };

    rows.sums.events = calloc(4ul * (events + 1), sizeof(uint64_t));
    for (uint32_t i = 0; i < profile->place_count; i++)
        row_of_place[i] = UINT32_MAX;
    if (rows.function == NULL || rows.source == NULL || rows.sums.events == NULL) {
        json->wrong = true;
        goto out;
    }
    rows.sums.weights = rows.sums.events + events + 1;
    rows.rest.events = rows.sums.weights + events + 1;
    rows.rest.weights = rows.rest.events + events + 1;
    find_functions(&rows);
    if (!choose(&rows)) {
        json->wrong = true;
        goto out;
    }
    json_key(json, "functions");
    json_array(json);
    for (uint32_t i = 0; i < rows.count; i++)
        write_function(&rows, &rows.function[i]);
    json_end(json);
out:
    free(rows.sums.events);
    free(rows.position);
    free(rows.function);
    source_free(rows.source);
}
