/* SPDX-License-Identifier: BSD-2-Clause */
/* * Recordings of Linux without IBS: comparison of any event that all files have, of samples outside the workload, and
 * the options that say where files are and which samples count. The files below expected/ were checked by hand against
 * the counts of make_file; shares and intervals of linux-compare.csv with scipy, like those of
 * test_compare_command.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"

enum { WORK = 100, OTHER = 200, LIBRARY = 0x30000000, USER = 2, KERNEL = 1 };
#define KERNEL_START 0xffffffff81000000u

enum { CYCLES, MISSES, CLOCK };
static const struct linux_event events[] = {[CYCLES] = {LINUX_HARDWARE, 0, 1000, 0, 0, "cycles"},
                                            [MISSES] = {LINUX_CPU, 0x41, 10, 0, 0, "misses"},
                                            [CLOCK] = {LINUX_SOFTWARE, 0, 100, 0, 0, NULL}};

struct counts {
    unsigned load, add, cold, library, kernel, hypervisor,
        other; /* samples of cycles; 'other' is another process at add */
    unsigned load_misses, cold_misses;
    unsigned clock;
};

static uint64_t now;

static void samples(unsigned times, unsigned event, uint32_t pid, uint32_t cpu, uint16_t mode, uint64_t ip)
{
    while (times-- > 0)
        linux_sample((struct linux_sample){.event = event,
                                           .pid = pid,
                                           .tid = pid,
                                           .cpu = cpu,
                                           .ip = ip,
                                           .time = now += 1000,
                                           .period = events[event].period,
                                           .misc = mode});
}

static const char *const cores[] = {"0-1", "2-3"};
static const struct linux_facts facts = {.release = "6.1.0-test", .arch = "x86_64", .node_count = 2, .nodes = cores};

static const char *make_file(const char *name, struct counts c)
{
    now = 0;
    linux_begin(events, 3);
    linux_map(UINT32_MAX, KERNEL_START, 0x100000, KERNEL_START, "[kernel.kallsyms]_text", KERNEL);
    linux_comm(WORK, "program", PERFDATA_MISC_COMM_EXEC, 0);
    linux_comm(OTHER, "other", 0, 0);
    for (int i = 0; i < 2; i++)
        linux_map2(i ? OTHER : WORK, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, "/gone/program.elf", USER, 5, program_id,
                   20);
    linux_map(WORK, LIBRARY, 0x10000, 0x2000, "/usr/lib/lib.so", USER);
    samples(c.load, CYCLES, WORK, 0, USER, 0x401016);
    samples(c.add, CYCLES, WORK, 1, USER, 0x401019);
    samples(c.cold, CYCLES, WORK, 2, USER, 0x401030);
    samples(c.library, CYCLES, WORK, 0, USER, LIBRARY + 0x10);
    samples(c.kernel, CYCLES, WORK, 3, KERNEL, KERNEL_START + 0x20);
    samples(c.hypervisor, CYCLES, WORK, 0, 3, KERNEL_START + 0x20);
    samples(c.other, CYCLES, OTHER, 1, USER, 0x401019);
    samples(c.load_misses, MISSES, WORK, 0, USER, 0x401016);
    samples(c.cold_misses, MISSES, WORK, 2, USER, 0x401030);
    samples(c.clock, CLOCK, WORK, 0, USER, 0x401030);
    return linux_write(name, &facts);
}

static char a[2][300], b[2][300], plain[300];

static int begin(void **state)
{
    snprintf(a[0], sizeof(a[0]), "%s", make_file("a1", (struct counts){300, 200, 50, 20, 40, 0, 5, 100, 10, 0}));
    snprintf(a[1], sizeof(a[1]), "%s", make_file("a2", (struct counts){310, 190, 60, 10, 50, 3, 2, 110, 12, 0}));
    snprintf(b[0], sizeof(b[0]), "%s", make_file("b1", (struct counts){200, 310, 40, 20, 90, 0, 0, 100, 90, 0}));
    snprintf(b[1], sizeof(b[1]), "%s", make_file("b2", (struct counts){190, 290, 70, 15, 80, 0, 5, 105, 85, 0}));
    snprintf(plain, sizeof(plain), "%s", make_file("clock", (struct counts){.clock = 9}));
    program_make("program.elf");
    return 0;
}

#define MISSING                                                                                                        \
    "ibsprof: /usr/lib/lib.so: no ELF file found; its samples are shown by address; --debug-dir=DIR looks for the "    \
    "file in "                                                                                                         \
    "DIR\n"

static void writes(struct tool_result got, const char *err, const char *name)
{
    expect_text(got.err, err);
    expect_file(got.out, name);
    assert_int_equal(got.status, EXIT_DONE);
}

/* Samples of an event that only one side's file has are not compared with those of another event. */
static void event_of_one_side(void **state)
{
    char cycles[300];

    now = 0;
    linux_begin(events, 1);
    linux_comm(WORK, "program", PERFDATA_MISC_COMM_EXEC, 0);
    linux_map2(WORK, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, "/gone/program.elf", USER, 5, program_id, 20);
    samples(300, CYCLES, WORK, 0, USER, 0x401016);
    snprintf(cycles, sizeof(cycles), "%s", linux_write("cycles-only", &facts));
    tool_expect(tool_run(&command_compare, "--event=misses", a[0], cycles, NULL), EXIT_INPUT, "",
                MISSING "ibsprof: compare: not every run has samples of 'misses'; all have: cycles\n");
    tool_expect(tool_run(&command_compare, "--event=misses", cycles, a[0], NULL), EXIT_INPUT, "",
                MISSING "ibsprof: compare: not every run has samples of 'misses'; all have: cycles\n");
}

static void comparisons(void **state)
{
    writes(tool_run(&command_compare, "--all", a[0], a[1], "--", b[0], b[1], NULL), MISSING MISSING MISSING MISSING,
           "linux/linux-compare.txt");
    writes(tool_run(&command_compare, "--csv", "--comm=program", a[0], a[1], "--", b[0], b[1], NULL),
           MISSING MISSING MISSING MISSING, "linux/linux-compare.csv");
    writes(tool_run(&command_compare, "--csv", "--event=misses", a[0], b[0], NULL), MISSING MISSING,
           "linux/linux-compare-misses.csv");
    tool_expect(tool_run(&command_compare, "--event=clocks", a[0], b[0], NULL), EXIT_INPUT, "",
                MISSING MISSING "ibsprof: compare: not every run has samples of 'clocks'; all have: cycles, misses\n");
    tool_expect(tool_run(&command_compare, "--event=cpu-clock", a[0], plain, NULL), EXIT_INPUT, "",
                MISSING "ibsprof: compare: not every run has samples of 'cpu-clock'\n");
    tool_expect(tool_run(&command_compare, "--event=op", a[0], b[0], NULL), EXIT_INPUT, "",
                MISSING MISSING "ibsprof: compare: not every run has samples of 'op'; all have: cycles, misses\n");
    tool_expect(tool_run(&command_compare, plain, a[0], NULL), EXIT_INPUT, "",
                MISSING "ibsprof: compare: the runs have no event in common that has samples in all of them\n");
}

/* A row with two events shows both, each with what its samples stand for. */
static void events_of_a_row(void **state)
{
    struct tool_result got = tool_run(&command_report, "--json", a[0], NULL);

    if (strstr(got.out, "[0,300,300000,1,100,") == NULL)
        fail_msg("%.4000s", strstr(got.out, "\"functions\""));
}

static void reports(void **state)
{
    writes(tool_run(&command_report, "--by=core", a[0], NULL), MISSING, "linux/linux-cores.txt");
    writes(tool_run(&command_report, "--by=function", "--comm=program", "--limit=0", a[0], NULL), MISSING,
           "linux/linux-comm.txt");
    writes(tool_run(&command_report, "--by=function", "--node=1", a[0], NULL), "", "linux/linux-node-1.txt");
    tool_expect(tool_run(&command_report, "--core=7,9", "--node=1", a[0], NULL), EXIT_INPUT, "",
                "ibsprof: FILES/a1: no samples of core 7,9 of node 1\n");
    tool_expect(tool_run(&command_report, "--node=5", a[0], NULL), EXIT_INPUT, "",
                "ibsprof: FILES/a1: no samples of node 5\n");
    tool_expect(tool_run(&command_report, "--core=4", a[0], NULL), EXIT_INPUT, "",
                "ibsprof: FILES/a1: no samples of core 4\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(event_of_one_side),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(events_of_a_row),
        cmocka_unit_test(reports),
    };

    return cmocka_run_group_tests(tests, begin, files_end);
}
