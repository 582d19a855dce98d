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
    while (result->state <= COUNTS_NO_L3 && strcmp(field[STATE], counts_state_name(result->state)) != 0)
        result->state++;
    if (result->state > COUNTS_NO_L3)
        return false;
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

/* Reads the rows of one core, after an additional column "core"; -1: without that column. */
static bool read_all(struct counts_csv *counts, FILE *from, int64_t core)
{
    struct csv_file csv;
    unsigned before = core >= 0;
    bool good =
        csv_begin(&csv, from) && csv.columns == COLUMNS + before && (!before || strcmp(csv.field[0], "core") == 0);

    counts->count = 0;
    for (unsigned i = 0; good && i < COLUMNS; i++)
        good = strcmp(csv.field[before + i], columns[i]) == 0;
    while (good && csv_next(&csv)) {
        uint64_t of;

        if (before && number(csv.field[0], 10, UINT32_MAX, &of) && of != (uint64_t)core)
            continue;
        good = counts->count < COUNTS_CSV_ROWS && read_row(&counts->row[counts->count], csv.field + before);
        counts->count += good;
    }
    good &= !csv.problem && !ferror(from);
    csv_end(&csv);
    return good;
}

static bool open_and_read(struct counts_csv *counts, const char *path, const char *name, int64_t core)
{
    FILE *file = run_folder_open(path, name);
    bool good;

    counts->count = 0;
    if (file == NULL)
        return false;
    good = read_all(counts, file, core);
    fclose(file);
    return good;
}

bool counts_csv_open(struct counts_csv *counts, const char *path)
{
    return open_and_read(counts, path, "counts.csv", -1);
}

bool counts_csv_open_core(struct counts_csv *counts, const char *path, uint32_t core)
{
    return open_and_read(counts, path, "core-counts.csv", core) && counts->count > 0;
}

unsigned counts_csv_explore(const struct counts_csv *counts, struct explore_input *input)
{
    unsigned found = 0;
    uint64_t taken = 0;

    for (unsigned i = 0; i < counts->count; i++) {
        const struct counts_csv_row *row = &counts->row[i];
        int event = explore_event_of(input->method, row->select, row->mask, row->count_mask);

        if (event < 0 || (taken >> event & 1))
            continue;
        taken |= 1ull << event;
        explore_take(input, (unsigned)event, &row->result);
        found++;
    }
    return found;
}
