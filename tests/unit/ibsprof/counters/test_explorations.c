/* SPDX-License-Identifier: BSD-2-Clause */
/* * General Exploration of Linux' files, by function, module, process and thread; the files below expected/ were
 * checked by hand against make_linux. */
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
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"

enum { WORK = 20, HELPER = 21, OTHER = 30, LIBRARY = 0x30000000, USER = 2 };

/* The events are 076, 0C0, 0C1, 0C3, 0D0, 0D1, 0D2; clocks are sampled by frequency, so each sample says what it stands
 * for. */
enum { CLOCKS, EVENTS = 7 };
static const struct linux_event events[EVENTS] = {
    {LINUX_CPU, 0x76, 4000, 0, LINUX_EVERYONE | PERFDATA_ATTR_FREQ, "r76"},
    {LINUX_CPU, 0xC0, 1000, 0, LINUX_EVERYONE, "rc0"},
    {LINUX_CPU, 0xC1, 1000, 0, LINUX_EVERYONE, "rc1"},
    {LINUX_CPU, 0xC3, 100, 0, LINUX_EVERYONE, "rc3"},
    {LINUX_CPU, 0xD0, 1000, 0, LINUX_EVERYONE, "rd0"},
    {LINUX_CPU, 0xD1, 1000, 0, LINUX_EVERYONE, "rd1"},
    {LINUX_CPU, 0xD2, 1000, 0, LINUX_EVERYONE, "rd2"},
};
static const char *const words[] = {"perf", "record", "-a", NULL};
static struct linux_facts facts = {
    "box", "6.1.0-test", "6.1.99", "x86_64", "AMD Phenom(tm) made by a test", "AuthenticAMD,16,10,3", words, 0, NULL};
static uint64_t now = 1000;

static void samples(const unsigned times[EVENTS], uint32_t pid, uint32_t tid, uint64_t ip)
{
    for (unsigned e = 0; e < EVENTS; e++)
        for (unsigned i = 0; i < times[e]; i++)
            linux_sample((struct linux_sample){.event = e,
                                               .pid = pid,
                                               .tid = tid,
                                               .ip = ip,
                                               .time = now += 1000,
                                               .period = e == CLOCKS ? 1500 + 1000 * (i % 2) : events[e].period,
                                               .misc = USER});
}

/* Makes a recording: hot() of program.elf in two threads has 400 and 100 samples of clocks, 2000 cycles each on
 * average, so 1,000,000; a library in another process has 200. */
static const char *make_linux(const char *name, unsigned count)
{
    linux_begin(events, count);
    linux_comm(WORK, "program", 0, now += 1000);
    linux_comm(OTHER, "other", 0, now += 1000);
    linux_comm(HELPER, "helper", 0, now += 1000);
    linux_map2(WORK, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, "/made/program.elf", USER, 5, program_id, 20);
    linux_map(OTHER, LIBRARY, 0x1000, 0, "/usr/lib/lib.so", USER);
    if (count == EVENTS) {
        samples((unsigned[]){400, 640, 960, 20, 40, 240, 10}, WORK, WORK, 0x401016);
        samples((unsigned[]){100, 80, 120, 0, 8, 150, 0}, WORK, HELPER, 0x401016);
        samples((unsigned[]){200, 40, 60, 0, 300, 16, 0}, OTHER, OTHER, LIBRARY + 0x10);
        samples((unsigned[]){2, 0, 0, 0, 0, 0, 0}, WORK, WORK, 0x401030);
    }
    program_make("linux/program.elf");
    return linux_write(name, &facts);
}

static void writes(struct tool_result got, const char *name)
{
    expect_file(got.out, name);
    assert_int_equal(got.status, EXIT_DONE);
}

#define NO_EXPLORATION                                                                                                 \
    ": there is no such exploration: config=explore makes a tree (cores=all one by core), config=explore_functions "   \
    "and explore_deep tables by function and line; on Linux, perf record -e r76,rc0,rc1,rc3,rd0,rd1,rd2 also by "      \
    "module, process and thread\n"

static void refused(const char *path, const char *option)
{
    struct tool_result got = tool_run(&command_report, "--view=exploration", path, option, NULL);
    char said[400], *name = strstr(path, "linux/") ? "linux" : strstr(path, "few/") ? "few" : "zen";

    snprintf(said, sizeof(said), "ibsprof: FILES/%s/perf.data" NO_EXPLORATION, name);
    assert_int_equal(got.status, EXIT_USAGE);
    assert_string_equal(got.out, "");
    expect_text(strstr(got.err, "ibsprof: FILES/"),
                said); /* the message is not in the first line if no ELF file is found */
}

/* The files are no recordings, or do not exist. */
static void no_files(void **state)
{
    files_write("none.data", "PERFILE2", 8);
    assert_int_equal(tool_run(&command_report, "--view=exploration", files_path("none.data"), NULL).status, EXIT_INPUT);
    tool_expect(tool_run(&command_report, "--view=exploration", "/nowhere", NULL), EXIT_INPUT, "",
                "ibsprof: /nowhere: No such file or directory\n");
}

static void linux_rows(void **state)
{
    static const char *const by[] = {"function", "line", "module", "process", "thread"};
    char path[300];

    snprintf(path, sizeof(path), "%s", make_linux("linux/perf.data", EVENTS));
    for (unsigned i = 0; i < sizeof(by) / sizeof(by[0]); i++) {
        char option[30], name[50];

        snprintf(option, sizeof(option), "--by=%s", by[i]);
        snprintf(name, sizeof(name), "explore/explored-linux-%s.csv", by[i]);
        writes(tool_run(&command_report, "--view=exploration", "--csv", option, path, NULL), name);
    }
    writes(tool_run(&command_report, "--view=exploration", "--by=module", path, NULL), "explore/explored-linux.txt");
    writes(tool_run(&command_report, "--view=exploration", "--by=thread", "--json", path, NULL),
           "explore/explored-linux.json");
    refused(path, "--by=instruction");
    /* The page and the whole JSON have the rows by function, line and module. */
    assert_non_null(
        strstr(tool_run(&command_report, "--json", path, NULL).out, "\"explorations\":[{\"by\":\"function\""));
}

/* An event is missing; in another family the selects mean other events. */
static void linux_without(void **state)
{
    refused(make_linux("few/perf.data", EVENTS - 1), NULL);
    facts.cpuid = "AuthenticAMD,23,1,1";
    refused(make_linux("zen/perf.data", EVENTS), NULL);
    facts.cpuid = "AuthenticAMD,16,10,3";
}

static void threads(void **state)
{
    char path[300];

    snprintf(path, sizeof(path), "%s", make_linux("linux/perf.data", EVENTS));
    writes(tool_run(&command_report, "--by=thread", "--event=0C0", path, NULL), "lists/threads.txt");
    writes(tool_run(&command_report, "--by=thread", "--csv", path, NULL), "lists/threads.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linux_rows),
        cmocka_unit_test(linux_without),
        cmocka_unit_test(threads),
        cmocka_unit_test(no_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
