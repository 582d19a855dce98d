/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/lists/report_addresses.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/family/ibs_regs.h"
#include "tools/ibsprof/report/lists/report_address_rows.h"
#include "tools/ibsprof/report/lists/report_columns.h"

enum { REGION_GAP = 1 << 20, PAGE = 4096 };

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
/* Translations are of pages. */
static const struct column line_columns[] = {
    {"Loads", DERIVED_F201_LOAD, -1},
    {"Stores", DERIVED_F202_STORE, -1},
    {"DC miss", DERIVED_F206_DC_MISS, -1},
    {"Mean", DERIVED_F219_DC_LOAD_LATENCY, DERIVED_X200_LOAD_DC_MISS},
    {"O. cache", DERIVED_F243_NB_LOCAL_CACHE, -1},
    {"Remote", DERIVED_F241_NB_REMOTE, -1},
};

#define COLUMNS(array_) array_, sizeof(array_) / sizeof((array_)[0])
static const struct kind kinds[] = {
    [REPORT_FETCHES - REPORT_FETCHES] = {"fetch", "Fetches by their address", COLUMNS(fetch_columns), SAMPLE_FETCH,
                                         DERIVED_F000_FETCH_ALL, 1},
    [REPORT_REGIONS -
        REPORT_FETCHES] = {"region", "Data by region", COLUMNS(data_columns), SAMPLE_OP, DERIVED_F200_LOAD_STORE, 0},
    [REPORT_PAGES - REPORT_FETCHES] = {"page", "Data by page of 4 KB", COLUMNS(data_columns), SAMPLE_OP,
                                       DERIVED_F200_LOAD_STORE, PAGE},
    [REPORT_CACHE_LINES - REPORT_FETCHES] = {"cache-line", "Data by cache line", COLUMNS(line_columns), SAMPLE_OP,
                                             DERIVED_F200_LOAD_STORE, CACHE_LINE, true},
};

bool report_is_addresses(enum report_list list)
{
    return list >= REPORT_FETCHES && list <= REPORT_CACHE_LINES;
}

/* ---------------------------------------------------------------- the rows */

static bool is_row(const void *context, uint32_t number, const void *address)
{
    return ((const struct list *)context)->rows[number - 1].key == *(const uint64_t *)address;
}

static struct row *row_of(struct list *list, uint64_t address, const struct sample_record *record)
{
    uint64_t size = list->kind->size ? list->kind->size : PAGE, start = address & ~(size - 1), key = start;
    uint32_t *number;

    if (list->kind->parts && record->reg[IBS_OP_DATA3] & IBS_DC_PHY_ADDR_VALID)
        key = (record->reg[IBS_OP_DCPHYSAD] & ~(size - 1)) | 1;
    number = table_find(&list->table, table_hash(key), is_row, list, &key);
    if (*number == 0) {
        *must_add(list->rows, list->count) = (struct row){.key = key, .address = start, .last = address};
        *number = list->count;
    }
    return &list->rows[*number - 1];
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

static void add_sample(struct list *list, const struct sample_record *record, uint32_t cpu)
{
    bool fetch = list->kind->samples == SAMPLE_FETCH;
    uint64_t counts[DERIVED_COUNT] = {0}, address = record->reg[fetch ? IBS_FETCH_LINAD : IBS_OP_DCLINAD];
    struct row *row;

    derived_add(&list->profile->set, counts, record);
    if (counts[list->kind->population] == 0)
        return;
    if (!fetch && !(record->reg[IBS_OP_DATA3] & IBS_DC_LIN_ADDR_VALID)) {
        list->without++;
        return;
    }
    row = row_of(list, address, record);
    row->cores[cpu % LINE_CORES / 64] |= 1ull << cpu % 64;
    if (list->kind->parts)
        address_part_add(list, row, address, cpu, counts);
    if (address > row->last)
        row->last = address;
    address_add_counts(row, list->kind, counts);
    address_add_counts(&list->all, list->kind, counts);
}

static int by_address(const void *left, const void *right)
{
    const struct row *a = left, *b = right;

    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return a->key < b->key ? -1 : a->key > b->key;
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
            add_sample(list, &item.record, profile->facts->events[item.event].no_cpu ? 0 : item.cpu);
    table_free(&list->table);
    address_parts_sort(list);
    if (list->count > 0)
        qsort(list->rows, list->count, sizeof(*list->rows), by_address);
    if (list->kind->size == 0)
        join_regions(list);
}

/* ---------------------------------------------------------------- text */

enum { FIGURE_WIDTH = 9 };

static void text_figures(struct out *out, const struct list *list, const struct row *row)
{
    for (unsigned i = 0; i < list->kind->column_count; i++)
        if (list->kind->columns[i].of >= 0)
            out_ratio(out, row->part[i], row->whole[i], 1, 2, FIGURE_WIDTH);
        else
            out_printf(out, "%*" PRIu64, FIGURE_WIDTH, row->part[i]);
    out_printf(out, "\n");
}

/* Prints the bytes that each core used, for lines that several cores used. */
static void text_parts(struct out *out, const struct list *list, const struct row *row)
{
    uint32_t count;
    const struct row *part = address_parts(list, row, &count);

    if (address_cores(row) < 2)
        return;
    for (uint32_t i = 0; i < count; i++) {
        out_printf(out, "  +%-2u core %-*u", (unsigned)(part[i].address), ADDRESS_WIDTH + CORES_WIDTH - 11,
                   part[i].cpu);
        text_figures(out, list, &part[i]);
    }
}

static void text_notes(struct out *out, const struct list *list, uint32_t left_out, bool false_sharing)
{
    if (left_out)
        out_printf(out, "%u more rows have less (--limit=PERCENT, or --csv for all).\n", left_out);
    if (list->without)
        out_printf(out, "%" PRIu64 " loads and stores have no valid address.\n", list->without);
    if (list->kind->parts && profile_has(list->profile, DERIVED_F243_NB_LOCAL_CACHE))
        out_printf(out, "O. cache: loads that another core's cache of the node answered.\n");
    if (false_sharing)
        out_printf(out, "* False sharing: several cores used the line, one at least stored to it, and no\n"
                        "  two of them were seen at the same address.\n");
}

static void write_text(struct out *out, const struct list *list, const struct report_options *options)
{
    uint32_t left_out = 0;
    bool false_sharing = false;

    out_printf(out, "\n%s: %s\n", list->kind->title,
               list->kind->samples == SAMPLE_FETCH ? "fetches sampled" : "ops sampled");
    report_rule(out, options->width, '=');
    out_printf(out, "%-*s", ADDRESS_WIDTH, "Address");
    if (list->kind->parts)
        out_printf(out, "%*s", CORES_WIDTH, "Cores");
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
        if (list->kind->parts) {
            bool is_false = address_is_false_sharing(list, row);

            false_sharing |= is_false;
            out_printf(out, "%*u%c", CORES_WIDTH - 1, address_cores(row), is_false ? '*' : ' ');
        }
        text_figures(out, list, row);
        text_parts(out, list, row);
    }
    report_rule(out, options->width, '-');
    out_printf(out, "%-*s", ADDRESS_WIDTH + (list->kind->parts ? CORES_WIDTH : 0), "all of them");
    text_figures(out, list, &list->all);
    text_notes(out, list, left_out, false_sharing);
}

void report_addresses(struct out_file *out, enum form form, const struct run_profile *profile,
                      const struct report_options *options)
{
    struct list list;

    make(&list, profile, options);

    if (form == FORM_JSON) {
        address_write_json(out->file, &list, profile);
    } else if (form == FORM_CSV) {
        if (input_figures(profile->facts))
            out_printf(&out->out, "# %s\n", input_figures(profile->facts));
        address_write_csv(&out->out, &list);
    } else {
        report_head(&out->out, profile);
        write_text(&out->out, &list, options);
    }
    free(list.rows);
    free(list.parts);
}
