/* SPDX-License-Identifier: BSD-2-Clause */
/* Branch records of a recording of Linux: taken branches and blocks, for samples whose sums are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/ibs/sample_branches.h"
#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"

enum { WORK = 100, USER = 2, KERNEL = 1 };
#define KERNEL_START 0xffffffff81000000u
#define START_CALL   0x401002 /* a call in _start, */
#define HOT          0x401010
#define HOT_JUMPS    0x40101e
#define COLD         0x401030
#define WRONG        ((uint64_t)BRANCH_WRONG_PATH << PERFDATA_BRANCH_SPEC)
#define SAMPLE(...)  sample((const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 24)

static const struct linux_event event = {LINUX_CPU, 0x76, 1000, PERFDATA_SAMPLE_BRANCH_STACK, .name = "cycles"};
static const struct linux_facts facts = {.release = "6.1.0-test", .arch = "x86_64"};
static char path[300], plain[300];

static void sample(const uint64_t *branches, uint64_t count)
{
    linux_sample((struct linux_sample){.pid = WORK,
                                       .tid = WORK,
                                       .ip = HOT,
                                       .time = 5000,
                                       .period = 1000,
                                       .misc = USER,
                                       .branches = branches,
                                       .branch_count = count});
}

static void begin_file(const struct linux_event *of)
{
    linux_begin(of, 1);
    linux_map(UINT32_MAX, KERNEL_START, 0x100000, KERNEL_START, "[kernel.kallsyms]_text", KERNEL);
    linux_comm(WORK, "program", PERFDATA_MISC_COMM_EXEC, 0);
    linux_map2(WORK, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, "/gone/program.elf", USER, 5, program_id, 20);
}

/* Makes records with the latest first: hot loops, and was reached from cold, which the kernel had returned to after it
 * interrupted hot. */
static int begin(void **state)
{
    const struct linux_event without = {LINUX_CPU, 0x76, 1000, .name = "cycles"};

    program_make("program.elf");
    begin_file(&event);
    for (unsigned i = 0; i < 2; i++)
        SAMPLE(HOT_JUMPS, HOT, PERFDATA_BRANCH_PREDICTED, HOT_JUMPS, HOT, PERFDATA_BRANCH_PREDICTED, /* the latest */
               0x401012, 0x401030, WRONG | PERFDATA_BRANCH_MISPREDICTED, HOT_JUMPS, HOT, PERFDATA_BRANCH_PREDICTED,
               HOT_JUMPS, HOT, PERFDATA_BRANCH_PREDICTED,                              /* four */
               HOT_JUMPS, HOT, PERFDATA_BRANCH_MISPREDICTED,                           /* ends a block with a jump */
               0x401031, HOT, PERFDATA_BRANCH_PREDICTED, KERNEL_START + 0x20, COLD, 0, /* and two more branches */
               0x401016, KERNEL_START, PERFDATA_BRANCH_PREDICTED, START_CALL, HOT, PERFDATA_BRANCH_PREDICTED);
    SAMPLE(START_CALL, HOT, PERFDATA_BRANCH_PREDICTED, 0x12340, 0x12345, PERFDATA_BRANCH_PREDICTED);
    sample(NULL, 0);
    snprintf(path, sizeof(path), "%s", linux_write("taken.data", &facts));
    begin_file(&without);
    sample(NULL, 0);
    snprintf(plain, sizeof(plain), "%s", linux_write("plain.data", &facts));
    return 0;
}

static void branches(void **state)
{
    tool_expect(tool_run(&command_report, "--by=branch", "--csv", path, NULL), EXIT_DONE,
                "times,mispredicted,from_module,from_function,from_offset,from_address,to_module,to_function,to_offset,"
                "to_address\n"
                "10,2,program.elf,hot,0xe,0x40101e,program.elf,hot,0x0,0x401010\n"
                "3,0,program.elf,_start,0x2,0x401002,program.elf,hot,0x0,0x401010\n"
                "2,0,program.elf,hot,0x6,0x401016,[kernel.kallsyms]_text,,0xffffffff81000000,0xffffffff81000000\n"
                "2,0,program.elf,cold,0x1,0x401031,program.elf,hot,0x0,0x401010\n"
                "2,,[kernel.kallsyms]_text,,0xffffffff81000020,0xffffffff81000020,program.elf,cold,0x0,0x401030\n"
                "1,0,,,0x12340,0x12340,,,0x12345,0x12345\n",
                "");
    expect_file(tool_run(&command_report, "--by=branch", "--limit=7", path, NULL).out, "lists/by-branch.txt");
    expect_file(tool_run(&command_report, "--by=branch", "--json", path, NULL).out, "lists/by-branch.json");
}

/* The blocks are hot up to its jump and up to an interrupt, cold, and the kernel. */
static void blocks(void **state)
{
    tool_expect(
        tool_run(&command_report, "--by=block", "--csv", path, NULL), EXIT_DONE,
        "times,begin_module,begin_function,begin_offset,begin_address,end_module,end_function,end_offset,end_address\n"
        "2,program.elf,hot,0x0,0x401010,program.elf,hot,0x6,0x401016\n"
        "2,program.elf,hot,0x0,0x401010,program.elf,hot,0xe,0x40101e\n"
        "2,program.elf,cold,0x0,0x401030,program.elf,cold,0x1,0x401031\n"
        "2,[kernel.kallsyms]_text,,0xffffffff81000000,0xffffffff81000000,[kernel.kallsyms]_text,,"
        "0xffffffff81000020,0xffffffff81000020\n",
        "");
    expect_file(tool_run(&command_report, "--by=block", path, NULL).out, "lists/by-block.txt");
    expect_file(tool_run(&command_report, "--by=block", "--json", path, NULL).out, "lists/by-block.json");
}

/* One block ends before it begins, and one is longer than code without a branch can be. */
static void what_is_no_block(void **state)
{
    const char *file;

    begin_file(&event);
    SAMPLE(HOT, HOT, 0, HOT, HOT, 0, HOT, HOT, 0, HOT, HOT, 0, HOT - 1, HOT, 0, HOT + 0xffff, HOT, 0, HOT + 0x10000,
           HOT, 0, HOT, HOT, 0);
    file = linux_write("broken.data", &facts);
    tool_expect(tool_run(&command_report, "--by=block", "--csv", file, NULL), EXIT_DONE,
                "times,begin_module,begin_function,begin_offset,begin_address,end_module,end_function,end_offset,"
                "end_address\n"
                "1,program.elf,hot,0x0,0x401010,,,0x41100f,0x41100f\n",
                "");
    assert_non_null(strstr(tool_run(&command_report, "--by=block", "--json", file, NULL).out, "\"broken\":2,\n"));
    assert_non_null(strstr(tool_run(&command_report, "--by=block", file, NULL).out,
                           "\n         2  blocks that are not shown: something came between two branches\n"));
}

/* Only samples of the requested core count, and no event whose samples do not name their core. */
static void of_one_core(void **state)
{
    static const char head[] = "times,mispredicted,from_module,from_function,from_offset,from_address,to_module,"
                               "to_function,to_offset,to_address\n";
    static const struct linux_event without_cores = {
        LINUX_CPU, 0x76, 1000, PERFDATA_SAMPLE_BRANCH_STACK, LINUX_NO_CPU, .name = "cycles"};
    const uint64_t branch[] = {HOT_JUMPS, HOT, PERFDATA_BRANCH_PREDICTED};
    struct linux_sample of = {
        .pid = WORK, .tid = WORK, .ip = HOT, .time = 5000, .misc = USER, .branches = branch, .branch_count = 1};
    char wanted[400];
    const char *file;

    begin_file(&event);
    for (unsigned i = 0; i < 5; i++) {
        of.cpu = i < 2 ? 1 : 3;
        linux_sample(of);
    }
    file = linux_write("cores.data", &facts);
    for (unsigned core = 1; core <= 3; core += 2) {
        snprintf(wanted, sizeof(wanted), "%s%u,0,program.elf,hot,0xe,0x40101e,program.elf,hot,0x0,0x401010\n", head,
                 core == 1 ? 2 : 3);
        tool_expect(tool_run(&command_report, "--by=branch", "--csv", core == 1 ? "--core=1" : "--core=3", file, NULL),
                    EXIT_DONE, wanted, "");
    }
    begin_file(&without_cores);
    linux_sample(of);
    file = linux_write("no-cores.data", &facts);
    snprintf(wanted, sizeof(wanted), "%s1,0,program.elf,hot,0xe,0x40101e,program.elf,hot,0x0,0x401010\n", head);
    tool_expect(tool_run(&command_report, "--by=branch", "--csv", file, NULL), EXIT_DONE, wanted, "");
    assert_null(strstr(tool_run(&command_report, "--by=branch", "--csv", "--core=0", file, NULL).out, "hot"));
}

static void refused(void **state)
{
    tool_expect(tool_run(&command_report, "--by=branch", plain, NULL), EXIT_INPUT, "",
                "ibsprof: FILES/plain.data: no branch records; 'perf record -b' makes them, or the setting branches on "
                "the image\n");
    tool_expect(tool_run(&command_report, "--by=block", "--html", path, NULL), EXIT_USAGE, "",
                "ibsprof: report: tables by address are text, csv or json; 'ibsprof report --help' explains\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches),    cmocka_unit_test(blocks),  cmocka_unit_test(what_is_no_block),
        cmocka_unit_test(of_one_core), cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, begin, files_end);
}
