/*
 * Counter and timer samples of a run of ours: they are in pmc.csv (core/csv_pmc.c), not in perf.data. The file is taken
 * as a table: its columns after the fifth are events, whatever they are.
 */
#include "tools/ibsprof/report/report_parts.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/read/run_folder.h"

enum { LINE_MAX_BYTES = 8192, COLUMNS_MAX = 128, FIRST_EVENT = 5 };

/* Cuts a line of CSV (RFC 4180) into its fields, in place. */
static unsigned split(char *line, char *field[COLUMNS_MAX])
{
    unsigned count = 0;
    char *to;

    line[strcspn(line, "\n")] = '\0';
    while (count < COLUMNS_MAX) {
        bool quoted = *line == '"';

        field[count++] = to = quoted ? ++line : line;
        while (*line && (quoted || *line != ',')) {
            if (quoted && *line == '"' && *++line != '"') {
                quoted = false;
                continue;
            }
            *to++ = *line++;
        }
        if (*line == '\0') {
            *to = '\0';
            break;
        }
        line++;
        *to = '\0';
    }
    return count;
}

static void write_row(struct json *json, char *const field[], unsigned count)
{
    bool any = false;

    for (unsigned i = FIRST_EVENT; i < count; i++)
        any |= strtoull(field[i], NULL, 10) != 0;
    if (!any)
        return;
    json_array(json);
    json_text(json, field[0]); /* rva, "" for samples outside of the map */
    json_text(json, field[1]);
    json_text(json, field[4]);
    for (unsigned i = FIRST_EVENT; i < count; i++)
        json_uint(json, strtoull(field[i], NULL, 10));
    json_end(json);
}

void report_pmc(struct json *json, const struct run_profile *profile)
{
    FILE *file = profile->facts->format == INPUT_RUN ? run_folder_open(profile->facts->path, "pmc.csv") : NULL;
    char line[LINE_MAX_BYTES] = "", *field[COLUMNS_MAX];
    unsigned columns;

    if (file == NULL)
        return;
    while (fgets(line, sizeof(line), file) && line[0] == '#') /* "# MODEL: ..." */
        ;
    if (strncmp(line, "rva,function,file,line,instruction,", 35) == 0) {
        columns = split(line, field);
        json_key_object(json, "counter_samples");
        json_key_array(json, "events");
        for (unsigned i = FIRST_EVENT; i < columns; i++)
            json_text(json, field[i]);
        json_end(json);
        json_key_array(json, "rows");
        while (fgets(line, sizeof(line), file))
            if (split(line, field) == columns)
                write_row(json, field, columns);
        json_end(json);
        json_end(json);
    }
    fclose(file);
}
