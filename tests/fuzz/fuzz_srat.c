/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ACPI's table of nodes from hostile bytes: as a table, and as memory that begins with the root pointer. Checksums are
 * made right where they stand, or hardly any input would come further. In all cases: no access outside the bytes, and
 * nodes of cores and memory that the table has.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/srat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BASE = 0x1000 };

struct memory {
    struct acpi_memory memory;
    const uint8_t *bytes;
    size_t size;
};

static void *copies[4096];
static unsigned copied;

/* A copy of exactly what was asked for, so that the sanitizer sees any access beyond it. */
static const void *map(const struct acpi_memory *memory, uint64_t address, size_t size)
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

static void check(enum srat_error error, const struct srat *srat)
{
    if (error)
        return;
    for (uint32_t i = 0; i < srat->cores; i++)
        if (srat->core[i].node >= srat->nodes || srat_node_of(srat, srat->core[i].apic_id) < 0)
            abort();
    for (uint32_t i = 0; i < srat->ranges; i++)
        if (srat->range[i].node >= srat->nodes || srat->range[i].end <= srat->range[i].base)
            abort();
    for (uint32_t i = 1; i < srat->nodes; i++)
        if (srat->domain[i] <= srat->domain[i - 1])
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(size + 1);
    struct memory memory = {{map}, bytes, size};
    static struct srat srat;

    memcpy(bytes, data, size);
    mend_table(bytes, size);
    check(srat_read(bytes, size, &srat), &srat);
    memcpy(bytes, data, size);
    for (size_t at = 36; at + 36 <= size; at += 4)
        if (!memcmp(bytes + at, "SRAT", 4) || !memcmp(bytes + at, "XSDT", 4) || !memcmp(bytes + at, "RSDT", 4))
            mend_table(bytes + at, size - at);
    mend(bytes, size < 20 ? size : 20, 8);
    if (size >= 36)
        mend(bytes, 36, 32);
    check(srat_find(&memory.memory, BASE, &srat), &srat);
    free(bytes);
    while (copied)
        free(copies[--copied]);
    return 0;
}
