/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/platform/madt.h"

#include <stdbool.h>

#include "core/base/bytes.h"
#include "core/base/mem.h"

/* In the "APIC" table: the APIC's address and flags, then entries. */
enum {
    ENTRIES = ACPI_HEADER + 8,
    ENTRY_LENGTH = 1,
    ENTRY_HEADER = 2,
    LOCAL_APIC = 0,
    LOCAL_APIC_ID = 3,
    LOCAL_APIC_FLAGS = 4,
    LOCAL_APIC_BYTES = 8,
    LOCAL_X2APIC = 9,
    LOCAL_X2APIC_ID = 4,
    LOCAL_X2APIC_FLAGS = 8,
    LOCAL_X2APIC_BYTES = 16,
};

#define ALL_CORES 0xFFFFFFFFu /* no core's */

/* Section 5.2.12.2, local APIC flags; the second since ACPI 6.3. */
enum { FLAG_ENABLED = 1, FLAG_ONLINE_CAPABLE = 2 };

const char *madt_error_text(enum madt_error error)
{
    static const char *const texts[] = {
        [MADT_OK] = "no error",
        [MADT_NO_ROOT] = "ACPI's root pointer is missing or damaged",
        [MADT_NO_TABLES] = "ACPI's list of tables is damaged",
        [MADT_MISSING] = "ACPI has no table of cores (\"APIC\")",
        [MADT_LENGTH] = "ACPI's table of cores has an impossible length",
        [MADT_CHECKSUM] = "the checksum of ACPI's table of cores is wrong",
        [MADT_ENTRY] = "an entry of ACPI's table of cores is damaged",
    };

    return (unsigned)error < sizeof(texts) / sizeof(texts[0]) ? texts[error] : "unknown error";
}

/* ---------------------------------------------------------------- entries */

static void add_core(struct madt *madt, uint32_t id, uint32_t flags)
{
    if (!(flags & FLAG_ENABLED)) {
        madt->disabled++;
        madt->capable += (flags & FLAG_ONLINE_CAPABLE) != 0;
        return;
    }
    madt->beyond += id > MADT_XAPIC_LAST;
    for (uint32_t i = 0; i < madt->cores; i++)
        if (madt->apic_id[i] == id)
            return; /* some firmware lists a core by both types */
    if (madt->cores < MADT_CORES)
        madt->apic_id[madt->cores++] = id;
    else
        madt->more++;
}

/* Adds an entry; returns false if it is too short for its type. */
static bool add_entry(struct madt *madt, const uint8_t *entry, size_t length)
{
    switch (entry[0]) {
    case LOCAL_APIC:
        if (length < LOCAL_APIC_BYTES)
            return false;
        if (entry[LOCAL_APIC_ID] <= MADT_XAPIC_LAST)
            add_core(madt, entry[LOCAL_APIC_ID], bytes_read32(entry + LOCAL_APIC_FLAGS));
        return true;
    case LOCAL_X2APIC:
        if (length < LOCAL_X2APIC_BYTES)
            return false;
        if (bytes_read32(entry + LOCAL_X2APIC_ID) != ALL_CORES)
            add_core(madt, bytes_read32(entry + LOCAL_X2APIC_ID), bytes_read32(entry + LOCAL_X2APIC_FLAGS));
        return true;
    default: /* I/O APICs and so on */
        return true;
    }
}

enum madt_error madt_read(const void *table, size_t size, struct madt *ret_madt)
{
    const uint8_t *bytes = table;
    struct madt madt = {0};
    size_t length;

    if (size < ENTRIES || memcmp(bytes, "APIC", 4) != 0)
        return MADT_LENGTH;
    length = bytes_read32(bytes + ACPI_LENGTH);
    if (length < ENTRIES || length > size)
        return MADT_LENGTH;
    if (!bytes_sum_to_zero(bytes, length))
        return MADT_CHECKSUM;
    for (size_t at = ENTRIES, step; at < length; at += step) {
        if (length - at < ENTRY_HEADER)
            return MADT_ENTRY;
        step = bytes[at + ENTRY_LENGTH];
        if (step < ENTRY_HEADER || step > length - at || !add_entry(&madt, bytes + at, step))
            return MADT_ENTRY;
    }
    *ret_madt = madt;
    return MADT_OK;
}

enum madt_error madt_find(const struct physical_memory *memory, uint64_t root, struct madt *ret_madt)
{
    static const enum madt_error errors[] = {
        [ACPI_NO_ROOT] = MADT_NO_ROOT,
        [ACPI_NO_TABLES] = MADT_NO_TABLES,
        [ACPI_MISSING] = MADT_MISSING,
        [ACPI_TABLE_LENGTH] = MADT_LENGTH,
    };
    const uint8_t *table;
    size_t size;
    enum acpi_error error = acpi_find(memory, root, "APIC", &table, &size);

    return error ? errors[error] : madt_read(table, size, ret_madt);
}
