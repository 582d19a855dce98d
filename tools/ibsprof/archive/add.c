/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/archive/add.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/base/shown.h"
#include "tools/ibsprof/counters/certificate.h"
#include "tools/ibsprof/read/run_folder.h"
#include "tools/ibsprof/runs/runs.h"

/* ---------------------------------------------------------------- snapshots: settings and facts as JSON */

enum snapshot { SNAPSHOT_SILICON, SNAPSHOT_SETTINGS, SNAPSHOT_FACTS, SNAPSHOTS };

static enum snapshot snapshot_of(const struct input_setting *setting)
{
    if (!setting->fact)
        return SNAPSHOT_SETTINGS;
    return strstr(setting->key, "silicon.") ? SNAPSHOT_SILICON : SNAPSHOT_FACTS;
}

static char *snapshot_text(const struct input_facts *facts, enum snapshot snapshot)
{
    char *text = NULL;
    size_t size;
    FILE *to = must_have(open_memstream(&text, &size));
    struct json json;

    json_init(&json, to);
    json.one_line = true;
    json_object(&json);
    for (uint32_t i = 0; i < facts->setting_count; i++)
        if (snapshot_of(&facts->settings[i]) == snapshot)
            json_key_text(&json, facts->settings[i].key, facts->settings[i].value);
    json_end(&json);
    fclose(to);
    return text;
}

static bool add_snapshot(struct archive *archive, const struct input_facts *facts, enum snapshot snapshot,
                         struct store_value *ret_id)
{
    char *text = snapshot_text(facts, snapshot), digest[DIGEST_TEXT];
    bool good;

    content_digest(text, strlen(text), digest);
    *ret_id = store_number(0);
    good = archive_id(archive, ARCHIVE_SNAPSHOTS, (struct store_value[]){archive_text(digest), archive_text(text)},
                      &ret_id->number);
    free(text);
    return good;
}

/* ---------------------------------------------------------------- the machine */

/* Adds a machine; machines are the same if all their facts are: processor, board and numbers. */
static bool add_machine(struct archive *archive, const struct input_facts *facts, struct store_value *ret_id)
{
    static const enum fact facts_of[] = {FACT_MACHINE_PRODUCT, FACT_MACHINE_BOARD, FACT_MACHINE_SERIAL,
                                         FACT_MACHINE_UUID,    FACT_MACHINE_MAC,   FACT_MACHINE_BOARD_SERIAL};
    const char *of[sizeof(facts_of) / sizeof(facts_of[0])], *host = facts->hostname ? facts->hostname : "";
    const char *name = facts->cpu_name ? facts->cpu_name : "", *vendor = facts->vendor ? facts->vendor : "";
    char digest[DIGEST_TEXT], *identity;
    bool good;

    for (unsigned i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        of[i] = run_fact(facts, facts_of[i]);
        of[i] = of[i] ? of[i] : "";
    }
    identity = must_text("%s\n%s\n%u\n%u\n%u\n%s\n%s\n%s\n%s\n%s\n%s\n%s", vendor, name, facts->family, facts->model,
                         facts->stepping, of[0], of[1], of[2], of[3], of[4], of[5], host);
    content_digest(identity, strlen(identity), digest);
    digest[16] = '\0';
    free(identity);
    const struct store_value values[] = {
        archive_text(digest),        archive_text(name),         archive_text(vendor),
        store_number(facts->family), store_number(facts->model), store_number(facts->stepping),
        archive_text(of[0]),         archive_text(of[1]),        archive_text(of[2][0] ? of[2] : of[5]),
        archive_text(host)};
    *ret_id = store_number(0);
    good = archive_id(archive, ARCHIVE_MACHINES, values, &ret_id->number);
    return good;
}

/* ---------------------------------------------------------------- the run */

static const char sql_find[] = "SELECT id FROM run WHERE digest = $1";
static const char sql_run[] =
    "INSERT INTO run (digest, machine, name, started, workload, config, firmware, kernel, figures, samples, result, "
    "selftest, certificate, note, silicon, settings, facts) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, "
    "$13, $14, $15, $16, $17) ON CONFLICT DO NOTHING RETURNING id";
static const char sql_content[] = "INSERT INTO content (digest, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING";
static const char sql_file[] = "INSERT INTO run_file (run, name, digest) VALUES ($1, $2, $3)";
static const char sql_figure[] = "INSERT INTO figure (code, event, run, count) VALUES ($1, $2, $3, $4)";

bool archive_find_run(struct archive *archive, const struct content *content, int64_t *ret_id)
{
    const struct store_value digest = archive_text(content->digest);

    *ret_id = 0;
    return archive_run(archive, sql_find, &digest, 1, archive_take_number, ret_id);
}

static const char *result_of(const struct input_facts *facts)
{
    const char *check = run_fact(facts, FACT_CHECK);

    return run_phase(facts) ? "not finished" : !check ? NULL : strcmp(check, "1") == 0 ? "right" : "WRONG";
}

static const char *certificate_of(const struct input_facts *facts)
{
    struct certificate *certificate = certificate_read(facts);
    const char *verdict = certificate ? certificate_verdict_name(certificate_worst(certificate)) : NULL;

    if (certificate)
        certificate_free(certificate);
    return verdict;
}

/* Sorts by digest. Everything of a run is one transaction, and files in this order make two writers with the same files
 * wait for each other in one order only. */
static int by_digest(const void *a, const void *b)
{
    return strcmp((*(const struct content_file *const *)a)->digest, (*(const struct content_file *const *)b)->digest);
}

static bool add_files(struct archive *archive, const struct content *content, int64_t run)
{
    const struct content_file **files = must_alloc(content->count, sizeof(*files));
    bool good = true;

    for (uint32_t i = 0; i < content->count; i++)
        files[i] = &content->file[i];
    qsort(files, content->count, sizeof(*files), by_digest);
    for (uint32_t i = 0; i < content->count && good; i++) {
        const struct store_value bytes = {STORE_BYTES, 0, files[i]->bytes, files[i]->size};

        good = archive_run(archive, sql_content, (struct store_value[]){archive_text(files[i]->digest), bytes}, 2, NULL,
                           NULL) &&
               archive_run(archive, sql_file,
                           (struct store_value[]){store_number(run), archive_text(files[i]->name),
                                                  archive_text(files[i]->digest)},
                           3, NULL, NULL);
    }
    free(files);
    return good;
}

static bool add_figures(struct archive *archive, const struct figures *figures, int64_t run)
{
    bool good = true;

    for (uint32_t i = 0; i < figures->count && good; i++) {
        const struct figure *row = &figures->row[i];

        good = archive_run(archive, sql_figure,
                           (struct store_value[]){store_number(row->code), store_number(row->event), store_number(run),
                                                  store_number(row->count)},
                           4, NULL, NULL);
    }
    return good;
}

bool archive_store(struct archive *archive, const struct content *content, const struct figures *figures,
                   const struct store_value values[RUN_VALUES], bool *ret_there)
{
    int64_t run = 0;
    bool good;

    if (!archive_begin(archive))
        return false;
    good = archive_run(archive, sql_run, values, RUN_VALUES, archive_take_number, &run);
    *ret_there = good && run == 0;
    archive_queue(archive);
    good = good && (*ret_there || (add_files(archive, content, run) && add_figures(archive, figures, run)));
    return archive_end(archive, good);
}

/* ---------------------------------------------------------------- reading one */

/* Holds a run before it is stored. */
struct adding {
    const char *path;
    struct content content;
    struct run_entry entry;
    struct loaded loaded; /* for a run without CSV */
    const struct input_facts *facts;
    struct figures figures;
};

static bool read_figures(struct archive *archive, struct adding *adding, const struct load_options *options,
                         bool *ret_readable)
{
    bool csv = run_folder_has(adding->path, "profile.csv") || run_folder_has(adding->path, "pmc.csv");

    if (csv || !run_folder_may_have_samples(adding->path))
        return figures_of_csv(archive, &adding->figures, adding->path, ret_readable);
    *ret_readable = load_run(&adding->loaded, adding->path, options);
    if (!*ret_readable)
        return true;
    adding->facts = adding->loaded.profile->facts;
    return figures_of_samples(archive, &adding->figures, adding->loaded.profile);
}

static bool put(struct archive *archive, struct adding *adding, bool *ret_there)
{
    const struct input_facts *facts = adding->facts;
    const struct run_entry *entry = &adding->entry;
    struct store_value machine, snapshots[SNAPSHOTS];
    const char *firmware = run_fact(facts, FACT_MACHINE_FIRMWARE_VERSION);
    char started[20];
    bool good = add_machine(archive, facts, &machine);

    for (unsigned i = 0; i < SNAPSHOTS && good; i++)
        good = add_snapshot(archive, facts, (enum snapshot)i, &snapshots[i]);
    if (!firmware)
        firmware = run_fact(facts, FACT_MACHINE_FIRMWARE);
    struct store_value values[RUN_VALUES] = {archive_text(adding->content.digest),
                                             machine,
                                             archive_text(entry->name),
                                             archive_text(run_entry_started(entry, started)),
                                             archive_text(facts->workload),
                                             archive_text(run_entry_config(entry)),
                                             archive_text(firmware),
                                             archive_text(facts->is_linux ? facts->release : ""),
                                             archive_text(facts->is_model ? "model" : "silicon"),
                                             store_number((int64_t)entry->samples),
                                             archive_text(result_of(facts)),
                                             archive_text(run_fact(facts, FACT_SELFTEST)),
                                             archive_text(certificate_of(facts)),
                                             archive_text(entry->note),
                                             snapshots[SNAPSHOT_SILICON],
                                             snapshots[SNAPSHOT_SETTINGS],
                                             snapshots[SNAPSHOT_FACTS]};
    for (unsigned i = 0; i < RUN_VALUES; i++)
        if (values[i].type == STORE_NULL)
            values[i] = archive_text("");
    return good && archive_store(archive, &adding->content, &adding->figures, values, ret_there);
}

/* Returns false if the database failed. */
static bool add_one(struct archive *archive, const char *path, const struct load_options *options,
                    struct add_sums *sums)
{
    struct adding adding = {.path = path};
    bool good = true, readable = content_read(&adding.content, path), there = false;
    int64_t known = 0;

    if (readable)
        good = archive_find_run(archive, &adding.content, &known);
    if (readable && good && !known && (readable = run_entry_read(&adding.entry, path)) == true) {
        adding.facts = &adding.entry.facts;
        good = read_figures(archive, &adding, options, &readable);
        figures_sum(&adding.figures);
        if (good && readable)
            good = put(archive, &adding, &there);
    }
    if (!good || !readable)
        sums->failed++;
    else if (known || there)
        sums->known++;
    else
        sums->added++;
    free(adding.figures.row);
    if (adding.loaded.profile)
        load_free(&adding.loaded);
    run_entry_free(&adding.entry);
    content_free(&adding.content);
    return good;
}

bool archive_add(struct archive *archive, const char *path, const struct load_options *options, struct add_sums *sums)
{
    struct run_list list = {0};
    bool good = true;

    if (!run_list_find_all(&list, path) && !run_list_find_below(&list, path))
        run_list_add(&list, path); /* a file of perf's */
    for (uint32_t i = 0; i < list.count && good; i++)
        good = add_one(archive, list.path[i], options, sums);
    run_list_free(&list);
    return good;
}
