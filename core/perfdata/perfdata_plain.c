/* SPDX-License-Identifier: BSD-2-Clause */
/* Plain samples; the contract is in perfdata_plain.h. */
#include "core/perfdata/perfdata_plain.h"

#include "core/perfdata/perfdata_cursor.h"
#include "core/perfdata/perfdata_format.h"

enum { HEADER = 8, CPUMODE = PERFDATA_MISC_CPUMODE, AHEAD = 2048, LINE = 64 };

static inline uint64_t load64(const uint8_t *bytes)
{
    uint64_t value;
    memcpy(&value, bytes, sizeof(value));
    return value;
}

static inline uint32_t load32(const uint8_t *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof(value));
    return value;
}

/* struct perf_event_header in one word: u32 type, u16 misc, u16 size. */
#define TYPE_AND_SIZE 0xFFFF0000FFFFFFFFull

static inline uint32_t type_of(uint64_t header)
{
    return (uint32_t)header;
}

static inline uint16_t misc_of(uint64_t header)
{
    return (uint16_t)(header >> 32);
}

static inline uint16_t size_of(uint64_t header)
{
    return (uint16_t)(header >> 48);
}

/* The fields of a sample, and the place of the next one. */
struct fields {
    uint64_t type;
    uint16_t next;
};

/* Returns the place of a field, and passes it. 0: there is none. */
static uint16_t place_of(struct fields *fields, uint64_t field)
{
    uint16_t place = fields->next;
    if (!(fields->type & field))
        return 0;
    fields->next += 8;
    return place;
}

static uint16_t bytes_of(uint64_t type, uint64_t fields)
{
    uint16_t bytes = 0;
    for (type &= fields; type != 0; type &= type - 1)
        bytes += 8;
    return bytes;
}

static void lay_out(const struct perfdata_file_event *event, struct perfdata_layout *layout)
{
    enum {
        NOT_PLAIN = PERFDATA_SAMPLE_READ | PERFDATA_SAMPLE_BRANCH_STACK | PERFDATA_SAMPLE_REGS_USER |
                    PERFDATA_SAMPLE_STACK_USER | PERFDATA_SAMPLE_REGS_INTR | PERFDATA_SAMPLE_AUX,
        BEHIND_RAW = PERFDATA_SAMPLE_WEIGHT | PERFDATA_SAMPLE_DATA_SRC | PERFDATA_SAMPLE_TRANSACTION |
                     PERFDATA_SAMPLE_PHYS_ADDR | PERFDATA_SAMPLE_CGROUP | PERFDATA_SAMPLE_DATA_PAGE_SIZE |
                     PERFDATA_SAMPLE_CODE_PAGE_SIZE
    };
    uint64_t type = event->sample_type;
    struct fields fields = {type, HEADER};
    *layout = (struct perfdata_layout){.kind = (uint8_t)perfdata_kind(event)};
    layout->id = place_of(&fields, PERFDATA_SAMPLE_IDENTIFIER);
    layout->ip = place_of(&fields, PERFDATA_SAMPLE_IP);
    layout->tid = place_of(&fields, PERFDATA_SAMPLE_TID);
    layout->time = place_of(&fields, PERFDATA_SAMPLE_TIME);
    place_of(&fields, PERFDATA_SAMPLE_ADDR);
    uint16_t id = place_of(&fields, PERFDATA_SAMPLE_ID);
    layout->id = layout->id ? layout->id : id;
    place_of(&fields, PERFDATA_SAMPLE_STREAM_ID);
    layout->cpu = place_of(&fields, PERFDATA_SAMPLE_CPU);
    layout->period = place_of(&fields, PERFDATA_SAMPLE_PERIOD);
    layout->fixed = fields.next;
    layout->callchain = (type & PERFDATA_SAMPLE_CALLCHAIN) != 0;
    layout->raw = (type & PERFDATA_SAMPLE_RAW) != 0;
    layout->behind = bytes_of(type, BEHIND_RAW);
    if (type & PERFDATA_SAMPLE_WEIGHT_STRUCT && !(type & PERFDATA_SAMPLE_WEIGHT))
        layout->behind += 8;
    layout->usual = layout->ip && layout->tid == layout->ip + 8 && layout->time == layout->tid + 8 && layout->cpu &&
                    layout->period == layout->cpu + 8;
    layout->plain = !(type & NOT_PLAIN);
}

static struct perfdata_shapes no_shapes(const struct perfdata_reader *reader)
{
    /* Every event has its id at the same place (perfdata_check_events). */
    uint32_t id_at = reader->layouts[0].id;
    bool only = reader->event_count == 1 && (id_at == 0 || reader->events[0].ids_size == 0);
    return (struct perfdata_shapes){.id_at = only ? 0 : id_at,
                                    .id_mask = only ? 0 : UINT64_MAX,
                                    .none = reader->event_count == 0 || (!only && id_at == 0)};
}

void perfdata_lay_out(struct perfdata_reader *reader)
{
    for (uint32_t i = 0; i < reader->event_count; i++) {
        lay_out(&reader->events[i], &reader->layouts[i]);
        /* perfdata_peek takes all times from the first event's place. */
        reader->layouts[i].plain &= reader->layouts[i].time == reader->layouts[0].time;
    }
    reader->shapes = no_shapes(reader);
}

/* Returns the bytes after the call chain; NULL: it reaches beyond the end. */
static const uint8_t *pass_callchain(const uint8_t *chain, const uint8_t *end)
{
    if (end - chain < 8 || load64(chain) > (uint64_t)(end - chain - 8) / 8)
        return NULL;
    return chain + 8 + 8 * load64(chain);
}

/* Returns the bytes after the raw data, and registers in it; NULL: it reaches beyond the end, or is too short for
 * registers. */
static const uint8_t *pass_raw(const uint8_t *raw, const uint8_t *end, uint8_t kind, struct perfdata_plain *sample)
{
    if (end - raw < 4 || load32(raw) > (uint64_t)(end - raw - 4))
        return NULL;
    uint32_t size = load32(raw);
    if (kind == SAMPLE_OP || kind == SAMPLE_FETCH) {
        if (size < 4 + 8 * (kind == SAMPLE_OP ? IBS_OP_REGS : IBS_FETCH_REGS))
            return NULL;
        sample->registers = raw + 8; /* after the size and the caps */
        sample->register_count = (size - 4) / 8;
    }
    return raw + 4 + size;
}

/* Returns whether all of the sample is there, and finds its registers. */
static bool is_whole(const uint8_t *record, uint64_t size, const struct perfdata_layout *layout,
                     struct perfdata_plain *sample)
{
    const uint8_t *end = record + size, *rest = record + layout->fixed;
    if (!layout->plain || size < layout->fixed)
        return false;
    if (layout->callchain)
        rest = pass_callchain(rest, end);
    if (rest != NULL && layout->raw)
        rest = pass_raw(rest, end, layout->kind, sample);
    return rest != NULL && end - rest >= layout->behind;
}

/* Returns the id of the sample's event, if samples have one. */
static inline uint64_t id_of(const struct perfdata_shapes *shapes, const uint8_t *record)
{
    return load64(record + shapes->id_at) & shapes->id_mask;
}

static bool learn(struct perfdata_reader *reader, const uint8_t *record, uint64_t header, struct perfdata_plain *sample,
                  struct perfdata_shape *shape)
{
    uint64_t id = id_of(&reader->shapes, record);
    int32_t event = reader->shapes.id_at ? perfdata_event_of_id(reader, id) : 0;
    if (event < 0 && id == 0)
        event = 0; /* as perfdata_read_sample takes it */
    sample->registers = NULL;
    sample->register_count = 0;
    shape->header = 0;
    if (event < 0 || !is_whole(record, size_of(header), &reader->layouts[event], sample))
        return false;
    shape->id = id;
    shape->event = (uint32_t)event;
    shape->period = reader->events[event].period;
    shape->layout = &reader->layouts[event];
    if (!shape->layout->callchain) {
        shape->header = header & TYPE_AND_SIZE;
        shape->registers = sample->registers != NULL ? (uint32_t)(sample->registers - record) : 0;
        shape->register_count = sample->register_count;
        shape->raw_at = shape->layout->raw ? shape->layout->fixed : 0;
        shape->raw_size = load32(record + shape->raw_at);
    }
    return true;
}

/* Returns whether this sample, as long as those of the shape, is whole and of its event. */
static inline bool has_shape(const struct perfdata_shapes *shapes, const struct perfdata_shape *shape,
                             const uint8_t *record)
{
    return id_of(shapes, record) == shape->id && load32(record + shape->raw_at) == shape->raw_size;
}

/* Returns the bytes from a sample's begin to the end of its id; a header at least. */
static inline uint64_t id_end(const struct perfdata_shapes *shapes)
{
    return shapes->id_at + HEADER;
}

/* Returns whether it is a sample with an id, all in the file. */
static inline bool is_sample(const struct perfdata_shapes *shapes, uint64_t header, uint64_t left)
{
    return type_of(header) == PERFDATA_RECORD_SAMPLE && size_of(header) <= left && size_of(header) >= id_end(shapes);
}

/* Returns the shape that a sample may have. */
static inline struct perfdata_shape *shape_of(struct perfdata_shapes *shapes, const uint8_t *record)
{
    return &shapes->of[id_of(shapes, record) % PERFDATA_SHAPES];
}

static inline void fill(const uint8_t *record, uint64_t header, const struct perfdata_shape *shape,
                        struct perfdata_plain *sample)
{
    const struct perfdata_layout *layout = shape->layout;
    const uint8_t *fields = record + layout->ip, *tail = record + layout->cpu;
    uint64_t period;
    if (layout->usual) {
        sample->ip = load64(fields);
        sample->pid = load32(fields + 8);
        sample->tid = load32(fields + 12);
        sample->time = load64(fields + 16);
        sample->cpu = load32(tail);
        period = load64(tail + 8);
    } else {
        sample->ip = layout->ip ? load64(fields) : 0;
        sample->pid = layout->tid ? load32(record + layout->tid) : 0;
        sample->tid = layout->tid ? load32(record + layout->tid + 4) : 0;
        sample->time = layout->time ? load64(record + layout->time) : 0;
        sample->cpu = layout->cpu ? load32(tail) : PERFDATA_NO_CPU;
        period = layout->period ? load64(record + layout->period) : shape->period;
    }
    sample->period = period ? period : 1;
    sample->event = shape->event;
    sample->mode = misc_of(header) & CPUMODE;
    sample->exact = (misc_of(header) & PERFDATA_MISC_EXACT_IP) != 0;
    sample->size = size_of(header);
}

/* Fetches what follows some records later, as many lines as a sample of IBS has. */
static inline void prefetch(const uint8_t *record)
{
    __builtin_prefetch(record + AHEAD);
    __builtin_prefetch(record + AHEAD + LINE);
    __builtin_prefetch(record + AHEAD + 2 * LINE);
}

/* Destination of samples. */
struct reading {
    struct perfdata_plain *first, *next, *end;
    uint64_t until; /* none later than this, except the first */
    bool late;      /* the next one is later */
};

static inline bool is_late(const struct reading *reading, const struct perfdata_plain *sample)
{
    return __builtin_expect(sample->time > reading->until, 0) && sample > reading->first;
}

/* Reads samples of one shape in a row, none that begins after 'last'. Returns the place of the next one. */
static const uint8_t *read_shape(const struct perfdata_shapes *shapes, const struct perfdata_shape *shape,
                                 const uint8_t *record, const uint8_t *last, struct reading *reading)
{
    const uint64_t like = shape->header, size = size_of(like);
    struct perfdata_plain *restrict sample = reading->next;
    for (; sample < reading->end && record <= last; record += size) {
        uint64_t header = load64(record);
        prefetch(record);
        if ((header & TYPE_AND_SIZE) != like || !has_shape(shapes, shape, record))
            break;
        fill(record, header, shape, sample);
        sample->registers = shape->registers ? record + shape->registers : NULL;
        sample->register_count = shape->register_count;
        reading->late = is_late(reading, sample);
        if (reading->late)
            break;
        sample++;
    }
    reading->next = sample;
    return record;
}

/* Reads a sample of an event whose samples are checked one by one. */
static const uint8_t *read_one(const struct perfdata_shape *shape, const uint8_t *record, struct reading *reading)
{
    uint64_t header = load64(record);
    fill(record, header, shape, reading->next);
    reading->late = is_late(reading, reading->next);
    reading->next += !reading->late;
    return record + size_of(header);
}

void perfdata_read_copy(struct perfdata_reader *reader, const uint8_t *copy, uint64_t begin, uint64_t end)
{
    reader->records = copy != NULL ? copy - begin : reader->file;
    reader->end = end;
}

uint32_t perfdata_read_plain(struct perfdata_reader *reader, uint64_t at, uint64_t end, uint64_t until,
                             struct perfdata_plain *samples, uint32_t count)
{
    struct reading reading = {samples, samples, samples + count, until, false};
    const uint8_t *record = reader->records + at, *file_end = reader->records + reader->end;
    struct perfdata_shapes *shapes = &reader->shapes;
    end = end < reader->end ? end : reader->end;
    if (shapes->none || at < reader->begin || at >= end)
        return 0;
    while (!reading.late && reading.next < reading.end && record < reader->records + end &&
           (uint64_t)(file_end - record) >= id_end(shapes)) {
        uint64_t header = load64(record), size = size_of(header);
        struct perfdata_shape *shape = shape_of(shapes, record);
        if (!is_sample(shapes, header, (uint64_t)(file_end - record)))
            break;
        if (((header & TYPE_AND_SIZE) != shape->header || !has_shape(shapes, shape, record)) &&
            !learn(reader, record, header, reading.next, shape))
            break;
        const uint8_t *last = reader->records + end - 1;
        record = shape->header != 0
                     ? read_shape(shapes, shape, record, last < file_end - size ? last : file_end - size, &reading)
                     : read_one(shape, record, &reading);
    }
    return (uint32_t)(reading.next - samples);
}

void perfdata_pass_ascending(struct perfdata_reader *reader, uint64_t *at, uint64_t end, uint64_t *time,
                             bool *all_plain)
{
    uint64_t place = *at, latest = *time, within = reader->layouts[0].time;
    struct perfdata_shapes *shapes = &reader->shapes;
    end = end < reader->end ? end : reader->end;
    /* Without a time, all have the time 0 (perfdata_peek). */
    if (shapes->none || within == 0 || place < reader->begin)
        return;
    while (place < end && reader->end - place >= HEADER) {
        const uint8_t *record = reader->records + place;
        uint64_t header = load64(record), size = size_of(header), before = place;
        struct perfdata_plain sample;
        if (reader->end - place < id_end(shapes) || !is_sample(shapes, header, reader->end - place) ||
            size < within + 8)
            break;
        struct perfdata_shape *shape = shape_of(shapes, record);
        bool look = all_plain != NULL && *all_plain;
        if (look && ((header & TYPE_AND_SIZE) != shape->header || !has_shape(shapes, shape, record)) &&
            (!learn(reader, record, header, &sample, shape) || shape->header == 0))
            *all_plain = look = false;
        /* Records with the same header in a row: the processor need not wait for each header to find the next, so they
         * pass as fast as memory comes. */
        while (place < end && reader->end - place >= size && load64(record) == header &&
               load64(record + within) >= latest && (!look || has_shape(shapes, shape, record))) {
            latest = load64(record + within);
            place += size;
            record += size;
            prefetch(record);
        }
        if (place == before)
            break;
    }
    *at = place;
    *time = latest;
}
