/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine's identity, on the console and in run.ini: what SMBIOS says, and nothing that it does not say. */
#include "tests/unit/app/fixture.h"

#include <stdio.h>
#include <string.h>

#define FOLDER "0001-matmul-classic-ibs"

/* An entry point of version 3, and its table with firmware, system and board. */
static _Alignas(8) struct {
    uint8_t entry[24], table[256];
} smbios;

static size_t size;

static void add(uint8_t type, const char *formatted, size_t length, const char *strings, size_t string_bytes)
{
    smbios.table[size] = type;
    smbios.table[size + 1] = (uint8_t)(4 + length);
    memcpy(smbios.table + size + 4, formatted, length);
    memcpy(smbios.table + size + 4 + length, strings, string_bytes);
    size += 4 + length + string_bytes;
}

#define ADD(type, formatted, strings) add(type, formatted, sizeof(formatted) - 1, strings, sizeof(strings))

static void finish(void)
{
    const uint64_t table = (uintptr_t)smbios.table;
    uint8_t sum = 0;

    memset(smbios.entry, 0, sizeof smbios.entry);
    memcpy(smbios.entry, "_SM3_", 5);
    smbios.entry[6] = sizeof smbios.entry;
    smbios.entry[7] = 3;
    memcpy(smbios.entry + 12, &(uint32_t){(uint32_t)size}, 4);
    memcpy(smbios.entry + 16, &table, 8);
    for (unsigned i = 0; i < sizeof smbios.entry; i++)
        sum = (uint8_t)(sum + smbios.entry[i]);
    smbios.entry[5] = (uint8_t)-sum;
    fake_fw.tables[FIRMWARE_SMBIOS] = smbios.entry;
}

APP_TEST(all_is_told)
{
    size = 0;
    ADD(0, "\1\2\0\0\3",
        "American Megatrends\0P2.10\0"
        "08/25/2010\0");
    ADD(1, "\1\2\0\3ABCDEFGHIJKLMNOP", "ASUS\0M4A79\0S-1234\0");
    ADD(2, "\1\2\0\3", "ASUSTeK\0M4A79T Deluxe\0B-77\0");
    finish();
    fake_fw.firmware.mac = "52-54-00-12-34-56";
    assert_int_equal(start("menu=no"), 0);
    assert_shown("System        ASUS M4A79, serial number S-1234\n"
                 "Board         ASUSTeK M4A79T Deluxe, serial number B-77\n"
                 "Firmware      fake firmware 1.0, version P2.10 of 08/25/2010\n");
    assert_string_equal(saved_fact(FOLDER, "machine.firmware.by"), "American Megatrends");
    assert_string_equal(saved_fact(FOLDER, "machine.firmware.version"), "P2.10");
    assert_string_equal(saved_fact(FOLDER, "machine.firmware.date"), "08/25/2010");
    assert_string_equal(saved_fact(FOLDER, "machine.maker"), "ASUS");
    assert_string_equal(saved_fact(FOLDER, "machine.product"), "M4A79");
    assert_string_equal(saved_fact(FOLDER, "machine.serial"), "S-1234");
    assert_string_equal(saved_fact(FOLDER, "machine.uuid"), "44434241-4645-4847-494a-4b4c4d4e4f50");
    assert_string_equal(saved_fact(FOLDER, "machine.board.maker"), "ASUSTeK");
    assert_string_equal(saved_fact(FOLDER, "machine.board"), "M4A79T Deluxe");
    assert_string_equal(saved_fact(FOLDER, "machine.board.serial"), "B-77");
    assert_string_equal(saved_fact(FOLDER, "machine.mac"), "52-54-00-12-34-56");
}

APP_TEST(part_is_told)
{
    size = 0;
    ADD(0, "\0\0\0\0\1", "08/25/2010\0");
    ADD(1, "\0\1\0\0", "Machine\0");
    ADD(2, "\1\0\0\0", "Maker\0");
    finish();
    assert_int_equal(start("menu=no"), 0);
    assert_shown("System        Machine\n"
                 "Board         Maker\n"
                 "Firmware      fake firmware 1.0 of 08/25/2010\n");
    assert_string_equal(saved_fact(FOLDER, "machine.maker"), "");
    assert_string_equal(saved_fact(FOLDER, "machine.serial"), "");
    assert_string_equal(saved_fact(FOLDER, "machine.uuid"), "");
    assert_string_equal(saved_fact(FOLDER, "machine.mac"), "");
    assert_string_equal(saved_fact(FOLDER, "machine.board.maker"), "Maker");
}

/* A single letter counts as a text. */
APP_TEST(short_texts)
{
    static const char *const keys[] = {"firmware.by", "firmware.version", "firmware.date", "maker",       "product",
                                       "serial",      "board.maker",      "board",         "board.serial"};

    size = 0;
    ADD(0, "\1\2\0\0\3", "A\0B\0C\0");
    ADD(1, "\1\2\0\3", "D\0E\0F\0");
    ADD(2, "\1\2\0\3", "G\0H\0I\0");
    finish();
    assert_int_equal(start("menu=no"), 0);
    assert_shown("System        D E, serial number F\n"
                 "Board         G H, serial number I\n"
                 "Firmware      fake firmware 1.0, version B of C\n");
    for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        char key[40];

        snprintf(key, sizeof(key), "machine.%s", keys[i]);
        assert_string_equal(saved_fact(FOLDER, key), ((const char[]){(char)('A' + i), '\0'}));
    }
}

APP_TEST(nothing_is_told)
{
    assert_int_equal(start("menu=no"), 0);
    assert_not_shown("\nSystem  ");
    assert_not_shown("\nBoard  ");
    assert_shown("Firmware      fake firmware 1.0\n");
    assert_string_equal(saved_fact(FOLDER, "machine.firmware.by"), "");
    assert_string_equal(saved_fact(FOLDER, "machine.board"), "");
}

RUN_TESTS(fixture_load, NULL)
