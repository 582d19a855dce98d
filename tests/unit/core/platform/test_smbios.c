/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine as SMBIOS describes it: both entry points, structures in any order, and everything that may be wrong. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/platform/smbios.h"

/* The machine's physical memory: these bytes, from BASE on. Accesses beyond them return NULL. */
enum { BASE = 0xF0000, ENTRY = 0xF0020, TABLE = 0xF0100, BYTES = 0x400 };

static uint8_t bytes[BYTES];
static size_t table_size;

static const void *map(const struct physical_memory *memory, uint64_t address, size_t size)
{
    (void)memory;
    return address >= BASE && address < BASE + BYTES && size <= BASE + BYTES - address ? bytes + address - BASE : NULL;
}

static const struct physical_memory memory = {map};

static void put(uint64_t address, uint64_t value, unsigned width)
{
    memcpy(bytes + address - BASE, &value, width);
}

/* Sets the byte at 'where' so that the entry point's bytes sum to zero. */
static void sum(size_t size, size_t where)
{
    uint8_t *entry = bytes + ENTRY - BASE, total = 0;

    entry[where] = 0;
    for (size_t i = 0; i < size; i++)
        total = (uint8_t)(total + entry[i]);
    entry[where] = (uint8_t)-total;
}

/* Adds a structure: its formatted bytes after the header, and its strings, each with a zero. */
static void add(uint8_t type, const char *formatted, uint8_t length, const char *strings, size_t size)
{
    uint8_t *at = bytes + TABLE - BASE + table_size;

    at[0] = type;
    at[1] = (uint8_t)(4 + length);
    memcpy(at + 4, formatted, length);
    memcpy(at + 4 + length, strings, size); /* with the literal's last zero there are two */
    table_size += 4u + length + size;
}

#define ADD(type, formatted, strings) add(type, formatted, sizeof(formatted) - 1, strings, sizeof(strings))

#define UUID "\x44\x45\x4c\x4c\x51\x00\x10\x37\x80\x52\xb8\xc0\x4f\x4e\x36\x32"

static int build(void **state)
{
    memset(bytes, 0, sizeof bytes);
    table_size = 0;
    ADD(2, "\x01\x02\x00\x03", "Gigabyte\0GA-MA790\0  B-77 \0");
    ADD(0, "\x01\x02\x00\xe0\x03",
        "AMI\0P2.10\0"
        "08/25/2010\0");
    ADD(126, "\x01", "Inactive\0");
    ADD(1, "\x01\x02\x00\x03" UUID, "Maker \x80\0Product 9\0S-1234\0");
    ADD(1, "\x01\x01\x01\x01" UUID, "Second\0");
    ADD(127, "", "\0");
    ADD(2, "\x01\x01\x01\x01", "After the end\0");
    return 0;
}

static void short_entry(unsigned version, size_t length)
{
    memset(bytes + ENTRY - BASE, 0, 32);
    put(ENTRY, 0x5f4d535f, 4); /* "_SM_" */
    put(ENTRY + 5, length, 1);
    put(ENTRY + 6, version >> 8, 1);
    put(ENTRY + 7, version & 0xff, 1);
    put(ENTRY + 22, table_size, 2);
    put(ENTRY + 24, TABLE, 4);
    put(ENTRY + 28, 7, 2);
    sum(length, 4);
}

static void long_entry(void)
{
    memset(bytes + ENTRY - BASE, 0, 32);
    memcpy(bytes + ENTRY - BASE, "_SM3_", 5);
    put(ENTRY + 6, 24, 1);
    put(ENTRY + 7, 0x0703, 2);
    put(ENTRY + 12, table_size, 4);
    put(ENTRY + 16, TABLE, 8);
    sum(24, 5);
}

static void expect_all(const struct smbios *smbios)
{
    static const char *const texts[SMBIOS_TEXTS] = {"AMI",    "P2.10",    "08/25/2010", "Maker ?", "Product 9",
                                                    "S-1234", "Gigabyte", "GA-MA790",   "B-77"};

    for (unsigned i = 0; i < SMBIOS_TEXTS; i++)
        assert_string_equal(smbios->text[i], texts[i]);
}

TEST_WITH(entries, build, NULL)
{
    struct smbios smbios;

    short_entry(0x206, 31);
    assert_int_equal(smbios_read(&memory, ENTRY, &smbios), SMBIOS_OK);
    expect_all(&smbios);
    assert_string_equal(smbios.uuid, "4c4c4544-0051-3710-8052-b8c04f4e3632");
    short_entry(0x205, 30); /* before version 2.6 the bytes are printed as they stand */
    assert_int_equal(smbios_read(&memory, ENTRY, &smbios), SMBIOS_OK);
    expect_all(&smbios);
    assert_string_equal(smbios.uuid, "44454c4c-5100-1037-8052-b8c04f4e3632");
    long_entry();
    assert_int_equal(smbios_read(&memory, ENTRY, &smbios), SMBIOS_OK);
    expect_all(&smbios);
    assert_string_equal(smbios.uuid, "4c4c4544-0051-3710-8052-b8c04f4e3632");
}

static void expect_none(uint64_t entry, enum smbios_error error)
{
    static const struct smbios none;
    struct smbios smbios;

    memset(&smbios, 'x', sizeof smbios);
    assert_int_equal(smbios_read(&memory, entry, &smbios), error);
    assert_memory_equal(&smbios, &none, sizeof none);
}

TEST_WITH(refused, build, NULL)
{
    expect_none(0, SMBIOS_NO_ENTRY);
    expect_none(BASE + BYTES, SMBIOS_NO_ENTRY);
    expect_none(BASE, SMBIOS_NO_ENTRY);
    long_entry();
    put(ENTRY + 10, 1, 1); /* the checksum is wrong now */
    expect_none(ENTRY, SMBIOS_NO_ENTRY);
    put(ENTRY + 6, 23, 1);
    sum(23, 5);
    expect_none(ENTRY, SMBIOS_NO_ENTRY);
    short_entry(0x206, 29);
    expect_none(ENTRY, SMBIOS_NO_ENTRY);
    for (unsigned i = 0; i < 3; i++) {
        long_entry();
        put(ENTRY + 16, (const uint64_t[]){0, BASE + BYTES, TABLE}[i], 8);
        put(ENTRY + 12, i < 2 ? table_size : 0, 4);
        sum(24, 5);
        expect_none(ENTRY, SMBIOS_NO_TABLE);
    }
}

/* The table ends within a structure or its strings: everything before that is used. */
TEST_WITH(cut_off, build, NULL)
{
    const size_t whole = table_size;
    struct smbios smbios;

    for (table_size = 1; table_size <= whole; table_size++) {
        /* The bytes after the table belong to others. */
        memset(bytes + TABLE - BASE + table_size, 'Z', BYTES - (TABLE - BASE) - table_size);
        long_entry();
        assert_int_equal(smbios_read(&memory, ENTRY, &smbios), SMBIOS_OK);
        for (unsigned i = 0; i < SMBIOS_TEXTS; i++)
            assert_null(strchr(smbios.text[i], 'Z'));
        build(NULL);
    }
    table_size = 8 + sizeof("Gigabyte\0GA-MA790\0  B") - 1;
    long_entry();
    assert_int_equal(smbios_read(&memory, ENTRY, &smbios), SMBIOS_OK);
    assert_string_equal(smbios.text[SMBIOS_BOARD_SERIAL], "B");
    assert_string_equal(smbios.text[SMBIOS_MAKER], "");
}

TEST_WITH(not_told, build, NULL)
{
    char all[20] = "\x01\x01\x01\x09", text[SMBIOS_TEXT_MAX + 40];
    struct smbios smbios;

    for (unsigned i = 0; i < 3; i++) {
        table_size = 0;
        memset(all + 4, (const char[]){0, -1, 0x11}[i], 16);
        add(1, all, sizeof all, "\0", 2);
        long_entry();
        assert_int_equal(smbios_read(&memory, ENTRY, &smbios), SMBIOS_OK);
        assert_string_equal(smbios.uuid, i < 2 ? "" : "11111111-1111-1111-1111-111111111111");
        assert_string_equal(smbios.text[SMBIOS_SERIAL], ""); /* string 9 does not exist */
    }
    /* All bytes but the first are equal. */
    table_size = 0;
    memset(all + 4, 1, 16);
    all[4] = 0;
    add(1, all, sizeof all, "\0", 2);
    long_entry();
    assert_int_equal(smbios_read(&memory, ENTRY, &smbios), SMBIOS_OK);
    assert_string_equal(smbios.uuid, "01010100-0101-0101-0101-010101010101");
    /* The structure is too short for a serial number, or a text is too long. */
    table_size = 0;
    memset(text, 'A', sizeof text);
    text[sizeof text - 1] = '\0';
    add(1, "\x01\x01\x01", 3, text, sizeof text);
    add(127, "", 0, "\0", 2);
    long_entry();
    assert_int_equal(smbios_read(&memory, ENTRY, &smbios), SMBIOS_OK);
    assert_int_equal(strlen(smbios.text[SMBIOS_MAKER]), SMBIOS_TEXT_MAX - 1);
    assert_string_equal(smbios.text[SMBIOS_SERIAL], "");
    assert_string_equal(smbios.uuid, "");
}

RUN_TESTS(NULL, NULL)
