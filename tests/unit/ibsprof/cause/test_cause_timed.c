/* SPDX-License-Identifier: BSD-2-Clause */
/* The cause in a run's folder with an estimate of time, and in one without. */
#include "tests/unit/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"

#define TIME(front_, load_)                                                                                            \
    "rva,function,file,line,instruction,est. time [ppm],low [ppm],high [ppm],ops [samples]\n"                          \
    "0x401016,hot,,,mov," load_ "," load_ "," load_ ",400\n0x401019,hot,,,add,100000,0,0,400\n"                        \
    ",(outside the map),,,,0,0,0,0\n,(front end),,,,1000," front_ ",1000000,0\n"

/* Makes a run of loads that wait for memory for 160 cycles each, and of as many ops that do not wait. */
static const char *make(const char *ini, const char *time)
{
    const char *path;

    files_remove_all();
    made_run_begin();
    made_run_op(400, (struct made_op){.at = 0x401016,
                                      .data = 4 << 16 | 1,
                                      .data2 = IBS_NB_DRAM,
                                      .data3 = IBS_LD_OP | IBS_DC_MISS | (uint64_t)160 << 32});
    made_run_op(400, (struct made_op){.at = 0x401019, .data = 4 << 16 | 1});
    path = made_run_write("run", ini);
    program_make("program.elf");
    if (time)
        files_write("run/time.csv", time, strlen(time));
    return path;
}

static void expect_first(const char *ini, const char *time, const char *name, const char *weight)
{
    const char *out = tool_run(&command_report, "--json", make(ini, time), NULL).out,
               *causes = strstr(out, "\"causes\":");
    char text[100];

    assert_non_null(causes);
    snprintf(text, sizeof(text), "\"causes\":[{\"name\":\"%s\"", name);
    assert_memory_equal(causes, text, strlen(text));
    snprintf(text, sizeof(text), "\"weight\":%s", weight);
    assert_memory_equal(strstr(causes, "\"weight\""), text, strlen(text));
}

#define WORK "workload = loop\n"
#define COUNTED(cycles, runs)                                                                                          \
    WORK "#: sampling = changed\n#: sampling.cycles.undisturbed = " cycles "\n#: ibs.repeats = " runs "\n"

/* The front end leads by the lower end of its interval: more than half of the time. */
TEST(time_without_an_op)
{
    expect_first(WORK, NULL, "dram", "6.4e+04");
    expect_first(WORK, TIME("650000", "100000"), "front-end", "118857.14");
    expect_first(WORK, TIME("490000", "100000"), "dram", "6.4e+04");
    assert_non_null(strstr(tool_run(&command_report, make(WORK, TIME("650000", "100000")), NULL).out, "65.0 % of"));
}

/* Waits take no more than the time of their instruction: its share of the cycles of all passes, of a period each, less
 * the time that its ops take to retire, three in a cycle. */
TEST(time_of_an_instruction)
{
    expect_first(COUNTED("1000000", "2"), TIME("0", "100000"), "dram", "66.6666");
    expect_first(COUNTED("2000000", "2"), TIME("0", "100000"), "dram", "266.6666");
    expect_first(COUNTED("1000000", "4"), TIME("0", "100000"), "dram", "266.6666");
    expect_first(COUNTED("1000000", "4"), TIME("0", "200000"), "dram", "666.6666");
    expect_first(COUNTED("1000000", "4"), NULL, "dram", "6.4e+04");
}

RUN_TESTS(NULL, files_end)
