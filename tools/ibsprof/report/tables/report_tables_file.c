/* SPDX-License-Identifier: BSD-2-Clause */
/* The named views of a run as one CSV or JSON text; the contract is in report_tables.h. */
#include "core/base/origin.h"
#include "tools/ibsprof/report/tables/report_tables.h"

struct tables {
    struct out *out;   /* CSV */
    struct json *json; /* NULL: CSV */
    bool any;
};

static void write_table(void *context, const struct report_table *table)
{
    struct tables *tables = context;

    if (tables->json)
        report_table_json(tables->json, table);
    else
        report_table_csv(tables->out, table, !tables->any);
    tables->any = true;
}

static bool write_tables(struct tables *tables, const char *path, const struct report_options *options,
                         const struct run_profile *profile, const struct pmc_run *counters)
{
    bool good = !profile || report_tables_ibs(profile, options, write_table, tables);

    if (counters)
        (void)report_tables_counters(counters, options, write_table, tables);
    return good && report_tables_are_there(path, options, profile, counters);
}

static bool write_all(struct out_file *out, enum form form, const char *path, const char *figures,
                      const struct report_options *options, const struct run_profile *profile,
                      const struct pmc_run *counters)
{
    struct tables tables = {.out = &out->out};
    struct json json;
    bool good;

    if (form == FORM_CSV) {
        if (figures)
            out_printf(&out->out, "# %s\n", figures);
        return write_tables(&tables, path, options, profile, counters);
    }
    tables.json = &json;
    json_init(&json, out->file);
    json_object(&json);
    json_key_text(&json, "file", path);
    json_key_text(&json, "figures", figures);
    json_key_array(&json, "tables");
    good = write_tables(&tables, path, options, profile, counters);
    json_end(&json);
    json_end(&json);
    (void)json_finish(&json); /* output_close tells what could not be written */
    return good;
}

bool report_tables_write_counters(struct out_file *out, enum form form, const char *path,
                                  const struct pmc_run *counters, const struct report_options *options)
{
    return write_all(out, form, path, counters->is_model ? ORIGIN_MODEL : NULL, options, NULL, counters);
}

bool report_tables_write(struct out_file *out, enum form form, const char *path, const struct run_profile *profile,
                         const struct report_options *options)
{
    const char *figures = input_figures(profile->facts);
    struct pmc_run counters;
    bool good;

    /* Counters were sampled in this run, or in the run beside it (config=skid). */
    if (profile->facts->is_linux || pmc_run_read(&counters, path) != PMC_RUN_READ)
        return write_all(out, form, path, figures, options, profile, NULL);
    good = write_all(out, form, path, figures, options, profile, &counters);
    pmc_run_free(&counters);
    return good;
}
