/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/archive/contrast.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/search.h"

const char *const contrast_by[] = {"machine", "firmware", "kernel", "date", NULL};

#define OF_FIGURES                                                                                                     \
    "FROM figure JOIN code ON code.id = figure.code JOIN event ON event.id = figure.event "                            \
    "JOIN run ON run.id = figure.run JOIN machine ON machine.id = run.machine "

/* Runs with their sums, by workload, event, and what is compared by. */
#define RUNS(by_)                                                                                                      \
    "SELECT run.workload, event.name, " by_ ", run.id, figure.count, substr(run.started, 1, 7), "                      \
    "run.machine " OF_FIGURES "WHERE code.place = " ARCHIVE_WHOLE                                                      \
    " AND code.function = '' AND code.object = '' AND figure.count > 0"
#define IN_ORDER(by_) " ORDER BY run.workload, event.name, " by_ ", run.machine, run.id"
static const struct {
    const char *runs, *order;
} sql_runs[] = {
    {RUNS("machine.key"), IN_ORDER("machine.key")},
    {RUNS("run.firmware"), IN_ORDER("run.firmware")},
    {RUNS("run.kernel"), IN_ORDER("run.kernel")},
    {RUNS("substr(run.started, 1, 7)"), IN_ORDER("substr(run.started, 1, 7)")},
};
static const char sql_figures[] =
    "SELECT run.workload, event.name, run.id, code.id, figure.count, code.object, code.function, code.place, "
    "code.instruction " OF_FIGURES "WHERE (code.function <> '' OR code.object <> '')";
static const char sql_figures_order[] = " ORDER BY run.workload, event.name, code.id, run.id";

struct figure_of {
    int64_t run;
    uint32_t cell;
    double count;
};

struct reading {
    struct contrast *contrast;
    uint32_t subject; /* whose figures come */
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

static char *name_of(const struct store_value *values)
{
    const char *object = values[5].bytes, *function = values[6].bytes, *instruction = values[8].bytes;

    if (values[7].number < 0 && function[0])
        return must_text("%s%s%s", object, object[0] ? ":" : "", function);
    return must_text("%s%s%s+%" PRIx64 " %s", object, object[0] ? ":" : "", function, (uint64_t)values[7].number,
                     instruction);
}

/* Figures come in the order of subjects, and in one by code. */
static void take_figure(void *context, const struct store_value *values)
{
    struct reading *reading = context;
    struct contrast *contrast = reading->contrast;
    struct contrast_subject *subject = &contrast->subject[reading->subject];

    if (!is_subject(subject, values))
        return;
    if (subject->cell_count == 0 || subject->cell[subject->cell_count - 1].code != values[3].number)
        *must_add(subject->cell, subject->cell_count) = (struct contrast_cell){values[3].number, name_of(values), 0};
    subject->cell[subject->cell_count - 1].count += (double)values[4].number;
    *must_add(reading->figure, reading->count) =
        (struct figure_of){values[2].number, subject->cell_count - 1, (double)values[4].number};
}

/* Puts the cells with most counts first; ret_at[cell as it was]: where it is now. */
static void order_cells(struct contrast_subject *subject, uint32_t *ret_at)
{
    struct contrast_cell *sorted = must_alloc(subject->cell_count, sizeof(*sorted));

    for (uint32_t i = 0; i < subject->cell_count; i++) {
        ret_at[i] = 0;
        for (uint32_t j = 0; j < subject->cell_count; j++)
            ret_at[i] += subject->cell[j].count > subject->cell[i].count ||
                         (subject->cell[j].count == subject->cell[i].count && j < i);
        sorted[ret_at[i]] = subject->cell[i];
    }
    free(subject->cell);
    subject->cell = sorted;
    while (subject->cell_count > CONTRAST_CELLS_MAX) {
        free(subject->cell[--subject->cell_count].name);
        subject->left_out++;
    }
}

static int by_id(const void *a, const void *b)
{
    const struct contrast_run *first = *(const struct contrast_run *const *)a,
                              *second = *(const struct contrast_run *const *)b;

    return (first->id > second->id) - (first->id < second->id);
}

/* Fills x of a subject. */
static void place_figures(struct contrast_subject *subject, const struct reading *reading)
{
    struct contrast_run **by = must_alloc(subject->run_count, sizeof(struct contrast_run *));
    uint32_t *at = must_alloc(subject->cell_count, sizeof(*at)), runs = subject->run_count;

    order_cells(subject, at);
    for (uint32_t i = 0; i < runs; i++)
        by[i] = &subject->run[i];
    qsort(by, runs, sizeof(*by), by_id);
    subject->x = must_alloc((size_t)runs * subject->cell_count, sizeof(*subject->x));
    for (uint32_t i = 0; i < reading->count; i++) {
        const struct figure_of *figure = &reading->figure[i];
        size_t run = search_first(runs, n, by[n]->id >= figure->run);

        if (at[figure->cell] < subject->cell_count && run < runs && by[run]->id == figure->run)
            subject->x[(size_t)(by[run] - subject->run) * subject->cell_count + at[figure->cell]] = figure->count;
    }
    free(by);
    free(at);
}

static bool read_figures(struct contrast *contrast, struct archive *archive, const struct archive_filters *filters)
{
    struct archive_filters of = *filters;
    bool good = true;

    for (uint32_t i = 0; i < contrast->subject_count && good; i++) {
        struct reading reading = {contrast, i, NULL, 0};
        struct store_value values[ARCHIVE_FILTERS_MAX];
        unsigned count = 0;
        char *sql;

        of.workload = contrast->subject[i].workload;
        of.event = contrast->subject[i].event;
        sql = archive_filtered(sql_figures, &of, sql_figures_order, values, &count);
        good = archive_run(archive, sql, values, count, take_figure, &reading);
        if (good)
            place_figures(&contrast->subject[i], &reading);
        free(reading.figure);
        free(sql);
    }
    return good;
}

/* Takes runs as the units of machines, and of one machine's firmwares. */
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
    struct archive_filters of_runs = *filters;
    struct store_value values[ARCHIVE_FILTERS_MAX];
    unsigned count = 0;
    char *sql;
    bool good;

    *contrast = (struct contrast){.by = contrast_by[by]};
    of_runs.function = of_runs.instruction = of_runs.whole = NULL;
    sql = archive_filtered(sql_runs[by].runs, &of_runs, sql_runs[by].order, values, &count);
    good = archive_run(archive, sql, values, count, take_run, contrast) && read_figures(contrast, archive, filters);
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
