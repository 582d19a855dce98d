/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof archive compare: one machine of six is made different, and only that machine is named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/archived.h"
#include "tests/unit/ibsprof/files.h"

enum { MACHINES = 6, RUNS_EACH = 8 };

/* Makes a machine's runs: 1000 samples on five instructions of two functions; 'more' samples of the third one on
 * machine 3. */
static void make(const char *folder, const char *workload, int more)
{
    uint32_t random = 1;

    for (int i = 0; i < MACHINES * RUNS_EACH; i++) {
        char path[100], text[600];
        int machine = i % MACHINES, spread[3];

        for (unsigned n = 0; n < 3; n++) {
            random = random * 1664525 + 1013904223;
            spread[n] = (int)(random >> 28) - 8;
        }
        snprintf(path, sizeof(path), "%s/%03d", folder, i);
        snprintf(text, sizeof(text),
                 "workload = \"%s\"\n#: figures = silicon\n#: machine.name = Phenom\n#: machine.serial = S%d\n"
                 "#: machine.firmware.version = F%d\n#: started = 2026-%02d-01T00:00:00\n",
                 workload, machine, machine % 2, 1 + i / MACHINES);
        archived_put(path, "run.ini", text);
        snprintf(text, sizeof(text),
                 ARCHIVED_MAP "F100 All IBS op [samples],F206 IBS DC miss [samples]\n0x10,f,f.c,7,push rbp,%d,1\n"
                              "0x11,f,f.c,8,nop,%d,0\n0x12,f,f.c,8,\"mov rax, rbx\",%d,%d\n0x20,g,g.c,1,ret,%d,0\n"
                              "0x21,g,g.c,1,int3,0,0\n",
                 100 + spread[0], 200 + spread[1], 300 + spread[2] + (machine == 3 ? more : 0), 30 + spread[0],
                 400 - spread[0] - spread[1] - spread[2] - (machine == 3 ? more : 0));
        archived_put(path, "profile.csv", text);
    }
}

static int begin(void **state)
{
    files_remove_all();
    make("runs", "loop", 60);
    assert_int_equal(archived_run("add", files_path("a.db"), "runs", NULL).status, EXIT_DONE);
    return 0;
}

static struct tool_result compare(const char *option, const char *more)
{
    const char *words[] = {"compare", files_path("a.db"), option, option ? more : NULL, NULL};

    return tool_run_words(&command_archive, words);
}

static void names_the_outlier(void **state)
{
    tool_writes(compare(NULL, NULL), "archive/archive-compare.txt");
    tool_writes(compare("--by=machine", NULL), "archive/archive-compare.txt");
    tool_writes(compare("--csv", NULL), "archive/archive-compare.csv");
    tool_writes(compare("--json", NULL), "archive/archive-compare.json");
    tool_writes(compare("--functions", NULL), "archive/archive-compare-functions.txt");
    tool_writes(compare("--function=g", NULL), "archive/archive-compare-function.txt");
}

static void by_others(void **state)
{
    tool_writes(compare("--by=firmware", NULL), "archive/archive-compare-firmware.txt");
    tool_writes(compare("--by=date", NULL), "archive/archive-compare-date.txt");
    tool_writes(compare("--by=kernel", NULL), "archive/archive-compare-kernel.txt");
    tool_expect(compare("--event=F999", NULL), EXIT_INPUT, "", "ibsprof: FILES/a.db: no runs that counted F999\n");
    assert_int_equal(compare("--by=none", NULL).status, EXIT_USAGE);
}

/* The runs of one machine are compared by their firmware: there are no others. */
static void one_machine(void **state)
{
    char place[300];

    snprintf(place, sizeof(place), "%s", files_path("c.db"));
    for (int i = 0; i < 12; i++) {
        char path[100], text[300];

        snprintf(path, sizeof(path), "updated/%02d", i);
        snprintf(text, sizeof(text),
                 "workload = \"loop\"\n#: machine.firmware.version = F%d\n#: started = 2026-%02d-01T00:00:00\n", i / 6,
                 1 + i);
        archived_put(path, "run.ini", text);
        snprintf(text, sizeof(text),
                 ARCHIVED_MAP "F100 All IBS op [samples]\n0x10,f,f.c,7,nop,%d\n0x11,f,f.c,8,ret,%d\n",
                 400 + 100 * (i / 6) + i % 3, 600 - 100 * (i / 6) - i % 3);
        archived_put(path, "profile.csv", text);
    }
    assert_int_equal(archived_run("add", place, "updated", NULL).status, EXIT_DONE);
    tool_writes(archived_run("compare", place, NULL, "--by=firmware"), "archive/archive-compare-updated.txt");
}

/* Without a difference no machine is named; two workloads are compared separately; one run shows nothing about its
 * machine. */
static void no_outlier(void **state)
{
    char place[300];

    snprintf(place, sizeof(place), "%s", files_path("b.db"));
    make("same", "loop", 0);
    make("other", "chain", 0);
    archived_put("one/1", "run.ini",
                 "workload = \"loop\"\n#: machine.serial = ONE\n#: started = 2026-01-01T00:00:00\n");
    archived_put("one/1", "profile.csv",
                 ARCHIVED_MAP "F100 All IBS op [samples]\n0x10,f,f.c,7,push rbp,1000\n0x11,f,f.c,8,nop,1000\n");
    assert_int_equal(archived_run("add", place, "same", NULL).status, EXIT_DONE);
    assert_int_equal(archived_run("add", place, "other", NULL).status, EXIT_DONE);
    assert_int_equal(archived_run("add", place, "one", NULL).status, EXIT_DONE);
    tool_writes(archived_run("compare", place, NULL, NULL), "archive/archive-compare-same.txt");
    tool_writes(archived_run("compare", place, NULL, "--csv"), "archive/archive-compare-same.csv");
}

static void page(void **state)
{
    const char *out = compare("--html", NULL).out;

    assert_non_null(strstr(out, "<title>ibsprof archive compare</title>"));
    assert_non_null(strstr(out, "<script type=\"application/json\" id=\"archive\">"));
    assert_non_null(strstr(out, "\"outliers\":["));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_outlier), cmocka_unit_test(by_others), cmocka_unit_test(no_outlier),
        cmocka_unit_test(one_machine),       cmocka_unit_test(page),
    };
    return cmocka_run_group_tests_name("archive_compare", tests, begin, files_end);
}
