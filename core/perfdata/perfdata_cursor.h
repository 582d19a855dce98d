/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside of the perf.data reader: a piece of the file that is read front to back, and what its files call in one
 * another. */
#ifndef CORE_PERFDATA_CURSOR_H
#define CORE_PERFDATA_CURSOR_H

#include "core/base/mem.h"
#include "core/perfdata/perfdata_read.h"

/* Reading over its end gives zeros and sets 'over'. */
struct cursor {
    const uint8_t *at;
    uint64_t left;
    bool over;
};

static inline const uint8_t *take(struct cursor *cursor, uint64_t size)
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

static inline uint16_t take16(struct cursor *cursor)
{
    uint16_t value = 0;
    const uint8_t *bytes = take(cursor, sizeof(value));
    if (bytes != NULL)
        memcpy(&value, bytes, sizeof(value));
    return value;
}

static inline uint32_t take32(struct cursor *cursor)
{
    uint32_t value = 0;
    const uint8_t *bytes = take(cursor, sizeof(value));
    if (bytes != NULL)
        memcpy(&value, bytes, sizeof(value));
    return value;
}

static inline uint64_t take64(struct cursor *cursor)
{
    uint64_t value = 0;
    const uint8_t *bytes = take(cursor, sizeof(value));
    if (bytes != NULL)
        memcpy(&value, bytes, sizeof(value));
    return value;
}

/* All that is left, as text; NULL when there is no NUL in it. */
static inline const char *text_of(const struct cursor *cursor)
{
    for (uint64_t i = 0; i < cursor->left; i++)
        if (cursor->at[i] == '\0')
            return (const char *)cursor->at;
    return NULL;
}

/* u32 length and that many bytes with a NUL among them; NULL when there is none. */
static inline const char *take_string(struct cursor *cursor)
{
    uint32_t length = take32(cursor);
    const uint8_t *bytes = take(cursor, length);
    return bytes != NULL ? text_of(&(struct cursor){bytes, length, false}) : NULL;
}

/* A section of the file; false when it reaches over the end. */
static inline bool section(const struct perfdata_reader *reader, uint64_t offset, uint64_t size,
                           struct cursor *ret_cursor)
{
    if (offset > reader->size || size > reader->size - offset)
        return false;
    *ret_cursor = (struct cursor){reader->file + offset, size, false};
    return true;
}

/* Notes what is wrong, and where. */
static inline enum perfdata_error wrong(struct perfdata_reader *reader, enum perfdata_error error, uint64_t at,
                                        const char *why)
{
    reader->error_at = at;
    reader->why = why;
    return error;
}

/* ---- perfdata_read.c calls these in perfdata_read_features.c and perfdata_read_sample.c */
void perfdata_read_features(struct perfdata_reader *reader);
enum perfdata_error perfdata_check_events(struct perfdata_reader *reader);
enum perfdata_error perfdata_read_sample(struct perfdata_reader *reader, struct cursor body,
                                         struct perfdata_item *item);

/* Once the events are known: perfdata_plain.c. */
void perfdata_lay_out(struct perfdata_reader *reader);

/* A sample's time without the rest of it; 0 when it has none. */
uint64_t perfdata_sample_time(const struct perfdata_reader *reader, struct cursor body);

/* The identity at the end of a record that is no sample (sample_id_all), and cuts it off the body. */
void perfdata_read_trailer(struct perfdata_reader *reader, struct cursor *body, struct perfdata_item *item);

#endif
