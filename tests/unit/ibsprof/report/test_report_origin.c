/* SPDX-License-Identifier: BSD-2-Clause */
/* Figures of a model are called that in each form of each list, before the first figure. */
#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"

#define ORIGIN "MODEL: made up by a test"

static const char *const lists[] = {"instruction", "line", "function",   "core",   "fetch",
                                    "region",      "page", "cache-line", "object", "load"};

static char run[300];

static int begin(void **state)
{
    made_run_begin();
    made_run_op(60, (struct made_op){.at = 0x401016,
                                     .data = 4 << 16 | 1,
                                     .data3 = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID,
                                     .address = 0x12345678,
                                     .physical = 0x12345678});
    made_run_fetch(60, (struct made_fetch){.at = 0x401010, .ctl = IBS_FETCH_VAL | IBS_FETCH_COMP});
    snprintf(run, sizeof(run), "%s", made_run_write("run", "workload = loop\n#: figures = " ORIGIN "\n"));
    program_make("program.elf");
    return 0;
}

/* Expects that the output says so first, and has a figure after that. */
static void expect_said(struct tool_result got, const char *before)
{
    char text[200];

    snprintf(text, sizeof(text), "%s" ORIGIN, before);
    expect_text(got.err, "");
    assert_int_equal(got.status, EXIT_DONE);
    if (strncmp(got.out, text, strlen(text)) != 0)
        fail_msg("'%s' does not begin\n%.300s", text, got.out);
    assert_non_null(strpbrk(got.out + strlen(text), "123456789"));
}

TEST(csv)
{
    char option[40];

    for (unsigned i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        snprintf(option, sizeof(option), "--by=%s", lists[i]);
        expect_said(tool_run(&command_report, "--csv", option, run, NULL), "# ");
    }
    expect_said(tool_run(&command_annotate, "--csv", run, NULL), "# ");
}

TEST(profiles_for_other_programs)
{
    expect_said(tool_run(&command_report, "--folded", run, NULL), "# ");
    expect_said(tool_run(&command_export, "--format=folded", run, NULL), "# ");
}

TEST(text_and_json)
{
    char option[40];

    for (unsigned i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        snprintf(option, sizeof(option), "--by=%s", lists[i]);
        assert_non_null(strstr(tool_run(&command_report, option, run, NULL).out, ORIGIN));
        assert_non_null(strstr(tool_run(&command_report, "--json", option, run, NULL).out, "\"" ORIGIN "\""));
    }
}

RUN_TESTS(begin, files_end)
