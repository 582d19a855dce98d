/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/lists/report_addresses.h"

#include <stdlib.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "tools/ibsprof/read/input_samples.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/report/lists/report_address_rows.h"

enum { PAGE = 4096, LINES_MAX = 200, REMOTE = 1 << ANSWER_REMOTE_CACHE | 1 << ANSWER_REMOTE_DRAM };

static const struct column fetch_columns[] = {
    {"All", DERIVED_F000_FETCH_ALL, -1, 0},
    {"Killed", DERIVED_F001_FETCH_KILLED, -1, 0},
    {"Attempts", DERIVED_F002_FETCH_ATTEMPTED, -1, 0},
    {"Complete", DERIVED_F003_FETCH_COMPLETED, -1, 0},
    {"Aborted", DERIVED_F004_FETCH_ABORTED, -1, 0},
    {"IC miss", DERIVED_F008_IC_MISS, -1, 0},
};
static const struct column data_columns[] = {
    {"Loads", DERIVED_F201_LOAD, -1, 0},
    {"Stores", DERIVED_F202_STORE, -1, 0},
    {"DC miss", DERIVED_F206_DC_MISS, -1, 0},
    {"Mean", DERIVED_F219_DC_LOAD_LATENCY, DERIVED_X200_LOAD_DC_MISS, 0},
    {"L1M L2H", DERIVED_F204_DTLB_L1M_L2H, -1, 0},
    {"L1M L2M", DERIVED_F205_DTLB_L1M_L2M, -1, 0},
    {"Remote", DERIVED_F241_NB_REMOTE, -1, REMOTE},
};
/* No columns of the TLB here, because translations belong to pages. */
static const struct column line_columns[] = {
    {"Loads", DERIVED_F201_LOAD, -1, 0},
    {"Stores", DERIVED_F202_STORE, -1, 0},
    {"DC miss", DERIVED_F206_DC_MISS, -1, 0},
    {"Mean", DERIVED_F219_DC_LOAD_LATENCY, DERIVED_X200_LOAD_DC_MISS, 0},
    {"O. cache", DERIVED_F243_NB_LOCAL_CACHE, -1, 1 << ANSWER_CACHE},
    {"Remote", DERIVED_F241_NB_REMOTE, -1, REMOTE},
};

static const struct column object_columns[] = {
    {"Loads", DERIVED_F201_LOAD, -1, 0},
    {"Stores", DERIVED_F202_STORE, -1, 0},
    {"DC miss", DERIVED_F206_DC_MISS, -1, 0},
    {"Mean", DERIVED_F219_DC_LOAD_LATENCY, DERIVED_X200_LOAD_DC_MISS, 0},
    {"O. cache", DERIVED_COUNT, -1, 1 << ANSWER_NEAR | 1 << ANSWER_CACHE | 1 << ANSWER_REMOTE_CACHE},
    {"DRAM", DERIVED_COUNT, -1, 1 << ANSWER_DRAM | 1 << ANSWER_REMOTE_DRAM},
};
enum { OBJECT_MISSES = 2 };

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
    [REPORT_OBJECTS - REPORT_FETCHES] = {"object", "Data by object", COLUMNS(object_columns), SAMPLE_OP,
                                         DERIVED_F200_LOAD_STORE, 1, .objects = true},
};

bool report_is_addresses(enum report_list list)
{
    return list >= REPORT_FETCHES && list <= REPORT_OBJECTS;
}

/* ---------------------------------------------------------------- the rows */

/* Adds to the row; under Linux, processes use the same linear addresses for different lines. */
static void add_to_row(struct list *list, const struct access *access, const struct perfdata_plain *sample,
                       uint32_t cpu)
{
    uint64_t size = list->kind->size ? list->kind->size : PAGE;
    struct address_place place = {.address = access->address & ~(size - 1), .cpu = cpu};

    place.key = place.address;
    if (list->kind->parts && access->line)
        place.key = (access->line & ~(size - 1)) | 1;
    else if (list->kind->parts && list->profile->facts->is_linux && !(access->address >> 63))
        place.pid = sample->pid;
    address_add(list, &place, access);
}

static void access_of_fetch(const struct list *list, const struct perfdata_plain *sample, struct access *ret_access)
{
    struct sample_record record = {.kind = SAMPLE_FETCH};

    memcpy(record.reg, sample->registers,
           (sample->register_count > IBS_FETCH_REGS ? IBS_FETCH_REGS + 1 : IBS_FETCH_REGS) * sizeof(record.reg[0]));
    *ret_access = (struct access){.addressed = true, .address = record.reg[IBS_FETCH_LINAD]};
    derived_add(&list->profile->set, ret_access->counts, &record);
}

static void add_sample(struct list *list, const struct access *access, const struct perfdata_plain *sample,
                       uint32_t cpu)
{
    if (access->counts[list->kind->population] == 0)
        return;
    if (!access->addressed) {
        list->without++;
    } else if (list->objects) {
        struct data_object object = data_objects_find(list->objects, sample, access->address);

        address_add_object(list, &object, access);
    } else {
        add_to_row(list, access, sample, cpu);
    }
}

static int by_misses(const void *left, const void *right)
{
    const struct row *a = left, *b = right;

    if (a->part[OBJECT_MISSES] != b->part[OBJECT_MISSES])
        return a->part[OBJECT_MISSES] > b->part[OBJECT_MISSES] ? -1 : 1;
    if (a->samples != b->samples)
        return a->samples > b->samples ? -1 : 1;
    return address_order(left, right);
}

/* Chooses the columns of events with a source on the processor, otherwise those of answers. */
static void choose_columns(struct list *list, const struct kind *kind)
{
    list->with = *kind;
    list->with.columns = list->columns;
    list->with.column_count = 0;
    for (unsigned i = 0; i < kind->column_count; i++) {
        struct column column = kind->columns[i];
        bool has = !list->by_word && column.event < DERIVED_COUNT && profile_has(list->profile, column.event);

        if (has)
            column.answers = 0;
        if (has || list->by_word || column.answers)
            list->columns[list->with.column_count++] = column;
    }
    list->kind = &list->with;
}

static void begin(struct list *list, const struct run_profile *profile, enum report_list which)
{
    *list = (struct list){.profile = profile, .by_word = which != REPORT_FETCHES && access_is_by_word(profile->facts)};
    choose_columns(list, &kinds[which - REPORT_FETCHES]);
    core_nodes_read(&list->nodes, profile->facts);
    list->accesses = accesses_make(profile);
    address_begin(list, ADDRESS_CELLS);
}

/* Adds a sample; 'item' is the whole sample, if its data source describes the access. */
static void add(struct list *list, const struct perfdata_plain *sample, const struct perfdata_item *item)
{
    const struct access *access;
    struct access read;

    if (!access_is_counted(list->profile, sample, list->by_word, list->kind->samples, &list->nodes))
        return;
    access = &read;
    if (list->by_word)
        access_of_word(item, &read);
    else if (list->kind->samples == SAMPLE_FETCH)
        access_of_fetch(list, sample, &read);
    else
        access = accesses_of_op(list->accesses, sample->registers);
    add_sample(list, access, sample, list->profile->facts->events[sample->event].no_cpu ? 0 : sample->cpu);
}

static void add_all(struct list *list, struct input *input)
{
    bool all = list->objects && data_objects_see_samples(list->objects);
    struct input_samples items = {.slow = list->by_word || all};

    input_rewind(input);
    while (input_samples_next(input, &items)) {
        if (list->objects && (all || !items.sample))
            data_objects_item(list->objects, &items.item);
        if (items.sample)
            add(list, items.sample, &items.item);
    }
}

static void end(struct list *list)
{
    address_end(list);
    accesses_free(list->accesses);
    data_objects_free(list->objects);
}

static void make(struct list *list, const struct run_profile *profile, const struct object_search *search,
                 const struct report_options *options)
{
    begin(list, profile, options->list);
    if (list->kind->objects)
        list->objects = data_objects_make(options->input, profile, search);
    add_all(list, options->input);
    if (list->objects)
        (void)address_keep(list, UINT32_MAX, by_misses);
    else
        address_sort(list);
}

static int by_samples(const void *left, const void *right)
{
    const struct row *a = left, *b = right;

    if (a->samples != b->samples)
        return a->samples > b->samples ? -1 : 1;
    return address_order(left, right);
}

static void see_lines(void *context, const struct run_profile *profile, const struct perfdata_plain *samples,
                      uint32_t count)
{
    struct report_lines *lines = context;

    if (!lines->list)
        begin(lines->list = must_new(lines->list), profile, REPORT_CACHE_LINES);
    for (uint32_t i = 0; i < count && !lines->list->by_word; i++)
        add(lines->list, &samples[i], NULL);
}

void report_lines_begin(struct report_lines *lines, struct profile_options *options)
{
    options->see = see_lines;
    options->see_context = lines;
}

void report_lines_free(struct report_lines *lines)
{
    if (!lines->list)
        return;
    end(lines->list);
    free(lines->list);
}

void report_lines_json(struct json *json, const struct run_profile *profile, void *context)
{
    struct report_lines *lines = context;
    struct list *list = lines->list;
    uint32_t count;

    if (!list)
        return;
    if (list->by_word)
        add_all(list, lines->input);
    count = address_keep(list, LINES_MAX, by_samples);
    if (count == 0)
        return;
    json_key_object(json, "cache_lines");
    json_key_uint(json, "count", count);
    address_write_rows(json, list);
    json_end(json);
}

void report_addresses(struct out_file *out, enum form form, const struct run_profile *profile,
                      const struct object_search *search, const struct report_options *options)
{
    struct list list;

    make(&list, profile, search, options);

    if (form == FORM_JSON) {
        address_write_json(out->file, &list, profile);
    } else if (form == FORM_CSV) {
        if (input_figures(profile->facts))
            out_printf(&out->out, "# %s\n", input_figures(profile->facts));
        address_write_csv(&out->out, &list);
    } else {
        report_head(&out->out, profile);
        address_write_text(&out->out, &list, options);
    }
    end(&list);
}
