/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/archive/exchange.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/profile/csv.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/base/terminal.h"

/* Rows are sorted by content, not by the database's numbers; so are runs and their parts. */
const struct exchange_table exchange_tables[EXCHANGE_TABLES] = {
    [EXCHANGE_MACHINES] = {"machines",
                           "machines.csv",
                           false,
                           {"key", "name", "vendor", "family", "model", "stepping", "product", "board", "serial",
                            "hostname"},
                           7u << 3,
                           "SELECT key, name, vendor, family, model, stepping, product, board, serial, hostname "
                           "FROM machine ORDER BY key"},
    [EXCHANGE_SNAPSHOTS] = {"snapshots",
                            "snapshots.csv",
                            false,
                            {"digest", "body"},
                            0,
                            "SELECT digest, body FROM snapshot ORDER BY digest"},
    [EXCHANGE_RUNS] = {"runs",
                       "runs.csv",
                       false,
                       {"digest", "machine", "name", "started", "workload", "config", "firmware", "kernel", "figures",
                        "samples", "result", "selftest", "certificate", "note", "silicon", "settings", "facts"},
                       1u << 9,
                       "SELECT run.digest, machine.key, run.name, run.started, run.workload, run.config, "
                       "run.firmware, run.kernel, run.figures, run.samples, run.result, run.selftest, "
                       "run.certificate, run.note, silicon.digest, settings.digest, facts.digest FROM run "
                       "JOIN machine ON machine.id = run.machine JOIN snapshot AS silicon ON silicon.id = run.silicon "
                       "JOIN snapshot AS settings ON settings.id = run.settings "
                       "JOIN snapshot AS facts ON facts.id = run.facts ORDER BY machine.key, run.digest"},
    [EXCHANGE_FILES] = {"run_files",
                        "run_files.csv",
                        false,
                        {"run", "name", "digest"},
                        0,
                        "SELECT run.digest, run_file.name, run_file.digest FROM run_file "
                        "JOIN run ON run.id = run_file.run JOIN machine ON machine.id = run.machine "
                        "ORDER BY machine.key, run.digest, run_file.name"},
    [EXCHANGE_FIGURES] = {"figures",
                          "figures/machine=%s/figures.csv",
                          true,
                          {"machine", "run", "object", "function", "place", "instruction", "source", "event", "count"},
                          1u << 4 | 1u << 8,
                          "SELECT machine.key, run.digest, code.object, code.function, code.place, code.instruction, "
                          "code.source, event.name, figure.count FROM figure JOIN code ON code.id = figure.code "
                          "JOIN event ON event.id = figure.event JOIN run ON run.id = figure.run "
                          "JOIN machine ON machine.id = run.machine ORDER BY machine.key, run.digest, code.object, "
                          "code.function, code.place, code.instruction, code.source, event.name"},
};

struct exporting {
    const char *folder;
    const struct exchange_table *table;
    unsigned columns;
    char *path; /* of the file that is open */
    struct out_file out;
    char *partition; /* its value */
    bool good;
};

static bool close_file(struct exporting *exporting)
{
    bool good = !exporting->out.file || output_close(exporting->out.file, exporting->path);

    free(exporting->path);
    free(exporting->partition);
    exporting->path = exporting->partition = NULL;
    exporting->out.file = NULL;
    return good;
}

/* Opens the file of a table, or of a partition, and writes its first line. */
static bool open_file(struct exporting *exporting, const char *partition)
{
    const struct exchange_table *table = exporting->table;
    char *name = partition ? must_text("figures/machine=%s/figures.csv", partition) : must_copy(table->path);
    FILE *file;

    exporting->path = must_text("%s/%s", exporting->folder, name);
    exporting->partition = partition ? must_copy(partition) : NULL;
    free(name);
    name = must_text("%.*s", (int)(strrchr(exporting->path, '/') - exporting->path), exporting->path);
    file = output_make_folders(name) ? output_open(exporting->path) : NULL;
    free(name);
    if (!file)
        return false;
    out_file_init(&exporting->out, file, false);
    for (unsigned i = partition != NULL; i < exporting->columns; i++)
        fprintf(file, "%s%s", table->columns[i], i + 1 < exporting->columns ? "," : "\n");
    return true;
}

static void write_row(void *context, const struct store_value *values)
{
    struct exporting *exporting = context;
    unsigned first = exporting->table->partitioned;

    if (!exporting->good)
        return;
    if (first && (!exporting->partition || strcmp(exporting->partition, values[0].bytes) != 0))
        exporting->good = close_file(exporting) && open_file(exporting, values[0].bytes);
    for (unsigned i = first; i < exporting->columns && exporting->good; i++) {
        if (values[i].type == STORE_NUMBER)
            fprintf(exporting->out.file, "%" PRId64, values[i].number);
        else
            csv_field(&exporting->out.out, values[i].type == STORE_TEXT ? values[i].bytes : "");
        fputc(i + 1 < exporting->columns ? ',' : '\n', exporting->out.file);
    }
}

static bool write_bytes(const char *path, const struct store_value *bytes)
{
    FILE *file = output_open(path);

    if (!file)
        return false;
    (void)fwrite(bytes->bytes, 1, bytes->size, file);
    return output_close(file, path);
}

static void write_content(void *context, const struct store_value *values)
{
    struct exporting *exporting = context;
    char *path = must_text("%s/contents/%s", exporting->folder, (const char *)values[0].bytes);

    exporting->good = exporting->good && write_bytes(path, &values[1]);
    free(path);
}

/* Waits once until all files are on disk: waiting for each takes minutes with thousands of them. */
static bool settle(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = fd >= 0 && syncfs(fd) == 0;

    if (!good)
        complain("%s: cannot be written: %s", folder, strerror(errno));
    if (fd >= 0)
        close(fd);
    return good;
}

static void write_schema(struct json *json, const void *what)
{
    json_head(json, "ibsprof archive", ARCHIVE_VERSION);
    json_key_array(json, "tables");
    for (unsigned i = 0; i < EXCHANGE_TABLES; i++) {
        const struct exchange_table *table = &exchange_tables[i];

        json_object(json);
        json_key_text(json, "name", table->name);
        json_key_text(json, "path", table->partitioned ? "figures/machine=*/figures.csv" : table->path);
        json_key_text(json, "partitioned_by", table->partitioned ? table->columns[0] : NULL);
        json_key_array(json, "columns");
        for (unsigned column = table->partitioned; column < EXCHANGE_COLUMNS && table->columns[column]; column++) {
            json_object(json);
            json_key_text(json, "name", table->columns[column]);
            json_key_text(json, "type", table->numbers >> column & 1 ? "BIGINT" : "VARCHAR");
            json_end(json);
        }
        json_end(json);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

static bool export_table(struct archive *archive, struct exporting *exporting, unsigned table)
{
    exporting->table = &exchange_tables[table];
    exporting->columns = 0;
    while (exporting->columns < EXCHANGE_COLUMNS && exporting->table->columns[exporting->columns])
        exporting->columns++;
    exporting->good = exporting->table->partitioned || open_file(exporting, NULL);
    if (!archive_run(archive, exporting->table->select, NULL, 0, write_row, exporting))
        exporting->good = false;
    return close_file(exporting) && exporting->good;
}

bool archive_export(struct archive *archive, const char *folder)
{
    struct exporting exporting = {.folder = folder, .good = true};
    char *contents = must_text("%s/contents", folder), *schema = must_text("%s/schema.json", folder);
    bool good = access(schema, F_OK) != 0;
    FILE *file;

    if (!good)
        complain("%s: there is an export already: name another folder", folder);
    good =
        good && output_make_folders(contents) &&
        archive_run(archive, "SELECT digest, bytes FROM content ORDER BY digest", NULL, 0, write_content, &exporting) &&
        exporting.good;
    for (unsigned i = 0; i < EXCHANGE_TABLES && good; i++)
        good = export_table(archive, &exporting, i);
    /* Written last: a folder with this file is complete. */
    file = good && settle(folder) ? output_open(schema) : NULL;
    good = file && (json_document(file, write_schema, NULL) & output_close(file, schema));
    free(contents);
    free(schema);
    return good;
}
