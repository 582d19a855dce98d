/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/counters/counts_csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/csv_file.h"
#include "tools/ibsprof/read/run_folder.h"

enum column { SELECT, MASK, COUNT_MASK, EVENT, STATE, REPEATS, MEAN, MIN, MAX, CV, OVERHEAD, RESIDUE, RELIABILITY };
static const char *const columns[] = {[SELECT] = "select",
                                      [MASK] = "mask",
                                      [COUNT_MASK] = "count_mask",
                                      [EVENT] = "event",
                                      [STATE] = "state",
                                      [REPEATS] = "repeats",
                                      [MEAN] = "mean",
                                      [MIN] = "min",
                                      [MAX] = "max",
                                      [CV] = "cv_ppm",
                                      [OVERHEAD] = "overhead",
                                      [RESIDUE] = "residue",
                                      [RELIABILITY] = "reliability_ppm"};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static bool number(const char *field, int base, uint64_t max, uint64_t *ret)
{
    char *end;

    if (*field < '0' || (base == 10 && *field > '9'))
        return false;
    *ret = strtoull(field, &end, base);
    return *end == '\0' && *ret <= max;
}

static bool read_row(struct counts_csv_row *row, char *const field[])
{
    struct counts_result *result = &row->result;
    uint64_t select, mask, count_mask, repeats, cv, reliability;

    memset(row, 0, sizeof(*row));
    if (!number(field[SELECT], 16, 0xFFF, &select) || !number(field[MASK], 16, 0xFF, &mask) ||
        !number(field[COUNT_MASK], 10, 0xFF, &count_mask))
        return false;
    row->select = (uint16_t)select;
    row->mask = (uint8_t)mask;
    row->count_mask = (uint8_t)count_mask;
    snprintf(row->event, sizeof(row->event), "%s", field[EVENT]);
    if (strcmp(field[STATE], "not modelled") == 0)
        result->state = COUNTS_NOT_MODELLED;
    else if (strcmp(field[STATE], "counted") == 0)
        result->state = COUNTS_COUNTED;
    else
        return strcmp(field[STATE], "not counted") == 0;
    if (result->state != COUNTS_COUNTED)
        return true;
    if (!number(field[REPEATS], 10, UINT32_MAX, &repeats) || !number(field[MEAN], 10, UINT64_MAX, &result->mean) ||
        !number(field[MIN], 10, UINT64_MAX, &result->min) || !number(field[MAX], 10, UINT64_MAX, &result->max) ||
        !number(field[CV], 10, UINT32_MAX, &cv) || !number(field[OVERHEAD], 10, UINT64_MAX, &result->overhead) ||
        !number(field[RESIDUE], 10, UINT64_MAX, &result->residue) ||
        !number(field[RELIABILITY], 10, 1000000, &reliability))
        return false;
    result->residue_known = true;
    result->repeats = (unsigned)repeats;
    result->cv_ppm = (uint32_t)cv;
    result->reliability_ppm = (uint32_t)reliability;
    return true;
}

bool counts_csv_read(struct counts_csv *counts, FILE *from)
{
    struct csv_file csv;
    bool good = csv_begin(&csv, from) && csv.columns == COLUMNS && csv_has_columns(&csv, columns, COLUMNS);

    counts->count = 0;
    while (good && csv_next(&csv)) {
        good = counts->count < COUNTS_CSV_ROWS && read_row(&counts->row[counts->count], csv.field);
        counts->count += good;
    }
    good &= !csv.problem && !ferror(from);
    csv_end(&csv);
    return good;
}

bool counts_csv_open(struct counts_csv *counts, const char *path)
{
    FILE *file = run_folder_open(path, "counts.csv");
    bool good;

    counts->count = 0;
    if (file == NULL)
        return false;
    good = counts_csv_read(counts, file);
    fclose(file);
    return good;
}

unsigned counts_csv_explore(const struct counts_csv *counts, struct explore_input *input)
{
    unsigned found = 0;

    /* Masks may have been fitted to the revision; select and count mask tell the events apart. */
    for (unsigned e = 0; e < EXPLORE_EVENTS; e++) {
        for (unsigned i = 0; i < counts->count; i++) {
            if (counts->row[i].select != explore_events[e].select ||
                counts->row[i].count_mask != explore_events[e].count_mask)
                continue;
            explore_take(input, (enum explore_event_index)e, &counts->row[i].result);
            found++;
            break;
        }
    }
    return found;
}
