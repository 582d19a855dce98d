/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/platform/srat.h"

#include "core/base/bytes.h"
#include "core/base/mem.h"

/* Behind the header: a reserved number and eight reserved bytes. */
enum { ENTRIES = ACPI_HEADER + 12, ENTRY_LENGTH = 1, ENTRY_HEADER = 2, FLAG_ENABLED = 1 };

/* Tables 5.59 to 5.61. */
enum {
    APIC = 0,
    APIC_DOMAIN = 2, /* bits 7:0; 31:8 are three bytes on */
    APIC_ID = 3,
    APIC_FLAGS = 4,
    APIC_DOMAIN_HIGH = 9,
    APIC_BYTES = 16,
    MEMORY = 1,
    MEMORY_DOMAIN = 2,
    MEMORY_BASE = 8,
    MEMORY_SIZE = 16,
    MEMORY_FLAGS = 28,
    MEMORY_BYTES = 40,
    X2APIC = 2,
    X2APIC_DOMAIN = 4,
    X2APIC_ID = 8,
    X2APIC_FLAGS = 12,
    X2APIC_BYTES = 24,
};

/* Keeps domains in ascending order: nodes of earlier entries are domains until all are known. */
static enum srat_error add_domain(struct srat *srat, uint32_t domain)
{
    uint32_t at = 0;

    while (at < srat->nodes && srat->domain[at] < domain)
        at++;
    if (at < srat->nodes && srat->domain[at] == domain)
        return SRAT_OK;
    if (srat->nodes == SRAT_NODES)
        return SRAT_MANY;
    for (uint32_t i = srat->nodes++; i > at; i--)
        srat->domain[i] = srat->domain[i - 1];
    srat->domain[at] = domain;
    return SRAT_OK;
}

static enum srat_error add_core(struct srat *srat, uint32_t apic_id, uint32_t domain, uint32_t flags)
{
    if (!(flags & FLAG_ENABLED))
        return SRAT_OK;
    if (srat->cores == SRAT_CORES)
        return SRAT_MANY;
    srat->core[srat->cores].apic_id = apic_id;
    srat->core[srat->cores++].node = domain;
    return add_domain(srat, domain);
}

static enum srat_error add_memory(struct srat *srat, const uint8_t *entry)
{
    uint64_t base = bytes_read64(entry + MEMORY_BASE), size = bytes_read64(entry + MEMORY_SIZE);
    uint32_t domain = bytes_read32(entry + MEMORY_DOMAIN);

    if (!(bytes_read32(entry + MEMORY_FLAGS) & FLAG_ENABLED) || !size)
        return SRAT_OK;
    if (base + size < base)
        return SRAT_ENTRY;
    if (srat->ranges == SRAT_RANGES)
        return SRAT_MANY;
    srat->range[srat->ranges].base = base;
    srat->range[srat->ranges].end = base + size;
    srat->range[srat->ranges++].node = domain;
    return add_domain(srat, domain);
}

static enum srat_error add_entry(struct srat *srat, const uint8_t *entry, size_t length)
{
    static const uint8_t least[] = {[APIC] = APIC_BYTES, [MEMORY] = MEMORY_BYTES, [X2APIC] = X2APIC_BYTES};

    if (entry[0] >= sizeof least)
        return SRAT_OK; /* of other kinds of initiators */
    if (length < least[entry[0]])
        return SRAT_ENTRY;
    if (entry[0] == APIC)
        return add_core(srat, entry[APIC_ID],
                        entry[APIC_DOMAIN] | (bytes_read32(entry + APIC_DOMAIN_HIGH) & 0xFFFFFF) << 8,
                        bytes_read32(entry + APIC_FLAGS));
    if (entry[0] == X2APIC)
        return add_core(srat, bytes_read32(entry + X2APIC_ID), bytes_read32(entry + X2APIC_DOMAIN),
                        bytes_read32(entry + X2APIC_FLAGS));
    return add_memory(srat, entry);
}

static uint32_t node_of_domain(const struct srat *srat, uint32_t domain)
{
    uint32_t node = 0;

    while (srat->domain[node] != domain)
        node++;
    return node;
}

enum srat_error srat_read(const void *table, size_t size, struct srat *ret_srat)
{
    const uint8_t *bytes = table;
    size_t length;

    if (size < ENTRIES || memcmp(bytes, "SRAT", 4) != 0)
        return SRAT_LENGTH;
    length = bytes_read32(bytes + ACPI_LENGTH);
    if (length < ENTRIES || length > size)
        return SRAT_LENGTH;
    if (!bytes_sum_to_zero(bytes, length))
        return SRAT_CHECKSUM;
    ret_srat->nodes = ret_srat->cores = ret_srat->ranges = 0;
    for (size_t at = ENTRIES, step; at < length; at += step) {
        enum srat_error error;

        if (length - at < ENTRY_HEADER)
            return SRAT_ENTRY;
        step = bytes[at + ENTRY_LENGTH];
        if (step < ENTRY_HEADER || step > length - at)
            return SRAT_ENTRY;
        error = add_entry(ret_srat, bytes + at, step);
        if (error)
            return error;
    }
    for (uint32_t i = 0; i < ret_srat->cores; i++)
        ret_srat->core[i].node = node_of_domain(ret_srat, ret_srat->core[i].node);
    for (uint32_t i = 0; i < ret_srat->ranges; i++)
        ret_srat->range[i].node = node_of_domain(ret_srat, ret_srat->range[i].node);
    return SRAT_OK;
}

enum srat_error srat_find(const struct physical_memory *memory, uint64_t root, struct srat *ret_srat)
{
    const uint8_t *table;
    size_t size;
    enum acpi_error error = acpi_find(memory, root, "SRAT", &table, &size);

    if (error)
        return error == ACPI_TABLE_LENGTH ? SRAT_LENGTH : SRAT_MISSING;
    return srat_read(table, size, ret_srat);
}

int srat_node_of(const struct srat *srat, uint32_t apic_id)
{
    for (uint32_t i = 0; i < srat->cores; i++)
        if (srat->core[i].apic_id == apic_id)
            return (int)srat->core[i].node;
    return -1;
}
