/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables by the address of fetches and of data, for samples whose sums are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"

static char run[300];

/* Makes accesses to two arrays 2 MB apart, the first of two pages; a load without an address; and an op that neither
 * loads nor stores. */
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

#define DATA                                                                                                           \
    "address,last,F201 IBS load [samples],F202 IBS store [samples],F206 IBS DC miss [samples],Mean (F219/X200),"       \
    "F204 IBS DTLB L1M L2H [samples],F205 IBS DTLB L1M L2M [samples],F241 IBS NB remote [samples]\n"

#define ANSWERED                                                                                                       \
    ",from L1 [samples],from a miss under way [samples],from L2 [samples],from L3 [samples],"                          \
    "from L3 or another core's cache [samples],from another core's cache [samples],"                                   \
    "from another node's cache [samples],from DRAM [samples],from another node's DRAM [samples],"                      \
    "from elsewhere [samples],modified elsewhere [samples]\n"
#define LINES                                                                                                          \
    "address,last,cores,false sharing,F201 IBS load [samples],F202 IBS store [samples],F206 IBS DC miss [samples],"    \
    "Mean (F219/X200),F243 IBS NB local cache [samples],F241 IBS NB remote [samples]" ANSWERED

static void csv(void **state)
{
    static const struct {
        const char *by, *wanted;
    } rows[] = {
        {"--by=cache-line", LINES "0x7000000,0x700003f,1,0,5,0,2,100,0,0,3,0,2,0,0,0,0,0,0,0,0\n"
                                  "0x7000040,0x7000040,1,0,1,0,1,25,0,0,0,0,1,0,0,0,0,0,0,0,0\n"
                                  "0x7001fc0,0x7001ff8,1,0,0,4,0,,0,0,0,0,0,0,0,0,0,0,0,0,0\n"
                                  "0x7201fc0,0x7201ff8,1,0,5,0,0,,0,0,5,0,0,0,0,0,0,0,0,0,0\n"},
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
    expect_file(tool_run(&command_report, "--by=page", "--limit=30", run, NULL).out, "lists/by-page.txt");
    expect_file(tool_run(&command_report, "--by=fetch", run, NULL).out, "lists/by-fetch.txt");
}

static void json(void **state)
{
    expect_file(tool_run(&command_report, "--by=region", "--json", run, NULL).out, "lists/by-region.json");
    tool_expect(tool_run(&command_report, "--by=page", "--html", run, NULL), EXIT_USAGE, "",
                "ibsprof: report: tables by address are text, csv or json; 'ibsprof report --help' explains\n");
}

/* Returns the page's part about cache lines; NULL: there is none. */
static const char *page_lines(const char *of)
{
    static char text[4000];
    const char *at = strstr(tool_run(&command_report, "--html", of, NULL).out, "\"cache_lines\":");

    if (at)
        snprintf(text, sizeof(text), "%.*s\n", (int)(strstr(at, "]}]}") + 4 - at), at);
    return at ? text : NULL;
}

/* Several cores use lines: different bytes of one, also at two linear addresses; the same bytes of one; one that all
 * only read; and stacks, which have one linear address and a line for each core. */
static void cores_within_a_line(void **state)
{
    const uint64_t valid = IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID, load = IBS_LD_OP | valid;
    const uint64_t other = load | IBS_DC_MISS | 400ull << 32;
    char shared[300];

    made_run_begin();
    made_info.cores = 130;
    made_run_op(2, (struct made_op){0x401016, .data3 = load, .address = 0x9000000, .physical = 0x111000});
    made_run_op(3, (struct made_op){0x401019, .data3 = IBS_ST_OP | valid, .address = 0x9000000, .physical = 0x111000});
    made_run_op(4, (struct made_op){0x401016, .data2 = IBS_NB_CACHE, .data3 = other, .address = 0x9000008,
                                    .physical = 0x111008, .cpu = 1});
    made_run_op(1, (struct made_op){0x401016, .data3 = load, .address = 0xA00003f, .physical = 0x11103f, .cpu = 128});
    for (uint32_t cpu = 2; cpu-- > 0;) {
        made_run_op(1 + cpu, (struct made_op){0x401019, .data3 = IBS_ST_OP | valid, .address = 0x9000050,
                                              .physical = 0x111050, .cpu = cpu});
        made_run_op(2, (struct made_op){0x401016, .data3 = load, .address = 0x9000080 + 8 * cpu,
                                        .physical = 0x111080 + 8 * cpu, .cpu = cpu});
        made_run_op(6, (struct made_op){0x401019, .data3 = IBS_ST_OP | valid, .address = 0x9100000,
                                        .physical = 0x200000 + cpu * 0x1000, .cpu = cpu});
    }
    made_run_op(1, (struct made_op){0x401019, .data3 = IBS_ST_OP | IBS_DC_LIN_ADDR_VALID, .address = 0x111000});
    snprintf(shared, sizeof(shared), "%s", made_run_write("shared", "workload = loop\n"));
    tool_expect(tool_run(&command_report, "--csv", "--by=cache-line", shared, NULL), EXIT_DONE,
                LINES "0x111000,0x111000,1,0,0,1,0,,0,0,0,0,0,0,0,0,0,0,0,0,0\n"
                      "0x9000000,0xa00003f,3,1,7,3,4,400,4,0,3,0,0,0,0,4,0,0,0,0,4\n"
                      "0x9000040,0x9000050,2,0,0,3,0,,0,0,0,0,0,0,0,0,0,0,0,0,0\n"
                      "0x9000080,0x9000088,2,0,4,0,0,,0,0,4,0,0,0,0,0,0,0,0,0,0\n"
                      "0x9100000,0x9100000,1,0,0,6,0,,0,0,0,0,0,0,0,0,0,0,0,0,0\n"
                      "0x9100000,0x9100000,1,0,0,6,0,,0,0,0,0,0,0,0,0,0,0,0,0,0\n",
                "");
    expect_file(tool_run(&command_report, "--by=cache-line", shared, NULL).out, "lists/by-cache-line.txt");
    expect_file(tool_run(&command_report, "--by=cache-line", "--json", shared, NULL).out, "lists/by-cache-line.json");
    /* The page has the same rows, most samples first. */
    expect_file(page_lines(shared), "lists/page-cache-lines.json");
    /* Pages have linear addresses. */
    tool_expect(tool_run(&command_report, "--csv", "--by=page", shared, NULL), EXIT_DONE,
                DATA "0x111000,0x111000,0,1,0,,0,0,0\n0x9000000,0x9000088,10,6,4,400,0,0,0\n"
                     "0x9100000,0x9100000,0,12,0,,0,0,0\n0xa000000,0xa00003f,1,0,0,,0,0,0\n",
                "");
    /* Without such a line the report does not mention false sharing. */
    assert_null(strstr(tool_run(&command_report, "--by=cache-line", run, NULL).out, "False sharing"));
}

/* Recordings of perf mem and perf c2c have a data source and no registers. Two processes have different lines at the
 * same linear address, unless the file says that both lines are one. */
static void by_data_source(void **state)
{
    const struct linux_event event = {LINUX_IBS_OP, 0, 1000,
                                      PERFDATA_SAMPLE_ADDR | PERFDATA_SAMPLE_WEIGHT | PERFDATA_SAMPLE_DATA_SRC |
                                          PERFDATA_SAMPLE_PHYS_ADDR,
                                      .name = "ibs_op//"};
    const struct linux_facts facts = {.release = "6.1.0-test", .arch = "x86_64"};
    const uint64_t l1 = 0x1 << 1 | (uint64_t)(PERFDATA_MEM_LVL_HIT | PERFDATA_MEM_LVL_L1) << PERFDATA_MEM_LVL;
    const uint64_t hitm = 0x1 << 1 | (uint64_t)(PERFDATA_MEM_LVL_HIT | PERFDATA_MEM_LVL_L3) << PERFDATA_MEM_LVL |
                          (uint64_t)PERFDATA_MEM_SNOOP_HITM << PERFDATA_MEM_SNOOP;
    const uint64_t remote = 0x1 << 1 | (uint64_t)(PERFDATA_MEM_LVL_HIT | PERFDATA_MEM_LVL_REM_RAM1) << PERFDATA_MEM_LVL;
    const uint64_t store = 0x2 << 1 | (uint64_t)(PERFDATA_MEM_LVL_HIT | PERFDATA_MEM_LVL_L1) << PERFDATA_MEM_LVL;
    const struct {
        uint32_t pid, cpu;
        uint64_t addr, phys, word, weight;
    } samples[] = {
        {1, 0, 0x9000000, 0, l1, 5},
        {1, 1, 0x9000008, 0, store, 0},
        {2, 0, 0x9000000, 0, hitm, 80},
        {2, 1, 0xA000000, 0x5000, hitm, 90},
        {1, 0, 0xB000008, 0x5008, remote, 300},
        {1, 0, 0xB000008, 0x5008, store, 0},
        {1, 0, 0, 0, l1, 5},
    };
    const char *file;

    linux_begin(&event, 1);
    for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
        linux_sample((struct linux_sample){.pid = samples[i].pid,
                                           .tid = samples[i].pid,
                                           .cpu = samples[i].cpu,
                                           .ip = 0x401000,
                                           .time = 10 + i,
                                           .period = 1000,
                                           .misc = 2 | PERFDATA_MISC_EXACT_IP,
                                           .addr = samples[i].addr,
                                           .phys_addr = samples[i].phys,
                                           .weight = samples[i].weight,
                                           .data_src = samples[i].word});
    file = linux_write("words.data", &facts);
    tool_expect(tool_run(&command_report, "--csv", "--by=cache-line", file, NULL), EXIT_DONE,
                "address,last,cores,false sharing,Loads [samples],Stores [samples],DC miss [samples],Mean,"
                "O. cache [samples],Remote [samples]" ANSWERED
                "0x9000000,0x9000008,2,1,1,1,0,,0,0,1,0,0,0,0,0,0,0,0,0,0\n"
                "0x9000000,0x9000000,1,0,1,0,1,80,1,0,0,0,0,0,0,1,0,0,0,0,1\n"
                "0xa000000,0xb000008,2,1,2,1,2,195,1,1,0,0,0,0,0,1,0,0,1,0,1\n",
                "");
    tool_expect(tool_run(&command_report, "--csv", "--by=page", "--core=1", file, NULL), EXIT_DONE,
                "address,last,Loads [samples],Stores [samples],DC miss [samples],Mean,L1M L2H [samples],"
                "L1M L2M [samples],Remote [samples]\n"
                "0x9000000,0x9000008,0,1,0,,0,0,0\n0xa000000,0xa000000,1,0,1,90,0,0,0\n",
                "");
    assert_non_null(strstr(tool_run(&command_report, "--csv", file, NULL).out, ",0x401000,"));
    assert_non_null(
        strstr(tool_run(&command_report, "--by=cache-line", file, NULL).out, "Data by cache line: accesses sampled\n"));
    assert_non_null(strstr(tool_run(&command_report, "--by=cache-line", file, NULL).out,
                           "\n1 loads and stores have no valid address.\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv),
        cmocka_unit_test(text),
        cmocka_unit_test(json),
        cmocka_unit_test(cores_within_a_line),
        cmocka_unit_test(by_data_source),
    };

    return cmocka_run_group_tests(tests, begin, files_end);
}
