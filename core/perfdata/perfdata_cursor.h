/* SPDX-License-Identifier: BSD-2-Clause */
/* Internals of the perf.data reader: a piece of the file that is read front to back, and functions that its files
 * share. */
#ifndef CORE_PERFDATA_CURSOR_H
#define CORE_PERFDATA_CURSOR_H

#include "core/base/mem.h"
#include "core/perfdata/perfdata_read.h"

/* A piece; reading beyond its end gives zeros and sets 'over'. */
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

/* Returns all that is left, as text; NULL when there is no NUL in it. */
static inline const char *text_of(const struct cursor *cursor)
{
    for (uint64_t i = 0; i < cursor->left; i++)
        if (cursor->at[i] == '\0')
            return (const char *)cursor->at;
    return NULL;
}

/* Takes a text: u32 length and that many bytes with a NUL; NULL without one. */
static inline const char *take_string(struct cursor *cursor)
{
    uint32_t length = take32(cursor);
    const uint8_t *bytes = take(cursor, length);
    return bytes != NULL ? text_of(&(struct cursor){bytes, length, false}) : NULL;
}

/* Opens a section of the file; returns false when it reaches beyond the end. */
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

/* Works out the layouts once the events are known: perfdata_plain.c. */
void perfdata_lay_out(struct perfdata_reader *reader);

/* Returns a sample's time without reading the rest; 0 when it has none. */
uint64_t perfdata_sample_time(const struct perfdata_reader *reader, struct cursor body);

/* Reads the identity at the end of a record that is no sample (sample_id_all), and cuts it off the body. */
void perfdata_read_trailer(struct perfdata_reader *reader, struct cursor *body, struct perfdata_item *item);

#endif
