/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ACPI's table of nodes from hostile bytes: as a table, and as memory that begins with the root pointer.
 * In all cases: no access outside the bytes, and nodes of cores and memory that the table has.
 */
#include <stdint.h>
#include <stdlib.h>

#include "core/platform/srat.h"
#include "tests/fuzz/acpi_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
    uint8_t *table = table_of(data, size);
    struct memory memory = memory_of(data, size, "SRAT");
    static struct srat srat;

    check(srat_read(table, size, &srat), &srat);
    check(srat_find(&memory.memory, BASE, &srat), &srat);
    free(table);
    forget_memory(&memory);
    return 0;
}
