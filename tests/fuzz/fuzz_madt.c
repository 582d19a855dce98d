/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ACPI's table of cores from hostile bytes: as a table, and as memory that begins with the root pointer.
 * In all cases: no access outside the bytes, and each core once, by an ID that can be reached.
 */
#include <stdint.h>
#include <stdlib.h>

#include "core/platform/madt.h"
#include "tests/fuzz/acpi_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(enum madt_error error, const struct madt *madt)
{
    if (error)
        return;
    for (uint32_t i = 0; i < madt->cores; i++) {
        if (madt->apic_id[i] == 0xFFFFFFFF)
            abort();
        for (uint32_t j = 0; j < i; j++)
            if (madt->apic_id[i] == madt->apic_id[j])
                abort();
    }
    if (madt->capable > madt->disabled)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *table = table_of(data, size);
    struct memory memory = memory_of(data, size, "APIC");
    struct madt madt;

    check(madt_read(table, size, &madt), &madt);
    check(madt_find(&memory.memory, BASE, &madt), &madt);
    free(table);
    forget_memory(&memory);
    return 0;
}
