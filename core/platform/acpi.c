/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/platform/acpi.h"

#include "core/base/bytes.h"
#include "core/base/mem.h"

/* Offsets in the root pointer. Revision 0 (ACPI 1.0) ends after the address of the RSDT. */
enum {
    ROOT_REVISION = 15,
    ROOT_RSDT = 16,
    ROOT_BYTES = 20,
    ROOT_LENGTH = 20,
    ROOT_XSDT = 24,
    ROOT_LONG_BYTES = 36,
};

enum { TABLE_MOST = 1 << 20 };

/* Returns the whole table at this address; NULL: it has another name, or its length is impossible. */
static const uint8_t *table_at(const struct physical_memory *memory, uint64_t address, const char *name,
                               size_t *ret_length)
{
    const uint8_t *header = address ? memory->map(memory, address, ACPI_HEADER) : NULL;
    size_t length;

    if (!header || memcmp(header, name, 4) != 0)
        return NULL;
    length = bytes_read32(header + ACPI_LENGTH);
    if (length < ACPI_HEADER || length > TABLE_MOST)
        return NULL;
    *ret_length = length;
    return memory->map(memory, address, length);
}

struct wanted {
    const char *name;
    const uint8_t *table;
    size_t size;
};

/* Finds a table by a list whose entries have 'width' bytes. */
static enum acpi_error find_in(const struct physical_memory *memory, uint64_t list_address, const char *name,
                               size_t width, struct wanted *wanted)
{
    size_t length = 0;
    const uint8_t *list = table_at(memory, list_address, name, &length);

    if (!list || !bytes_sum_to_zero(list, length))
        return ACPI_NO_TABLES;
    for (size_t at = ACPI_HEADER; at + width <= length; at += width) {
        uint64_t address = width == 8 ? bytes_read64(list + at) : bytes_read32(list + at);
        const uint8_t *header = address ? memory->map(memory, address, ACPI_HEADER) : NULL;

        if (!header || memcmp(header, wanted->name, 4) != 0)
            continue;
        wanted->table = table_at(memory, address, wanted->name, &wanted->size);
        return wanted->table ? ACPI_OK : ACPI_TABLE_LENGTH;
    }
    return ACPI_MISSING;
}

enum acpi_error acpi_find(const struct physical_memory *memory, uint64_t root, const char *name,
                          const uint8_t **ret_table, size_t *ret_size)
{
    struct wanted wanted = {.name = name};
    const uint8_t *pointer = root ? memory->map(memory, root, ROOT_BYTES) : NULL;
    enum acpi_error error = ACPI_NO_TABLES;
    uint64_t rsdt;

    if (!pointer || memcmp(pointer, "RSD PTR ", 8) != 0 || !bytes_sum_to_zero(pointer, ROOT_BYTES))
        return ACPI_NO_ROOT;
    rsdt = bytes_read32(pointer + ROOT_RSDT);
    if (pointer[ROOT_REVISION] >= 2) {
        pointer = memory->map(memory, root, ROOT_LONG_BYTES);
        if (pointer && bytes_read32(pointer + ROOT_LENGTH) >= ROOT_LONG_BYTES &&
            bytes_sum_to_zero(pointer, ROOT_LONG_BYTES))
            error = find_in(memory, bytes_read64(pointer + ROOT_XSDT), "XSDT", 8, &wanted);
    }
    /* The older list serves if the newer one is not in order. */
    if (error == ACPI_NO_TABLES)
        error = find_in(memory, rsdt, "RSDT", 4, &wanted);
    if (!error) {
        *ret_table = wanted.table;
        *ret_size = wanted.size;
    }
    return error;
}
