/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/data/loads.h"

#include <stdlib.h>

#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata_format.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/sorter.h"
#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/profile/access.h"
#include "tools/ibsprof/profile/profile_count.h"
#include "tools/ibsprof/read/input_samples.h"

enum { COUNTS_OPS = 1 << 19 }; /* of the event's config: IbsOpCntCtl */

/* A thread on a core, and the sum of the periods of its op samples. */
struct stream {
    uint32_t tid, cpu;
    uint64_t ops;
};

/* An address of a load. */
struct load_address {
    uint64_t address;
    uint32_t load; /* number of the row */
};

struct reading {
    const struct run_profile *profile;
    struct loads *loads;
    struct sorter *accesses, *addresses; /* struct stride_access and load_address, both by load */
    struct stream *streams;
    uint32_t stream_count;
    struct table by_stream, by_frame;
    bool by_word;
    uint64_t period; /* ops between two samples; 0: not known, or varying */
};

static bool is_stream(const void *context, uint32_t number, const void *key)
{
    const struct stream *a = &((const struct reading *)context)->streams[number - 1], *b = key;

    return a->tid == b->tid && a->cpu == b->cpu;
}

static uint32_t stream_of(struct reading *reading, const struct perfdata_plain *item)
{
    struct stream key = {.tid = item->tid, .cpu = item->cpu};
    uint32_t *number =
        table_find(&reading->by_stream, table_hash((uint64_t)key.tid << 32 | key.cpu), is_stream, reading, &key);

    if (*number == 0) {
        *must_add(reading->streams, reading->stream_count) = key;
        *number = reading->stream_count;
    }
    return *number - 1;
}

static bool is_row(const void *context, uint32_t number, const void *key)
{
    return ((const struct loads *)context)->rows[number - 1].frame == *(const uint32_t *)key;
}

static uint32_t row_of(struct reading *reading, const struct perfdata_plain *item)
{
    uint64_t address = item->ip;
    struct loads *loads = reading->loads;
    uint32_t frame, *number;

    if (!reading->by_word && (item->exact || item->ip == 0))
        address = sample_op_address(&reading->profile->set.machine, count_register(item, IBS_OP_RIP),
                                    count_register(item, IBS_OP_DATA));
    frame = frames_add(&loads->frames, item->pid, item->mode, address);
    number = table_find(&reading->by_frame, table_hash(frame), is_row, loads, &frame);
    if (*number == 0) {
        *must_add(loads->rows, loads->count) = (struct load_row){.frame = frame};
        *number = loads->count;
    }
    return *number - 1;
}

static void add_sample(struct reading *reading, const struct access *access, const struct perfdata_plain *item)
{
    uint32_t stream = stream_of(reading, item), load;

    reading->streams[stream].ops += item->period;
    if (!access->load)
        return;
    if (!access->addressed) {
        reading->loads->without++;
        return;
    }
    reading->loads->all++;
    load = row_of(reading, item);
    reading->loads->rows[load].count++;
    (void)sorter_make_room(reading->accesses);
    sorter_add(reading->accesses, &(struct stride_access){.address = access->address,
                                                          .ops = reading->streams[stream].ops,
                                                          .time = item->time,
                                                          .stream = stream,
                                                          .load = load});
    (void)sorter_make_room(reading->addresses);
    sorter_add(reading->addresses, &(struct load_address){.address = access->address, .load = load});
}

/* Decides how samples are read, and the period if one event counts ops. */
static void choose(struct reading *reading)
{
    const struct input_facts *facts = reading->profile->facts;
    uint32_t events = 0;

    reading->by_word = access_is_by_word(facts);
    for (uint32_t i = 0; i < facts->event_count; i++)
        if (facts->events[i].kind == SAMPLE_OP)
            reading->period = facts->events[i].config & COUNTS_OPS && events++ == 0 ? facts->events[i].period : 0;
}

static void read_items(struct reading *reading, struct input *input)
{
    const struct run_profile *profile = reading->profile;
    struct accesses *accesses = accesses_make(profile);
    struct input_samples items = {.slow = reading->by_word};
    struct core_nodes nodes;
    struct access read;

    core_nodes_read(&nodes, profile->facts);
    input_rewind(input);
    while (input_samples_next(input, &items)) {
        const struct access *access = &read;

        if (!items.sample)
            spaces_item(reading->loads->frames.spaces, &items.item);
        if (!items.sample || !access_is_counted(profile, items.sample, reading->by_word, SAMPLE_OP, &nodes))
            continue;
        if (reading->by_word)
            access_of_word(&items.item, &read);
        else
            access = accesses_of_op(accesses, items.sample->registers);
        add_sample(reading, access, items.sample);
    }
    accesses_free(accesses);
}

/* Sorts by load and stream, because progress between samples is only known within one. */
static int by_stream(const void *left, const void *right)
{
    const struct stride_access *a = left, *b = right;

    if (a->load != b->load)
        return a->load < b->load ? -1 : 1;
    if (a->stream != b->stream)
        return a->stream < b->stream ? -1 : 1;
    return (a->ops > b->ops) - (a->ops < b->ops);
}

static int by_address(const void *left, const void *right)
{
    const struct load_address *a = left, *b = right;

    if (a->load != b->load)
        return a->load < b->load ? -1 : 1;
    return (a->address > b->address) - (a->address < b->address);
}

static int by_samples(const void *left, const void *right, void *context)
{
    const struct load_row *a = left, *b = right;
    const struct frame *frames = context;
    const struct frame *f = &frames[a->frame], *g = &frames[b->frame];

    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    if (f->object != g->object)
        return f->object < g->object ? -1 : 1;
    return f->rva < g->rva ? -1 : f->rva > g->rva;
}

/* Estimates the stride of a load, whose first access is '*access'; leaves the next load's there. */
static void find_stride(struct reading *reading, struct load_row *row, struct stride_pairs *pairs,
                        const struct stride_access **access)
{
    struct stride_access before = **access;

    stride_begin(pairs);
    while ((*access = sorter_next(reading->accesses)) && (*access)->load == before.load) {
        stride_add(pairs, &before, *access);
        before = **access;
    }
    row->stride = stride_of(pairs, reading->period);
    row->drawn = pairs->seen > pairs->count;
}

/* Counts the lines of a load, as above. */
static void find_reuse(struct reading *reading, struct load_row *row, const struct load_address **address)
{
    struct stride_lines lines = {0};
    uint32_t load = (*address)->load;

    for (; *address && (*address)->load == load; *address = sorter_next(reading->addresses))
        stride_line_add(&lines, (*address)->address);
    row->reuse = stride_reuse_of(&lines);
}

static void estimate(struct reading *reading)
{
    struct loads *loads = reading->loads;
    struct stride_pairs pairs = {0};
    const struct stride_access *access;
    const struct load_address *address;
    uint64_t done = 0;

    sorter_sort(reading->accesses);
    sorter_sort(reading->addresses);
    access = sorter_next(reading->accesses);
    address = sorter_next(reading->addresses);
    for (uint32_t i = 0; i < loads->count; i++) {
        progress(reading->profile->facts->path, done, loads->all);
        done += loads->rows[i].count;
        find_stride(reading, &loads->rows[i], &pairs, &access);
        find_reuse(reading, &loads->rows[i], &address);
    }
    progress_end();
    free(pairs.pair);
}

struct loads *loads_read(const struct run_profile *profile, struct input *input, const struct object_search *search,
                         uint32_t room)
{
    struct loads *loads = must_new(loads);
    struct reading reading = {.profile = profile,
                              .loads = loads,
                              .accesses = sorter_make(sizeof(struct stride_access), room, by_stream),
                              .addresses = sorter_make(sizeof(struct load_address), room, by_address)};

    frames_begin(&loads->frames, profile);
    choose(&reading);
    read_items(&reading, input);
    frames_find(&loads->frames, profile, search);
    estimate(&reading);
    if (loads->count > 0)
        qsort_r(loads->rows, loads->count, sizeof(*loads->rows), by_samples, loads->frames.frame);
    table_free(&reading.by_stream);
    table_free(&reading.by_frame);
    sorter_free(reading.accesses);
    sorter_free(reading.addresses);
    free(reading.streams);
    return loads;
}

void loads_free(struct loads *loads)
{
    free(loads->rows);
    frames_free(&loads->frames);
    free(loads);
}
