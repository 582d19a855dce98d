/* SPDX-License-Identifier: BSD-2-Clause */
/* Counter and timer samples of a run of ours, from pmc.csv: a table whose columns after the fifth are events, whatever
 * they are. */
#include "tools/ibsprof/report/json/report_parts.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/csv_map.h"
#include "tools/ibsprof/read/run_folder.h"

static void write_row(struct json *json, char *const field[], unsigned count)
{
    bool any = false;

    for (unsigned i = CSV_MAP_FIELDS; i < count; i++)
        any |= strtoull(field[i], NULL, 10) != 0;
    if (!any)
        return;
    json_array(json);
    json_text(json, field[0]); /* rva, "" for samples outside of the map */
    json_text(json, field[1]);
    json_text(json, field[4]);
    for (unsigned i = CSV_MAP_FIELDS; i < count; i++)
        if (field[i][0])
            json_uint(json, strtoull(field[i], NULL, 10));
        else
            json_null(json);
    json_end(json);
}

void report_pmc(struct json *json, const struct run_profile *profile)
{
    FILE *file = profile->facts->format == INPUT_RUN ? run_folder_open(profile->facts->path, "pmc.csv") : NULL;
    struct csv_file csv;

    if (!file)
        return;
    if (csv_begin(&csv, file) && csv_map_has(&csv)) {
        json_key_object(json, "counter_samples");
        json_key_array(json, "events");
        for (unsigned i = CSV_MAP_FIELDS; i < csv.columns; i++)
            json_text(json, csv.field[i]);
        json_end(json);
        json_key_array(json, "rows");
        while (csv_next(&csv) || csv.problem) /* rows that are damaged are left out */
            if (!csv.problem)
                write_row(json, csv.field, csv.columns);
        json_end(json);
        json_end(json);
    }
    csv_end(&csv);
    fclose(file);
}
