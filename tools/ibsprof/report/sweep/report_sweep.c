/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/sweep/report_sweep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "tools/ibsprof/base/table.h"
#include "tools/ibsprof/profile/spaces/spaces.h"
#include "tools/ibsprof/report/sweep/sweep_runs.h"

enum { LATENCIES = 1 << 16 };

/* ---------------------------------------------------------------- samples */

/* Loads by instruction, of one run or of all. */
struct load_counts {
    struct load_count {
        uint64_t place; /* offset in the mapped file, so that it does not depend on the image's address */
        uint64_t loads, waited;
    } * row;
    uint32_t count;
    struct table by_place; /* index of a row plus one */
};

static bool is_row(const void *counts, uint32_t number, const void *place)
{
    return ((const struct load_counts *)counts)->row[number - 1].place == *(const uint64_t *)place;
}

static struct load_count *row_of(struct load_counts *counts, uint64_t place)
{
    uint32_t *number = table_find(&counts->by_place, table_hash(place), is_row, counts, &place);

    if (*number == 0) {
        *must_add(counts->row, counts->count) = (struct load_count){.place = place};
        *number = counts->count;
    }
    return &counts->row[*number - 1];
}

static void free_counts(struct load_counts *counts)
{
    free(counts->row);
    table_free(&counts->by_place);
}

/* Finds the next sampled load, and its place; follows the maps. */
static bool next_load(struct input *input, struct spaces *spaces, struct perfdata_item *item, uint64_t *ret_place)
{
    struct spaces_window window = {0};

    while (input_next(input, item) && item->kind != PERFDATA_ITEM_END) {
        spaces_item(spaces, item);
        if (item->kind == PERFDATA_ITEM_SAMPLE && item->record.kind == SAMPLE_OP &&
            ibs_ld_op(item->record.reg[IBS_OP_DATA3])) {
            *ret_place =
                spaces_locate_window(spaces, item->pid, item->mode, item->record.reg[IBS_OP_RIP], &window).offset;
            return true;
        }
    }
    return false;
}

/* Returns the cycles that a load waited for data outside of the data cache. */
static uint32_t waited(const struct data_sources *sources, const struct perfdata_item *item)
{
    uint64_t data3 = item->record.reg[IBS_OP_DATA3];

    return data_missed(sources, data3) ? (uint32_t)ibs_dc_miss_lat(data3) : 0;
}

static struct data_sources sources_of(const struct input *input)
{
    const struct input_facts *facts = input_facts(input);
    struct ibs_machine machine = ibs_machine_of(facts->family, facts->model, facts->ibs_caps);

    return data_sources_of(&machine);
}

static void count_loads(struct input *input, struct load_counts *counts)
{
    struct data_sources sources = sources_of(input);
    struct spaces *spaces = spaces_make(NULL);
    struct perfdata_item item;
    uint64_t place;

    while (next_load(input, spaces, &item, &place)) {
        struct load_count *row = row_of(counts, place);

        row->loads++;
        row->waited += waited(&sources, &item);
    }
    spaces_free(spaces);
}

/* Returns the load that waited longest, or, if none waited, the one with the most samples; NULL: none. */
static const struct load_count *longest(const struct load_counts *counts)
{
    const struct load_count *best = NULL;

    for (uint32_t i = 0; i < counts->count; i++) {
        const struct load_count *row = &counts->row[i];

        if (!best || row->waited > best->waited || (row->waited == best->waited && row->loads > best->loads))
            best = row;
    }
    return best;
}

/* Returns the value with this number of smaller ones. */
static uint32_t ranked(const uint32_t *histogram, uint64_t rank)
{
    uint64_t below = 0;

    for (uint32_t i = 0; i < LATENCIES; i++) {
        below += histogram[i];
        if (below > rank)
            return i;
    }
    return 0;
}

static void read_point(struct input *input, uint64_t load, struct sweep_point *point)
{
    struct data_sources sources = sources_of(input);
    uint32_t *all = must_alloc(LATENCIES, sizeof(*all)), *of = must_alloc((size_t)SOURCES * LATENCIES, sizeof(*of));
    struct spaces *spaces = spaces_make(NULL);
    struct perfdata_item item;
    uint64_t place, below = 0;

    while (next_load(input, spaces, &item, &place)) {
        enum data_source source =
            data_source_by(&sources, item.record.reg[IBS_OP_DATA2], item.record.reg[IBS_OP_DATA3]);
        uint32_t cycles = waited(&sources, &item);

        if (place != load)
            continue;
        point->loads++;
        all[cycles]++;
        of[(size_t)source * LATENCIES + cycles]++;
        point->by_source[source]++;
    }
    point->source_count = sources.count;
    point->cycles[0] = ranked(all, point->loads / 10);
    point->cycles[1] = ranked(all, point->loads / 2);
    point->cycles[2] = ranked(all, point->loads * 9 / 10);
    for (unsigned i = SOURCES; i-- > 0;) {
        point->median_of[i] = ranked(of + (size_t)i * LATENCIES, point->by_source[i] / 2);
        if (point->by_source[i] > below) {
            below = point->by_source[i];
            point->most = (enum data_source)i;
        }
    }
    spaces_free(spaces);
    free(all);
    free(of);
}

/* ---------------------------------------------------------------- levels */

static int by_place(const void *left, const void *right)
{
    const struct sweep_point *a = left, *b = right;

    if (a->series != b->series)
        return a->series < b->series ? -1 : 1;
    return a->x < b->x ? -1 : a->x > b->x;
}

static int by_number(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

    return a < b ? -1 : a > b;
}

static void find_levels(struct sweep *sweep)
{
    uint32_t *medians = must_alloc(sweep->count, sizeof(*medians)), end;

    for (uint32_t first = 0; first < sweep->count; first = end) {
        const struct sweep_point *begin = &sweep->points[first];

        uint64_t loads = 0, hits = 0;

        for (end = first;
             end < sweep->count && sweep->points[end].series == begin->series && sweep->points[end].most == begin->most;
             end++) {
            medians[end - first] = sweep->points[end].cycles[1];
            loads += sweep->points[end].loads;
            hits += sweep->points[end].by_source[SOURCE_L1];
        }
        qsort(medians, end - first, sizeof(*medians), by_number);
        *must_add(sweep->levels, sweep->level_count) =
            (struct sweep_level){.series = begin->series,
                                 .source = begin->most,
                                 .from = begin->x,
                                 .to = sweep->points[end - 1].x,
                                 .missed = (double)(loads - hits) / (double)loads,
                                 .median = medians[(end - first) / 2]};
    }
    free(medians);
}

/* ---------------------------------------------------------------- all of it */

/* Chooses the instruction that waited longest in all runs together. Returns false after a complaint. */
static bool choose_load(struct sweep *sweep, const struct run_list *list)
{
    struct load_counts counts = {0};
    const struct load_count *load;
    struct input *input = NULL;

    for (uint32_t i = 0; i < list->count && (input = sweep_open(list, i)); i++) {
        count_loads(input, &counts);
        input_close(input);
    }
    load = longest(&counts);
    sweep->load = load ? load->place : 0;
    free_counts(&counts);
    return input != NULL;
}

static bool read_runs(struct sweep *sweep, const struct sweep_runs *runs)
{
    const struct run_list *list = runs->list;
    struct input *input;

    sweep->points = must_alloc(list->count, sizeof(*sweep->points));
    for (uint32_t i = 0; i < list->count && (input = sweep_open(list, i)); i++) {
        struct sweep_point *point = &sweep->points[sweep->count++];

        point->path = must_copy(list->path[i]);
        point->x = sweep_runs_x(runs, sweep, i);
        point->series = sweep_runs_series(runs, sweep, i);
        read_point(input, sweep->load, point);
        input_close(input);
        if (point->source_count > sweep->source_count)
            sweep->source_count = point->source_count;
        if (point->loads == 0) {
            complain("%s: no samples of the load at %" PRIx64 "h, which waits longest in these runs", list->path[i],
                     sweep->load);
            return false;
        }
    }
    if (sweep->count < list->count)
        return false;
    qsort(sweep->points, sweep->count, sizeof(*sweep->points), by_place);
    find_levels(sweep);
    return true;
}

struct sweep *sweep_read(const struct run_list *list, const char *against)
{
    struct sweep *sweep = must_new(sweep);
    struct sweep_runs runs;

    if (!sweep_runs_read(&runs, sweep, list) || !sweep_runs_choose(&runs, sweep, against) ||
        !choose_load(sweep, list) || !read_runs(sweep, &runs)) {
        sweep_free(sweep);
        sweep = NULL;
    }
    sweep_runs_free(&runs);
    return sweep;
}

void sweep_free(struct sweep *sweep)
{
    for (uint32_t i = 0; i < sweep->count; i++)
        free(sweep->points[i].path);
    for (uint32_t i = 0; i < sweep->series_count; i++)
        free(sweep->series[i]);
    free(sweep->points);
    free(sweep->series);
    free(sweep->levels);
    free(sweep->workload);
    free(sweep);
}
