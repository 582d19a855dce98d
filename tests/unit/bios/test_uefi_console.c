/* SPDX-License-Identifier: BSD-2-Clause */
/* Console, time, and the end of the machine, as a program sees them. */
#include <stdio.h>
#include <string.h>

#include "bios/clock.h"
#include "bios/console.h"
#include "bios/uefi/uefi.h"
#include "tests/unit/bios/fake_machine.h"
#include "tests/unit/bios/fake_ports.h"

static int begin(void **state)
{
    ports_reset();
    console_end();
    console_serial();
    fake_machine_init();
    assert_true(clock_measure());
    return 0;
}

TEST_WITH(output, begin, NULL)
{
    UINTN columns = 0, rows = 0;

    assert_int_equal(uefi_output_string(NULL, (CHAR16 *)u"caf\u00e9\r\n"), EFI_SUCCESS);
    assert_int_equal(ports.length, 6);
    assert_string_equal(ports.sent, "caf\xe9\r\n");
    assert_int_equal(uefi_output_string(NULL, (CHAR16 *)u""), EFI_SUCCESS);
    assert_int_equal(ports.length, 6);
    assert_int_equal(uefi_query_mode(NULL, 1, &columns, &rows), EFI_UNSUPPORTED);
    assert_int_equal(columns, 0);
    assert_int_equal(uefi_query_mode(NULL, 0, &columns, &rows), EFI_SUCCESS);
    assert_int_equal(columns, 80);
    assert_int_equal(rows, 25);
}

TEST_WITH(screen, begin, NULL)
{
    uint16_t *cells = ports_screen();

    cells[7] = 0x1234; /* without a screen nothing is written to its memory */
    assert_int_equal(uefi_clear_screen(NULL), EFI_SUCCESS);
    assert_int_equal(cells[7], 0x1234);
    console_screen();
    assert_int_equal(uefi_output_string(NULL, (CHAR16 *)u"text"), EFI_SUCCESS);
    assert_int_equal(cells[3], 0x0700 | 't');
    assert_int_equal(uefi_clear_screen(NULL), EFI_SUCCESS);
    for (unsigned i = 0; i < 80 * 25; i++)
        assert_int_equal(cells[i], 0x0700 | ' ');
    assert_int_equal(uefi_output_string(NULL, (CHAR16 *)u"x"), EFI_SUCCESS);
    assert_int_equal(cells[0], 0x0700 | 'x');
}

/* Places and colours are set on the screen and as a terminal's sequences. */
TEST_WITH(drawn, begin, NULL)
{
    uint16_t *cells = ports_screen();

    console_screen();
    assert_int_equal(uefi_clear_screen(NULL), EFI_SUCCESS);
    assert_int_equal(uefi_set_cursor_position(NULL, 79, 24), EFI_SUCCESS);
    assert_int_equal(ports.cursor[0] << 8 | ports.cursor[1], 24 * 80 + 79);
    assert_int_equal(uefi_set_cursor_position(NULL, 3, 2), EFI_SUCCESS);
    assert_int_equal(uefi_set_cursor_position(NULL, 80, 0), EFI_UNSUPPORTED);
    assert_int_equal(uefi_set_cursor_position(NULL, 0, 25), EFI_UNSUPPORTED);
    assert_int_equal(uefi_set_cursor_position(NULL, 0, 1ull << 32), EFI_UNSUPPORTED);
    assert_int_equal(uefi_set_attribute(NULL, 0x1f), EFI_SUCCESS);
    assert_int_equal(uefi_set_attribute(NULL, 0x80), EFI_UNSUPPORTED);
    assert_int_equal(uefi_output_string(NULL, (CHAR16 *)u"x"), EFI_SUCCESS);
    assert_int_equal(cells[2 * 80 + 3], 0x1f00 | 'x');
    assert_int_equal(uefi_set_attribute(NULL, 0x07), EFI_SUCCESS);
    assert_int_equal(uefi_output_string(NULL, (CHAR16 *)u"y"), EFI_SUCCESS);
    assert_int_equal(cells[2 * 80 + 4], 0x0700 | 'y');
    assert_string_equal(ports.sent, "\x1b[2J\x1b[H\x1b[25;80H\x1b[3;4H\x1b[0;1;37;44mx\x1b[0;37;40my");
}

/* Each of the sixteen colours of VGA text on each of its eight backgrounds has a sequence for a terminal (ECMA-48's
 * SGR): bright colours are bold. */
TEST_WITH(colours, begin, NULL)
{
    static const char sgr[] = "04261537";
    uint16_t *cells = ports_screen();

    console_screen();
    for (unsigned attribute = 0; attribute < 0x80; attribute++) {
        char wanted[24];

        ports.length = 0;
        assert_int_equal(uefi_set_attribute(NULL, attribute), EFI_SUCCESS);
        assert_int_equal(uefi_set_cursor_position(NULL, 0, 1), EFI_SUCCESS);
        ports.sent[ports.length] = '\0';
        snprintf(wanted, sizeof(wanted), "\x1b[0;%s3%c;4%cm\x1b[2;1H", attribute & 8 ? "1;" : "", sgr[attribute & 7],
                 sgr[attribute >> 4]);
        assert_string_equal(ports.sent, wanted);
        assert_int_equal(uefi_output_string(NULL, (CHAR16 *)u"z"), EFI_SUCCESS);
        assert_int_equal(cells[80], attribute << 8 | 'z');
    }
    assert_int_equal(uefi_clear_screen(NULL), EFI_SUCCESS);
    assert_int_equal(cells[80], 0x0700 | ' ');
}

TEST_WITH(keys, begin, NULL)
{
    EFI_INPUT_KEY key = {9, 9};

    console_screen();
    assert_int_equal(uefi_read_key_stroke(NULL, &key), EFI_NOT_READY);
    assert_int_equal(key.UnicodeChar, 9);
    ports.keys[0] = 0x1e61; /* a */
    ports.keys_left = 1;
    assert_int_equal(uefi_read_key_stroke(NULL, &key), EFI_SUCCESS);
    assert_int_equal(key.UnicodeChar, 'a');
    assert_int_equal(key.ScanCode, 0);
    ports.keys[0] = 0x011b; /* Escape */
    ports.keys_left = 1;
    assert_int_equal(uefi_read_key_stroke(NULL, &key), EFI_SUCCESS);
    assert_int_equal(key.ScanCode, 0x17); /* UEFI 2.10, appendix B */
}

TEST_WITH(time_told, begin, NULL)
{
    static const uint8_t cmos[] = {58, 0, 59, 0, 23, 0, 0, 31, 12, 26, 0, 6}; /* binary, 24 hours */
    EFI_TIME time;
    uint64_t before = ports.us;

    assert_int_equal(uefi_stall(3000), EFI_SUCCESS);
    assert_in_range(ports.us - before, 3000, 3010);
    assert_int_equal(uefi_set_watchdog_timer(0, 0, 0, NULL), EFI_SUCCESS);
    assert_int_equal(uefi_set_watchdog_timer(1, 0, 0, NULL), EFI_UNSUPPORTED);
    memset(&time, 0xff, sizeof time);
    assert_int_equal(uefi_get_time(&time, NULL), EFI_DEVICE_ERROR);
    assert_int_equal(time.Year, 0xffff);
    memcpy(ports.cmos, cmos, sizeof cmos);
    ports.cmos[13] = 0x80; /* the battery is good */
    assert_int_equal(uefi_get_time(&time, NULL), EFI_SUCCESS);
    assert_int_equal(time.Year, 2026);
    assert_int_equal(time.Month, 12);
    assert_int_equal(time.Day, 31);
    assert_int_equal(time.Hour, 23);
    assert_int_equal(time.Minute, 59);
    assert_int_equal(time.Second, 58);
    assert_int_equal(time.Nanosecond, 0);
    assert_int_equal(time.TimeZone, 0x7ff); /* UEFI 2.10, section 8.3: EFI_UNSPECIFIED_TIMEZONE */
    assert_int_equal(time.Daylight, 0);
}

/* Both ways to reset are tried one after the other, or APM's three calls; the serial port is restored first. */
TEST_WITH(ends, begin, NULL)
{
    static const struct ports_write resets[] = {{0x64, 0xfe, 0}, {0xcf9, 2, 100000}, {0xcf9, 6, 0}};
    static const uint32_t power[][3] = {{0x5301, 0, 0}, {0x530e, 0, 0x102}, {0x5307, 1, 3}};
    uint64_t at = 0;

    assert_int_not_equal(ports.interrupts, 5);
    assert_int_equal(uefi_reset_system(EfiResetWarm, EFI_SUCCESS, 0, NULL), EFI_DEVICE_ERROR);
    assert_int_equal(ports.interrupts, 5);
    assert_int_equal(ports.power_done, 0);
    assert_int_equal(ports.resets_done, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(ports.resets[i].port, resets[i].port);
        assert_int_equal(ports.resets[i].value, resets[i].value);
        if (i)
            assert_in_range(ports.resets[i].us - at, resets[i].us, resets[i].us + 10);
        at = ports.resets[i].us;
    }
    assert_in_range(ports.us - at, 100000, 100010);
    begin(state);
    assert_int_equal(uefi_reset_system(EfiResetShutdown, EFI_SUCCESS, 0, NULL), EFI_DEVICE_ERROR);
    assert_int_equal(ports.interrupts, 5);
    assert_int_equal(ports.resets_done, 0);
    assert_int_equal(ports.power_done, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(ports.power[i].eax, power[i][0]);
        assert_int_equal(ports.power[i].ebx, power[i][1]);
        assert_int_equal(ports.power[i].ecx, power[i][2]);
    }
}

RUN_TESTS(NULL, NULL)
