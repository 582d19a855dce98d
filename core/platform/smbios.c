/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/platform/smbios.h"

#include <stdbool.h>

#include "core/base/bytes.h"
#include "core/base/mem.h"

enum {
    /* Tables have some KB; DSP0134 allows 4 GB from version 3.0 on. */
    TABLE_MOST = 1 << 20,
    HEADER = 4, /* type, length, handle */
    TYPE_SYSTEM = 1,
    TYPE_END = 127,
    SYSTEM_UUID = 8,
    UUID_BYTES = 16,
    UUID_MIXED = 0x206, /* from version 2.6 on its first three fields are little-endian (7.2.1) */
};

static const struct text_row {
    uint8_t type, at; /* of the structure, and where the number of its string stands */
} rows[SMBIOS_TEXTS] = {
    [SMBIOS_FIRMWARE_VENDOR] = {0, 4}, [SMBIOS_FIRMWARE_VERSION] = {0, 5},
    [SMBIOS_FIRMWARE_DATE] = {0, 8},   [SMBIOS_MAKER] = {1, 4},
    [SMBIOS_PRODUCT] = {1, 5},         [SMBIOS_SERIAL] = {1, 7},
    [SMBIOS_BOARD_MAKER] = {2, 4},     [SMBIOS_BOARD] = {2, 5},
    [SMBIOS_BOARD_SERIAL] = {2, 7},
};

/* Offsets of an entry point's fields. */
static const struct entry_row {
    const char *anchor;
    uint8_t anchor_bytes, length, least, version, table_size, table;
    bool wide; /* the table's size has four bytes, its address eight; else two and four */
} entries[] = {
    {"_SM3_", 5, 6, 24, 7, 12, 16, true},
    {"_SM_", 4, 5, 30, 6, 22, 24, false}, /* 30: version 2.1 was published with a wrong length (5.2.1) */
};

struct table {
    const uint8_t *bytes;
    size_t size;
    unsigned version; /* 0x206: 2.6 */
};

static enum smbios_error find_table(const struct physical_memory *memory, uint64_t address, struct table *ret_table)
{
    const uint8_t *entry = address ? memory->map(memory, address, 8) : NULL;

    for (unsigned i = 0; entry && i < sizeof(entries) / sizeof(entries[0]); i++) {
        const struct entry_row *row = &entries[i];
        size_t size;

        if (memcmp(entry, row->anchor, row->anchor_bytes) != 0)
            continue;
        size = entry[row->length];
        entry = size >= row->least ? memory->map(memory, address, size) : NULL;
        if (!entry || !bytes_sum_to_zero(entry, size))
            return SMBIOS_NO_ENTRY;
        ret_table->version = (unsigned)entry[row->version] << 8 | entry[row->version + 1];
        ret_table->size = bytes_read32(entry + row->table_size);
        address = bytes_read32(entry + row->table);
        if (row->wide)
            address = bytes_read64(entry + row->table);
        else
            ret_table->size &= 0xffff;
        if (ret_table->size > TABLE_MOST)
            ret_table->size = TABLE_MOST;
        ret_table->bytes = address && ret_table->size ? memory->map(memory, address, ret_table->size) : NULL;
        return ret_table->bytes ? SMBIOS_OK : SMBIOS_NO_TABLE;
    }
    return SMBIOS_NO_ENTRY;
}

/* Copies string 'number' (1: the first) of those between 'at' and 'end'; 0 is none. */
static void copy_text(const uint8_t *at, const uint8_t *end, unsigned number, char *text)
{
    size_t length = 0;

    if (!number)
        return;
    while (--number) {
        while (at < end && *at)
            at++;
        if (at < end)
            at++;
    }
    while (at < end && *at == ' ')
        at++;
    for (; at < end && *at && length < SMBIOS_TEXT_MAX - 1; at++)
        text[length++] = *at >= 0x20 && *at < 0x7f ? (char)*at : '?';
    while (length && text[length - 1] == ' ')
        length--;
    text[length] = '\0';
}

/* Returns false if all bits are equal: it is not set, or not there (7.2.1). */
static bool uuid_told(const uint8_t *uuid)
{
    for (unsigned i = 1; i < UUID_BYTES; i++)
        if (uuid[i] != uuid[0])
            return true;
    return uuid[0] != 0 && uuid[0] != 0xff;
}

/* Writes into a text of zeros. */
static void write_uuid(const uint8_t *uuid, bool mixed, char *text)
{
    static const uint8_t order[2][UUID_BYTES] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                                 {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15}};
    static const char digits[] = "0123456789abcdef";

    if (!uuid_told(uuid))
        return;
    for (unsigned i = 0; i < UUID_BYTES; i++) {
        uint8_t byte = uuid[order[mixed][i]];

        if (i == 4 || i == 6 || i == 8 || i == 10)
            *text++ = '-';
        *text++ = digits[byte >> 4];
        *text++ = digits[byte & 0xf];
    }
}

/* Returns the end of the structure's strings: two zero bytes, or the end of the table. */
static const uint8_t *strings_end(const uint8_t *at, const uint8_t *end)
{
    while (end - at >= 2 && (at[0] || at[1]))
        at++;
    return end - at >= 2 ? at + 2 : end;
}

/* Takes the first structure of each type. */
static void take(const struct table *table, const uint8_t *structure, const uint8_t *end, struct smbios *smbios)
{
    const uint8_t length = structure[1], *strings = structure + length;

    for (unsigned i = 0; i < SMBIOS_TEXTS; i++)
        if (rows[i].type == structure[0] && rows[i].at < length && !smbios->text[i][0])
            copy_text(strings, end, structure[rows[i].at], smbios->text[i]);
    if (structure[0] == TYPE_SYSTEM && length >= SYSTEM_UUID + UUID_BYTES && !smbios->uuid[0])
        write_uuid(structure + SYSTEM_UUID, table->version >= UUID_MIXED, smbios->uuid);
}

enum smbios_error smbios_read(const struct physical_memory *memory, uint64_t entry, struct smbios *ret_smbios)
{
    struct table table = {0};
    enum smbios_error error;

    *ret_smbios = (struct smbios){0};
    error = find_table(memory, entry, &table);
    if (error)
        return error;
    for (const uint8_t *at = table.bytes, *end = table.bytes + table.size; end - at > HEADER;) {
        const uint8_t *next;

        if (at[0] == TYPE_END || at[1] < HEADER || at[1] > end - at)
            break;
        next = strings_end(at + at[1], end);
        take(&table, at, next, ret_smbios);
        at = next;
    }
    return SMBIOS_OK;
}
