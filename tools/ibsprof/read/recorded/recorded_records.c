/* SPDX-License-Identifier: BSD-2-Clause */
/* Records of perf one after the other, with what is compressed unpacked: Linux tools/perf/util/session.c and zstd.c.
 * All compressed records of a file are one stream of zstd; a record may begin in one of them and end in the next. */
#include <inttypes.h>
#include <stdlib.h>
#include <zstd.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/recorded/recorded_inside.h"

#include "core/perfdata/perfdata_format.h"

/* Records are at most 64 KB, so there is always room for more than one behind a part of one. */
enum { ROOM = 256 << 10 };

struct records {
    struct spool *spool;
    struct input *input;
    bool without_rounds;
    ZSTD_DStream *stream; /* NULL: nothing compressed so far */
    uint8_t *unpacked;    /* ROOM bytes, of which 'waiting' are not yet written */
    size_t waiting;
};

static void put(const struct records *self, const uint8_t *record, uint32_t size)
{
    if (!self->without_rounds || recorded_type(record) != PERFDATA_RECORD_FINISHED_ROUND)
        spool_put(self->spool, record, size);
}

/* Writes the complete records among the waiting bytes. */
static void put_waiting(struct records *self)
{
    size_t at = 0;
    uint32_t size;

    while ((size = recorded_size(self->unpacked + at, self->waiting - at)) > 0) {
        put(self, self->unpacked + at, size);
        at += size;
    }
    self->waiting -= at;
    memmove(self->unpacked, self->unpacked + at, self->waiting);
}

static bool unpack(struct records *self, const uint8_t *bytes, size_t size, uint64_t offset)
{
    ZSTD_inBuffer in = {bytes, size, 0};

    if (!self->stream) {
        self->stream = must_have(ZSTD_createDStream());
        self->unpacked = must_alloc(ROOM, 1);
    }
    for (bool more = true; more;) {
        ZSTD_outBuffer out = {self->unpacked, ROOM, self->waiting};
        size_t result = ZSTD_decompressStream(self->stream, &out, &in);

        if (ZSTD_isError(result))
            return input_fail(self->input, offset, "compressed records: %s", ZSTD_getErrorName(result));
        more = in.pos < in.size || out.pos == out.size;
        self->waiting = out.pos;
        put_waiting(self);
        if (self->waiting == ROOM)
            return input_fail(self->input, offset, "compressed records: a record that is smaller than its header");
    }
    return true;
}

/* COMPRESSED has its bytes after the header; COMPRESSED2 a u64 that counts them before, and up to 7 behind. */
static bool put_compressed(struct records *self, const uint8_t *record, uint32_t size, uint64_t offset)
{
    size_t from = RECORD_HEADER, until = size;

    if (recorded_type(record) == PERFDATA_RECORD_COMPRESSED2) {
        from += sizeof(uint64_t);
        if (size < from || bytes_read64(record + RECORD_HEADER) > size - from)
            return input_fail(self->input, offset, "compressed records: more bytes than the record contains");
        until = from + (size_t)bytes_read64(record + RECORD_HEADER);
    }
    return unpack(self, record + from, until - from, offset);
}

bool recorded_put_records(struct spool *spool, struct input *input, const struct input_file *file, uint64_t begin,
                          uint64_t end, bool without_rounds)
{
    struct records self = {.spool = spool, .input = input, .without_rounds = without_rounds};
    bool good = true, cut;
    uint32_t size;

    for (; good && (size = recorded_size(file->bytes + begin, end - begin)) > 0; begin += size) {
        const uint8_t *record = file->bytes + begin;
        uint32_t type = recorded_type(record);

        if (type == PERFDATA_RECORD_AUXTRACE)
            break;
        if (type == PERFDATA_RECORD_COMPRESSED || type == PERFDATA_RECORD_COMPRESSED2)
            good = put_compressed(&self, record, size, begin);
        else
            put(&self, record, size);
    }
    cut = end == file->size && recorded_cut(file->bytes + begin, end - begin);
    if (cut)
        input_note_cut(input, "the recording is cut off within a record, after %" PRIu64 " bytes of a file", end);
    if (good && self.waiting > 0 && !input->cut[0])
        good = input_fail(input, begin, "compressed records: they end within a record");
    if (good && !cut)
        spool_put(spool, file->bytes + begin, (size_t)(end - begin));
    ZSTD_freeDStream(self.stream);
    free(self.unpacked);
    return good;
}
