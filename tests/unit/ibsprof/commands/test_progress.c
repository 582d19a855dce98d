/* SPDX-License-Identifier: BSD-2-Clause */
/* A command's progress on a terminal: shown after half a second, then once a second, and removed before other text. The
 * clock is the test's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/clock.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/base/process.h"

static const struct {
    int64_t at_ms;
    unsigned long long done, all;
} rows[] = {
    {1600, 0, 1000},                   /* begins */
    {2099, 10, 1000},                  /* too early */
    {2100, 20, 1000},                  /* half a second: 2 % */
    {2900, 30, 1000},                  /* in the same second */
    {3000, 45, 1000},                  /* the next second: 4 % */
    {3500, 60, 0},                     /* the total is unknown */
    {5000, 999, 1000},                 /* 99 % */
    {6000, 5, 1000},                   /* another file: progress starts again */
    {6400, 6, 1000},   {6500, 7, 200}, /* 3 % */
};

static int show(int argc, char **argv)
{
    (void)argv;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        clock_now_ns = rows[i].at_ms * 1000000;
        progress("a.data", rows[i].done, rows[i].all);
    }
    if (argc == 1)
        progress_end();
    progress_end(); /* the progress is not shown any more */
    complain("%s %d", "said", 1);
    clock_now_ns = 8000000000;
    progress("b.data", 50, 50);
    complain("again");
    return 7;
}

static const struct command command_show = {"show", "", show, false};

static void on_a_terminal(void **state)
{
    struct tool_result got = tool_run_on_terminal(80, &command_show, NULL);

    expect_text(got.out, "\ribsprof: a.data: 2 %\033[K\ribsprof: a.data: 4 %\033[K\ribsprof: a.data: 99 %\033[K"
                         "\ribsprof: a.data: 3 %\033[K\r\033[Kibsprof: said 1\r\n"
                         "\ribsprof: b.data: 100 %\033[K\r\033[Kibsprof: again\r\n");
    assert_int_equal(got.status, 7);
    tool_expect(tool_run(&command_show, NULL), 7, "", "ibsprof: said 1\nibsprof: again\n");
}

static unsigned times(const char *text, const char *part)
{
    unsigned count = 0;

    while ((text = strstr(text, part))) {
        text += strlen(part);
        count++;
    }
    return count;
}

/* Every reader tells its progress once every MiB, and removes it at the end: the test's clock advances by a second at
 * each reading, and begins with the first. */
static void while_reading(void **state)
{
    static const struct {
        const struct command *command;
        char *options[3];
        unsigned readings;
    } readers[] = {
        {&command_info, {0}, 1},
        {&command_export, {"-fcsv", "-o"}, 1},
        {&command_report, {"--folded"}, 1},
        {&command_report, {"--by=process", "--csv"}, 2},
    };
    const char *path;
    unsigned looks;

    made_begin();
    for (unsigned i = 0; i < 150000; i++)
        made_sample(MADE_A, 1, 0x1000, 1000 * i);
    path = made_write("large.data");
    looks = (unsigned)(made_size() >> 20);
    assert_in_range(looks, 4, 10);
    for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
        const char *last = readers[i].command == &command_export ? files_path("rows") : NULL;
        struct tool_result got;

        clock_now_ns = 100000000000;
        clock_step_ns = 1000000000;
        process.progress = (struct process_progress){0};
        got = tool_run_on_terminal(80, readers[i].command, path, readers[i].options[0], readers[i].options[1], last,
                                   NULL);
        assert_int_equal(got.status, EXIT_DONE);
        if (times(got.out, "\ribsprof: FILES/large.data: ") != readers[i].readings * (looks - 1) ||
            times(got.out, " %\033[K\r\033[K") != readers[i].readings)
            fail_msg("%zu: %u looks: %.2000s", i, looks, got.out);
    }
    /* There is no progress between lines that the command itself writes to the terminal. */
    struct tool_result got = tool_run_on_terminal(80, &command_export, "-fcsv", path, NULL);
    assert_int_equal(got.status, EXIT_DONE);
    assert_int_equal(times(got.out, "\r\033[K"), 0);
    assert_int_equal(times(got.out, " %\033[K"), 0);
}

static int tidy(void **state)
{
    clock_now_ns = -1;
    files_remove_all();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_a_terminal),
        cmocka_unit_test(while_reading),
    };

    return cmocka_run_group_tests(tests, NULL, tidy);
}
