/* SPDX-License-Identifier: BSD-2-Clause */
/* "functions" of the JSON: instructions with their counts and source lines. */
#include <stdlib.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/report/json/report_choose.h"
#include "tools/ibsprof/report/json/report_parts.h"
#include "tools/ibsprof/report/json/report_sums.h"
#include "tools/ibsprof/symbols/source.h"

struct position {
    uint16_t file, line;
};

struct rows {
    struct json *json;
    const struct run_profile *profile;
    struct report_choice choice;
    uint32_t *row_of_place;
    uint32_t next_row;
    struct report_sums sums, rest; /* of the row, and of the function's omitted rows */
    uint32_t rest_rows;
    struct position *position; /* source lines of the function being written */
    uint32_t positions;
    struct source *source;
};

/* Returns the index of the instruction's source line among the function's; -1: none. */
static int64_t position_of(struct rows *rows, const struct codemap_insn *insn)
{
    if (insn->file == 0xFFFF || insn->line == 0)
        return -1;
    for (uint32_t i = rows->positions; i-- > 0;) /* the latest one is the most likely */
        if (rows->position[i].file == insn->file && rows->position[i].line == insn->line)
            return i;
    *must_add(rows->position, rows->positions) = (struct position){insn->file, insn->line};
    return rows->positions - 1;
}

/* Writes one row, of an instruction of the map or of an address, and clears the sums. */
static void write_row(struct rows *rows, const struct report_function *function, int32_t insn, uint64_t rva)
{
    const struct codemap *map = report_map(rows->profile, function->object);
    struct json *json = rows->json;

    json_array(json);
    if (insn >= 0) {
        json_uint(json, map->insns[insn].rva - map->funcs[function->func].rva);
        json_text(json, map->strings + map->insns[insn].text);
        json_int(json, position_of(rows, &map->insns[insn]));
    } else {
        if (function->func >= 0)
            json_uint(json, rva - profile_function_start(rows->profile, function->object, function->func));
        else
            json_hex(json, rva);
        json_null(json);
        json_int(json, -1);
    }
    if (rows->sums.any)
        report_sums_write(json, &rows->sums, rows->profile);
    json_end(json);
    report_sums_clear(&rows->sums, rows->profile);
    rows->next_row++;
}

/* Returns the end of the places of one row: a fetch address inside of an instruction, or one address in two modes. */
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

/* Writes instructions without samples up to 'end'. */
static uint32_t write_silent(struct rows *rows, const struct report_function *function, uint32_t insn, uint32_t end)
{
    if (!function->listed)
        return insn;
    for (; insn < end; insn++)
        write_row(rows, function, (int32_t)insn, 0);
    return insn;
}

static void write_rows(struct rows *rows, const struct report_function *function)
{
    const struct run_profile *profile = rows->profile;
    const struct codemap *map = report_map(profile, function->object);
    uint32_t insn = function->func >= 0 ? report_first_insn(map, function->func) : 0;
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
            samples += report_samples(profile, &profile->places[i]);
        if (samples < rows->choice.least) {
            for (uint32_t i = first; i < end; i++)
                report_sums_add(&rows->rest, profile, &profile->places[i]);
            rows->rest_rows++;
            continue;
        }
        if (place->insn >= 0)
            insn = write_silent(rows, function, insn, (uint32_t)place->insn);
        for (uint32_t i = first; i < end; i++) {
            rows->row_of_place[i] = rows->next_row;
            report_sums_add(&rows->sums, profile, &profile->places[i]);
        }
        write_row(rows, function, place->insn, place->rva);
        if (place->insn >= 0)
            insn = (uint32_t)place->insn + 1;
    }
    write_silent(rows, function, insn, insn_end);
}

static void write_sources(struct rows *rows, const struct report_function *function)
{
    const struct codemap *map = report_map(rows->profile, function->object);

    json_key_array(rows->json, "sources");
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

static void write_function(struct rows *rows, const struct report_function *function)
{
    const struct codemap *map = report_map(rows->profile, function->object);
    struct json *json = rows->json;

    rows->positions = 0;
    rows->rest_rows = 0;
    json_object(json);
    json_key_int(json, "object", function->object == UINT32_MAX ? -1 : (int64_t)function->object);
    json_key_text(json, "name", function->func >= 0 ? map->strings + map->funcs[function->func].name : NULL);
    json_key_hex(json, "start",
                 function->func >= 0 ? profile_function_start(rows->profile, function->object, function->func) : 0);
    json_key_uint(json, "size", function->func >= 0 ? map->funcs[function->func].size : 0);
    json_key_bool(json, "workload", function->workload);
    json_key_uint(json, "first_row", rows->next_row);
    json_key_array(json, "rows");
    write_rows(rows, function);
    json_end(json);
    write_sources(rows, function);
    if (rows->rest.any) {
        json_key_uint(json, "rest_rows", rows->rest_rows);
        json_key_array(json, "rest");
        report_sums_write(json, &rows->rest, rows->profile);
        json_end(json);
        report_sums_clear(&rows->rest, rows->profile);
    }
    json_end(json);
}

void report_functions(struct json *json, const struct run_profile *profile, const struct report_json_options *options,
                      uint32_t *row_of_place)
{
    struct rows rows = {.json = json, .profile = profile, .row_of_place = row_of_place, .source = source_new()};

    report_sums_init(&rows.sums, profile);
    report_sums_init(&rows.rest, profile);
    report_choose(&rows.choice, profile, options);
    source_look_in(rows.source, options->source_dir);
    for (uint32_t i = 0; i < profile->place_count; i++)
        row_of_place[i] = UINT32_MAX;
    json_key_array(json, "functions");
    for (uint32_t i = 0; i < rows.choice.count; i++)
        write_function(&rows, &rows.choice.function[i]);
    json_end(json);
    report_sums_free(&rows.sums);
    report_sums_free(&rows.rest);
    report_choice_free(&rows.choice);
    free(rows.position);
    source_free(rows.source);
}
