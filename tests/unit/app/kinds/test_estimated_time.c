/* SPDX-License-Identifier: BSD-2-Clause */
/* The estimate of time in a run: which runs have an estimate, from which samples and cycles, and where it is shown. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/app/fixture.h"

#define RUN "menu=no reference=yes op_period=2048 fetch=no " SMALL " "

static const char *csv_of(unsigned run)
{
    char path[80];

    snprintf(path, sizeof(path), "\\ibsboot\\runs\\%04u-tight-loop-ibs\\time.csv", run);
    return fake_file_find(&fake_fw, path) ? file_text(path) : "";
}

static const char *profile_of(unsigned run)
{
    char path[80];

    snprintf(path, sizeof(path), "\\ibsboot\\runs\\%04u-tight-loop-ibs\\profile.csv", run);
    return file_text(path);
}

/* Checks that the place's line of profile.csv ends with its shares in this line of time.csv. */
static void assert_in_profile(const char *line)
{
    const char *samples = strchr(line, '\n'), *shares, *found;
    char place[200];
    size_t length;

    while (*--samples != ',') {
    }
    shares = samples;
    for (unsigned commas = 0; commas < 3; commas += *--shares == ',') {
    }
    snprintf(place, sizeof(place), "\n%.*s,", (int)(shares - line), line);
    length = (size_t)(samples - shares);
    found = strstr(profile_of(1), place);
    assert_non_null(found);
    assert_memory_equal(strchr(found + 1, '\n') - length, shares, length);
}

/* Returns a figure from the line of time.csv that begins with these words: share, low, high, samples. */
static unsigned long figure(unsigned run, const char *words, unsigned column)
{
    const char *at = strstr(csv_of(run), words);
    char *end;

    assert_non_null(at);
    for (at += strlen(words); column; at++)
        column -= *at == ',';
    return strtoul(at, &end, 10);
}

static void set_counts(void)
{
    fake_session.count[0] = (struct fake_count){.select = 0x076, .total = 10 * 2000 * 2048};
    fake_session.op_samples = 2000;
    fake_session.elsewhere = 30;
    fake_session.in_handler = 400;
}

APP_TEST(shown_and_saved)
{
    unsigned long sum = 0, rows = 0;

    set_counts();
    assert_int_equal(start(RUN), 0);
    assert_shown("\nEstimated time by instruction: share of the cycles\n=====");
    assert_shown("Saving report.txt, profile.csv, time.csv, perf.data, run.ini");
    assert_lines_fit();
    for (const char *line = strchr(csv_of(1), '\n') + 1; *line; line = strchr(line, '\n') + 1, rows++) {
        const char *at = strchr(line, '\n');

        for (unsigned commas = 0; commas < 4; commas += *--at == ',') {
        }
        sum += strtoul(at + 1, NULL, 10);
    }
    assert_in_range(sum, 1000000 - rows, 1000000 + rows);
    /* Columns of profile.csv have the same figures. */
    assert_non_null(strstr(profile_of(1), " [samples],est. time [ppm],low [ppm],high [ppm]\n"));
    for (const char *line = strchr(csv_of(1), '\n') + 1; *line; line = strchr(line, '\n') + 1)
        assert_in_profile(line);
    /* The handler's samples are not the workload's. */
    assert_int_equal(figure(1, "(outside the map)", 7), 30);
}

/* Twice the cycles for half as many ops, and for as many passes, give the same result. */
APP_TEST(cycles_for_each_op)
{
    static const char *const settings[] = {RUN, RUN "repeats=2", RUN "op_period=4096", RUN "op_period=4096"};
    unsigned long first;

    set_counts();
    for (unsigned i = 0; i < 4; i++) {
        fake_session.count[0].total = i == 3 ? 20 * 2000 * 2048 : 10 * 2000 * 2048;
        assert_int_equal(start(settings[i]), 0);
    }
    first = figure(1, "(outside the map)", 4);
    assert_true(first > 100);
    assert_in_range(figure(2, "(outside the map)", 4), first - 20, first + 20);
    assert_true(figure(3, "(outside the map)", 4) > first * 3 / 2);
    assert_int_equal(figure(4, "(outside the map)", 4), first);
}

/* Lost samples stand for ops, those of the handler do not: with half of the samples lost the result is that of half of
 * them at twice the period. */
APP_TEST(ops_of_the_workload)
{
    unsigned long all;

    set_counts();
    fake_session.in_handler = 0;
    assert_int_equal(start(RUN), 0);
    assert_int_equal(start(RUN "records=1000"), 0); /* 30 of them elsewhere */
    all = figure(1, "(outside the map)", 4);
    fake_session.op_samples = 1000;
    assert_int_equal(start(RUN "op_period=4096"), 0);
    assert_int_equal(figure(3, "(outside the map)", 4), figure(2, "(outside the map)", 4));
    fake_session.op_samples = 2400;
    fake_session.in_handler = 400;
    assert_int_equal(start(RUN), 0);
    assert_int_equal(figure(4, "(outside the map)", 4), all);
}

/* There is no estimate with filters, with cycles, on other processors, without a reference, or without a count of
 * cycles. */
APP_TEST(not_for_others)
{
    static const char *const silent[] = {RUN "count=cycles", RUN "reference=no", RUN "op=no fetch=yes",
                                         RUN "load_latency=256", RUN "l3_miss_only=yes"};

    fake_session.machine.ibs_caps = 0x81bff;
    for (unsigned i = 0; i < sizeof(silent) / sizeof(silent[0]); i++) {
        set_counts();
        fake_session.fetch_samples = 2000;
        fake_fw.screen_length = 0;
        assert_int_equal(start(silent[i]), 0);
        assert_not_shown("Estimated time");
        assert_string_equal(csv_of(i + 1), "");
        if (i != 2)
            assert_null(strstr(profile_of(i + 1), "est. time"));
    }
}

/* Family 10h has an estimate, whatever IBS reports about itself. */
APP_TEST(of_one_family)
{
    set_counts();
    fake_session.machine.ibs_caps = 0x81bff;
    assert_int_equal(start(RUN), 0);
    assert_shown("\nEstimated time by instruction");
}

/* A run without memory for the estimate is refused, and says what the memory was for. */
APP_TEST(no_room_for_it)
{
    bool told = false;

    for (unsigned at = 1; at < 40 && !told; at++) {
        fixture_teardown(NULL);
        fixture_setup(NULL);
        set_counts();
        fake_fw.fail.call = FAKE_ALLOCATE;
        fake_fw.fail.at = at;
        (void)start(RUN);
        told = strstr(fake_fw.screen, "estimated time") && !strstr(fake_fw.screen, "\nEstimated time by");
    }
    assert_true(told);
    assert_int_equal(fake_session.runs, 0);
}

APP_TEST(not_without_cycles)
{
    set_counts();
    fake_session.not_modelled[0] = 0x076;
    assert_int_equal(start(RUN), 0);
    assert_shown("\nEstimated time: not known: too few op samples, or cycles were not counted\n");
    assert_string_equal(csv_of(1), "");
}

RUN_TESTS(fixture_load, NULL)
