/* SPDX-License-Identifier: BSD-2-Clause */
/* Traces of ops for Konata: each line is written by hand after the description of the format. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/tool.h"

#define HEAD                                                                                                           \
    "op,rva,function,file,line,instruction,macro_op,ops,passes,samples,differs,tag_to_retire,least,most,"              \
    "completion_to_retire,branch,access,address,dc,dtlb,miss_latency,source,tag,retire,ticks\n"
#define LOAD "5,0x10,run,a.c,7,\"mov eax, dword ptr [rsi]\",1,1,2,2,,9,9,9,2,,load,0x40,miss,hit,30,L3,0,9,70\n"
#define LOST "6,,,,,,,,2,0,,,,,,,,,,,,,0,,\n"
#define RETS "7,0x12,run,a.c,8,ret,2,2,2,1,latency,4,4,6,4,taken,,,,,,,5,9,71\n"

static const char *run_of(const char *csv)
{
    files_write("run/run.ini", "\n", 1);
    files_write("run/trace.csv", csv, strlen(csv));
    return files_path("run");
}

static struct tool_result export(const char *csv)
{
    return tool_run(&command_export, "--format=konata", run_of(csv), NULL);
}

/* Events in one cycle are in the order of their ops. An op that completed at its tag has a stage T without length. */
static void written(void **state)
{
    tool_expect(export("# MODEL: none\n" HEAD LOAD LOST RETS), EXIT_DONE,
                "Kanata\t0004\n"
                "C=\t0\n"
                "I\t0\t5\t0\n"
                "L\t0\t0\t5: 0x10 mov eax, dword ptr [rsi]\n"
                "L\t0\t1\trun a.c:7, passes 2, samples 2, tag_to_retire 9, least 9, most 9, completion_to_retire 2, "
                "access load, address 0x40, dc miss, dtlb hit, miss_latency 30, source L3\n"
                "L\t0\t1\tMODEL: none\n"
                "S\t0\t0\tT\n"
                "I\t1\t6\t0\n"
                "L\t1\t0\t6: lost\n"
                "L\t1\t1\t :, passes 2, samples 0\n"
                "S\t1\t0\tT\n"
                "E\t1\t0\tT\n"
                "R\t1\t0\t1\n"
                "C\t5\n"
                "I\t2\t7\t0\n"
                "L\t2\t0\t7: 0x12 ret op 2\n"
                "L\t2\t1\trun a.c:8, passes 2, samples 1, differs latency, tag_to_retire 4, least 4, most 6, "
                "completion_to_retire 4, branch taken\n"
                "S\t2\t0\tT\n"
                "E\t2\t0\tT\n"
                "S\t2\t0\tC\n"
                "C\t2\n"
                "E\t0\t0\tT\n"
                "S\t0\t0\tC\n"
                "C\t2\n"
                "E\t0\t0\tC\n"
                "R\t0\t0\t0\n"
                "E\t2\t0\tC\n"
                "R\t2\t1\t0\n",
                "");
    tool_expect(export(HEAD), EXIT_DONE, "Kanata\t0004\nC=\t0\n", "");
}

/* The page has the data that tests/unit/web draws. */
static void page(void **state)
{
    static const char *const parts[] = {"\"comment\":\"MODEL: none\"",
                                        "\"label\":\"6: lost\"",
                                        "\"completion\":7,",
                                        "\"retire\":9,",
                                        "\"lost\":true",
                                        "\"details\":\"run a.c:8, passes",
                                        "function pipeline(host)",
                                        "\"ibsprof-trace\""};
    struct tool_result got =
        tool_run(&command_export, "-f", "html", run_of("# MODEL: none\n" HEAD LOAD LOST RETS), NULL);

    assert_int_equal(got.status, EXIT_DONE);
    for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (!strstr(got.out, parts[i]))
            fail_msg("%s is not there", parts[i]);
}

static void refused(void **state)
{
    tool_expect(tool_run(&command_export, "--format=konata", "--samples=op", run_of(HEAD LOAD), NULL), EXIT_USAGE, "",
                "ibsprof: --samples is not for konata and html, which are of ops\n");
    tool_expect(export("op,rva\n"), EXIT_INPUT, "",
                "ibsprof: FILES/run: trace.csv does not have the columns of a trace of ops\n");
    tool_expect(export(HEAD LOAD "6,7\n"), EXIT_INPUT, "",
                "ibsprof: FILES/run: trace.csv, line 3: it has more or fewer fields than the first line\n");
    tool_expect(export(HEAD RETS LOAD), EXIT_INPUT, "",
                "ibsprof: FILES/run: trace.csv, line 3: an op comes before its predecessor\n");
    files_write("other/run.ini", "\n", 1);
    tool_expect(tool_run(&command_export, "-f", "konata", files_path("other"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/other: has no trace.csv: traces are runs of config=trace\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(written), cmocka_unit_test(page), cmocka_unit_test(refused)};

    return cmocka_run_group_tests(tests, NULL, files_end);
}
