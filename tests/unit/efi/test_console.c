/* SPDX-License-Identifier: BSD-2-Clause */
/* Consoles as boards have them: of any size, in graphics mode, or without any device. */
#include <string.h>

#include "tests/unit/efi/fake_system.h"

static struct efi_firmware efi;

static int setup(void **state)
{
    fake_system_init(&efi);
    return 0;
}

static void print(const char *text)
{
    efi_print(&efi.firmware, text, strlen(text));
}

TEST_WITH(a_screen, setup, NULL)
{
    efi_console_open(&efi);
    assert_int_equal(efi.firmware.rows, 25);
    assert_int_equal(efi.firmware.columns, 80);
    assert_true(efi.firmware.keys);
    assert_int_equal(fake_system.clears, 1);
    print("one\ntwo \xc3\xa9\n");
    assert_string_equal(fake_system.text, "one\r\ntwo ??\r\n");
    efi_console_close(&efi);
}

/* After a screen was drawn, the board's setting is restored as plain text. */
TEST_WITH(drawn, setup, NULL)
{
    /* Bits 6:4 are the background and bits 3:0 the character (UEFI 2.10, 12.4.7). */
    static const struct {
        enum paint paint;
        unsigned attribute;
    } paints[] = {{PAINT_TITLE, 0x1f}, {PAINT_CHOSEN, 0x70}, {PAINT_FAINT, 0x03},
                  {PAINT_GOOD, 0x0a},  {PAINT_BAD, 0x0c},    {PAINT_WARNING, 0x0e},
                  {PAINT_WARM, 0x0e},  {PAINT_HOT, 0x0c},    {PAINT_PLAIN, 0x1e}};

    fake_system.mode.Attribute = 0x1e;
    efi_console_open(&efi);
    efi_clear(&efi.firmware);
    assert_int_equal(fake_system.clears, 2);
    assert_true(efi_place(&efi.firmware, 24, 79));
    assert_int_equal(fake_system.row, 24);
    assert_int_equal(fake_system.column, 79);
    assert_false(efi_place(&efi.firmware, 25, 0));
    for (size_t i = 0; i < sizeof(paints) / sizeof(paints[0]); i++) {
        efi_paint(&efi.firmware, paints[i].paint);
        assert_int_equal(fake_system.attribute, paints[i].attribute);
    }
    fake_system.out.Mode = NULL; /* the earlier setting is unknown: grey on black */
    efi_console_open(&efi);
    efi_paint(&efi.firmware, PAINT_PLAIN);
    assert_int_equal(fake_system.attribute, 0x07);
    fake_system.table.ConOut = NULL;
    efi_console_open(&efi);
    efi_clear(&efi.firmware);
    efi_paint(&efi.firmware, PAINT_PLAIN);
    assert_false(efi_place(&efi.firmware, 0, 0));
}

/* Text is written in pieces of at most 128 characters, and a line's end in a piece of its own. */
TEST_WITH(long_texts, setup, NULL)
{
    char text[400], wanted[800] = "";

    for (unsigned length = 120; length < 300; length++) {
        memset(text, 'x', length);
        text[127] = '\n';
        text[length - 1] = '\n';
        text[length] = '\0';
        fake_system.length = fake_system.longest = 0;
        fake_system.pieces = 0;
        print(text);
        wanted[0] = '\0';
        for (unsigned i = 0; i < length; i++)
            strncat(wanted, text[i] == '\n' ? "\r\n" : text + i, text[i] == '\n' ? 2 : 1);
        assert_string_equal(fake_system.text, wanted);
        assert_int_equal(fake_system.longest, length < 128 ? length + 1 : 129);
        assert_int_equal(fake_system.pieces, (length + 127) / 128);
    }
    print("");
    assert_string_equal(fake_system.text, wanted);
    /* No more of a text is written than was asked for, wherever a piece ends. */
    memset(text, 'x', sizeof(text));
    for (size_t length = 0; length < 300; length++) {
        fake_system.length = 0;
        fake_system.text[0] = '\0';
        efi_print(&efi.firmware, text, length);
        assert_int_equal(fake_system.length, length);
    }
}

TEST_WITH(other_sizes, setup, NULL)
{
    static const struct {
        UINTN rows, columns;
        INT32 mode;
        uint32_t want_rows, want_columns;
    } rows[] = {
        {31, 100, 2, 31, 100}, {50, 80, 1, 50, 80},
        {12, 40, 0, 12, 40},   {0, 0, 0, 25, 80}, /* the console does not tell */
        {31, 100, -1, 25, 80},                    /* no mode is set */
        {1, 80, 0, 25, 80},    {25, 1, 0, 25, 80},
        {2, 80, 0, 2, 80},     {25, 2, 0, 25, 2}, /* impossible sizes, and possible ones */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fake_system_init(&efi);
        fake_system.rows = rows[i].rows;
        fake_system.columns = rows[i].columns;
        fake_system.mode.Mode = rows[i].mode;
        efi_console_open(&efi);
        assert_int_equal(efi.firmware.rows, rows[i].want_rows);
        assert_int_equal(efi.firmware.columns, rows[i].want_columns);
    }
    fake_system_init(&efi);
    fake_system.out.Mode = NULL;
    efi_console_open(&efi);
    assert_int_equal(efi.firmware.rows, 25);
}

/* A boot logo is replaced by text, and restored. */
TEST_WITH(graphics_mode, setup, NULL)
{
    fake_system.has_control = true;
    fake_system.screen = 1;
    efi_console_open(&efi);
    assert_int_equal(fake_system.screen, 0);
    efi_console_close(&efi);
    assert_int_equal(fake_system.screen, 1);

    efi_console_open(&efi);
    fake_system.screen = 0;
    efi_console_open(&efi); /* the console is in text mode: nothing to restore */
    efi_console_close(&efi);
    assert_int_equal(fake_system.screen, 0);

    fake_system.screen = 1;
    fake_system.refuses = EFI_DEVICE_ERROR;
    efi_console_open(&efi);
    efi_console_close(&efi);
    assert_int_equal(fake_system.screen, 1);
}

TEST_WITH(no_devices, setup, NULL)
{
    fake_system.table.ConOut = NULL;
    fake_system.table.ConIn = NULL;
    efi_console_open(&efi);
    assert_false(efi.firmware.keys);
    assert_int_equal(efi.firmware.rows, 25);
    print("nobody reads this\n");
    assert_int_equal(efi_read_key(&efi.firmware, 1000), KEY_NONE);
    assert_in_range(fake_system.rested_us, 1000000, 1100000); /* the wait still took that time */
    efi_console_close(&efi);
}

TEST_WITH(keys, setup, NULL)
{
    /* The keys are those of UEFI 2.10, appendix B, table B.1. */
    static const struct {
        UINT16 scan_code;
        int key;
    } named[] = {{1, KEY_UP},     {2, KEY_DOWN},   {3, KEY_RIGHT},   {4, KEY_LEFT},       {5, KEY_HOME},
                 {6, KEY_END},    {8, KEY_DELETE}, {9, KEY_PAGE_UP}, {10, KEY_PAGE_DOWN}, {7, KEY_OTHER},
                 {11, KEY_OTHER}, {22, KEY_OTHER}, {24, KEY_OTHER},  {0xffff, KEY_OTHER}};

    fake_system.keys = "a\r\x1b\b\x01\n\x7f ~\x1f\x80";
    assert_int_equal(efi_read_key(&efi.firmware, 0), 'a');
    assert_int_equal(efi_read_key(&efi.firmware, 0), KEY_ENTER);
    assert_int_equal(efi_read_key(&efi.firmware, 0), KEY_ESCAPE);
    assert_int_equal(efi_read_key(&efi.firmware, 0), KEY_BACKSPACE);
    assert_int_equal(efi_read_key(&efi.firmware, 0), KEY_OTHER);
    assert_int_equal(efi_read_key(&efi.firmware, 0), KEY_ENTER);
    assert_int_equal(efi_read_key(&efi.firmware, 0), KEY_BACKSPACE);
    assert_int_equal(efi_read_key(&efi.firmware, 0), ' ');
    assert_int_equal(efi_read_key(&efi.firmware, 0), '~');
    assert_int_equal(efi_read_key(&efi.firmware, 0), KEY_OTHER);
    assert_int_equal(efi_read_key(&efi.firmware, 0), KEY_OTHER);
    assert_int_equal(efi_read_key(&efi.firmware, 0), KEY_NONE);
    assert_int_equal(fake_system.rested_us, 0);
    fake_system.scan_code = SCAN_ESC;
    fake_system.keys = "\xff";
    assert_int_equal(efi_read_key(&efi.firmware, 0), KEY_ESCAPE);
    for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
        fake_system.scan_code = named[i].scan_code;
        fake_system.keys = "\xff";
        assert_int_equal(efi_read_key(&efi.firmware, 0), named[i].key);
    }
    fake_system.keys = "\t";
    assert_int_equal(efi_read_key(&efi.firmware, 0), KEY_TAB);
    assert_int_equal(efi_read_key(&efi.firmware, 30), KEY_NONE);
    assert_int_equal(fake_system.rested_us, 30000);
    assert_int_equal(fake_system.stalled_us, 0);
    assert_int_equal(fake_system.timers, 0);
}

/* A firmware has no timers, as ibsbios, or its event comes without a key: the time still passes. */
TEST_WITH(waits_without_timers, setup, NULL)
{
    for (fake_system.refused_timer = 0; fake_system.refused_timer <= 3; fake_system.refused_timer++) {
        fake_system.key_events = fake_system.refused_timer == 0;
        fake_system.stalled_us = 0;
        assert_int_equal(efi_read_key(&efi.firmware, 25), KEY_NONE);
        assert_int_equal(fake_system.stalled_us, 25000);
        assert_int_equal(fake_system.timers, 0);
    }
    assert_int_equal(fake_system.rested_us, 0);
    fake_system.refused_timer = 2;
    efi_rest(&efi, 500);
    assert_int_equal(fake_system.stalled_us, 25500);
}

/* A key typed during the wait ends it: by its event, by polling without an event, or without timers. */
TEST_WITH(a_key_ends_the_wait, setup, NULL)
{
    for (unsigned way = 0; way < 3; way++) {
        fake_system.refused_timer = way == 2;
        fake_system.no_key_events = way == 1;
        fake_system.typed_later = "q";
        assert_int_equal(efi_read_key(&efi.firmware, 60000), 'q');
        assert_int_equal(fake_system.rested_us, way ? 100000 : 0);
        assert_int_equal(fake_system.stalled_us, way == 2 ? 10000 : 0);
    }
}

RUN_TESTS(NULL, NULL)
