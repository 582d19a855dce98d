/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/hardware/hardware_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/ibsprof/base/csv_file.h"
#include "tools/ibsprof/base/must.h"

enum { NUMBER, ID, VERDICT, FOUND, QUESTION, EXPECTED, CHECK, CHANGES, COLUMNS };

static const char *const columns[COLUMNS] = {"number",   "id",       "verdict", "found",
                                             "question", "expected", "check",   "changes"};

const struct hardware_file_row *hardware_file_find(const struct hardware_file *file, const char *id)
{
    for (uint32_t i = 0; i < file->rows; i++)
        if (strcmp(file->row[i].id, id) == 0)
            return &file->row[i];
    return NULL;
}

void hardware_file_free(struct hardware_file *file)
{
    for (uint32_t i = 0; i < file->rows; i++) {
        struct hardware_file_row *row = &file->row[i];
        char *const texts[] = {row->id, row->found, row->question, row->expected, row->check, row->changes};

        for (unsigned t = 0; t < sizeof(texts) / sizeof(texts[0]); t++)
            free(texts[t]);
    }
    free(file->row);
    free(file->machine);
    free(file->firmware);
    free(file->program);
    free(file->figures);
    free(file->path);
    *file = (struct hardware_file){0};
}

/* ---------------------------------------------------------------- lines before the header: "# key = value" */

static void take_line(struct hardware_file *file, char *line)
{
    struct {
        const char *key;
        char **value;
    } const known[] = {{"# machine = ", &file->machine},
                       {"# firmware = ", &file->firmware},
                       {"# program = ", &file->program},
                       {"# figures = ", &file->figures}};

    line[strcspn(line, "\n")] = '\0';
    for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        size_t length = strlen(known[i].key);

        if (strncmp(line, known[i].key, length) != 0)
            continue;
        free(*known[i].value);
        *known[i].value = must_copy(line + length);
    }
}

/* Returns how many there are. */
static unsigned read_lines(struct hardware_file *file, FILE *from)
{
    char *line = NULL;
    size_t room = 0;
    unsigned count = 0;
    int first;

    while ((first = getc(from)) == '#') {
        ungetc(first, from);
        if (getline(&line, &room, from) <= 0)
            break;
        take_line(file, line);
        count++;
    }
    if (first != EOF)
        ungetc(first, from);
    free(line);
    return count;
}

/* ---------------------------------------------------------------- rows */

static bool verdict_of(const char *name, enum hardware_verdict *ret)
{
    for (unsigned v = 0; v < HARDWARE_VERDICTS; v++) {
        if (strcmp(hardware_verdict_name(v), name) != 0)
            continue;
        *ret = (enum hardware_verdict)v;
        return true;
    }
    return false;
}

/* Returns NULL, or the error. */
static const char *take_row(struct hardware_file *file, char *const field[])
{
    enum hardware_verdict verdict;
    char *end;
    unsigned long number = strtoul(field[NUMBER], &end, 10);

    if (end == field[NUMBER] || *end || number > UINT16_MAX)
        return "its number is not a number";
    if (!verdict_of(field[VERDICT], &verdict))
        return "this ibsprof does not know its verdict";
    if (hardware_file_find(file, field[ID]))
        return "its question appears twice";
    *must_add(file->row, file->rows) = (struct hardware_file_row){.number = (uint32_t)number,
                                                                  .verdict = verdict,
                                                                  .id = must_copy(field[ID]),
                                                                  .found = must_copy(field[FOUND]),
                                                                  .question = must_copy(field[QUESTION]),
                                                                  .expected = must_copy(field[EXPECTED]),
                                                                  .check = must_copy(field[CHECK]),
                                                                  .changes = must_copy(field[CHANGES])};
    return NULL;
}

static bool read_rows(struct hardware_file *file, FILE *from, unsigned before, char *error, size_t error_size)
{
    struct csv_file csv;
    const char *problem = NULL;

    if (!csv_begin(&csv, from) || !csv_has_columns(&csv, columns, COLUMNS))
        problem = csv.problem ? csv.problem : "it is not a hardware.csv, which config=hardware writes";
    while (!problem && csv_next(&csv))
        problem = take_row(file, csv.field);
    if (!problem)
        problem = csv.problem;
    if (!problem && !file->rows)
        problem = "it has no answers: run config=hardware again";
    if (problem)
        snprintf(error, error_size, "%s: line %u: %s", file->path, before + csv.number, problem);
    csv_end(&csv);
    return !problem;
}

/* ---------------------------------------------------------------- the file */

/* Finds the file itself, in a folder of a run, or on a boot stick. */
static char *find(const char *path)
{
    static const char *const places[] = {"hardware.csv", "ibsboot/hardware.csv"};
    struct stat is;

    if (stat(path, &is) || !S_ISDIR(is.st_mode))
        return must_copy(path);
    for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        char *inside = must_text("%s/%s", path, places[i]);

        if (stat(inside, &is) == 0)
            return inside;
        free(inside);
    }
    return NULL;
}

bool hardware_file_read(struct hardware_file *file, const char *path, char *error, size_t error_size)
{
    char *inside = find(path);
    FILE *from = inside ? fopen(inside, "r") : NULL;
    bool good;

    *file = (struct hardware_file){.path = must_copy(path),
                                   .machine = must_copy(""),
                                   .firmware = must_copy(""),
                                   .program = must_copy(""),
                                   .figures = must_copy("")};
    if (!inside)
        snprintf(error, error_size, "%s: has no hardware.csv: config=hardware writes one", path);
    else if (!from)
        snprintf(error, error_size, "%s: %s", path, strerror(errno));
    free(inside);
    if (!from)
        return false;
    good = read_rows(file, from, read_lines(file, from), error, error_size);
    file->is_model = *file->figures && strcmp(file->figures, "silicon") != 0;
    fclose(from);
    return good;
}
