/* SPDX-License-Identifier: BSD-2-Clause */
/* Internals of the perf.data writer: a sink that counts bytes, and passes them on if it has a callback. */
#ifndef CORE_PERFDATA_PUT_H
#define CORE_PERFDATA_PUT_H

#include "core/base/mem.h"
#include "core/perfdata/perfdata.h"

struct perfdata_sink {
    perfdata_write_fn *write; /* NULL: only count */
    void *context;
    uint64_t offset; /* bytes put so far */
    int error;       /* the first error of the callback; nothing is written after it */
    size_t used;
    uint8_t *piece; /* PERFDATA_PIECE bytes; not needed for counting */
};

static inline void perfdata_flush(struct perfdata_sink *sink)
{
    if (sink->write != NULL && sink->error == 0 && sink->used > 0)
        sink->error = sink->write(sink->context, sink->piece, sink->used);
    sink->used = 0;
}

static inline void perfdata_put(struct perfdata_sink *sink, const void *data, size_t size)
{
    const uint8_t *from = data;
    sink->offset += size;
    while (sink->write != NULL && size > 0) {
        size_t part = PERFDATA_PIECE - sink->used < size ? PERFDATA_PIECE - sink->used : size;
        memcpy(sink->piece + sink->used, from, part);
        sink->used += part;
        from += part;
        size -= part;
        if (sink->used == PERFDATA_PIECE)
            perfdata_flush(sink);
    }
}

static inline void perfdata_put16(struct perfdata_sink *sink, uint16_t value)
{
    perfdata_put(sink, &value, sizeof(value));
}

static inline void perfdata_put32(struct perfdata_sink *sink, uint32_t value)
{
    perfdata_put(sink, &value, sizeof(value));
}

static inline void perfdata_put64(struct perfdata_sink *sink, uint64_t value)
{
    perfdata_put(sink, &value, sizeof(value));
}

static inline void perfdata_put_zeros(struct perfdata_sink *sink, size_t size)
{
    static const uint8_t zeros[64];
    for (; size > 0; size -= size < sizeof(zeros) ? size : sizeof(zeros))
        perfdata_put(sink, zeros, size < sizeof(zeros) ? size : sizeof(zeros));
}

/* Returns the size of a text with its NUL, filled up with zeros to a multiple of 'align'. */
static inline size_t perfdata_padded(const char *text, size_t align)
{
    return (strlen(text) + 1 + align - 1) / align * align;
}

static inline void perfdata_put_text(struct perfdata_sink *sink, const char *text, size_t align)
{
    perfdata_put(sink, text, strlen(text));
    perfdata_put_zeros(sink, perfdata_padded(text, align) - strlen(text));
}

/* ---- perfdata.c, perfdata_sources.c and perfdata_features.c call each other through these */

/* An event of the file: what perf has to know of it, and which samples it has. */
struct perfdata_source {
    enum sample_kind kind;
    uint32_t place; /* number among all possible events, below PERFDATA_PLACES */
    uint32_t type;  /* PMU number; PMU_MAPPINGS names those that are free to choose */
    const char *name;
    uint64_t id;
    uint64_t sample_type;
    uint64_t config;
    uint64_t period;
    uint64_t samples, total; /* as in perfdata_counter; IBS: 0 */
    uint64_t lost;
};

/* Op, fetch, timer, counters. */
enum { PERFDATA_PLACES = 3 + PERFDATA_COUNTERS };

/* Read the file's events, the sampled ones in this order; return false beyond the last. */
bool perfdata_source_at(const struct perfdata_info *info, uint32_t index, struct perfdata_source *source);
uint32_t perfdata_source_count(const struct perfdata_info *info);

/* Finds a record's event; returns false when this file has none. */
bool perfdata_source_of(const struct perfdata_info *info, const struct sample_record *record,
                        struct perfdata_source *source);

/* PMUs whose numbers are ours. */
struct perfdata_pmu {
    uint32_t type;
    const char *name;
};
enum { PERFDATA_PMUS = 2 };
extern const struct perfdata_pmu perfdata_pmus[PERFDATA_PMUS];

enum { PERFDATA_PID = 1 }; /* the one process; any number will do */

void perfdata_put_attr(struct perfdata_sink *sink, const struct perfdata_source *source);

/* First and last time of the file's samples. */
struct perfdata_span {
    uint64_t first;
    uint64_t last;
};

/* Sets the header's four words of bits for the features that are there. */
void perfdata_feature_bits(const struct perfdata_info *info, uint64_t bits[4]);

/* Writes the table of features and the features, at the end of the file. */
void perfdata_put_features(struct perfdata_sink *sink, const struct perfdata_info *info,
                           const struct perfdata_span *span);

#endif
