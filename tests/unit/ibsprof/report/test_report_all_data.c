/* SPDX-License-Identifier: BSD-2-Clause */
/* Every event that was collected: in tables of a few columns, and by function and line in one CSV. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/ibs/derived.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/base/csv_file.h"

static char run[300];

static uint64_t any(void)
{
    static uint64_t state = 88172645463325252ull;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int begin(void **state)
{
    static const uint64_t at[] = {0x401010, 0x401011, 0x401016, 0x401019, 0x401020, 0x401030, 0x401040, 0x77};

    setenv("XDG_CONFIG_HOME", "/nowhere", 1);
    made_run_begin();
    for (unsigned i = 0; i < 800; i++) {
        made_run_op(1, (struct made_op){.at = at[any() % 8],
                                        .data = any() & 0x3FFFFFFFFF,
                                        .data2 = any() & 0x37,
                                        .data3 = any() & 0xFFFF000FFFFF,
                                        .address = any() & 0xFFFFFF});
        made_run_fetch(1, (struct made_fetch){.at = at[any() % 8], .ctl = any() & 0x7EFFFF00000000});
    }
    snprintf(run, sizeof(run), "%s", made_run_write("run", "workload = loop\n"));
    program_make("program.elf");
    return 0;
}

/* Adds up the columns of the events, which are the last ones. */
static void sums(const char *text, uint64_t sum[DERIVED_COUNT], unsigned *ret_rows)
{
    char *copy = strdup(text);
    FILE *file = fmemopen(copy, strlen(copy), "r");
    struct csv_file csv;

    memset(sum, 0, DERIVED_COUNT * sizeof(sum[0]));
    *ret_rows = 0;
    assert_true(csv_begin(&csv, file));
    while (csv_next(&csv)) {
        ++*ret_rows;
        for (unsigned i = 0; i < DERIVED_FIRST; i++)
            sum[i] += strtoull(csv.field[csv.columns - DERIVED_FIRST + i], NULL, 10);
    }
    assert_null(csv.problem);
    csv_end(&csv);
    fclose(file);
    free(copy);
}

static void csv_by_level(void **state)
{
    uint64_t all[DERIVED_COUNT], sum[DERIVED_COUNT];
    struct tool_result got = tool_run(&command_report, "--csv", run, NULL);
    char *by_line;
    unsigned rows;

    sums(got.out, all, &rows);
    got = tool_run(&command_report, "--csv", "--by=function", run, NULL);
    assert_memory_equal(got.out, "object,rva,function,file,line,mode,workload,F000 IBS all fetch [samples],", 72);
    assert_non_null(strstr(got.out, "\nprogram.elf,0x401010,hot,,,user,1,"));
    sums(got.out, sum, &rows);
    assert_memory_equal(sum, all, sizeof(all));
    assert_in_range(rows, 4, 5); /* hot, cold, the handler, and samples without a place */
    got = tool_run(&command_report, "--csv", "--by=line", run, NULL);
    assert_non_null(strstr(got.out, ",hot,made/hot.c,13,user,1,"));
    sums(got.out, sum, &rows);
    assert_memory_equal(sum, all, sizeof(all));
    /* In CSV form "all_data" is the table without a view. */
    by_line = strdup(got.out);
    expect_text(tool_run(&command_report, "--csv", "--view=all_data", "--by=line", run, NULL).out, by_line);
    free(by_line);
}

/* Each event is a column of some table, and its total is that of the CSV. */
static void tables(void **state)
{
    uint64_t all[DERIVED_COUNT];
    unsigned rows;
    char *text;

    sums(tool_run(&command_report, "--csv", run, NULL).out, all, &rows);
    text = strdup(tool_run(&command_report, "--view=all_data", "--by=function", "--json", run, NULL).out);
    for (unsigned i = 0; i < DERIVED_FIRST; i++) {
        char formula[40], *column, *table, *values;
        unsigned before = 0;

        snprintf(formula, sizeof(formula), "\"formula\":\"%s\"", derived_events[i].code);
        column = strstr(text, formula);
        assert_non_null(column);
        assert_null(strstr(column + 1, formula));
        for (table = column; strncmp(table, "\"columns\":[", 11) != 0; table--)
            before += strncmp(table, "\"formula\":", 10) == 0;
        values = strstr(strstr(column, "\"row\":\"all\""), "\"values\":[") + 10;
        while (--before > 0)
            values = strchr(values, ',') + 1;
        assert_int_equal(strtoull(values, NULL, 10), all[i]);
    }
    free(text);
    assert_non_null(
        strstr(tool_run(&command_report, "--view=all_data", run, NULL).out, "All data: IBS ops (1) by instruction"));
    assert_non_null(strstr(tool_run(&command_report, "--view=list", NULL).out, "\nall_data "));
}

static void counters(void **state)
{
    static const char csv[] = "rva,function,file,line,instruction,1E0:01 X [samples],0C0 X [samples],timer [samples]\n"
                              "0x401010,hot,made/hot.c,10,push rbp,30,12,5\n,(outside the map),,,,0,0,0\n";
    struct tool_result got;

    files_write("pmc/pmc.csv", csv, sizeof(csv) - 1);
    files_write("pmc/run.ini", "#: timer.us = 500\n", 18);
    got = tool_run(&command_report, "--view=all_data", "--by=function", files_path("pmc"), NULL);
    assert_string_equal(got.err, "");
    assert_non_null(strstr(got.out, "\nAll data: counters (1) by function: interrupts of counters\n"));
    assert_non_null(strstr(got.out, ">401010 hot"));
    assert_non_null(strstr(got.out, "\nAll data: timer (1) by function: interrupts of the timer\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_by_level),
        cmocka_unit_test(tables),
        cmocka_unit_test(counters),
    };

    return cmocka_run_group_tests(tests, begin, files_end);
}
