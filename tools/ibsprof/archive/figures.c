/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/archive/figures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/profile/csv.h"
#include "tools/ibsprof/base/csv_map.h"
#include "tools/ibsprof/base/shown.h"
#include "tools/ibsprof/profile/rows.h"
#include "tools/ibsprof/read/run_folder.h"

enum { FIGURE_WHOLE = -1, SOURCE_TEXT = 300, EVENT_TEXT = 200 };

bool figures_code(struct archive *archive, const struct place *place, int64_t *ret_id)
{
    const struct store_value values[] = {archive_text(place->function), store_number(place->offset),
                                         archive_text(place->instruction), archive_text(place->object),
                                         archive_text(place->source)};

    return archive_id(archive, ARCHIVE_CODE, values, ret_id);
}

/* Code that a figure counts for: instruction, function, whole run. */
struct counts_for {
    int64_t place, function, all;
};

static bool counts_for(struct archive *archive, const struct place *place, struct counts_for *ret)
{
    const struct place function = {place->object, place->function, "", "", FIGURE_WHOLE},
                       all = {"", "", "", "", FIGURE_WHOLE};

    return figures_code(archive, place, &ret->place) && figures_code(archive, &function, &ret->function) &&
           figures_code(archive, &all, &ret->all);
}

/* Adds a count; an event that never occurred has a sum of 0 for the run. */
static void count_for(struct figures *figures, const struct counts_for *code, int64_t event, int64_t count)
{
    if (count > 0) {
        *must_add(figures->row, figures->count) = (struct figure){code->place, event, count};
        *must_add(figures->row, figures->count) = (struct figure){code->function, event, count};
    }
    *must_add(figures->row, figures->count) = (struct figure){code->all, event, count};
}

static int by_code(const void *a, const void *b)
{
    const struct figure *first = a, *second = b;

    if (first->code != second->code)
        return first->code < second->code ? -1 : 1;
    return (first->event > second->event) - (first->event < second->event);
}

void figures_sum(struct figures *figures)
{
    uint32_t count = 0;

    if (figures->count > 0)
        qsort(figures->row, figures->count, sizeof(*figures->row), by_code);
    for (uint32_t i = 0; i < figures->count; i++)
        if (count > 0 && by_code(&figures->row[count - 1], &figures->row[i]) == 0)
            figures->row[count - 1].count += figures->row[i].count;
        else
            figures->row[count++] = figures->row[i];
    figures->count = count;
}

bool figures_event(struct archive *archive, const char *name, int64_t *ret_id)
{
    const struct store_value value = archive_text(name);

    return archive_id(archive, ARCHIVE_EVENTS, &value, ret_id);
}

/* ---------------------------------------------------------------- CSV */

struct csv_figures {
    int64_t events[CSV_FIELDS_MAX]; /* by field */
    uint64_t start;                 /* of the function that the last row was in */
    char function[SOURCE_TEXT];
};

/* Returns the row's place. A function's rows are adjacent, from its first instruction on. */
static struct place place_of(struct csv_figures *csv, char *const fields[], char source[SOURCE_TEXT])
{
    uint64_t rva = strtoull(fields[0], NULL, 0);

    if (strcmp(fields[1], csv->function) != 0)
        csv->start = rva;
    snprintf(csv->function, sizeof(csv->function), "%s", fields[1]);
    snprintf(source, SOURCE_TEXT, "%s%s%s", fields[2], fields[3][0] ? ":" : "", fields[3]);
    return (struct place){"", fields[1], source, fields[4], (int64_t)(rva - csv->start)};
}

/* Adds the counts of a row. An empty field means that the event was not measured. */
static bool add_row(struct archive *archive, struct figures *figures, struct csv_figures *of,
                    const struct csv_file *csv)
{
    char source[SOURCE_TEXT];
    const struct place place = place_of(of, csv->field, source);
    struct counts_for code;

    if (!counts_for(archive, &place, &code))
        return false;
    for (unsigned i = CSV_MAP_FIELDS; i < csv->columns; i++)
        if (csv->field[i][0])
            count_for(figures, &code, of->events[i], strtoll(csv->field[i], NULL, 10));
    return true;
}

static bool read_csv(struct archive *archive, struct figures *figures, struct csv_file *csv)
{
    struct csv_figures of = {.function = ""};
    bool good = true;

    for (unsigned i = CSV_MAP_FIELDS; i < csv->columns && good; i++)
        good = figures_event(archive, csv->field[i], &of.events[i]);
    while (good && csv_next(csv))
        good = add_row(archive, figures, &of, csv);
    return good;
}

bool figures_of_csv(struct archive *archive, struct figures *figures, const char *path, bool *ret_readable)
{
    static const char *const names[] = {"profile.csv", "pmc.csv"};
    bool good = true;

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]) && good; i++) {
        FILE *file = run_folder_open(path, names[i]);
        struct csv_file csv;

        if (!file)
            continue;
        if (csv_begin(&csv, file) && csv_map_has(&csv))
            good = read_csv(archive, figures, &csv);
        if (csv.problem) {
            complain("%s: line %u of its %s: %s: copy the run again", shown(path), csv.number, names[i], csv.problem);
            *ret_readable = false;
        }
        csv_end(&csv);
        fclose(file);
    }
    return good;
}

/* ---------------------------------------------------------------- samples */

static struct place place_of_row(const struct run_profile *profile, const struct row *row, char source[SOURCE_TEXT])
{
    const struct profile_place *at = row->first;
    const struct codemap *map = at->insn >= 0 ? profile->maps[at->object] : NULL;
    const struct codemap_insn *insn = map ? &map->insns[at->insn] : NULL;
    const char *function = profile_function(profile, at);
    uint64_t start = function && at->func >= 0 ? profile_function_start(profile, at->object, at->func) : 0;

    source[0] = '\0';
    if (insn && insn->file < map->file_count)
        snprintf(source, SOURCE_TEXT, "%s:%u", map->strings + map->files[insn->file], insn->line);
    return (struct place){profile_object(profile, at), function ? function : "", source,
                          insn ? map->strings + insn->text : "", (int64_t)(at->rva - start)};
}

/* Writes an event's name as in the columns of CSV files. */
static void name_event(const struct run_profile *profile, uint32_t event, char name[EVENT_TEXT])
{
    struct out_memory out;

    out_memory_init(&out, name, EVENT_TEXT);
    if (event < profile->facts->event_count)
        out_printf(&out.out, "%s [samples]", profile->facts->events[event].name);
    else
        csv_event(&out.out, (enum derived)(event - profile->facts->event_count));
}

bool figures_of_samples(struct archive *archive, struct figures *figures, const struct run_profile *profile)
{
    const struct measure measure = measure_default(profile);
    uint32_t events = profile->facts->event_count;
    struct rows *rows = rows_make(profile, PROFILE_INSTRUCTIONS, &measure, false);
    bool good = true;

    for (uint32_t i = 0; i < rows->count && good; i++) {
        char source[SOURCE_TEXT], name[EVENT_TEXT];
        const struct place place = place_of_row(profile, &rows->rows[i], source);
        struct counts_for code;

        good = counts_for(archive, &place, &code);
        for (uint32_t event = 0; event < events + DERIVED_COUNT && good; event++) {
            const struct measure one = measure_at(profile, event);
            int64_t count = (int64_t)measure_of(&one, rows->rows[i].counts, rows->rows[i].events), id;

            if (count <= 0)
                continue;
            name_event(profile, event, name);
            good = figures_event(archive, name, &id);
            count_for(figures, &code, id, count);
        }
    }
    rows_free(rows);
    return good;
}
