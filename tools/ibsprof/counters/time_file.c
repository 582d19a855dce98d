/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/counters/time_file.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/run_folder.h"

enum { FIGURES = 4 }; /* after the columns of a map */

struct figures {
    uint32_t rva, value[FIGURES];
};

static bool number(const char *text, uint32_t most, uint32_t *ret)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 10);

    if (text[0] < '0' || text[0] > '9' || *end || value > most)
        return false;
    *ret = (uint32_t)value;
    return true;
}

/* Reads shares and the ends of their intervals; samples. */
static bool read_figures(struct figures *figures, char *const fields[])
{
    for (unsigned i = 0; i < FIGURES; i++)
        if (!number(fields[CSV_MAP_FIELDS + i], i + 1 < FIGURES ? TIME_SHARE_MILLION : UINT32_MAX, &figures->value[i]))
            return false;
    return true;
}

static void set_part(struct time_share_part *part, const struct figures *figures)
{
    *part = (struct time_share_part){figures->value[0], figures->value[1], figures->value[2]};
}

struct reading {
    struct figures *row, outside, front;
    uint32_t count;
};

static bool read_row(struct time_file *file, struct reading *reading, char *const fields[])
{
    struct figures figures = {0};

    if (!read_figures(&figures, fields))
        return false;
    if (!fields[0][0]) {
        *(strcmp(fields[1], "(front end)") == 0 ? &reading->front : &reading->outside) = figures;
        return true;
    }
    figures.rva = (uint32_t)strtoul(fields[0], NULL, 16);
    *must_add(reading->row, reading->count) = figures;
    return !csv_map_add(&file->map, fields);
}

static void fill(struct time_file *file, const struct reading *reading)
{
    const struct codemap *map = &file->map.map;
    uint32_t rows = map->insn_count + 1;
    uint64_t samples = reading->outside.value[3];

    file->rows = must_alloc(rows, sizeof(*file->rows));
    for (uint32_t i = 0; i < reading->count; i++) {
        int32_t insn = codemap_find(map, reading->row[i].rva);

        if (insn < 0)
            continue;
        set_part(&file->rows[insn].part, &reading->row[i]);
        file->rows[insn].work.count = reading->row[i].value[3];
        samples += reading->row[i].value[3];
    }
    set_part(&file->rows[rows - 1].part, &reading->outside);
    file->rows[rows - 1].work.count = reading->outside.value[3];
    file->share = (struct time_share){
        .rows = file->rows, .row_count = rows, .count = samples < UINT32_MAX ? (uint32_t)samples : UINT32_MAX};
    set_part(&file->share.front, &reading->front);
}

bool time_file_read(struct time_file *file, const char *run)
{
    FILE *from = run_folder_open(run, "time.csv");
    struct reading reading = {0};
    struct csv_file csv;
    bool good;

    *file = (struct time_file){0};
    if (!from)
        return false;
    good = csv_begin(&csv, from) && csv_map_has(&csv) && csv.columns == CSV_MAP_FIELDS + FIGURES;
    while (good && csv_next(&csv))
        good = read_row(file, &reading, csv.field);
    good &= !csv.problem && reading.count;
    csv_end(&csv);
    fclose(from);
    csv_map_finish(&file->map);
    fill(file, &reading);
    free(reading.row);
    if (!good)
        time_file_free(file);
    return good;
}

void time_file_move(struct time_file *file, const struct codemap *map)
{
    const struct codemap *from = &file->map.map;
    struct time_share_row *rows = must_alloc(map->insn_count + 1, sizeof(*rows));

    for (uint32_t i = 0; i < from->insn_count; i++) {
        int32_t insn = codemap_find(map, from->insns[i].rva);

        if (insn >= 0)
            rows[insn] = file->rows[i];
    }
    rows[map->insn_count] = file->rows[from->insn_count];
    free(file->rows);
    file->rows = file->share.rows = rows;
    file->share.row_count = map->insn_count + 1;
}

void time_file_free(struct time_file *file)
{
    csv_map_free(&file->map);
    free(file->rows);
}
