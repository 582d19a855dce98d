/* SPDX-License-Identifier: BSD-2-Clause */
/* The TSC's rate by timer 2, the time of CMOS, and that ports 61h and 70h are unchanged. */
#include "tests/unit/bios/fake_ports.h"

#include "bios/clock.h"

static int set_up(void **state)
{
    ports_reset();
    return 0;
}

TEST_WITH(rate, set_up, NULL)
{
    assert_int_equal(clock_tsc_khz(), 1000000); /* the rate before a measurement */
    assert_true(clock_measure());
    assert_in_range(clock_tsc_khz(), 1999000, 2001000);
    /* The rate takes five measurements of 10 ms, and no more. */
    assert_in_range(ports.us, 50000, 51000);
}

/* Bits 3:0 are restored, and the two that keep NMIs off never change; the speaker is off during the measurement. */
TEST_WITH(gate, set_up, NULL)
{
    for (unsigned before = 0; before < 16; before++) {
        ports_reset();
        ports.gate = (uint8_t)before;
        ports.gate_status = 0xd0;
        assert_true(clock_measure());
        assert_int_equal(ports.gate, before);
    }
}

/* A measurement during which something else used the processor for 60 ms does not count; a timer that stands still
 * gives none: it is read once 20 times, and then 100,000 times. */
TEST_WITH(disturbed, set_up, NULL)
{
    ports.timer_late = 60000;
    assert_true(clock_measure());
    assert_in_range(clock_tsc_khz(), 1999000, 2001000);
    ports.timer_dead = true;
    ports.latches = 0;
    assert_false(clock_measure());
    assert_int_equal(ports.latches, 20 * 100001);
    assert_in_range(clock_tsc_khz(), 1999000, 2001000);
}

TEST_WITH(waits, set_up, NULL)
{
    uint64_t start;

    assert_true(clock_measure());
    start = ports.us;
    clock_wait(1000);
    assert_in_range(ports.us - start, 1000, 1003);
}

static void fill(uint8_t mode, uint8_t year, uint8_t month, uint8_t day, uint8_t hour, uint8_t minute, uint8_t second)
{
    ports.cmos[11] = mode;
    ports.cmos[9] = year;
    ports.cmos[8] = month;
    ports.cmos[7] = day;
    ports.cmos[4] = hour;
    ports.cmos[2] = minute;
    ports.cmos[0] = second;
}

static void expect(unsigned year, unsigned month, unsigned day, unsigned hour, unsigned minute, unsigned second)
{
    struct civil time;

    assert_true(clock_read(&time));
    assert_int_equal(time.year, year);
    assert_int_equal(time.month, month);
    assert_int_equal(time.day, day);
    assert_int_equal(time.hour, hour);
    assert_int_equal(time.minute, minute);
    assert_int_equal(time.second, second);
}

TEST_WITH(times, set_up, NULL)
{
    fill(2, 0x26, 0x11, 0x25, 0x20, 0x28, 0x59);
    expect(2026, 11, 25, 20, 28, 59);
    fill(6, 26, 11, 25, 20, 28, 59);
    expect(2026, 11, 25, 20, 28, 59);
    fill(0, 0x99, 0x12, 0x31, 0x92, 0, 0); /* 12 p.m. */
    expect(2099, 12, 31, 12, 0, 0);
    fill(0, 0x99, 0x12, 0x31, 0x12, 0, 0);
    expect(2099, 12, 31, 0, 0, 0);
    fill(4, 0, 1, 1, 0x80 | 11, 0, 0);
    expect(2000, 1, 1, 23, 0, 0);
}

TEST_WITH(no_times, set_up, NULL)
{
    static const uint8_t bad[][6] = {{26, 0, 1, 0, 0, 0},  {26, 13, 1, 0, 0, 0}, {26, 1, 0, 0, 0, 0},
                                     {26, 1, 32, 0, 0, 0}, {26, 1, 1, 24, 0, 0}, {26, 1, 1, 0, 60, 0},
                                     {26, 1, 1, 0, 0, 60}};
    struct civil time = {.year = 1};

    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        fill(6, bad[i][0], bad[i][1], bad[i][2], bad[i][3], bad[i][4], bad[i][5]);
        assert_false(clock_read(&time));
    }
    assert_int_equal(clock_unix_time(), 0);
    fill(6, 26, 1, 1, 0, 0, 0);
    ports.updating = 1u << 30;
    assert_false(clock_read(&time));
    ports.updating = 19999;
    assert_true(clock_read(&time));
}

static void minute_passes(void)
{
    ports.after_digits = NULL;
    ports.cmos[0] = 0;
    ports.cmos[2] = 1;
}

static void second_passes(void)
{
    ports.after_digits = minute_passes;
    ports.cmos[0] = 0;
}

static void clock_stops(void)
{
    ports.after_digits = NULL;
    ports.updating = 1u << 30;
}

static void second_passes_and_clock_stops(void)
{
    ports.after_digits = clock_stops;
    ports.cmos[0] = 0;
}

static unsigned looks;

static void counted_look(void)
{
    looks++;
}

/* If there is an update between two readings, a third reading decides. */
TEST_WITH(update, set_up, NULL)
{
    fill(6, 26, 1, 1, 0, 0, 59);
    ports.after_digits = minute_passes;
    expect(2026, 1, 1, 0, 1, 0);
    /* The second reading may come in the middle of an update. */
    fill(6, 26, 1, 1, 0, 0, 59);
    ports.after_digits = second_passes;
    expect(2026, 1, 1, 0, 1, 0);
    /* Two readings that differ are no time without a third. */
    fill(6, 26, 1, 1, 0, 0, 59);
    ports.after_digits = second_passes_and_clock_stops;
    assert_int_equal(clock_unix_time(), 0);
    ports.updating = 0;
    /* Two equal readings need no third. */
    fill(6, 26, 1, 1, 0, 0, 59);
    looks = 0;
    ports.after_digits = counted_look;
    expect(2026, 1, 1, 0, 0, 59);
    assert_int_equal(looks, 2);
}

TEST_WITH(unix_times, set_up, NULL)
{
    fill(6, 0, 1, 1, 0, 0, 0);
    assert_int_equal(clock_unix_time(), 946684800);
    fill(6, 24, 2, 29, 23, 59, 59);
    assert_int_equal(clock_unix_time(), 1709251199);
    fill(6, 24, 3, 1, 0, 0, 0);
    assert_int_equal(clock_unix_time(), 1709251200);
    fill(6, 99, 12, 31, 1, 2, 3);
    assert_int_equal(clock_unix_time(), 4102362123);
}

/* Bit 7 of port 70h keeps NMIs off or on as before, and the index is restored where it can be read. */
TEST_WITH(nmi, set_up, NULL)
{
    fill(6, 26, 1, 1, 0, 0, 0);
    ports.index_readable = true;
    ports.nmi_off = true;
    ports.index = 0x8e;
    expect(2026, 1, 1, 0, 0, 0);
    assert_int_equal(ports.nmi_changes, 0);
    assert_int_equal(ports.index, 0x8e);
    ports.nmi_off = false;
    ports.index = 0x0f;
    expect(2026, 1, 1, 0, 0, 0);
    assert_int_equal(ports.nmi_changes, 0);
    assert_int_equal(ports.index, 0x0f);
    ports.index_readable = false;
    expect(2026, 1, 1, 0, 0, 0);
    assert_int_equal(ports.nmi_changes, 0);
    assert_int_equal(ports.index, 0x0d);
    /* The index is restored after a failure, too. */
    ports.index_readable = true;
    ports.index = 0x0f;
    ports.updating = 1u << 30;
    assert_int_equal(clock_unix_time(), 0);
    assert_int_equal(ports.index, 0x0f);
}

RUN_TESTS(NULL, NULL)
