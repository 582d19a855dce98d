/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables by the address of fetches and of data, of samples whose sums are known. */
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

static char run[300];

/* Two arrays 2 MB apart, the first of two pages; a load without an address, and an op that is neither load nor store.
 */
static int begin(void **state)
{
    const uint64_t load = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID, missed = load | IBS_DC_MISS;

    made_run_begin();
    made_info.cores = 2;
    made_run_op(3, (struct made_op){.at = 0x401016, .data3 = load, .address = 0x7000010});
    made_run_op(2, (struct made_op){.at = 0x401016, .data3 = missed | 100ull << 32, .address = 0x700003f});
    made_run_op(1, (struct made_op){.at = 0x401016, .data3 = missed | 25ull << 32, .address = 0x7000040});
    made_run_op(4, (struct made_op){.at = 0x401019, .data3 = IBS_ST_OP | IBS_DC_LIN_ADDR_VALID, .address = 0x7001ff8});
    made_run_op(5, (struct made_op){.at = 0x401016, .data3 = load, .address = 0x7201ff8, .cpu = 1});
    made_run_op(1, (struct made_op){.at = 0x401016, .data3 = IBS_LD_OP, .address = 0x7201ff8});
    made_run_op(9, (struct made_op){.at = 0x401010});
    made_run_fetch(3, (struct made_fetch){.at = 0x401010, .ctl = IBS_FETCH_COMP | IBS_FETCH_PHY_VALID});
    made_run_fetch(2, (struct made_fetch){.at = 0x401010});
    made_run_fetch(
        1, (struct made_fetch){.at = 0x401011, .ctl = IBS_FETCH_COMP | IBS_FETCH_PHY_VALID | IBS_FETCH_IC_MISS});
    snprintf(run, sizeof(run), "%s", made_run_write("run", "workload = loop\n"));
    program_make("program.elf");
    return 0;
}

static int end(void **state)
{
    files_remove_all();
    return 0;
}

#define DATA                                                                                                           \
    "address,last,F201 IBS load [samples],F202 IBS store [samples],F206 IBS DC miss [samples],Mean (F219/X200),"       \
    "F204 IBS DTLB L1M L2H [samples],F205 IBS DTLB L1M L2M [samples],F241 IBS NB remote [samples]\n"

static void csv(void **state)
{
    static const struct {
        const char *by, *wanted;
    } rows[] = {
        {"--by=cache-line", DATA "0x7000000,0x700003f,5,0,2,100,0,0,0\n0x7000040,0x7000040,1,0,1,25,0,0,0\n"
                                 "0x7001fc0,0x7001ff8,0,4,0,,0,0,0\n0x7201fc0,0x7201ff8,5,0,0,,0,0,0\n"},
        {"--by=page", DATA "0x7000000,0x7000040,6,0,3,75,0,0,0\n0x7001000,0x7001ff8,0,4,0,,0,0,0\n"
                           "0x7201000,0x7201ff8,5,0,0,,0,0,0\n"},
        {"--by=region", DATA "0x7000000,0x7001ff8,6,4,3,75,0,0,0\n0x7201000,0x7201ff8,5,0,0,,0,0,0\n"},
        {"--by=fetch",
         "address,last,F000 IBS all fetch [samples],F001 IBS fetch killed [samples],F002 IBS fetch attempt [samples],"
         "F003 IBS fetch comp [samples],F004 IBS fetch abort [samples],F008 IBS IC miss [samples]\n"
         "0x10401010,0x10401010,5,2,3,3,0,0\n0x10401011,0x10401011,1,0,1,1,0,1\n"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tool_result got = tool_run(&command_report, "--csv", rows[i].by, run, NULL);

        tool_expect(got, EXIT_DONE, rows[i].wanted, "");
    }
    tool_expect(tool_run(&command_report, "--csv", "--by=region", "--core=1", run, NULL), EXIT_DONE,
                DATA "0x7201000,0x7201ff8,5,0,0,,0,0,0\n", "");
}

static void text(void **state)
{
    expect_file(tool_run(&command_report, "--by=page", "--limit=30", run, NULL).out, "by-page.txt");
    expect_file(tool_run(&command_report, "--by=fetch", run, NULL).out, "by-fetch.txt");
}

static void json(void **state)
{
    expect_file(tool_run(&command_report, "--by=region", "--json", run, NULL).out, "by-region.json");
    tool_expect(tool_run(&command_report, "--by=page", "--html", run, NULL), EXIT_USAGE, "",
                "ibsprof: report: tables by address are text, csv or json; 'ibsprof report --help' explains\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv),
        cmocka_unit_test(text),
        cmocka_unit_test(json),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
