/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes a file by hand, field by field. The including file defines 'file' with its buffer:
 *
 *    static uint8_t room[32768];
 *    static struct put_file file = {room, sizeof(room), 0};
 */
#ifndef TESTS_UNIT_PUT_H
#define TESTS_UNIT_PUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct put_file {
    uint8_t *bytes;
    size_t room, size;
};

static struct put_file file;

static inline void put(const void *data, size_t size)
{
    if (size > file.room - file.size)
        abort();
    if (size > 0)
        memcpy(file.bytes + file.size, data, size);
    file.size += size;
}

static inline void put16(uint16_t value)
{
    put(&value, 2);
}

static inline void put32(uint32_t value)
{
    put(&value, 4);
}

static inline void put64(uint64_t value)
{
    put(&value, 8);
}

/* Replaces earlier bytes. */
static inline void set64(size_t at, uint64_t value)
{
    memcpy(file.bytes + at, &value, 8);
}

/* Begins a new file, on zeros. */
static inline void put_nothing(void)
{
    memset(file.bytes, 0, file.room);
    file.size = 0;
}

/* Begins a record of perf.data; its size follows in put_record_end(). Returns its place. */
static inline size_t put_record(uint32_t type, uint16_t misc)
{
    put32(type);
    put32(misc);
    return file.size - 8;
}

static inline void put_record_end(size_t at)
{
    uint16_t size = (uint16_t)(file.size - at);

    memcpy(file.bytes + at + 6, &size, 2);
}

#endif
