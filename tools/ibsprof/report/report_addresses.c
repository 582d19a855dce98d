/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/report_addresses.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/csv.h"
#include "core/ibs_regs.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/base/table.h"
#include "tools/ibsprof/report/report_columns.h"
#include "tools/ibsprof/base/shown.h"

enum { REGION_GAP = 1 << 20, PAGE = 4096, CACHE_LINE = 64, COLUMNS_MAX = 8, ADDRESSES_JSON_VERSION = 1 };

/* A column: an event, or with 'of' its mean over another one. */
struct column {
    const char *title;
    enum derived event;
    int of; /* enum derived; -1: a count */
};

static const struct column fetch_columns[] = {
    {"All", DERIVED_F000_FETCH_ALL, -1},
    {"Killed", DERIVED_F001_FETCH_KILLED, -1},
    {"Attempts", DERIVED_F002_FETCH_ATTEMPTED, -1},
    {"Complete", DERIVED_F003_FETCH_COMPLETED, -1},
    {"Aborted", DERIVED_F004_FETCH_ABORTED, -1},
    {"IC miss", DERIVED_F008_IC_MISS, -1},
};
static const struct column data_columns[] = {
    {"Loads", DERIVED_F201_LOAD, -1},           {"Stores", DERIVED_F202_STORE, -1},
    {"DC miss", DERIVED_F206_DC_MISS, -1},      {"Mean", DERIVED_F219_DC_LOAD_LATENCY, DERIVED_X200_LOAD_DC_MISS},
    {"L1M L2H", DERIVED_F204_DTLB_L1M_L2H, -1}, {"L1M L2M", DERIVED_F205_DTLB_L1M_L2M, -1},
    {"Remote", DERIVED_F241_NB_REMOTE, -1},
};

/* What the rows of a list are. */
struct kind {
    const char *name, *title;
    const struct column *columns;
    unsigned column_count;
    enum sample_kind samples;
    enum derived population;
    uint64_t size; /* of a row; 0: as far as it goes */
};

#define COLUMNS(array_) array_, sizeof(array_) / sizeof((array_)[0])
static const struct kind kinds[] = {
    [REPORT_FETCHES - REPORT_FETCHES] = {"fetch", "Fetches by their address", COLUMNS(fetch_columns), SAMPLE_FETCH,
                                         DERIVED_F000_FETCH_ALL, 1},
    [REPORT_REGIONS -
        REPORT_FETCHES] = {"region", "Data by region", COLUMNS(data_columns), SAMPLE_OP, DERIVED_F200_LOAD_STORE, 0},
    [REPORT_PAGES - REPORT_FETCHES] = {"page", "Data by page of 4 KB", COLUMNS(data_columns), SAMPLE_OP,
                                       DERIVED_F200_LOAD_STORE, PAGE},
    [REPORT_CACHE_LINES - REPORT_FETCHES] = {"cache-line", "Data by cache line", COLUMNS(data_columns), SAMPLE_OP,
                                             DERIVED_F200_LOAD_STORE, CACHE_LINE},
};

struct row {
    uint64_t address, last; /* of the samples in it */
    uint64_t samples;
    uint64_t part[COLUMNS_MAX], whole[COLUMNS_MAX]; /* whole: of a mean */
};

struct list {
    const struct run_profile *profile;
    const struct kind *kind;
    struct kind with;                   /* it, of the columns that have a source */
    struct column columns[COLUMNS_MAX]; /* its columns */
    struct table table;
    struct row *rows;
    uint32_t count;
    struct row all;
    uint64_t without; /* samples of the kind that have no address */
};

bool report_is_addresses(enum report_list list)
{
    return list >= REPORT_FETCHES && list <= REPORT_CACHE_LINES;
}

/* ---------------------------------------------------------------- the rows */

static bool is_row(const void *context, uint32_t number, const void *address)
{
    return ((const struct list *)context)->rows[number - 1].address == *(const uint64_t *)address;
}

static struct row *row_of(struct list *list, uint64_t address)
{
    uint64_t size = list->kind->size ? list->kind->size : PAGE, start = address & ~(size - 1);
    uint32_t *number = table_find(&list->table, table_hash(start), is_row, list, &start);

    if (*number == 0) {
        *must_add(list->rows, list->count) = (struct row){.address = start, .last = address};
        *number = list->count;
    }
    return &list->rows[*number - 1];
}

static void add_counts(struct row *row, const struct kind *kind, const uint64_t counts[DERIVED_COUNT])
{
    row->samples += counts[kind->population];
    for (unsigned i = 0; i < kind->column_count; i++) {
        row->part[i] += counts[kind->columns[i].event];
        row->whole[i] += kind->columns[i].of >= 0 ? counts[kind->columns[i].of] : 0;
    }
}

static void add_row(struct row *to, const struct row *row)
{
    to->samples += row->samples;
    to->last = row->last > to->last ? row->last : to->last;
    for (unsigned i = 0; i < COLUMNS_MAX; i++) {
        to->part[i] += row->part[i];
        to->whole[i] += row->whole[i];
    }
}

static void add_sample(struct list *list, const struct sample_record *record)
{
    bool fetch = list->kind->samples == SAMPLE_FETCH;
    uint64_t counts[DERIVED_COUNT] = {0}, address = record->reg[fetch ? IBS_FETCH_LINAD : IBS_OP_DCLINAD];
    struct row *row;

    derived_add_of(&list->profile->set, counts, record);
    if (counts[list->kind->population] == 0)
        return;
    if (!fetch && !(record->reg[IBS_OP_DATA3] & IBS_DC_LIN_ADDR_VALID)) {
        list->without++;
        return;
    }
    row = row_of(list, address);
    if (address > row->last)
        row->last = address;
    add_counts(row, list->kind, counts);
    add_counts(&list->all, list->kind, counts);
}

static int by_address(const void *left, const void *right)
{
    const struct row *a = left, *b = right;

    return a->address < b->address ? -1 : a->address > b->address;
}

/* Pages between which no megabyte is untouched become one row. */
static void join_regions(struct list *list)
{
    uint32_t joined = 0;

    for (uint32_t i = 1; i < list->count; i++)
        if (list->rows[i].address - list->rows[joined].last < REGION_GAP)
            add_row(&list->rows[joined], &list->rows[i]);
        else
            list->rows[++joined] = list->rows[i];
    list->count = list->count ? joined + 1 : 0;
}

/* The columns of events that the processor has a source for. */
static void choose_columns(struct list *list, const struct kind *kind)
{
    list->with = *kind;
    list->with.columns = list->columns;
    list->with.column_count = 0;
    for (unsigned i = 0; i < kind->column_count; i++)
        if (profile_has(list->profile, kind->columns[i].event))
            list->columns[list->with.column_count++] = kind->columns[i];
    list->kind = &list->with;
}

static void make(struct list *list, const struct run_profile *profile, const struct report_options *options)
{
    struct perfdata_item item;
    struct core_nodes nodes;

    *list = (struct list){.profile = profile};
    choose_columns(list, &kinds[options->list - REPORT_FETCHES]);
    core_nodes_read(&nodes, profile->facts);
    input_rewind(options->input);
    while (input_next(options->input, &item) && item.kind != PERFDATA_ITEM_END)
        if (item.kind == PERFDATA_ITEM_SAMPLE && item.event < profile->facts->event_count &&
            item.record.kind == list->kind->samples &&
            (!profile->only ||
             (!profile->facts->events[item.event].no_cpu && core_chosen(profile->only, item.cpu, &nodes))))
            add_sample(list, &item.record);
    table_free(&list->table);
    if (list->count > 0)
        qsort(list->rows, list->count, sizeof(*list->rows), by_address);
    if (list->kind->size == 0)
        join_regions(list);
}

/* ---------------------------------------------------------------- text */

enum { ADDRESS_WIDTH = 16, FIGURE_WIDTH = 9 };

static void text_figures(struct out *out, const struct list *list, const struct row *row)
{
    for (unsigned i = 0; i < list->kind->column_count; i++)
        if (list->kind->columns[i].of >= 0)
            out_ratio(out, row->part[i], row->whole[i], 1, 2, FIGURE_WIDTH);
        else
            out_printf(out, "%*" PRIu64, FIGURE_WIDTH, row->part[i]);
    out_printf(out, "\n");
}

static void write_text(struct out *out, const struct list *list, const struct report_options *options)
{
    uint32_t left_out = 0;

    out_printf(out, "\n%s: %s\n", list->kind->title,
               list->kind->samples == SAMPLE_FETCH ? "fetches sampled" : "ops sampled");
    report_rule(out, options->width, '=');
    out_printf(out, "%-*s", ADDRESS_WIDTH, "Address");
    for (unsigned i = 0; i < list->kind->column_count; i++)
        out_printf(out, "%*s", FIGURE_WIDTH, list->kind->columns[i].title);
    out_printf(out, "\n");
    report_rule(out, options->width, '-');
    for (uint32_t i = 0; i < list->count; i++) {
        const struct row *row = &list->rows[i];

        if ((double)row->samples * 100 < options->min_percent * (double)list->all.samples) {
            left_out++;
            continue;
        }
        out_printf(out, "%-*" PRIx64, ADDRESS_WIDTH, row->address);
        text_figures(out, list, row);
    }
    report_rule(out, options->width, '-');
    out_printf(out, "%-*s", ADDRESS_WIDTH, "all of them");
    text_figures(out, list, &list->all);
    if (left_out)
        out_printf(out, "%u more rows have less (--limit=PERCENT, or --csv for all).\n", left_out);
    if (list->without)
        out_printf(out, "%" PRIu64 " loads and stores have no valid address.\n", list->without);
}

/* ---------------------------------------------------------------- CSV and JSON */

static void csv_title(struct out *out, const struct column *column)
{
    out_printf(out, ",");
    if (column->of >= 0)
        out_printf(out, "%s (%s/%s)", column->title, derived_events[column->event].code,
                   derived_events[column->of].code);
    else
        csv_event(out, column->event);
}

static void write_csv(struct out *out, const struct list *list)
{
    out_printf(out, "address,last");
    for (unsigned i = 0; i < list->kind->column_count; i++)
        csv_title(out, &list->kind->columns[i]);
    out_printf(out, "\n");
    for (uint32_t r = 0; r < list->count; r++) {
        const struct row *row = &list->rows[r];

        out_printf(out, "0x%" PRIx64 ",0x%" PRIx64, row->address, row->last);
        for (unsigned i = 0; i < list->kind->column_count; i++) {
            out_printf(out, ",");
            if (list->kind->columns[i].of < 0)
                out_printf(out, "%" PRIu64, row->part[i]);
            else if (row->whole[i])
                out_real(out, "%.15g", (double)row->part[i] / (double)row->whole[i]);
        }
        out_printf(out, "\n");
    }
}

static void json_row(struct json *json, const struct list *list, const struct row *row)
{
    json_object(json);
    json_key_hex(json, "address", row->address);
    json_key_hex(json, "last", row->last);
    json_key_array(json, "values");
    for (unsigned i = 0; i < list->kind->column_count; i++)
        if (list->kind->columns[i].of < 0)
            json_uint(json, row->part[i]);
        else if (row->whole[i])
            json_real(json, (double)row->part[i] / (double)row->whole[i]);
        else
            json_null(json);
    json_end(json);
    json_end(json);
}

static void write_json(FILE *to, const struct list *list, const struct run_profile *profile)
{
    struct json json;

    json_init(&json, to);
    json_head(&json, "ibsprof addresses", ADDRESSES_JSON_VERSION);
    json_key_text(&json, "file", shown(profile->facts->path));
    json_key_text(&json, "figures", input_figures(profile->facts));
    json_key_text(&json, "by", list->kind->name);
    json_key_uint(&json, "without_address", list->without);
    json_key_array(&json, "columns");
    for (unsigned i = 0; i < list->kind->column_count; i++) {
        const struct column *column = &list->kind->columns[i];

        json_object(&json);
        json_key_text(&json, "title", column->title);
        json_key_text(&json, "event", derived_events[column->event].code);
        json_key_text(&json, "mean_of", column->of >= 0 ? derived_events[column->of].code : NULL);
        json_end(&json);
    }
    json_end(&json);
    json_key_array(&json, "rows");
    for (uint32_t i = 0; i < list->count; i++)
        json_row(&json, list, &list->rows[i]);
    json_end(&json);
    json_end(&json);
    (void)json_finish(&json); /* output_close tells what could not be written */
}

void report_addresses(struct out_file *out, enum form form, const struct run_profile *profile,
                      const struct report_options *options)
{
    struct list list;

    make(&list, profile, options);

    if (form == FORM_JSON) {
        write_json(out->file, &list, profile);
    } else if (form == FORM_CSV) {
        if (input_figures(profile->facts))
            out_printf(&out->out, "# %s\n", input_figures(profile->facts));
        write_csv(&out->out, &list);
    } else {
        report_head(&out->out, profile);
        write_text(&out->out, &list, options);
    }
    free(list.rows);
}
