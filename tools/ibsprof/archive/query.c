/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/archive/query.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/profile/csv.h"
#include "tools/ibsprof/base/must.h"

enum { ANSWER_COLUMNS = 11, ANSWER_JSON_VERSION = 1 };

struct question {
    const char *schema;
    const char *select; /* with words that filters replace */
    const char *columns[ANSWER_COLUMNS + 1];
};

/* Finds code and events first: figures are stored in their order, so only the wanted ones are read. */
#define OF_FIGURES                                                                                                     \
    "WHERE figure.code IN (SELECT id FROM code WHERE 1 = 1{code}) "                                                    \
    "AND figure.event IN (SELECT id FROM event WHERE 1 = 1{event}){run}"

static const struct question questions[] = {
    [ARCHIVE_LIST] = {"ibsprof archive list",
                      "SELECT substr(run.digest, 1, 12), machine.key, machine.name, run.started, run.name, "
                      "run.workload, run.config, run.firmware, run.samples, run.result, run.certificate FROM run "
                      "JOIN machine ON machine.id = run.machine WHERE 1 = 1{run} ORDER BY run.started, run.digest",
                      {"run", "machine", "processor", "started", "name", "workload", "config", "firmware", "samples",
                       "result", "certificate"}},
    /* Adds up in the order of the table's key; only the sums get names, by which they are sorted. */
    [ARCHIVE_SUMS] = {"ibsprof archive query",
                      "SELECT code.object, code.function, code.place, code.instruction, code.source, event.name, "
                      "sums.runs, sums.machines, sums.count, sums.least, sums.most FROM "
                      "(SELECT figure.code AS code, figure.event AS event, COUNT(*) AS runs, "
                      "COUNT(DISTINCT run.machine) AS machines, CAST(SUM(figure.count) AS BIGINT) AS count, "
                      "MIN(figure.count) AS least, MAX(figure.count) AS most FROM figure "
                      "JOIN run ON run.id = figure.run " OF_FIGURES
                      " GROUP BY figure.code, figure.event) AS sums JOIN code ON code.id = sums.code "
                      "JOIN event ON event.id = sums.event ORDER BY code.object, code.function, code.place, "
                      "code.instruction, code.source, event.name",
                      {"object", "function", "offset", "instruction", "source", "event", "runs", "machines", "count",
                       "least", "most"}},
    [ARCHIVE_EACH] = {"ibsprof archive query",
                      "SELECT substr(run.digest, 1, 12), (SELECT key FROM machine WHERE id = run.machine), "
                      "run.started, run.workload, code.function, code.place, code.instruction, event.name, "
                      "figure.count FROM figure JOIN run ON run.id = figure.run JOIN code ON code.id = figure.code "
                      "JOIN event ON event.id = figure.event " OF_FIGURES
                      " ORDER BY run.started, run.digest, code.function, code.place, code.instruction, event.name",
                      {"run", "machine", "started", "workload", "function", "offset", "instruction", "event", "count"}},
};

/* ---------------------------------------------------------------- filters */

/* The value as a pattern that matches itself alone: the statement must have ESCAPE '!'. */
#define LITERAL "replace(replace(replace($n, '!', '!!'), '%', '!%'), '_', '!_')"

static const struct {
    size_t place;
    const char *table;     /* table of the word that it replaces */
    const char *condition; /* with the value as "$n" */
} filter_rows[ARCHIVE_FILTERS_MAX] = {
    {offsetof(struct archive_filters, function), "{code}", " AND code.function = $n"},
    {offsetof(struct archive_filters, instruction), "{code}", " AND code.instruction = $n"},
    /* "F100", or all of "F100 All IBS op [samples]" */
    {offsetof(struct archive_filters, event), "{event}",
     " AND (event.name = $n OR event.name LIKE " LITERAL " || ' %' ESCAPE '!')"},
    {offsetof(struct archive_filters, workload), "{run}", " AND run.workload = $n"},
    {offsetof(struct archive_filters, machine), "{run}",
     " AND (run.machine IN (SELECT id FROM machine WHERE $n IN (key, name, serial, hostname)) OR run.facts IN "
     "(SELECT id FROM snapshot WHERE body LIKE '%\"machine.mac\":\"' || " LITERAL " || '\"%' ESCAPE '!' OR body LIKE "
     "'%\"machine.uuid\":\"' || " LITERAL " || '\"%' ESCAPE '!'))"},
    {offsetof(struct archive_filters, whole), "{code}", " AND (code.place = " ARCHIVE_WHOLE ") = ($n = '')"},
    {offsetof(struct archive_filters, since), "{run}", " AND run.started >= $n"},
    {offsetof(struct archive_filters, until), "{run}", " AND run.started < $n"},
};

/* Writes the conditions of the word that 'at' begins with, and returns its length. */
static size_t write_filters(FILE *to, const char *at, const struct archive_filters *filters,
                            struct store_value values[ARCHIVE_FILTERS_MAX], unsigned *count)
{
    size_t length = 0;

    for (unsigned i = 0; i < ARCHIVE_FILTERS_MAX; i++) {
        const char *value = *(const char *const *)((const char *)filters + filter_rows[i].place);

        if (strncmp(at, filter_rows[i].table, strlen(filter_rows[i].table)) != 0)
            continue;
        length = strlen(filter_rows[i].table);
        if (!value)
            continue;
        values[(*count)++] = archive_text(value);
        for (const char *from = filter_rows[i].condition; *from; from++)
            if (from[0] == '$' && from[1] == 'n')
                fprintf(to, "$%u", *count), from++;
            else
                fputc(*from, to);
    }
    return length;
}

char *archive_filtered(const char *sql, const struct archive_filters *filters,
                       struct store_value values[ARCHIVE_FILTERS_MAX], unsigned *count)
{
    char *text = NULL;
    size_t size;
    FILE *to = must_have(open_memstream(&text, &size));

    while (*sql) {
        size_t length = write_filters(to, sql, filters, values, count);

        if (length == 0)
            fputc(*sql, to);
        sql += length > 0 ? length : 1;
    }
    fclose(to);
    return text;
}

char *archive_question(enum archive_question question, const struct archive_filters *filters,
                       struct store_value values[ARCHIVE_FILTERS_MAX], unsigned *count)
{
    return archive_filtered(questions[question].select, filters, values, count);
}

/* ---------------------------------------------------------------- answers */

struct answer {
    const struct question *question;
    char **cells; /* rows with the columns of the question */
    bool *numbers;
    uint32_t count, number_count;
    unsigned columns;
};

static void take_row(void *context, const struct store_value *values)
{
    struct answer *answer = context;

    for (unsigned i = 0; i < answer->columns; i++) {
        char *text = values[i].type == STORE_NUMBER ? must_text("%" PRId64, values[i].number)
                     : values[i].type == STORE_TEXT ? must_copy(values[i].bytes)
                                                    : must_copy("");

        *must_add(answer->cells, answer->count) = text;
        *must_add(answer->numbers, answer->number_count) = values[i].type == STORE_NUMBER;
    }
}

/* Prints columns as wide as their widest cell, and omits empty ones. */
static void answer_text(struct out_file *out, const void *what)
{
    const struct answer *answer = what;
    int width[ANSWER_COLUMNS] = {0};
    unsigned last = 0;

    for (uint32_t i = 0; i < answer->count; i++) {
        int length = (int)strlen(answer->cells[i]), *of = &width[i % answer->columns];

        *of = length > *of ? length : *of;
    }
    for (unsigned i = 0; i < answer->columns; i++) {
        int length = (int)strlen(answer->question->columns[i]);

        width[i] = width[i] == 0 || width[i] > length ? width[i] : length;
        last = width[i] ? i : last;
    }
    for (uint32_t i = 0; i < answer->count + answer->columns && answer->count > 0; i++) {
        unsigned column = i % answer->columns;
        bool head = i < answer->columns, number = !head && answer->numbers[i - answer->columns];
        const char *cell = head ? answer->question->columns[column] : answer->cells[i - answer->columns];

        if (width[column])
            fprintf(out->file, number ? "%*s%s" : "%-*s%s", column == last && !number ? 0 : width[column], cell,
                    column == last ? "\n" : "  ");
    }
}

static void answer_csv(struct out_file *out, const void *what)
{
    const struct answer *answer = what;

    for (unsigned i = 0; i < answer->columns; i++)
        fprintf(out->file, "%s%s", i ? "," : "", answer->question->columns[i]);
    for (uint32_t i = 0; i < answer->count; i++) {
        fputs(i % answer->columns ? "," : "\n", out->file);
        csv_field(&out->out, answer->cells[i]);
    }
    fputc('\n', out->file);
}

static void answer_json(struct json *json, const void *what)
{
    const struct answer *answer = what;

    json_head(json, answer->question->schema, ANSWER_JSON_VERSION);
    json_key_array(json, "rows");
    for (uint32_t i = 0; i < answer->count; i++) {
        if (i % answer->columns == 0)
            json_object(json);
        if (answer->numbers[i])
            json_key_int(json, answer->question->columns[i % answer->columns], strtoll(answer->cells[i], NULL, 10));
        else
            json_key_text(json, answer->question->columns[i % answer->columns], answer->cells[i]);
        if (i % answer->columns + 1 == answer->columns)
            json_end(json);
    }
    json_end(json);
    json_end(json);
}

static const struct document document = {.text = answer_text, .csv = answer_csv, .json = answer_json};

bool archive_query(struct archive *archive, enum archive_question question, const struct archive_filters *filters,
                   enum form form, const char *output, enum exit_code *ret_code)
{
    struct answer answer = {.question = &questions[question]};
    struct store_value values[ARCHIVE_FILTERS_MAX];
    unsigned count = 0;
    char *sql = archive_question(question, filters, values, &count);
    bool good;

    while (answer.columns < ANSWER_COLUMNS && answer.question->columns[answer.columns])
        answer.columns++;
    good = archive_run(archive, sql, values, count, take_row, &answer);
    if (good)
        *ret_code = document_write(output, form, &document, &answer);
    for (uint32_t i = 0; i < answer.count; i++)
        free(answer.cells[i]);
    free(answer.cells);
    free(answer.numbers);
    free(sql);
    return good;
}
