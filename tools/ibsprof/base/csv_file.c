/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/base/csv_file.h"

#include <stdlib.h>
#include <string.h>

unsigned csv_cut(char *line, char *fields[], unsigned most)
{
    unsigned count = 0;
    char *at = line;

    for (;;) {
        char *to = at;
        bool quoted = *at == '"';

        if (count == most)
            return 0;
        fields[count++] = at;
        at += quoted;
        while (*at && (quoted || *at != ',')) {
            if (quoted && *at == '"' && at[1] != '"') {
                quoted = false;
                at++;
                break;
            }
            at += quoted && *at == '"';
            *to++ = *at++;
        }
        if (quoted || (*at && *at != ','))
            return 0;
        if (*at == '\0') {
            *to = '\0';
            return count;
        }
        at++;
        *to = '\0';
    }
}

static bool problem(struct csv_file *csv, const char *what)
{
    csv->problem = what;
    return false;
}

/* Returns false at the end. */
static bool read_line(struct csv_file *csv)
{
    ssize_t length = getline(&csv->line, &csv->room, csv->file);

    if (length <= 0)
        return false;
    csv->number++;
    if (csv->line[length - 1] != '\n') {
        csv->cut_short = true;
        return problem(csv, "it ends in the middle of a line");
    }
    csv->line[length - 1] = '\0';
    return true;
}

bool csv_begin(struct csv_file *csv, FILE *file)
{
    *csv = (struct csv_file){.file = file};
    do {
        if (!read_line(csv))
            return csv->problem ? false : problem(csv, "it is empty");
        if (csv->line[0] == '#')
            snprintf(csv->comment, sizeof(csv->comment), "%s", csv->line);
    } while (csv->line[0] == '#');
    csv->columns = csv_cut(csv->line, csv->field, CSV_FIELDS_MAX);
    return csv->columns > 0 || problem(csv, "it has no columns");
}

bool csv_next(struct csv_file *csv)
{
    csv->problem = NULL;
    return read_line(csv) && (csv_cut(csv->line, csv->field, CSV_FIELDS_MAX) == csv->columns ||
                              problem(csv, "it has more or fewer fields than the first line"));
}

void csv_end(struct csv_file *csv)
{
    free(csv->line);
    csv->line = NULL;
}

bool csv_has_columns(const struct csv_file *csv, const char *const names[], unsigned count)
{
    if (csv->columns < count)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (strcmp(csv->field[i], names[i]) != 0)
            return false;
    return true;
}
