/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/archive/exchange.h"
#include "tools/ibsprof/base/csv_file.h"
#include "tools/ibsprof/base/terminal.h"

/* A file of an export, read row by row. */
struct table_file {
    struct csv_file csv;
    char *path;
    bool row; /* csv.field has a row */
};

static bool complain_of(const struct table_file *file)
{
    if (file->csv.problem)
        complain("%s: line %u: %s: export the archive again", file->path, file->csv.number, file->csv.problem);
    return !file->csv.problem;
}

static void table_next(struct table_file *file)
{
    file->row = csv_next(&file->csv);
}

static void table_close(struct table_file *file)
{
    if (file->csv.file)
        fclose(file->csv.file);
    csv_end(&file->csv);
    free(file->path);
    *file = (struct table_file){0};
}

/* Opens a table's file at its first row. Returns false after a complaint. */
static bool table_open(struct table_file *file, const char *folder, unsigned which, const char *partition)
{
    const struct exchange_table *table = &exchange_tables[which];
    unsigned columns = 0;
    FILE *stream;

    *file = (struct table_file){.path = partition ? must_text("%s/figures/machine=%s/figures.csv", folder, partition)
                                                  : must_text("%s/%s", folder, table->path)};
    stream = fopen(file->path, "r");
    if (!stream) {
        complain("%s: %s", file->path, strerror(errno));
        return false;
    }
    while (columns < EXCHANGE_COLUMNS && table->columns[columns])
        columns++;
    if (!csv_begin(&file->csv, stream) || file->csv.columns != columns - table->partitioned ||
        !csv_has_columns(&file->csv, table->columns + table->partitioned, file->csv.columns)) {
        complain("%s: it does not have the columns of version %u: export the archive again", file->path,
                 ARCHIVE_VERSION);
        return false;
    }
    table_next(file);
    return complain_of(file);
}

static struct store_value value_of(const struct table_file *file, unsigned which, unsigned column)
{
    const char *text = file->csv.field[column];

    return exchange_tables[which].numbers >> column & 1 ? store_number(strtoll(text, NULL, 10)) : archive_text(text);
}

/* Returns whether a key is hexadecimal digits: keys become file names when they are exported again. */
static bool is_digits(const char *text)
{
    return *text && text[strspn(text, "0123456789abcdef")] == '\0';
}

/* Adds the rows of a dictionary table. */
static bool import_dictionary(struct archive *archive, const char *folder, unsigned which,
                              enum archive_dictionary dictionary)
{
    struct table_file file;
    bool good = table_open(&file, folder, which, NULL);

    while (good && file.row) {
        struct store_value values[EXCHANGE_COLUMNS];
        int64_t id;

        for (unsigned i = 0; i < file.csv.columns; i++)
            values[i] = value_of(&file, which, i);
        if (!is_digits(file.csv.field[0])) {
            file.csv.problem = "its first field is not a key";
            break;
        }
        good = archive_id(archive, dictionary, values, &id);
        table_next(&file);
    }
    good = complain_of(&file) && good;
    table_close(&file);
    return good;
}

struct importing {
    struct archive *archive;
    const char *folder;
    struct table_file runs, files, figures;
    char *machine; /* machine of the open figures */
};

/* Reads the run's files, and checks that their names and digests give the run's digest. */
static bool import_files(struct importing *importing, const char *digest, struct content *content)
{
    struct table_file *files = &importing->files;
    bool good = true;

    for (; files->row && strcmp(files->csv.field[0], digest) == 0 && good; table_next(files)) {
        char *path = must_text("%s/contents/%s", importing->folder, files->csv.field[2]);

        good = is_digits(files->csv.field[2]) && content_add(content, path, files->csv.field[1]);
        free(path);
    }
    content_identify(content);
    if (strcmp(content->digest, digest) == 0)
        return good && complain_of(files);
    complain("%s: the files of run %.12s differ from those that were archived", importing->folder, digest);
    return false;
}

/* Opens the figures of this machine at the first; a machine may have none. */
static bool open_machine(struct importing *importing, const char *machine)
{
    char *path;
    FILE *file;

    if (importing->machine && strcmp(importing->machine, machine) == 0)
        return true;
    free(importing->machine);
    importing->machine = must_copy(machine);
    table_close(&importing->figures);
    path = must_text("%s/figures/machine=%s/figures.csv", importing->folder, machine);
    file = fopen(path, "r");
    free(path);
    if (!file)
        return true;
    fclose(file);
    return table_open(&importing->figures, importing->folder, EXCHANGE_FIGURES, machine);
}

static bool import_figures(struct importing *importing, const char *digest, struct figures *figures)
{
    struct table_file *file = &importing->figures;
    bool good = true;

    for (; file->row && strcmp(file->csv.field[0], digest) == 0 && good; table_next(file)) {
        char **field = file->csv.field;
        const struct place place = {field[1], field[2], field[5], field[4], strtoll(field[3], NULL, 10)};
        struct figure figure = {.count = strtoll(field[7], NULL, 10)};

        good = figures_code(importing->archive, &place, &figure.code) &&
               figures_event(importing->archive, field[6], &figure.event);
        *must_add(figures->row, figures->count) = figure;
    }
    return good && (!file->csv.file || complain_of(file));
}

/* Makes the row of a run, with numbers instead of keys. */
static bool run_values(struct importing *importing, struct store_value values[RUN_VALUES])
{
    enum { MACHINE = 1, SILICON = 14 };
    bool good = true;

    for (unsigned i = 0; i < RUN_VALUES && good; i++) {
        struct store_value key[EXCHANGE_COLUMNS] = {value_of(&importing->runs, EXCHANGE_RUNS, i), archive_text("{}")};

        values[i] = key[0];
        if (i != MACHINE && i < SILICON)
            continue;
        values[i] = store_number(0);
        good =
            archive_id(importing->archive, i == MACHINE ? ARCHIVE_MACHINES : ARCHIVE_SNAPSHOTS, key, &values[i].number);
    }
    return good;
}

/* Adds the run at the current row of each table. */
static bool import_run(struct importing *importing, struct add_sums *sums)
{
    const char *digest = importing->runs.csv.field[0], *machine = importing->runs.csv.field[1];
    struct store_value values[RUN_VALUES];
    struct content content = {0};
    struct figures figures = {0};
    bool there = false, good;
    int64_t known = 0;

    good = import_files(importing, digest, &content) && open_machine(importing, machine) &&
           import_figures(importing, digest, &figures) && archive_find_run(importing->archive, &content, &known);
    if (good && !known)
        good = run_values(importing, values) && archive_store(importing->archive, &content, &figures, values, &there);
    if (!good)
        sums->failed++;
    else if (known || there)
        sums->known++;
    else
        sums->added++;
    free(figures.row);
    content_free(&content);
    return good;
}

bool archive_import(struct archive *archive, const char *folder, struct add_sums *sums)
{
    struct importing importing = {.archive = archive, .folder = folder};
    bool good = import_dictionary(archive, folder, EXCHANGE_MACHINES, ARCHIVE_MACHINES) &&
                import_dictionary(archive, folder, EXCHANGE_SNAPSHOTS, ARCHIVE_SNAPSHOTS) &&
                table_open(&importing.runs, folder, EXCHANGE_RUNS, NULL) &&
                table_open(&importing.files, folder, EXCHANGE_FILES, NULL);

    for (; good && importing.runs.row; table_next(&importing.runs))
        good = import_run(&importing, sums);
    good = good && complain_of(&importing.runs);
    table_close(&importing.runs);
    table_close(&importing.files);
    table_close(&importing.figures);
    free(importing.machine);
    return good;
}
