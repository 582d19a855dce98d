/* SPDX-License-Identifier: BSD-2-Clause */
/* The perf.data reader: header, attributes and records; samples are in perfdata_read_sample.c, features in
 * perfdata_read_features.c. The contract is in perfdata_read.h, the numbers in perfdata_format.h. */
#include "core/perfdata/perfdata_read.h"

#include "core/perfdata/perfdata_cursor.h"
#include "core/perfdata/perfdata_format.h"

enum { ENTRY_LEAST = 64 + 16 }; /* the first version of perf_event_attr, and where its ids are */

const char *perfdata_error_text(enum perfdata_error error)
{
    static const char *const texts[] = {
        [PERFDATA_OK] = "no error",
        [PERFDATA_NOT_PERFDATA] = "not a perf.data file",
        [PERFDATA_TRUNCATED] = "the file ends too early, or a part of it reaches over its end",
        [PERFDATA_CUT] = "the file was cut short",
        [PERFDATA_DAMAGED] = "the file is damaged: a field has an impossible value",
        [PERFDATA_UNSUPPORTED] = "piped, compressed or AUX data, or too many events",
    };
    return texts[error];
}

/* Reads perf_event_attr, as much of it as there is: Linux include/uapi/linux/perf_event.h. */
static void read_attr(struct perfdata_file_event *event, struct cursor attr)
{
    event->type = take32(&attr);
    take32(&attr); /* its size */
    event->config = take64(&attr);
    event->period = take64(&attr);
    event->sample_type = take64(&attr);
    event->read_format = take64(&attr);
    event->flags = take64(&attr);
    take(&attr, 24); /* wakeup, breakpoint: 64 bytes so far, what follows came later */
    event->branch_sample_type = take64(&attr);
    event->regs_user = take64(&attr);
    take64(&attr); /* stack size, clock */
    event->regs_intr = take64(&attr);
}

/* Reads events. entry_size: bytes of an attribute and the section after it that says where its ids are. */
static enum perfdata_error read_events(struct perfdata_reader *reader, struct cursor attrs, uint64_t entry_size)
{
    uint64_t at = (uint64_t)(attrs.at - reader->file);
    if (entry_size < ENTRY_LEAST || attrs.left % entry_size != 0)
        return wrong(reader, PERFDATA_DAMAGED, 16, "no such size of attributes");
    for (; attrs.left > 0; at += entry_size) {
        const uint8_t *entry = take(&attrs, entry_size);
        struct cursor ids = {entry + entry_size - 16, 16, false}, list;
        if (reader->event_count == reader->event_room)
            return wrong(reader, PERFDATA_UNSUPPORTED, at, "too many events: record fewer at a time");
        struct perfdata_file_event *event = &reader->events[reader->event_count++];
        read_attr(event, (struct cursor){entry, entry_size - 16, false});
        event->ids = take64(&ids);
        event->ids_size = take64(&ids);
        if (!section(reader, event->ids, event->ids_size, &list))
            return wrong(reader, PERFDATA_TRUNCATED, at + entry_size - 16, "the ids of an event are outside the file");
    }
    return PERFDATA_OK;
}

static enum perfdata_error read_magic(struct perfdata_reader *reader, struct cursor *header)
{
    static const char swapped[8] = {'2', 'E', 'L', 'I', 'F', 'R', 'E', 'P'};
    if (reader->size >= 8 && memcmp(reader->file, swapped, 8) == 0)
        return wrong(reader, PERFDATA_UNSUPPORTED, 0, "recorded on a big-endian machine");
    if (reader->size >= 8 && memcmp(reader->file, "PERFFILE", 8) == 0)
        return wrong(reader, PERFDATA_UNSUPPORTED, 0,
                     "a perf.data file from before Linux 3.4: record with a newer perf");
    if (!section(reader, 0, PERFDATA_HEADER_SIZE < reader->size ? PERFDATA_HEADER_SIZE : reader->size, header) ||
        take64(header) != PERFDATA_MAGIC)
        return wrong(reader, PERFDATA_NOT_PERFDATA, 0, NULL);
    if (take64(header) == 16)
        return wrong(reader, PERFDATA_UNSUPPORTED, 8, "recorded into a pipe");
    return PERFDATA_OK;
}

/* Returns whether a record is there. perf fills in the size of the records when it ends. Where they should be, a file
 * without records has the table of features, whose first number is an offset: no record of so many bytes. */
static bool is_record(const struct perfdata_reader *reader, uint64_t at)
{
    struct cursor header;
    if (!section(reader, at, 8, &header))
        return false;
    take(&header, 6);
    return take16(&header) >= 8;
}

uint32_t perfdata_announced(const void *file, size_t size)
{
    struct cursor header = {file, size, false};
    take(&header, 16);
    uint64_t entry_size = take64(&header);
    take(&header, 8);
    uint64_t attrs_size = take64(&header);
    if (header.over || entry_size < ENTRY_LEAST || attrs_size > size || attrs_size / entry_size > UINT32_MAX)
        return 0;
    return (uint32_t)(attrs_size / entry_size);
}

enum perfdata_error perfdata_open(struct perfdata_reader *reader, const void *file, size_t size)
{
    return perfdata_open_many(reader, file, size, reader->few_events, reader->few_layouts, PERFDATA_EVENTS_MAX);
}

enum perfdata_error perfdata_open_many(struct perfdata_reader *reader, const void *file, size_t size,
                                       struct perfdata_file_event *events, struct perfdata_layout *layouts,
                                       uint32_t room)
{
    struct cursor header = {0}, attrs;
    memset(reader, 0, sizeof(*reader));
    memset(events, 0, room * sizeof(*events));
    reader->file = reader->records = file;
    reader->size = size;
    reader->events = events;
    reader->layouts = layouts;
    reader->event_room = room;
    enum perfdata_error error = read_magic(reader, &header);
    if (error != PERFDATA_OK)
        return error;
    uint64_t entry_size = take64(&header);
    uint64_t attrs_at = take64(&header), attrs_size = take64(&header);
    uint64_t data_at = take64(&header), data_size = take64(&header);
    take(&header, 16); /* event types */
    for (int i = 0; i < 4; i++)
        reader->features[i] = take64(&header);
    if (header.over)
        return wrong(reader, PERFDATA_TRUNCATED, size, "the file ends in its header");
    if (!section(reader, attrs_at, attrs_size, &attrs))
        return wrong(reader, PERFDATA_TRUNCATED, 24, "the attributes are outside the file");
    if (data_at > size)
        return wrong(reader, PERFDATA_TRUNCATED, 40, "the file was cut short before its first record");
    reader->cut = data_size > size - data_at || (data_size == 0 && is_record(reader, data_at));
    reader->begin = reader->at = data_at;
    reader->end = reader->cut ? size : data_at + data_size;
    error = read_events(reader, attrs, entry_size);
    if (error != PERFDATA_OK)
        return error;
    perfdata_read_features(reader);
    error = perfdata_check_events(reader);
    if (error == PERFDATA_OK)
        perfdata_lay_out(reader);
    return error;
}

static int32_t search_id(const struct perfdata_reader *reader, uint64_t id)
{
    for (uint32_t e = 0; e < reader->event_count; e++) {
        struct cursor ids = {reader->file + reader->events[e].ids, reader->events[e].ids_size, false};
        while (ids.left >= 8)
            if (take64(&ids) == id)
                return (int32_t)e;
    }
    return -1;
}

int32_t perfdata_event_of_id(struct perfdata_reader *reader, uint64_t id)
{
    size_t place = id % PERFDATA_ID_CACHE;
    if (reader->ids[place].event == 0 || reader->ids[place].id != id) {
        reader->ids[place].id = id;
        reader->ids[place].event = search_id(reader, id) + 1;
    }
    return reader->ids[place].event - 1;
}

static enum perfdata_error read_map(struct perfdata_reader *reader, struct cursor body, struct perfdata_item *item)
{
    struct perfdata_map *map = &item->map;
    enum { READ = 1, EXECUTE = 4 };
    item->kind = PERFDATA_ITEM_MAP;
    item->pid = take32(&body);
    item->tid = take32(&body);
    map->start = take64(&body);
    map->length = take64(&body);
    map->page_offset = take64(&body);
    map->protection = READ | (item->misc & PERFDATA_MISC_MMAP_DATA ? 0 : EXECUTE);
    if (item->type == PERFDATA_RECORD_MMAP2) {
        const uint8_t *which = take(&body, 24); /* u8 size, 3 reserved, build-id; or device and inode */
        if (which != NULL && item->misc & PERFDATA_MISC_MMAP_BUILD_ID) {
            if (which[0] > PERFDATA_BUILD_ID_SIZE)
                return wrong(reader, PERFDATA_DAMAGED, item->at, "a build-id of more than 20 bytes");
            map->build_id = which + 4;
            map->build_id_size = which[0];
        }
        map->protection = take32(&body);
        map->flags = take32(&body);
    }
    map->name = text_of(&body);
    return map->name != NULL ? PERFDATA_OK : wrong(reader, PERFDATA_TRUNCATED, item->at, "a map without a name");
}

static enum perfdata_error read_task(struct perfdata_reader *reader, struct cursor body, struct perfdata_item *item)
{
    item->kind = item->type == PERFDATA_RECORD_FORK ? PERFDATA_ITEM_FORK : PERFDATA_ITEM_EXIT;
    item->pid = take32(&body);
    item->parent_pid = take32(&body);
    item->tid = take32(&body);
    item->parent_tid = take32(&body);
    item->time = take64(&body);
    return body.over ? wrong(reader, PERFDATA_TRUNCATED, item->at, "a FORK or EXIT record is too short") : PERFDATA_OK;
}

static void set_event(struct perfdata_reader *reader, struct perfdata_item *item, uint64_t id)
{
    int32_t event = reader->event_count == 1 ? 0 : perfdata_event_of_id(reader, id);
    item->event = event < 0 ? UINT32_MAX : (uint32_t)event;
}

static enum perfdata_error read_counts(struct perfdata_reader *reader, struct cursor body, struct perfdata_item *item)
{
    switch (item->type) {
    case PERFDATA_RECORD_LOST:
        item->id = take64(&body);
        item->lost = take64(&body);
        item->kind = PERFDATA_ITEM_LOST;
        set_event(reader, item, item->id);
        break;
    case PERFDATA_RECORD_LOST_SAMPLES:
        item->lost = take64(&body);
        item->kind = PERFDATA_ITEM_LOST;
        break;
    default: /* THROTTLE, UNTHROTTLE */
        item->time = take64(&body);
        item->id = take64(&body);
        item->stream_id = take64(&body);
        item->kind = item->type == PERFDATA_RECORD_THROTTLE ? PERFDATA_ITEM_THROTTLE : PERFDATA_ITEM_UNTHROTTLE;
        set_event(reader, item, item->id);
        break;
    }
    return body.over ? wrong(reader, PERFDATA_TRUNCATED, item->at, "a record is too short for its type") : PERFDATA_OK;
}

static enum perfdata_error read_body(struct perfdata_reader *reader, struct cursor body, struct perfdata_item *item)
{
    switch (item->type) {
    case PERFDATA_RECORD_MMAP:
    case PERFDATA_RECORD_MMAP2:
        return read_map(reader, body, item);
    case PERFDATA_RECORD_COMM:
        item->kind = PERFDATA_ITEM_COMM;
        item->pid = take32(&body);
        item->tid = take32(&body);
        item->text = text_of(&body);
        return item->text != NULL ? PERFDATA_OK
                                  : wrong(reader, PERFDATA_TRUNCATED, item->at, "a COMM record without a name");
    case PERFDATA_RECORD_FORK:
    case PERFDATA_RECORD_EXIT:
        return read_task(reader, body, item);
    case PERFDATA_RECORD_LOST:
    case PERFDATA_RECORD_LOST_SAMPLES:
    case PERFDATA_RECORD_THROTTLE:
    case PERFDATA_RECORD_UNTHROTTLE:
        return read_counts(reader, body, item);
    case PERFDATA_RECORD_AUXTRACE:
        return wrong(reader, PERFDATA_UNSUPPORTED, item->at,
                     "the data of a hardware trace (AUX): record without such an event");
    case PERFDATA_RECORD_COMPRESSED:
    case PERFDATA_RECORD_COMPRESSED2:
        return wrong(reader, PERFDATA_UNSUPPORTED, item->at, "compressed records, which the header does not announce");
    default:
        return PERFDATA_OK;
    }
}

/* Reports an incomplete record. */
static enum perfdata_error ends_within(struct perfdata_reader *reader, uint64_t at, const char *why)
{
    return reader->cut ? wrong(reader, PERFDATA_CUT, at, NULL) : wrong(reader, PERFDATA_TRUNCATED, at, why);
}

/* Reads the record's header and opens its contents. */
static enum perfdata_error read_header(struct perfdata_reader *reader, uint64_t at, struct perfdata_item *item,
                                       struct cursor *ret_body)
{
    struct cursor header;
    if (at < reader->begin || at > reader->end || reader->end - at < 8 || !section(reader, at, 8, &header))
        return ends_within(reader, at, "the records end within one");
    item->at = at;
    item->type = take32(&header);
    item->misc = take16(&header);
    item->size = take16(&header);
    if (item->size < 8)
        return wrong(reader, PERFDATA_DAMAGED, at, "a record that is smaller than its header");
    if (item->size > reader->end - at)
        return ends_within(reader, at, "a record reaches over the end of the records");
    *ret_body = (struct cursor){reader->file + at + 8, item->size - 8, false};
    return PERFDATA_OK;
}

enum perfdata_error perfdata_read_at(struct perfdata_reader *reader, uint64_t at, struct perfdata_item *ret_item)
{
    struct cursor body;
    memset(ret_item, 0, sizeof(*ret_item));
    ret_item->kind = PERFDATA_ITEM_END;
    ret_item->event = UINT32_MAX;
    if (at == reader->end && !reader->cut)
        return PERFDATA_OK;
    enum perfdata_error error = read_header(reader, at, ret_item, &body);
    if (error != PERFDATA_OK)
        return error;
    ret_item->kind = PERFDATA_ITEM_OTHER;
    ret_item->mode = ret_item->misc & PERFDATA_MISC_CPUMODE;
    if (ret_item->type == PERFDATA_RECORD_SAMPLE)
        return perfdata_read_sample(reader, body, ret_item);
    if (ret_item->type < PERFDATA_RECORD_USER)
        perfdata_read_trailer(reader, &body, ret_item);
    return read_body(reader, body, ret_item);
}

enum perfdata_error perfdata_next(struct perfdata_reader *reader, struct perfdata_item *ret_item)
{
    enum perfdata_error error = perfdata_read_at(reader, reader->at, ret_item);
    reader->at += ret_item->size; /* 0 at the end, and when the size is unknown */
    return error;
}

enum perfdata_error perfdata_peek(struct perfdata_reader *reader, uint64_t at, uint32_t *ret_type, uint32_t *ret_size,
                                  uint64_t *ret_time)
{
    struct perfdata_item item;
    struct cursor body;
    enum perfdata_error error = read_header(reader, at, &item, &body);
    if (error != PERFDATA_OK)
        return error;
    item.time = 0;
    if (item.type == PERFDATA_RECORD_SAMPLE)
        item.time = perfdata_sample_time(reader, body);
    else if (item.type < PERFDATA_RECORD_USER)
        perfdata_read_trailer(reader, &body, &item);
    *ret_type = item.type;
    *ret_size = item.size;
    *ret_time = item.time;
    return PERFDATA_OK;
}
