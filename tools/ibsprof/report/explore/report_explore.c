/* SPDX-License-Identifier: BSD-2-Clause */
/* "report --view=exploration"; the contract is in report_explore.h. */
#include "tools/ibsprof/report/explore/report_explore.h"

#include <string.h>

#include "core/base/origin.h"
#include "tools/ibsprof/counters/exploration.h"
#include "tools/ibsprof/read/run_folder.h"
#include "tools/ibsprof/read/run_ini.h"
#include "tools/ibsprof/report/json/report_core_trees.h"
#include "tools/ibsprof/report/json/report_parts.h"
#include "tools/ibsprof/report/tables/report_text.h"

/* Holds the output: rows, or a tree. */
struct exploration_table {
    const char *path, *figures;
    bool is_linux;
    uint64_t elapsed_us;     /* of the measured part; 0: not known */
    struct pmc_run counters; /* has the names of rows */
    struct explored_rows rows;
    bool is_tree; /* instead of rows: */
    struct explore_result tree;
    struct core_trees cores; /* of the tree; empty unless requested by core */
};

static void print_tree(struct out *out, const struct exploration_table *table)
{
    if (table->cores.count == 0)
        explore_print(out, &table->tree);
    else
        core_trees_text(out, &table->cores);
}

static void write_text(struct out_file *to, const void *what)
{
    const struct exploration_table *table = what;

    out_printf(&to->out, "%s\n", table->path);
    if (table->figures)
        out_printf(&to->out, "%s\n", table->figures);
    report_elapsed(&to->out, table->elapsed_us, table->figures != NULL);
    if (table->cores.count == 0)
        out_printf(&to->out, "\n");
    if (table->is_tree)
        print_tree(&to->out, table);
    else
        explored_rows_text(&to->out, &table->rows, table->is_linux);
}

static void write_csv(struct out_file *to, const void *what)
{
    const struct exploration_table *table = what;

    if (table->figures)
        out_printf(&to->out, "# %s\n", table->figures);
    if (!table->is_tree) {
        explored_rows_csv(&to->out, &table->rows);
        return;
    }
    explore_csv_head(&to->out);
    explore_csv_rows(&to->out, "", &table->tree);
    for (uint32_t i = 0; i < table->cores.count; i++)
        explore_csv_rows(&to->out, table->cores.core[i].name + strlen("core "), &table->cores.core[i].result);
}

static void write_json(struct json *json, const void *what)
{
    const struct exploration_table *table = what;

    json_object(json);
    json_key_text(json, "file", table->path);
    json_key_text(json, "figures", table->figures);
    if (table->elapsed_us)
        json_key_uint(json, "elapsed_us", table->elapsed_us);
    if (table->is_tree) {
        report_tree(json, &table->tree);
        core_trees_json(json, &table->cores);
    } else {
        json_key(json, "exploration");
        explored_rows_json(json, &table->rows);
    }
    json_end(json);
}

/* Finds the rows of --by. Returns false if an exploration has no such rows. */
static bool find_by(const struct report_options *options, enum explored_by *ret_by)
{
    *ret_by = options->list == REPORT_MODULES     ? EXPLORED_MODULES
              : options->list == REPORT_PROCESSES ? EXPLORED_PROCESSES
              : options->list == REPORT_THREADS   ? EXPLORED_THREADS
              : options->level == PROFILE_LINES   ? EXPLORED_LINES
                                                  : EXPLORED_FUNCTIONS;
    return options->level != PROFILE_INSTRUCTIONS;
}

/* Explores counter samples of an ibsboot run. *ret_code: EXIT_INPUT, after a complaint, if they are damaged. */
static bool from_counters(struct exploration_table *table, enum explored_by by, bool by_core, enum exit_code *ret_code)
{
    enum pmc_run_state state = pmc_run_read(&table->counters, table->path);

    if (state == PMC_RUN_DAMAGED)
        *ret_code = EXIT_INPUT;
    if (state != PMC_RUN_READ)
        return false;
    table->figures = table->counters.is_model ? ORIGIN_MODEL : NULL;
    table->elapsed_us = table->counters.elapsed_us;
    return !by_core && explored_rows_counters(&table->rows, &table->counters.profile, by);
}

static bool from_profile(struct exploration_table *table, const struct run_profile *profile, enum explored_by by,
                         const struct report_options *options)
{

    table->figures = input_figures(profile->facts);
    table->is_linux = profile->facts->is_linux;
    table->elapsed_us = run_number(profile->facts, FACT_ELAPSED);
    if (table->is_linux)
        return options->list != REPORT_CORES && explored_rows_linux(&table->rows, profile, by, options);
    table->is_tree = by == EXPLORED_FUNCTIONS && options->level < 0 && exploration_read(&table->tree, profile->facts);
    if (options->list == REPORT_CORES)
        return table->is_tree && core_trees_read(&table->cores, profile);
    return table->is_tree;
}

static enum exit_code none(const struct exploration_table *table, enum explored_by by)
{
    if (by > EXPLORED_LINES && !table->is_linux) {
        complain(
            "%s: only files of Linux have modules, processes and threads: without an operating system one program runs",
            table->path);
        return EXIT_USAGE;
    }
    complain("%s: there is no such exploration: config=explore makes a tree (cores=all one by core), "
             "config=explore_functions and explore_deep "
             "tables by function and line; on Linux, perf record -e r76,rc0,rc1,rc3,rd0,rd1,rd2 also by module, "
             "process and thread",
             table->path);
    return EXIT_USAGE;
}

static const struct document document = {.text = write_text, .csv = write_csv, .json = write_json};

enum exit_code report_exploration(const char *path, enum form form, const struct report_options *options,
                                  const struct load_options *load, const char *output)
{
    struct exploration_table table = {.path = path};
    struct report_options own = *options;
    struct loaded loaded = {0};
    enum exit_code code = EXIT_DONE;
    enum explored_by by;

    if (!find_by(options, &by))
        return none(&table, EXPLORED_FUNCTIONS);
    if (!from_counters(&table, by, options->list == REPORT_CORES, &code) && code == EXIT_DONE) {
        if (table.counters.memory && !run_folder_has(path, "perf.data")) {
            code = none(&table, by);
        } else if (!load_run(&loaded, path, load)) {
            code = EXIT_INPUT;
        } else {
            own.input = loaded.input;
            code = from_profile(&table, loaded.profile, by, &own) ? load_status(&loaded) : none(&table, by);
        }
    }
    if (code != EXIT_USAGE && (table.is_tree || table.rows.count > 0)) {
        enum exit_code written = document_write(output, form, &document, &table);

        code = written == EXIT_DONE ? code : written;
    }
    if (loaded.profile)
        load_free(&loaded);
    explored_rows_free(&table.rows);
    core_trees_free(&table.cores);
    if (table.counters.memory)
        pmc_run_free(&table.counters);
    return code;
}

/* ---------------------------------------------------------------- in the report's JSON */

static void add_table(struct json *json, struct explored_rows *rows, bool there)
{
    if (there)
        explored_rows_json(json, rows);
    explored_rows_free(rows);
}

void report_explorations(struct json *json, const struct run_profile *profile)
{
    const struct report_options options = {.level = -1};
    bool is_linux = profile->facts->is_linux;
    struct pmc_run counters = {0};
    struct explored_rows rows;

    if (is_linux ? !explored_rows_linux(&rows, profile, EXPLORED_FUNCTIONS, &options)
                 : pmc_run_read(&counters, profile->facts->path) != PMC_RUN_READ)
        return;
    if (is_linux)
        explored_rows_free(&rows);
    else if (!explore_places_possible(&counters.profile)) {
        pmc_run_free(&counters);
        return;
    }
    json_key_array(json, "explorations");
    for (enum explored_by by = EXPLORED_FUNCTIONS; by <= EXPLORED_MODULES; by++)
        add_table(json, &rows,
                  is_linux ? explored_rows_linux(&rows, profile, by, &options)
                           : explored_rows_counters(&rows, &counters.profile, by));
    json_end(json);
    pmc_run_free(&counters);
}
