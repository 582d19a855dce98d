/* SPDX-License-Identifier: BSD-2-Clause */
/* A pipe's recording as a file: attributes, features and build-ids are records in it, in any place. */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/recorded/recorded_inside.h"

#include "core/perfdata/perfdata_format.h"

/* Records of a pipe: tools/lib/perf/include/perf/event.h. */
enum {
    RECORD_ATTR = 64,         /* perf_event_attr, and the ids of its event */
    RECORD_TRACING_DATA = 66, /* u32: so many bytes follow that its size does not count */
    RECORD_FEATURE = 80,      /* u64 the feature's number, and its contents */
    ATTR_LEAST = 64,          /* PERF_ATTR_SIZE_VER0 */
};

struct part {
    const uint8_t *at;
    uint32_t size;
};

/* Parts of the file, each in the order of the pipe. */
struct pipe {
    struct part *attrs, *build_ids;
    uint32_t attr_count, build_id_count;
    struct part features[PERFDATA_FEATURES]; /* NULL: not there */
    uint32_t attr_size;                      /* the largest */
};

static uint32_t attr_size(const struct part *attr)
{
    return bytes_read32(attr->at + 4);
}

static void note_attr(struct pipe *self, const uint8_t *record, uint32_t size)
{
    struct part attr = {record + RECORD_HEADER, size - RECORD_HEADER};

    if (attr.size < ATTR_LEAST || attr_size(&attr) < ATTR_LEAST || attr_size(&attr) > attr.size)
        return;
    *must_add(self->attrs, self->attr_count) = attr;
    if (attr_size(&attr) > self->attr_size)
        self->attr_size = attr_size(&attr);
}

static void note_feature(struct pipe *self, const uint8_t *record, uint32_t size)
{
    uint64_t bit = size >= RECORD_HEADER + 8 ? bytes_read64(record + RECORD_HEADER) : PERFDATA_FEATURES;

    if (bit < PERFDATA_FEATURES)
        self->features[bit] = (struct part){record + RECORD_HEADER + 8, size - RECORD_HEADER - 8};
}

static void note(struct pipe *self, const uint8_t *record, uint32_t size)
{
    if (recorded_type(record) == RECORD_ATTR)
        note_attr(self, record, size);
    else if (recorded_type(record) == RECORD_FEATURE)
        note_feature(self, record, size);
    else if (recorded_type(record) == PERFDATA_RECORD_BUILD_ID)
        *must_add(self->build_ids, self->build_id_count) = (struct part){record, size};
}

static bool is_part(uint32_t type)
{
    return type == RECORD_ATTR || type == RECORD_FEATURE || type == PERFDATA_RECORD_BUILD_ID ||
           type == RECORD_TRACING_DATA;
}

/* Reads all records of the pipe: notes the parts of the file, or copies the others. */
static void pass(struct pipe *self, struct input *input, struct spool *records)
{
    const struct input_file *file = &input->file;
    uint64_t at = PIPE_HEADER;
    uint32_t size;

    for (; at < file->size && (size = recorded_size(file->bytes + at, file->size - at)) > 0; at += size) {
        const uint8_t *record = file->bytes + at;

        if (!records)
            note(self, record, size);
        else if (!is_part(recorded_type(record)))
            spool_put(records, record, size);
        if (recorded_type(record) == RECORD_TRACING_DATA && size >= RECORD_HEADER + 4)
            at += (bytes_read32(record + RECORD_HEADER) + 7ull) & ~7ull;
    }
    if (at > file->size || recorded_cut(file->bytes + at, file->size - at))
        input_note_cut(input, "the recording is cut off after %" PRIu64 " bytes", file->size);
    else if (records) /* invalid or incomplete record, which the reader reports */
        spool_put(records, file->bytes + at, (size_t)(file->size - at));
}

/* Writes the attributes, each with the place of its ids, and then the ids. */
static void put_attrs(const struct pipe *self, struct spool *spool)
{
    uint64_t ids = PERFDATA_HEADER_SIZE + self->attr_count * (self->attr_size + 16ull);
    uint8_t *entry = must_alloc(self->attr_size + 16, 1);

    for (uint32_t i = 0; i < self->attr_count; i++) {
        const struct part *attr = &self->attrs[i];
        uint64_t size = attr->size - attr_size(attr);

        memset(entry, 0, self->attr_size);
        memcpy(entry, attr->at, attr_size(attr));
        memcpy(entry + self->attr_size, &ids, 8);
        memcpy(entry + self->attr_size + 8, &size, 8);
        spool_put(spool, entry, self->attr_size + 16);
        ids += size;
    }
    for (uint32_t i = 0; i < self->attr_count; i++)
        spool_put(spool, self->attrs[i].at + attr_size(&self->attrs[i]),
                  self->attrs[i].size - attr_size(&self->attrs[i]));
    free(entry);
}

static uint64_t feature_size(const struct pipe *self, unsigned bit)
{
    uint64_t size = self->features[bit].size;

    for (uint32_t i = 0; bit == PERFDATA_FEATURE_BUILD_ID && i < self->build_id_count; i++)
        size += self->build_ids[i].size;
    return size;
}

static bool has(const struct pipe *self, unsigned bit)
{
    return self->features[bit].at || (bit == PERFDATA_FEATURE_BUILD_ID && self->build_id_count > 0);
}

static void put_features(const struct pipe *self, struct spool *spool)
{
    uint64_t at = spool->size;

    for (unsigned bit = 0; bit < PERFDATA_FEATURES; bit++)
        at += has(self, bit) ? 16 : 0;
    for (unsigned bit = 0; bit < PERFDATA_FEATURES; bit++) {
        uint64_t section[2] = {at, feature_size(self, bit)};

        if (has(self, bit))
            spool_put(spool, section, sizeof(section));
        at += section[1];
    }
    for (unsigned bit = 0; bit < PERFDATA_FEATURES; bit++) {
        if (self->features[bit].at)
            spool_put(spool, self->features[bit].at, self->features[bit].size);
        for (uint32_t i = 0; bit == PERFDATA_FEATURE_BUILD_ID && i < self->build_id_count; i++)
            spool_put(spool, self->build_ids[i].at, self->build_ids[i].size);
    }
}

/* Writes the header, which needs the place of the records, so they come first. */
static void put_header(const struct pipe *self, struct spool *spool, uint64_t data_at, uint64_t data_size)
{
    uint64_t header[PERFDATA_HEADER_SIZE / 8] = {PERFDATA_MAGIC,
                                                 PERFDATA_HEADER_SIZE, /* its own */
                                                 self->attr_size + 16ull,
                                                 PERFDATA_HEADER_SIZE,
                                                 self->attr_count * (self->attr_size + 16ull),
                                                 data_at,
                                                 data_size};

    for (unsigned bit = 0; bit < PERFDATA_FEATURES; bit++)
        header[9 + bit / 64] |= (uint64_t)has(self, bit) << bit % 64;
    spool_patch(spool, 0, header, sizeof(header));
}

/* Writes the file of which the pipe's parts are known. */
static bool put_file(struct pipe *self, struct input *input)
{
    struct spool spool = spool_open();
    uint64_t begin, size;

    spool_put(&spool, (const uint8_t[PERFDATA_HEADER_SIZE]){0}, PERFDATA_HEADER_SIZE);
    put_attrs(self, &spool);
    begin = spool.size;
    pass(self, input, &spool);
    size = spool.size - begin;
    put_features(self, &spool);
    put_header(self, &spool, begin, size);
    return spool_map(&spool, input, &input->file);
}

bool recorded_of_pipe(struct input *input)
{
    struct pipe self = {.attr_size = PERFDATA_ATTR_SIZE};
    bool good;

    pass(&self, input, NULL);
    if (self.attr_count == 0 && input->cut[0])
        good = input_fail(input, UINT64_MAX, "%s, before its list of events", input->cut);
    else
        good = put_file(&self, input);
    free(self.attrs);
    free(self.build_ids);
    return good;
}
