/* SPDX-License-Identifier: BSD-2-Clause */
/* How far a command has come, on a terminal: after half a second, once a second, and away again before other words.
 * The clock is the test's. */
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

static const struct {
    int64_t at_ms;
    unsigned long long done, all;
} rows[] = {
    {1600, 0, 1000},                   /* begins */
    {2099, 10, 1000},                  /* not yet */
    {2100, 20, 1000},                  /* half a second: 2 % */
    {2900, 30, 1000},                  /* in the same second */
    {3000, 45, 1000},                  /* the next one: 4 % */
    {3500, 60, 0},                     /* the total is unknown */
    {5000, 999, 1000},                 /* 99 % */
    {6000, 5, 1000},                   /* another file: it starts again */
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
    progress_end(); /* of what is shown no more */
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

/* Commands tell of themselves while they read: a made clock goes on by a second at each look. */
static void while_reading(void **state)
{
    struct tool_result got;
    const char *path;
    unsigned first = 0, second = 0;
    int length = 0;

    made_begin();
    for (unsigned i = 0; i < 30000; i++)
        made_sample(MADE_A, 1, 0x1000, 1000 * i);
    path = made_write("large.data");
    clock_now_ns = 100000000000;
    clock_step_ns = 1000000000;
    got = tool_run_on_terminal(80, &command_info, path, NULL);
    assert_int_equal(got.status, EXIT_DONE);
    if (strstr(got.out, "\ribsprof: FILES/large.data: ") == NULL || strstr(got.out, " %\033[K\r\033[K") == NULL)
        fail_msg("%s", got.out);
    assert_int_equal(times(got.out, "\ribsprof: FILES/large.data: "), 7); /* every 4096 of 30,000 */
    got = tool_run_on_terminal(80, &command_export, "-fcsv", "-o", files_path("rows"), path, NULL);
    assert_int_equal(got.status, EXIT_DONE);
    if (strstr(got.out, "\ribsprof: FILES/large.data: ") == NULL || strstr(got.out, " %\033[K\r\033[K") == NULL)
        fail_msg("%s", got.out);
    assert_int_equal(times(got.out, "\ribsprof: FILES/large.data: "), 6); /* the clock begins with the first */
    /* A profile tells every 8 MiB: of 20 MB twice. */
    for (unsigned i = 30000; i < 500000; i++)
        made_sample(MADE_A, 1, 0x1000, 1000 * i);
    path = made_write("large.data");
    got = tool_run_on_terminal(80, &command_report, "--folded", path, NULL);
    assert_int_equal(got.status, EXIT_DONE);
    if (sscanf(got.out, "\ribsprof: FILES/large.data: %u %%\033[K\ribsprof: FILES/large.data: %u %%\033[K\r\033[K%n",
               &first, &second, &length) != 2)
        fail_msg("%.200s", got.out);
    assert_in_range(first, 41, 50);
    assert_in_range(second, 83, 100);
    assert_string_equal(got.out + length, "[unknown];1000 500000\r\n");
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
