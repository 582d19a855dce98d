/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads by instruction: in a run of ours, and in a recording with data sources. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/clock.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"
#include "tests/unit/test.h"
#include "tools/ibsprof/profile/data/loads.h"
#include "tools/ibsprof/profile/load.h"

#define HEAD                                                                                                           \
    "module,rva,function,file,line,instruction,loads [samples],stride kind,stride [bytes],pairs,pairs that agree,"     \
    "divisor [bytes],lines,pages,first,last,line again,line again if even,lines used,error of lines used\n"

static void load(uint64_t at, uint64_t address, uint64_t valid)
{
    made_run_op(1, (struct made_op){.at = at, .data3 = IBS_LD_OP | valid, .address = address});
}

/* Every 20th op is the load of hot, whose address advances by 16 bytes each time, some 1000 times between two samples;
 * other ops load one word, or store. */
TEST(loads_of_a_run)
{
    char run[300];

    made_run_begin();
    for (uint64_t i = 0; i < 40; i++) {
        uint64_t executed = 1000 * i + i * i % 7; /* the number varies */

        load(0x401016, 0x7000000 + 16 * executed, IBS_DC_LIN_ADDR_VALID);
        load(0x401019, 0x7100008, i < 20 ? IBS_DC_LIN_ADDR_VALID : 0);
        made_run_op(18, (struct made_op){.at = 0x401010, .data3 = IBS_ST_OP | IBS_DC_LIN_ADDR_VALID, .address = i});
    }
    load(0x401031, 0x1000, IBS_DC_LIN_ADDR_VALID);
    snprintf(run, sizeof(run), "%s", made_run_write("run", "workload = loop\n"));
    program_make("program.elf");
    tool_expect(tool_run(&command_report, "--csv", "--by=load", run, NULL), EXIT_DONE,
                HEAD
                "program.elf,0x401016,hot,made/hot.c,13,\"mov eax, dword ptr [rsi+rcx*4]\",40,steady,16,39,39,16,40,40,"
                "0x7000000,0x70985a0,0,0.00199719959760203,260,\n"
                "program.elf,0x401019,hot,made/hot.c,13,\"add dword ptr [rdi], eax\",20,one address,0,19,19,0,1,1,"
                "0x7100008,0x7100008,0.95,0.95,1,0\n"
                "program.elf,0x401031,cold,work/cold.c,8,jmp 401010,1,too few,,0,0,0,1,1,0x1000,0x1000,0,0,0,\n",
                "");
    expect_file(tool_run(&command_report, "--by=load", "--limit=5", run, NULL).out, "lists/by-load.txt");
    expect_file(tool_run(&command_report, "--by=load", "--json", run, NULL).out, "lists/by-load.json");
    /* The clock is read once for each load: the first time begins, and the next ones come after 40 and 60 of 61
     * loads. */
    clock_now_ns = clock_step_ns = 1000000000;
    assert_non_null(strstr(tool_run_on_terminal(80, &command_report, "--csv", "--by=load", run, NULL).out,
                           "\ribsprof: FILES/run: 65 %\033[K\ribsprof: FILES/run: 98 %\033[K\r\033[K"));
    clock_now_ns = -1;
    assert_string_equal(tool_run(&command_report, "--by=load", "--html", run, NULL).err,
                        "ibsprof: report: tables by address are text, csv or json; 'ibsprof report --help' explains\n");
}

/* A load leaves its stride at every tenth sample: the screen says how many of the pairs agree. */
TEST(loads_that_stray)
{
    made_run_begin();
    for (uint64_t i = 0; i < 40; i++) {
        load(0x401016, i % 10 == 9 ? 0x7200000 + i * 12345 : 0x7000000 + 16 * (1000 * i + i * i % 7),
             IBS_DC_LIN_ADDR_VALID);
        made_run_op(19, (struct made_op){.at = 0x401010});
    }
    assert_non_null(
        strstr(tool_run(&command_report, "--by=load", made_run_write("stray", "workload = loop\n"), NULL).out,
               "   16    32 of   39"));
}

/* Loads and estimates are the same whether accesses are in memory or in a file. */
TEST(few_accesses_in_memory)
{
    struct load_options options = {0};
    struct loads *few, *all;
    struct loaded loaded;

    made_run_begin();
    for (uint64_t i = 0; i < 300; i++) {
        load(0x401016, 0x7000000 + 16 * (1000 * i + i * i % 7), IBS_DC_LIN_ADDR_VALID);
        load(0x401019, 0x7100000 + i * 0x9E3779B97F4A7C15u % 10000, IBS_DC_LIN_ADDR_VALID);
        load(0x401031, 0x1000, i % 3 ? IBS_DC_LIN_ADDR_VALID : 0);
    }
    assert_true(load_run(&loaded, made_run_write("file", "workload = loop\n"), &options));
    few = loads_read(loaded.profile, loaded.input, &options.profile.search, 7);
    all = loads_read(loaded.profile, loaded.input, &options.profile.search, LOADS_ROOM);
    assert_int_equal(few->count, 3);
    assert_int_equal(few->all, 800);
    assert_int_equal(all->count, few->count);
    for (uint32_t i = 0; i < few->count; i++) {
        assert_int_equal(few->rows[i].count, all->rows[i].count);
        assert_memory_equal(&few->rows[i].stride, &all->rows[i].stride, sizeof(few->rows[i].stride));
        assert_memory_equal(&few->rows[i].reuse, &all->rows[i].reuse, sizeof(few->rows[i].reuse));
        assert_false(few->rows[i].drawn);
    }
    assert_int_equal(few->rows[0].stride.kind, STRIDE_STEADY);
    assert_int_equal(few->rows[0].reuse.lines, 300);
    loads_free(few);
    loads_free(all);
    load_free(&loaded);
}

/* Some of very many pairs are drawn at random, and the screen says so. */
TEST(more_pairs_than_are_taken)
{
    struct tool_result got;

    made_run_begin();
    made_run_op(STRIDE_PAIRS + 2,
                (struct made_op){.at = 0x401016, .data3 = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID, .address = 0x7000000});
    got = tool_run(&command_report, "--by=load", made_run_write("many", "workload = loop\n"), NULL);
    assert_non_null(strstr(got.out, "  131074    fixed131072 of131072"));
    assert_non_null(
        strstr(got.out, "\nA load with more than 131072 pairs of samples has that many of them, drawn evenly.\n"));
}

/* Two threads alternate, each with its own addresses; stores do not count, and accesses without an address are counted
 * separately. */
TEST(loads_with_a_data_source)
{
    const struct linux_event event = {LINUX_IBS_OP, 0, 1000,
                                      PERFDATA_SAMPLE_ADDR | PERFDATA_SAMPLE_WEIGHT | PERFDATA_SAMPLE_DATA_SRC,
                                      .name = "ibs_op//"};
    const struct linux_facts facts = {.release = "6.1.0-test", .arch = "x86_64"};
    const uint64_t l1 = (uint64_t)(PERFDATA_MEM_LVL_HIT | PERFDATA_MEM_LVL_L1) << PERFDATA_MEM_LVL;
    const char *file;

    linux_begin(&event, 1);
    for (uint32_t i = 0; i < 60; i++)
        linux_sample(
            (struct linux_sample){.pid = 1,
                                  .tid = 1 + i % 2,
                                  .ip = 0x401000,
                                  .time = 1000 + 100 * i,
                                  .period = 1000,
                                  .misc = 2 | PERFDATA_MISC_EXACT_IP,
                                  .addr = i == 59 ? 0 : (i % 2 ? 0x9000000 : 0x5000000) - 24 * (40ull * i + i % 5),
                                  .weight = 5,
                                  .data_src = l1 | (i == 0 ? 0x2 << 1 : 0x1 << 1)});
    file = linux_write("words.data", &facts);
    tool_expect(tool_run(&command_report, "--csv", "--by=load", file, NULL), EXIT_DONE,
                HEAD ",0x401000,,,,,58,steady,-24,56,56,24,58,28,0x4ff2638,0x8fffc28,0,2.71570391499054e-05,551,\n",
                "");
    assert_non_null(
        strstr(tool_run(&command_report, "--by=load", file, NULL).out, "\n1 loads have no valid address.\n"));
}

RUN_TESTS(NULL, files_end)
