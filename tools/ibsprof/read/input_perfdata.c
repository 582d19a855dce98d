/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads perf.data: its records as items, in the order of time. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"

#include "core/perfdata/perfdata_format.h"
#include "tools/ibsprof/read/input_perfdata.h"

/* Bytes to scan in a file without rounds: ours have none and are sorted; perf's rounds have the size of its buffers,
 * half a MiB a processor. */
enum { SPAN_OURS = 4 << 20, SPAN_LINUX = 256 << 20 };

static bool fail(struct input *input, enum perfdata_error error)
{
    struct perfdata_input *self = input->reader;

    if (error == PERFDATA_NOT_PERFDATA)
        return input_fail(input, UINT64_MAX, "neither perf.data nor a raw file of the AMD IBS Toolkit");
    if (error == PERFDATA_CUT)
        return input_fail(input, UINT64_MAX, "%s", input->cut);
    return input_fail(input, self->reader.error_at, "%s",
                      self->reader.why ? self->reader.why : perfdata_error_text(error));
}

/* Finds a map's build-id: maps have it themselves only with --buildid-mmap; for others it is in the file's table. */
static void find_build_id(const struct perfdata_input *self, struct perfdata_map *map)
{
    const struct build_id *known = map->build_id_size == 0 ? perfdata_input_build_id(self, map->name) : NULL;

    if (known) {
        map->build_id = known->bytes;
        map->build_id_size = known->size;
    }
}

static bool is_value(const void *self, uint32_t number, const void *key)
{
    const struct counter_value *value = &((const struct perfdata_input *)self)->values[number - 1], *wanted = key;

    return value->id == wanted->id && value->tid == wanted->tid;
}

/* Returns the latest value of a counter, a new one if needed. */
static struct counter_value *value_of(struct perfdata_input *self, uint64_t id, uint32_t tid)
{
    struct counter_value wanted = {.id = id, .tid = tid};
    uint32_t *number = table_find(&self->by_counter, table_hash(id * 31 + tid), is_value, self, &wanted);

    if (*number == 0) {
        *must_add(self->values, self->value_count) = wanted;
        *number = self->value_count;
    }
    return &self->values[*number - 1];
}

/* A sample with READ represents all counters of its group: one sample each, for what was counted since the last one
 * (tools/perf/util/session.c, deliver_sample_group and deliver_sample_value). False: no more of them. */
static bool give_value(struct perfdata_input *self, struct perfdata_item *ret_item)
{
    const struct perfdata_item *item = &self->pending;

    while (self->next_value < item->value_count) {
        uint64_t id, now;

        perfdata_value(&self->reader, item, self->next_value++, &id, &now);
        int32_t event = perfdata_event_of_id(&self->reader, id);
        if (event < 0)
            continue;
        const struct perfdata_file_event *attr = &self->reader.events[event];
        /* Threads that inherited a counter have values of their own. */
        struct counter_value *value = value_of(self, id, attr->flags & PERFDATA_ATTR_INHERIT ? item->tid : 0);
        uint64_t counted = now - value->value;
        value->value = now;
        if (counted == 0)
            continue;
        *ret_item = *item;
        ret_item->event = (uint32_t)event;
        ret_item->period = counted;
        ret_item->record.kind = (uint32_t)perfdata_kind(attr);
        return true;
    }
    return false;
}

static bool has_ids(const struct perfdata_input *self, const struct perfdata_item *item)
{
    return item->value_count > 0 && self->reader.events[item->event].read_format & PERFDATA_READ_ID;
}

static void release(struct input *input, uint64_t at)
{
    struct perfdata_input *self = input->reader;

    if (self->reader.at - input->file.released > 2 * (uint64_t)INPUT_RELEASE_STEP)
        input_release(&input->file, order_done(self->order));
    self->reader.at = at;
}

static uint32_t next_plain(struct input *input, struct perfdata_plain *samples, uint32_t count)
{
    struct perfdata_input *self = input->reader;
    uint64_t at;
    uint32_t given;

    if (self->next_value < self->pending.value_count || input->error[0])
        return 0;
    given = order_next_plain(self->order, &at, samples, count);
    if (given > 0)
        release(input, at);
    for (uint32_t i = 0; i < given; i++)
        self->done += samples[i].size;
    return given;
}

static bool next_stretch(struct input *input, uint64_t *ret_begin, uint64_t *ret_end)
{
    struct perfdata_input *self = input->reader;

    if (self->next_value < self->pending.value_count || input->error[0] ||
        !order_next_stretch(self->order, ret_begin, ret_end))
        return false;
    release(input, *ret_begin);
    self->done += *ret_end - *ret_begin;
    return true;
}

static bool next_item(struct input *input, struct perfdata_item *ret_item)
{
    struct perfdata_input *self = input->reader;

    while (!give_value(self, ret_item)) {
        enum perfdata_error error;
        uint64_t at;

        if (input->error[0])
            return false;
        error = order_next(self->order, &at);
        if (error == PERFDATA_OK)
            error = perfdata_read_at(&self->reader, at, ret_item);
        if (error != PERFDATA_OK)
            return fail(input, error);
        release(input, at);
        self->done += ret_item->size;
        ret_item->period += ret_item->period == 0;
        if (!has_ids(self, ret_item)) {
            if (ret_item->kind == PERFDATA_ITEM_MAP)
                find_build_id(self, &ret_item->map);
            return true;
        }
        self->pending = *ret_item;
        self->next_value = 0;
    }
    return true;
}

static void rewind_input(struct input *input)
{
    struct perfdata_input *self = input->reader;

    order_rewind(self->order);
    self->reader.at = self->reader.begin;
    self->done = 0;
    free(self->values);
    self->values = NULL;
    self->value_count = 0;
    table_free(&self->by_counter);
    self->pending.value_count = 0;
}

static uint64_t position(const struct input *input)
{
    const struct perfdata_input *self = input->reader;

    return self->reader.begin + self->done;
}

static void close_input(struct input *input)
{
    struct perfdata_input *self = input->reader;

    for (uint32_t i = 0; i < self->reader.event_count; i++)
        free(self->names[i]);
    free(self->names);
    free(self->events);
    free(self->layouts);
    order_free(self->order);
    free(self->build_ids);
    free(self->values);
    table_free(&self->by_counter);
    free(self);
}

/* Notes what is missing of the file, and that its records end early. */
static void note_cut(struct input *input)
{
    struct perfdata_reader *reader = &((struct perfdata_input *)input->reader)->reader;
    unsigned features = 0;
    size_t used;

    if (reader->cut)
        input_note_cut(input, "the file is cut off after its records, which are complete");
    reader->cut |= input->cut[0] != '\0';
    for (unsigned i = 0; i < sizeof(reader->features) / sizeof(reader->features[0]); i++)
        features += (unsigned)__builtin_popcountll(reader->features[i]);
    used = strlen(input->cut);
    if (reader->features_missing > 0)
        snprintf(input->cut + used, sizeof(input->cut) - used,
                 "; %" PRIu32 " of the %u facts at its end are missing; these name machine, events and build-ids",
                 reader->features_missing, features);
}

bool input_open_perfdata(struct input *input)
{
    struct perfdata_input *self = must_new(self);
    enum perfdata_error error;
    uint32_t room;

    input->reader = self;
    input->next = next_item;
    input->next_plain = next_plain;
    input->next_stretch = next_stretch;
    input->perfdata = &self->reader;
    input->rewind = rewind_input;
    input->close = close_input;
    input->position = position;
    room = perfdata_announced(input->file.bytes, input->file.size);
    room += room == 0;
    self->events = must_alloc(room, sizeof(*self->events));
    self->layouts = must_alloc(room, sizeof(*self->layouts));
    self->names = must_alloc(room, sizeof(*self->names));
    error = perfdata_open_many(&self->reader, input->file.bytes, input->file.size, self->events, self->layouts, room);
    if (error != PERFDATA_OK)
        return fail(input, error);
    note_cut(input);
    perfdata_input_facts(input);
    self->order = order_new(&self->reader,
                            input->whole_order      ? self->reader.end
                            : input->facts.is_linux ? SPAN_LINUX
                                                    : SPAN_OURS,
                            &input->windows);
    return true;
}
