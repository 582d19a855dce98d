/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ACPI tables from hostile bytes, for fuzzers of their readers. Checksums are corrected in place, or hardly any input
 * would get further.
 */
#ifndef TESTS_FUZZ_ACPI_BYTES_H
#define TESTS_FUZZ_ACPI_BYTES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/platform/acpi.h"

enum { BASE = 0x1000 };

struct memory {
    struct physical_memory memory;
    uint8_t *bytes;
    size_t size;
};

static void *copies[4096];
static unsigned copied;

/* Returns a copy of exactly the requested bytes, so that the sanitizer sees any access beyond them. */
static const void *map(const struct physical_memory *memory, uint64_t address, size_t size)
{
    const struct memory *m = (const struct memory *)memory;
    void *copy;

    if (address < BASE || address - BASE > m->size || size > m->size - (address - BASE) || copied == 4096)
        return NULL;
    copy = malloc(size);
    memcpy(copy, m->bytes + (address - BASE), size);
    copies[copied++] = copy;
    return copy;
}

static void mend(uint8_t *bytes, size_t size, size_t where)
{
    uint8_t sum = 0;

    if (where >= size)
        return;
    bytes[where] = 0;
    for (size_t i = 0; i < size; i++)
        sum = (uint8_t)(sum + bytes[i]);
    bytes[where] = (uint8_t)-sum;
}

static void mend_table(uint8_t *bytes, size_t size)
{
    uint32_t length;

    if (size < 36)
        return;
    memcpy(&length, bytes + 4, 4);
    if (length >= 36 && length <= size)
        mend(bytes, length, 9);
}

/* Returns memory at BASE that begins with a root pointer, until forget_memory(): the input, with the tables' signature
 * corrected. */
static inline struct memory memory_of(const uint8_t *data, size_t size, const char *signature)
{
    uint8_t *bytes = malloc(size + 1);

    memcpy(bytes, data, size);
    for (size_t at = 36; at + 36 <= size; at += 4)
        if (!memcmp(bytes + at, signature, 4) || !memcmp(bytes + at, "XSDT", 4) || !memcmp(bytes + at, "RSDT", 4))
            mend_table(bytes + at, size - at);
    mend(bytes, size < 20 ? size : 20, 8);
    if (size >= 36)
        mend(bytes, 36, 32);
    return (struct memory){{map}, bytes, size};
}

static void forget_memory(struct memory *memory)
{
    free(memory->bytes);
    while (copied)
        free(copies[--copied]);
}

/* Returns the input as one table; to be freed. */
static inline uint8_t *table_of(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(size + 1);

    memcpy(bytes, data, size);
    mend_table(bytes, size);
    return bytes;
}

#endif
