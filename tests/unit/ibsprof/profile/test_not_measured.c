/* SPDX-License-Identifier: BSD-2-Clause */
/* A run with an event whose turn never came: no output has a figure for that event, not even 0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"

#define LOAD 0x401016

static char run[300];

/* Makes a run with four samples of misses; misaligned accesses have none, and were not counted; accesses have none,
 * though they were counted. */
static int begin(void **state)
{
    static const char ini[] = "workload = loop\n#: figures = model\n#: event.0 = DATA_CACHE_MISSES:00@100\n"
                              "#: event.1 = MISALIGNED_ACCESSES:00@100\n#: event.1.state = not measured\n"
                              "#: event.2 = DATA_CACHE_ACCESSES:00@100\n#: event.3 = RETIRED_INSTRUCTIONS:00@100\n";
    static const struct perfdata_counter counters[] = {{true, "DATA_CACHE_MISSES:00", 0x41, 100, 4, 400, 0},
                                                       {true, "MISALIGNED_ACCESSES:00", 0x47, 100, 0, 0, 0},
                                                       {true, "DATA_CACHE_ACCESSES:00", 0x40, 100, 0, 0, 0},
                                                       {true, "RETIRED_INSTRUCTIONS:00", 0xC0, 100, 4, 400, 0}};

    made_run_begin();
    made_info.event[SAMPLE_OP].sampled = made_info.event[SAMPLE_FETCH].sampled = false;
    made_info.counters = counters;
    made_info.counter_count = 4;
    for (unsigned i = 0; i < 8; i++)
        made_run_record(
            (struct sample_record){.kind = SAMPLE_PMC, .reg = {[PMC_EVENT] = i % 2 * 3, [PMC_RIP] = MADE_BASE + LOAD}});
    snprintf(run, sizeof(run), "%s", made_run_write("turns", ini));
    program_make("program.elf");
    return 0;
}

static void has(struct tool_result got, const char *text)
{
    assert_string_equal(got.err, "");
    assert_int_equal(got.status, EXIT_DONE);
    if (!strstr(got.out, text))
        fail_msg("not there: %s\n%s", text, got.out);
}

static void lists(void **state)
{
    static const char pmc[] = "rva,function,file,line,instruction,041 X [samples]\n0x10,f,,,nop,3\n";

    has(tool_run(&command_report, run, NULL), "\nSamples   4 of DATA_CACHE_MISSES:00\n"
                                              "Samples   not measured: MISALIGNED_ACCESSES:00\n"
                                              "Samples   0 of DATA_CACHE_ACCESSES:00\n");
    /* The folder above the run means the same run, with its perf.data and not only with its pmc.csv. */
    made_run_write("stick/runs/0001", "workload = loop\n");
    files_write("stick/runs/0001/pmc.csv", pmc, sizeof(pmc) - 1);
    has(tool_run(&command_report, files_path("stick"), NULL), "\nSamples   4 of DATA_CACHE_MISSES:00\n");
    has(tool_run(&command_report, "--by=module", "--csv", run, NULL), ",1,4,,0,4\n");
    has(tool_run(&command_info, run, NULL), "period 100           not measured\n");
    has(tool_run(&command_info, run, NULL), "period 100                      4 samples\n");
}

static void data(void **state)
{
    struct tool_result got = tool_run(&command_report, "--json", run, NULL);

    has(got, "\"frequency\":0,\"samples\":4,\"weight\":400,");
    has(got, "\"frequency\":0,\"samples\":null,\"weight\":null,");
    has(got, "\"name\":\"dc_assess\"");
    assert_null(strstr(got.out, "misalign_assess")); /* the page has no such table */
    has(tool_run(&command_info, "--json", run, NULL), "\"samples\":null,");
}

static void as_an_event(void **state)
{
    tool_expect(tool_run(&command_annotate, "--event=047", run, NULL), EXIT_USAGE, "",
                "ibsprof: FILES/turns: '047' was not measured: it never had a turn; a longer run has more turns\n");
    assert_int_equal(tool_run(&command_annotate, "--event=041", run, NULL).status, EXIT_DONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),
        cmocka_unit_test(data),
        cmocka_unit_test(as_an_event),
    };

    return cmocka_run_group_tests(tests, begin, files_end);
}
