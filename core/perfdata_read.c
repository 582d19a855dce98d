/* The perf.data reader; the contract is in perfdata_read.h, the numbers in perfdata_format.h. */
#include "core/perfdata_read.h"

#include "core/mem.h"
#include "core/perfdata_format.h"

const char *perfdata_error_text(enum perfdata_error error)
{
    static const char *const texts[] = {
        [PERFDATA_OK] = "no error",
        [PERFDATA_NOT_PERFDATA] = "not a perf.data file",
        [PERFDATA_TRUNCATED] = "the file ends too early, or a part of it reaches over its end",
        [PERFDATA_DAMAGED] = "the file is damaged: a field has an impossible value",
        [PERFDATA_UNSUPPORTED] = "piped, compressed or AUX data, or too many events",
    };
    return texts[error];
}

/* A piece of the file that is read front to back. Reading over its end gives zeros and sets 'over'. */
struct cursor {
    const uint8_t *at;
    uint64_t left;
    bool over;
};

static const uint8_t *take(struct cursor *cursor, uint64_t size)
{
    if (size > cursor->left) {
        cursor->over = true;
        cursor->left = 0;
        return NULL;
    }
    const uint8_t *taken = cursor->at;
    cursor->at += size;
    cursor->left -= size;
    return taken;
}

static uint32_t take32(struct cursor *cursor)
{
    uint32_t value = 0;
    const uint8_t *bytes = take(cursor, sizeof(value));
    if (bytes != NULL) {
        memcpy(&value, bytes, sizeof(value));
    }
    return value;
}

static uint64_t take64(struct cursor *cursor)
{
    uint64_t value = 0;
    const uint8_t *bytes = take(cursor, sizeof(value));
    if (bytes != NULL) {
        memcpy(&value, bytes, sizeof(value));
    }
    return value;
}

/* u32 length and so many bytes with a NUL among them; NULL when there is none. */
static const char *take_string(struct cursor *cursor)
{
    uint32_t length = take32(cursor);
    const uint8_t *bytes = take(cursor, length);
    for (uint32_t i = 0; bytes != NULL && i < length; i++) {
        if (bytes[i] == '\0') {
            return (const char *)bytes;
        }
    }
    return NULL;
}

/* A section of the file; false when it reaches over the end. */
static bool section(const struct perfdata_reader *reader, uint64_t offset, uint64_t size, struct cursor *ret_cursor)
{
    if (offset > reader->size || size > reader->size - offset) {
        return false;
    }
    *ret_cursor = (struct cursor){reader->file + offset, size, false};
    return true;
}

static bool is(const char *text, const char *word)
{
    size_t length = strlen(word);
    return strlen(text) == length && memcmp(text, word, length) == 0;
}

static enum perfdata_error read_event(struct perfdata_reader *reader, struct cursor attr, struct cursor ids)
{
    if (reader->event_count == PERFDATA_EVENTS_MAX) {
        return PERFDATA_UNSUPPORTED;
    }
    struct perfdata_file_event *event = &reader->events[reader->event_count++];
    event->type = take32(&attr);
    take32(&attr); /* size of the attribute */
    event->config = take64(&attr);
    event->period = take64(&attr);
    event->sample_type = take64(&attr);
    event->pmu = PERFDATA_PMU_OTHER;
    event->ids = take64(&ids);
    event->ids_size = take64(&ids);
    struct cursor list;
    return !attr.over && section(reader, event->ids, event->ids_size, &list) ? PERFDATA_OK : PERFDATA_TRUNCATED;
}

/* entry_size: bytes of an attribute and the section behind it that says where its ids are. */
static enum perfdata_error read_events(struct perfdata_reader *reader, struct cursor attrs, uint64_t entry_size)
{
    /* 64 bytes: the first version of perf_event_attr. */
    if (entry_size < 64 + 16 || attrs.left % entry_size != 0) {
        return PERFDATA_DAMAGED;
    }
    while (attrs.left > 0) {
        const uint8_t *entry = take(&attrs, entry_size);
        enum perfdata_error error = read_event(reader, (struct cursor){entry, entry_size - 16, false},
                                               (struct cursor){entry + entry_size - 16, 16, false});
        if (error != PERFDATA_OK) {
            return error;
        }
    }
    return PERFDATA_OK;
}

static void read_pmu_names(struct perfdata_reader *reader, struct cursor names)
{
    uint32_t count = take32(&names);
    for (uint32_t i = 0; i < count && !names.over; i++) {
        uint32_t type = take32(&names);
        const char *name = take_string(&names);
        for (uint32_t e = 0; name != NULL && e < reader->event_count; e++) {
            if (reader->events[e].type == type && is(name, "ibs_op")) {
                reader->events[e].pmu = PERFDATA_PMU_IBS_OP;
            } else if (reader->events[e].type == type && is(name, "ibs_fetch")) {
                reader->events[e].pmu = PERFDATA_PMU_IBS_FETCH;
            }
        }
    }
}

/* The table of features begins where the records end: one entry for each bit that is set. */
static enum perfdata_error read_features(struct perfdata_reader *reader)
{
    uint64_t at = reader->end;
    for (unsigned bit = 0; bit < PERFDATA_FEATURES; bit++) {
        if ((reader->features[bit / 64] >> bit % 64 & 1) == 0) {
            continue;
        }
        struct cursor entry, feature;
        if (!section(reader, at, 16, &entry)) {
            return PERFDATA_TRUNCATED;
        }
        at += 16;
        uint64_t offset = take64(&entry), size = take64(&entry);
        if (!section(reader, offset, size, &feature)) {
            return PERFDATA_TRUNCATED;
        }
        if (bit == PERFDATA_FEATURE_ARCH) {
            reader->arch = take_string(&feature);
        } else if (bit == PERFDATA_FEATURE_CPUID) {
            reader->cpuid = take_string(&feature);
        } else if (bit == PERFDATA_FEATURE_PMU_MAPPINGS) {
            read_pmu_names(reader, feature);
        }
    }
    return PERFDATA_OK;
}

enum perfdata_error perfdata_open(struct perfdata_reader *reader, const void *file, size_t size)
{
    struct cursor header, attrs, data;
    memset(reader, 0, sizeof(*reader));
    reader->file = file;
    reader->size = size;
    if (!section(reader, 0, PERFDATA_HEADER_SIZE < size ? PERFDATA_HEADER_SIZE : size, &header) ||
        take64(&header) != PERFDATA_MAGIC) {
        return PERFDATA_NOT_PERFDATA;
    }
    uint64_t header_size = take64(&header);
    if (header_size == 16) {
        return PERFDATA_UNSUPPORTED; /* perf record -o - */
    }
    uint64_t entry_size = take64(&header);
    uint64_t attrs_at = take64(&header), attrs_size = take64(&header);
    uint64_t data_at = take64(&header), data_size = take64(&header);
    take(&header, 16); /* event types */
    for (int i = 0; i < 4; i++) {
        reader->features[i] = take64(&header);
    }
    if (header.over || !section(reader, attrs_at, attrs_size, &attrs) || !section(reader, data_at, data_size, &data)) {
        return PERFDATA_TRUNCATED;
    }
    reader->at = data_at;
    reader->end = data_at + data_size;
    enum perfdata_error error = read_events(reader, attrs, entry_size);
    return error != PERFDATA_OK ? error : read_features(reader);
}

/* The event with this id; the only one has no need of ids. -1 when there is none. */
static int32_t event_of(const struct perfdata_reader *reader, bool has_id, uint64_t id)
{
    if (!has_id) {
        return reader->event_count == 1 ? 0 : -1;
    }
    for (uint32_t e = 0; e < reader->event_count; e++) {
        struct cursor ids = {reader->file + reader->events[e].ids, reader->events[e].ids_size, false};
        while (ids.left >= 8) {
            if (take64(&ids) == id) {
                return (int32_t)e;
            }
        }
    }
    return -1;
}

/* The id of a sample before its event, and so its fields, are known: first field with IDENTIFIER, which then all events
 * have. Without it, all events must have the same fields (perf refuses such a file too), so the first event's say where
 * ID is. */
static bool sample_id(const struct perfdata_reader *reader, struct cursor body, uint64_t *ret_id)
{
    uint64_t type = reader->event_count > 0 ? reader->events[0].sample_type : 0;
    static const uint32_t before_id[] = {PERFDATA_SAMPLE_IP, PERFDATA_SAMPLE_TID, PERFDATA_SAMPLE_TIME,
                                         PERFDATA_SAMPLE_ADDR};
    if ((type & (PERFDATA_SAMPLE_IDENTIFIER | PERFDATA_SAMPLE_ID)) == 0) {
        return false;
    }
    for (size_t i = 0; (type & PERFDATA_SAMPLE_IDENTIFIER) == 0 && i < sizeof(before_id) / sizeof(before_id[0]); i++) {
        take(&body, type & before_id[i] ? 8 : 0);
    }
    *ret_id = take64(&body);
    return true;
}

/* The raw data: caps, then registers. */
static void read_raw(struct cursor *body, struct perfdata_item *item)
{
    uint32_t size = take32(body);
    const uint8_t *bytes = take(body, size);
    if (bytes == NULL || size < 4) {
        return;
    }
    struct cursor raw = {bytes, size, false};
    size_t wanted = item->record.kind == IBS_KIND_OP ? IBS_OP_REGS : IBS_FETCH_REGS;
    item->caps = take32(&raw);
    item->register_count = (size - 4) / 8;
    for (size_t i = 0; i < wanted && i < item->register_count; i++) {
        item->record.reg[i] = take64(&raw);
    }
}

static enum perfdata_error read_sample(const struct perfdata_reader *reader, struct cursor body,
                                       struct perfdata_item *item)
{
    uint64_t id = 0;
    bool has_id = sample_id(reader, body, &id);
    int32_t index = event_of(reader, has_id, id);
    if (index < 0) {
        return PERFDATA_DAMAGED;
    }
    const struct perfdata_file_event *event = &reader->events[index];
    uint64_t type = event->sample_type;
    item->event = (uint32_t)index;
    if (event->pmu == PERFDATA_PMU_OTHER) {
        item->kind = PERFDATA_ITEM_OTHER;
        return PERFDATA_OK;
    }
    if (type & PERFDATA_SAMPLE_READ) {
        return PERFDATA_UNSUPPORTED; /* counter groups: their size depends on read_format */
    }
    item->kind = PERFDATA_ITEM_SAMPLE;
    item->record.kind = event->pmu == PERFDATA_PMU_IBS_OP ? IBS_KIND_OP : IBS_KIND_FETCH;
    take(&body, type & PERFDATA_SAMPLE_IDENTIFIER ? 8 : 0);
    item->ip = type & PERFDATA_SAMPLE_IP ? take64(&body) : 0;
    item->pid = type & PERFDATA_SAMPLE_TID ? take32(&body) : 0;
    item->tid = type & PERFDATA_SAMPLE_TID ? take32(&body) : 0;
    item->time = type & PERFDATA_SAMPLE_TIME ? take64(&body) : 0;
    item->addr = type & PERFDATA_SAMPLE_ADDR ? take64(&body) : 0;
    take(&body, type & PERFDATA_SAMPLE_ID ? 8 : 0);
    take(&body, type & PERFDATA_SAMPLE_STREAM_ID ? 8 : 0);
    item->cpu = type & PERFDATA_SAMPLE_CPU ? take32(&body) : 0;
    take(&body, type & PERFDATA_SAMPLE_CPU ? 4 : 0);
    item->period = type & PERFDATA_SAMPLE_PERIOD ? take64(&body) : event->period;
    if (type & PERFDATA_SAMPLE_CALLCHAIN) {
        uint64_t frames = take64(&body);
        take(&body, frames <= body.left / 8 ? frames * 8 : UINT64_MAX);
    }
    item->record.cpu = item->cpu;
    if (type & PERFDATA_SAMPLE_RAW) {
        read_raw(&body, item);
    }
    return body.over ? PERFDATA_TRUNCATED : PERFDATA_OK;
}

enum perfdata_error perfdata_next(struct perfdata_reader *reader, struct perfdata_item *ret_item)
{
    struct cursor header;
    memset(ret_item, 0, sizeof(*ret_item));
    ret_item->kind = PERFDATA_ITEM_END;
    if (reader->at == reader->end) {
        return PERFDATA_OK;
    }
    if (reader->end - reader->at < 8 || !section(reader, reader->at, 8, &header)) {
        return PERFDATA_TRUNCATED;
    }
    ret_item->type = take32(&header);
    uint32_t size = take32(&header) >> 16; /* u16 misc, u16 size */
    if (size < 8) {
        return PERFDATA_DAMAGED;
    }
    if (size > reader->end - reader->at) {
        return PERFDATA_TRUNCATED;
    }
    struct cursor body = {reader->file + reader->at + 8, size - 8, false};
    reader->at += size;
    ret_item->kind = PERFDATA_ITEM_OTHER;
    switch (ret_item->type) {
    case PERFDATA_RECORD_SAMPLE:
        return read_sample(reader, body, ret_item);
    case PERFDATA_RECORD_LOST:
        take64(&body); /* id */
        ret_item->lost = take64(&body);
        ret_item->kind = PERFDATA_ITEM_LOST;
        return body.over ? PERFDATA_TRUNCATED : PERFDATA_OK;
    case PERFDATA_RECORD_LOST_SAMPLES:
        ret_item->lost = take64(&body);
        ret_item->kind = PERFDATA_ITEM_LOST;
        return body.over ? PERFDATA_TRUNCATED : PERFDATA_OK;
    case PERFDATA_RECORD_AUXTRACE:
    case PERFDATA_RECORD_COMPRESSED:
    case PERFDATA_RECORD_COMPRESSED2:
        return PERFDATA_UNSUPPORTED;
    default:
        return PERFDATA_OK;
    }
}
