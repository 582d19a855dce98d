/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/archive/contrast.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/search.h"

const char *const contrast_by[] = {"machine", "firmware", "kernel", "date", NULL};

/* Runs with their sums, by workload, event, and the grouping property. */
#define OF_RUN "SELECT id FROM code WHERE function = '' AND object = '' AND place = " ARCHIVE_WHOLE
#define RUNS(by_)                                                                                                      \
    "SELECT run.workload, event.name, " by_ ", run.id, figure.count, substr(run.started, 1, 7), run.machine "          \
    "FROM figure JOIN event ON event.id = figure.event JOIN run ON run.id = figure.run "                               \
    "JOIN machine ON machine.id = run.machine WHERE figure.code IN (" OF_RUN ") "                                      \
    "AND figure.event IN (SELECT id FROM event WHERE 1 = 1{event}) AND figure.count > 0{run} "                         \
    "ORDER BY run.workload, event.name, " by_ ", run.machine, run.id"
static const char *const sql_runs[] = {RUNS("machine.key"), RUNS("run.firmware"), RUNS("run.kernel"),
                                       RUNS("substr(run.started, 1, 7)")};

/* All figures of an event, in the order of the table's key: other runs are skipped here, and names are read once. */
static const char sql_figures[] =
    "SELECT figure.run, figure.code, figure.count FROM figure WHERE figure.event IN (SELECT id FROM event WHERE "
    "name = $1) AND figure.code IN (SELECT id FROM code WHERE (function <> '' OR object <> ''){code}) "
    "ORDER BY figure.code, figure.event, figure.run";
static const char sql_name[] = "SELECT object, function, place, instruction FROM code WHERE id = $1";

struct figure_of {
    uint32_t run, cell;
    double count;
};

/* A subject while its figures are read. */
struct reading {
    struct contrast_subject *subject;
    struct contrast_run **by; /* its runs, sorted by key */
    struct figure_of *figure;
    uint32_t count;
};

static bool is_subject(const struct contrast_subject *subject, const struct store_value *values)
{
    return strcmp(subject->workload, values[0].bytes) == 0 && strcmp(subject->event, values[1].bytes) == 0;
}

static void take_run(void *context, const struct store_value *values)
{
    struct contrast *contrast = context;
    struct contrast_subject *subject = contrast->subject_count ? &contrast->subject[contrast->subject_count - 1] : NULL;
    struct contrast_run *run;

    if (!subject || !is_subject(subject, values)) {
        subject = must_add(contrast->subject, contrast->subject_count);
        *subject =
            (struct contrast_subject){.workload = must_copy(values[0].bytes), .event = must_copy(values[1].bytes)};
    }
    if (subject->group_count == 0 || strcmp(subject->group[subject->group_count - 1], values[2].bytes) != 0)
        *must_add(subject->group, subject->group_count) = must_copy(values[2].bytes);
    run = must_add(subject->run, subject->run_count);
    *run = (struct contrast_run){values[3].number, values[6].number, (double)values[4].number, subject->group_count - 1,
                                 ""};
    snprintf(run->month, sizeof(run->month), "%s", (const char *)values[5].bytes);
}

static void take_name(void *context, const struct store_value *values)
{
    const char *object = values[0].bytes, *function = values[1].bytes, *instruction = values[3].bytes;
    bool whole = values[2].number < 0 && function[0];

    *(char **)context = whole ? must_text("%s%s%s", object, object[0] ? ":" : "", function)
                              : must_text("%s%s%s+%" PRIx64 " %s", object, object[0] ? ":" : "", function,
                                          (uint64_t)values[2].number, instruction);
}

/* Takes a figure; figures arrive sorted by code. */
static void take_figure(void *context, const struct store_value *values)
{
    struct reading *reading = context;
    struct contrast_subject *subject = reading->subject;
    size_t run = search_first(subject->run_count, n, reading->by[n]->id >= values[0].number);
    double count = (double)values[2].number;

    if (run == subject->run_count || reading->by[run]->id != values[0].number)
        return;
    if (subject->cell_count == 0 || subject->cell[subject->cell_count - 1].code != values[1].number) {
        struct contrast_cell cell = {.code = values[1].number, .number = subject->cell_count};

        *must_add(subject->cell, subject->cell_count) = cell;
    }
    subject->cell[subject->cell_count - 1].count += count;
    *must_add(reading->figure, reading->count) =
        (struct figure_of){(uint32_t)(reading->by[run] - subject->run), subject->cell_count - 1, count};
}

static int by_count(const void *a, const void *b)
{
    const struct contrast_cell *first = a, *second = b;

    if (first->count != second->count)
        return first->count > second->count ? -1 : 1;
    return (first->number > second->number) - (first->number < second->number);
}

static int by_id(const void *a, const void *b)
{
    const struct contrast_run *first = *(const struct contrast_run *const *)a,
                              *second = *(const struct contrast_run *const *)b;

    return (first->id > second->id) - (first->id < second->id);
}

/* Fills x of a subject, with its cells sorted by count. */
static void place_figures(struct contrast_subject *subject, const struct reading *reading)
{
    uint32_t *at = must_alloc(subject->cell_count, sizeof(*at)), most = CONTRAST_CELLS_MAX;

    if (subject->cell_count > 0)
        qsort(subject->cell, subject->cell_count, sizeof(*subject->cell), by_count);
    for (uint32_t i = 0; i < subject->cell_count; i++)
        at[subject->cell[i].number] = i;
    if (subject->cell_count > most) {
        subject->left_out = subject->cell_count - most;
        subject->cell_count = most;
    }
    subject->x = must_alloc((size_t)subject->run_count * subject->cell_count, sizeof(*subject->x));
    for (uint32_t i = 0; i < reading->count; i++) {
        const struct figure_of *figure = &reading->figure[i];

        if (at[figure->cell] < subject->cell_count)
            subject->x[(size_t)figure->run * subject->cell_count + at[figure->cell]] = figure->count;
    }
    free(at);
}

static bool read_subject(struct contrast_subject *subject, struct archive *archive,
                         const struct archive_filters *filters)
{
    struct store_value values[1 + ARCHIVE_FILTERS_MAX] = {archive_text(subject->event)};
    struct reading reading = {.subject = subject, .by = must_alloc(subject->run_count, sizeof(struct contrast_run *))};
    unsigned count = 1;
    char *sql = archive_filtered(sql_figures, filters, values, &count);
    bool good;

    for (uint32_t i = 0; i < subject->run_count; i++)
        reading.by[i] = &subject->run[i];
    qsort(reading.by, subject->run_count, sizeof(*reading.by), by_id);
    good = archive_run(archive, sql, values, count, take_figure, &reading);
    place_figures(subject, &reading);
    for (uint32_t i = 0; i < subject->cell_count && good; i++) {
        const struct store_value id = store_number(subject->cell[i].code);

        good = archive_run(archive, sql_name, &id, 1, take_name, &subject->cell[i].name);
    }
    free(reading.figure);
    free(reading.by);
    free(sql);
    return good;
}

/* Makes runs the units of machines, or of one machine's firmwares. */
static void choose_units(struct contrast_subject *subject, bool of_machines)
{
    bool one = true;

    for (uint32_t i = 0; i < subject->run_count; i++)
        one &= subject->run[i].unit == subject->run[0].unit;
    for (uint32_t i = 0; i < subject->run_count && (one || of_machines); i++)
        subject->run[i].unit = subject->run[i].id;
}

bool contrast_read(struct contrast *contrast, struct archive *archive, unsigned by,
                   const struct archive_filters *filters)
{
    struct store_value values[ARCHIVE_FILTERS_MAX];
    unsigned count = 0;
    char *sql = archive_filtered(sql_runs[by], filters, values, &count);
    bool good;

    *contrast = (struct contrast){.by = contrast_by[by]};
    good = archive_run(archive, sql, values, count, take_run, contrast);
    for (uint32_t i = 0; i < contrast->subject_count && good; i++)
        good = read_subject(&contrast->subject[i], archive, filters);
    for (uint32_t i = 0; i < contrast->subject_count; i++)
        choose_units(&contrast->subject[i], by == 0);
    free(sql);
    return good;
}

void contrast_free(struct contrast *contrast)
{
    for (uint32_t i = 0; i < contrast->subject_count; i++) {
        struct contrast_subject *subject = &contrast->subject[i];

        for (uint32_t cell = 0; cell < subject->cell_count; cell++)
            free(subject->cell[cell].name);
        for (uint32_t group = 0; group < subject->group_count; group++)
            free(subject->group[group]);
        free(subject->cell);
        free(subject->group);
        free(subject->run);
        free(subject->x);
        free(subject->workload);
        free(subject->event);
    }
    free(contrast->subject);
    free(contrast->item);
    *contrast = (struct contrast){0};
}
