/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of perf that were cut short, at every place: everything that is there is read, and one line says what is
 * missing. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"
#include "tests/unit/test.h"
#include "tools/ibsprof/read/input.h"

enum { SAMPLES = 20, DATA_AT = 40, USER = 2, FACTS = 9 };

static const char *const words[] = {"perf", "record", NULL};
static const struct linux_event clock = {1, 0, 1000000, 0, 0, "cpu-clock"};
static const struct linux_facts facts = {
    "box", "6.1.0-test", "6.1.99", "x86_64", "AMD made by a test", "AuthenticAMD,16,10,3", words, 0, NULL};

static uint8_t file[8192];
static size_t size;

static void load(const char *path)
{
    FILE *from = fopen(path, "rb");

    assert_non_null(from);
    size = fread(file, 1, sizeof(file), from);
    fclose(from);
    assert_true(size < sizeof(file));
}

static uint64_t begin(void)
{
    uint64_t at;

    memcpy(&at, file + DATA_AT, sizeof(at));
    return at;
}

static uint64_t end(void)
{
    uint64_t bytes;

    memcpy(&bytes, file + DATA_AT + 8, sizeof(bytes));
    return begin() + bytes;
}

static void make(void)
{
    linux_begin(&clock, 1);
    linux_comm(7, "program", PERFDATA_MISC_COMM_EXEC, 1);
    for (unsigned i = 0; i < SAMPLES; i++)
        linux_sample(
            (struct linux_sample){.pid = 7, .tid = 7, .ip = 0x400000 + i, .time = 1000 + i, .period = 1, .misc = USER});
    load(linux_write("whole.data", &facts));
}

/* Returns how many samples are before this place. */
static unsigned samples_before(size_t cut)
{
    unsigned count = 0;

    for (uint64_t at = begin(); at + 8 <= cut && at < end();) {
        uint16_t record;

        memcpy(&record, file + at + 6, sizeof(record));
        at += record;
        count += file[at - record] == PERFDATA_RECORD_SAMPLE && at <= cut;
    }
    return count;
}

/* Reads the first 'bytes' of the file. */
static void expect(size_t bytes, unsigned wanted, const char *line)
{
    char error[1024], whole_line[1300];
    struct input *input = input_open(files_write("cut.data", file, bytes), error, sizeof(error));
    struct perfdata_item item = {0};
    unsigned count = 0;

    assert_non_null(input);
    while (input_next(input, &item) && item.kind != PERFDATA_ITEM_END)
        count += item.kind == PERFDATA_ITEM_SAMPLE;
    snprintf(whole_line, sizeof(whole_line), "%s: %s", files_path("cut.data"), line);
    expect_text(input_error(input), line[0] ? whole_line : "");
    assert_int_equal(count, wanted);
    input_close(input);
}

static const char *missing(char *text, unsigned facts_missing)
{
    sprintf(text + strlen(text), "; %u of the 9 facts at its end are missing; these name machine, events and build-ids",
            facts_missing);
    return text;
}

TEST(in_its_records)
{
    char line[300];

    make();
    assert_int_equal(samples_before(end()), SAMPLES);
    for (size_t cut = begin(); cut < end(); cut++) {
        sprintf(line, "the file is cut off: of %" PRIu64 " bytes of records only the first %" PRIu64 " exist",
                end() - begin(), cut - begin());
        expect(cut, samples_before(cut), missing(line, FACTS));
    }
}

TEST(behind_its_records)
{
    unsigned last = FACTS;
    char line[300];

    make();
    for (size_t cut = end(); cut < size; cut++) {
        unsigned there = 0;

        for (unsigned i = 0; i < FACTS; i++) { /* place and size in the table of features */
            uint64_t place[2];

            memcpy(place, file + end() + 16 * i, sizeof(place));
            there += end() + 16 * (i + 1) <= cut && place[0] + place[1] <= cut;
        }
        strcpy(line, "the file is cut off after its records, which are complete");
        expect(cut, SAMPLES, missing(line, FACTS - there));
        last = FACTS - there;
    }
    assert_int_equal(last, 1);
    expect(size, SAMPLES, "");
}

TEST(before_its_records)
{
    char error[1024];

    make();
    for (size_t cut = 1; cut < begin(); cut++) {
        assert_null(input_open(files_write("cut.data", file, cut), error, sizeof(error)));
        assert_null(strchr(error, '\n'));
        assert_non_null(strstr(error, cut < 8 ? ": neither perf.data nor a raw file" : ": offset "));
    }
}

/* perf writes the size of its records last. */
TEST(not_ended)
{
    char line[300];

    make();
    sprintf(line, "perf record did not end properly: its %" PRIu64 " bytes of records are read", end() - begin() - 5);
    size = end() - 5;
    memset(file + DATA_AT + 8, 0, 8);
    expect(size, SAMPLES - 1, missing(line, FACTS));
    /* A recording without any record has the table of its features at that place. */
    linux_begin(&clock, 1);
    load(linux_write("whole.data", &facts));
    assert_int_equal(begin(), end());
    expect(size, 0, "");
}

/* Each form of a report says so; the status is that of a file that cannot be read to its end. */
TEST(every_form_says_it)
{
    static const char *const forms[] = {"--width=79", "--json", "--html"};
    const char *path;

    make();
    path = files_write("cut.data", file, end() - 1);
    for (unsigned i = 0; i < 3; i++) {
        struct tool_result got = tool_run(&command_report, forms[i], path, NULL);

        assert_int_equal(got.status, EXIT_INPUT);
        assert_non_null(strstr(got.err, "cut.data: the file is cut off: of "));
        assert_non_null(
            strstr(got.out, i == 0 ? "Only the records before are read. FILES/cut.data: the file is cut off: of "
                                   : "\"error\":\"FILES/cut.data: the file is cut off: of "));
    }
}

/* The origin of the figures is at the file's end, and in run.ini. */
TEST(whose_figures)
{
    static const char ini[] = "workload = \"loop\"\n#: figures = model\n#: machine.name = made by a test\n";
    char error[1024];
    struct input *input;

    made_run_begin();
    made_run_op(5, (struct made_op){.at = 0x401010});
    made_run_write("run", ini);
    load(files_path("run/perf.data"));
    for (unsigned way = 0; way < 4; way++) {
        files_write("run/perf.data", file, end() - 1);
        files_write("alone/perf.data", file, way == 3 ? size : end() - 1);
        input = input_open(files_path(way == 0   ? "run"
                                      : way == 1 ? "run/perf.data"
                                                 : "alone/perf.data"),
                           error, sizeof(error));
        assert_non_null(input);
        assert_int_equal(input_facts(input)->is_model, way < 2);
        assert_int_equal(input_facts(input)->is_linux, way == 2);
        if (way < 2)
            assert_string_equal(input_facts(input)->cpu_name, "made by a test");
        if (way == 3)
            assert_null(input_figures(input_facts(input)));
        else
            assert_non_null(
                strstr(input_figures(input_facts(input)), way < 2 ? "MODEL: " : "UNKNOWN: the file was cut"));
        input_close(input);
    }
}

RUN_TESTS(NULL, files_end)
