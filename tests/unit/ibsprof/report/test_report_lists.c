/* SPDX-License-Identifier: BSD-2-Clause */
/* * Lists by module and by process, for a Linux file with several of both and for a run of ibsboot, which has one of
 * each. The files below expected/ were checked by hand against make_linux. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"

enum { SHELL = 10, WORK = 20, LIBRARY = 0x30000000, USER = 2, KERNEL = 1, EXACT = PERFDATA_MISC_EXACT_IP };
#define KERNEL_START 0xffffffff81000000u

enum { OP, CYCLES, EVENTS };
static const struct linux_event events[EVENTS] = {
    [OP] = {LINUX_IBS_OP, 0x80000, 4000, PERFDATA_SAMPLE_RAW, LINUX_EVERYONE, "ibs_op/cnt_ctl=1/"},
    [CYCLES] = {LINUX_CPU, 0x76, 1000, 0, LINUX_EVERYONE, "cycles"},
};
static const char *const words[] = {"perf", "record", "-a", NULL};
static const struct linux_facts facts = {
    "box", "6.1.0-test", "6.1.99", "x86_64", "AMD Phenom(tm) made by a test", "AuthenticAMD,16,10,3", words, 0, NULL};
static char path[300], run[300];
static uint64_t now = 1000;

static void cycles(unsigned times, uint32_t pid, uint32_t cpu, uint16_t misc, uint64_t ip)
{
    while (times-- > 0)
        linux_sample((struct linux_sample){.event = CYCLES,
                                           .pid = pid,
                                           .tid = pid,
                                           .cpu = cpu,
                                           .ip = ip,
                                           .time = now += 1000,
                                           .period = 1000,
                                           .misc = misc});
}

static void ops(unsigned times, uint32_t pid, uint32_t cpu, uint64_t ip, uint64_t data3)
{
    const uint64_t registers[] = {0x60000, ip, 0x200005, 0, data3, 0, 0};

    while (times-- > 0)
        linux_sample((struct linux_sample){.event = OP,
                                           .pid = pid,
                                           .tid = pid,
                                           .cpu = cpu,
                                           .ip = ip,
                                           .time = now += 1000,
                                           .period = 4000,
                                           .misc = USER | EXACT,
                                           .registers = registers,
                                           .caps = 0x1f,
                                           .register_count = 7});
}

/* Makes a recording in which a shell forks a process, which is still the shell for 3 samples and then becomes the
 * program, while the shell continues. */
static void make_linux(void)
{
    linux_begin(events, EVENTS);
    linux_map(UINT32_MAX, KERNEL_START, 0x100000, KERNEL_START, "[kernel.kallsyms]_text", KERNEL);
    linux_comm(SHELL, "sh", 0, now += 1000);
    linux_map(SHELL, LIBRARY, 0x1000, 0, "/usr/lib/lib.so", USER);
    cycles(5, SHELL, 0, USER, LIBRARY + 0x10);
    linux_task(PERFDATA_RECORD_FORK, WORK, SHELL, 0, now += 1000);
    cycles(3, WORK, 1, USER, LIBRARY + 0x20);
    linux_comm(WORK, "program", PERFDATA_MISC_COMM_EXEC, now += 1000);
    linux_map2(WORK, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, "/made/program.elf", USER, 5, program_id, 20);
    linux_map(WORK, LIBRARY, 0x1000, 0, "/usr/lib/lib.so", USER);
    cycles(40, WORK, 1, USER, 0x401016);
    ops(30, WORK, 1, 0x401016, IBS_LD_OP | IBS_DC_MISS | 20ull << 32);
    cycles(7, WORK, 1, KERNEL, KERNEL_START + 0x100);
    cycles(2, WORK, 1, USER, LIBRARY + 0x30);
    ops(4, SHELL, 0, LIBRARY + 0x10, 0);
    cycles(6, SHELL, 0, KERNEL, KERNEL_START + 0x200);
    cycles(9, 0, 0, KERNEL, KERNEL_START + 0x300); /* idle */
    cycles(1, 77, 0, USER, 0x50);                  /* an unknown process */
    snprintf(path, sizeof(path), "%s", linux_write("linux/perf.data", &facts));
    program_make("linux/program.elf");
    /* There are 73 samples of cycles: sh 5 + 3 + 6 (3 of these as 20), program 40 + 7 + 2, idle 9, 77: 1. 34 ops: 30
     * and 4. Modules: program.elf 40, lib.so 5 + 3 + 2, kernel 7 + 6 + 9, unknown 1. */
}

static void writes(struct tool_result got, const char *name)
{
    expect_file(got.out, name);
    assert_int_equal(got.status, EXIT_DONE);
}

static void modules(void **state)
{
    writes(tool_run(&command_report, "--by=module", path, NULL), "lists/modules.txt");
    writes(tool_run(&command_report, "--by=module", "--comm=program", "--event=076", "--csv", path, NULL),
           "lists/modules.csv");
}

static void processes(void **state)
{
    writes(tool_run(&command_report, "--by=process", "--event=cycles", path, NULL), "lists/processes.txt");
    writes(tool_run(&command_report, "--by=process", "--csv", path, NULL), "lists/processes.csv");
    writes(tool_run(&command_report, "--by=process", "--core=0", "--csv", path, NULL), "lists/processes-core.csv");
}

/* A report about a file with several modules begins with them: the system view. */
static void system_view(void **state)
{
    const char *out = tool_run(&command_report, path, NULL).out, *found = strstr(out, "\nModules, sorted by: ");

    assert_non_null(found);
    assert_true(found < strstr(out, "\nFunctions, sorted by: "));
}

/* Without an operating system there is one of each. */
static void bare_metal(void **state)
{
    struct tool_result got = tool_run(&command_report, "--by=process", "--csv", run, NULL);

    assert_int_equal(got.status, EXIT_DONE);
    assert_memory_equal(strchr(got.out, '\n') + 1, "1,loop,", 7);
    assert_null(strstr(tool_run(&command_report, run, NULL).out, "\nModules"));
    got = tool_run(&command_report, "--by=module", "--csv", run, NULL);
    assert_memory_equal(strchr(got.out, '\n') + 1, "program.elf,1,", 14);
}

static void mistakes(void **state)
{
    tool_expect(tool_run(&command_report, "--by=module", "--view=ibs_op", path, NULL), EXIT_USAGE, "",
                "ibsprof: report: tables of --view are not by core, module, process or thread; 'ibsprof report --help' "
                "explains\n");
}

static int begin(void **state)
{
    make_linux();
    made_run_begin();
    made_run_op(5, (struct made_op){.at = 0x401016});
    snprintf(run, sizeof(run), "%s", made_run_write("run", "workload = \"loop\"\n"));
    program_make("program.elf");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules),    cmocka_unit_test(processes), cmocka_unit_test(system_view),
        cmocka_unit_test(bare_metal), cmocka_unit_test(mistakes),
    };

    return cmocka_run_group_tests(tests, begin, files_end);
}
