/* SPDX-License-Identifier: BSD-2-Clause */
/* * A perf.data file with events, fields and records of every kind: what info, export and report print about it. The
 * files below expected/ were checked by hand against make_file, whose sum is at its end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/read/input.h"
#include "tools/ibsprof/symbols/object.h"

enum { WORK = 100, OTHER = 200, LIBRARY = 0x30000000, USER = 2, KERNEL = 1, EXACT = PERFDATA_MISC_EXACT_IP };
#define KERNEL_START 0xffffffff81000000u

enum { CYCLES, OP, FETCH, QUOTED, UNKNOWN, CLOCK, HARDWARE, SOFTWARE, EVENTS };

static const struct linux_event events[EVENTS] = {
    [CYCLES] = {LINUX_HARDWARE, 0, 999, PERFDATA_SAMPLE_CALLCHAIN, PERFDATA_ATTR_FREQ, NULL},
    [OP] = {LINUX_IBS_OP, 0x80000, 4000,
            PERFDATA_SAMPLE_ADDR | PERFDATA_SAMPLE_RAW | PERFDATA_SAMPLE_WEIGHT | PERFDATA_SAMPLE_DATA_SRC |
                PERFDATA_SAMPLE_PHYS_ADDR,
            0, "ibs_op/cnt_ctl=1/"},
    [FETCH] = {LINUX_IBS_FETCH, 0, 5000, PERFDATA_SAMPLE_RAW, 0, NULL},
    [QUOTED] = {LINUX_CPU, 0x41, 70, 0, 0, "say \"hi\", twice"},
    [UNKNOWN] = {33, 7, 1, 0, 0, NULL},
    [CLOCK] = {LINUX_SOFTWARE, 1, 1000000, 0, 0, NULL},
    [HARDWARE] = {LINUX_HARDWARE, 10, 1, 0, 0, NULL},
    [SOFTWARE] = {LINUX_SOFTWARE, 12, 1, 0, 0, NULL},
};

static uint64_t now;

static void plain(unsigned times, unsigned event, uint32_t pid, uint32_t cpu, uint16_t misc, uint64_t ip,
                  uint64_t period)
{
    static const uint64_t chain[] = {0xfffffffffffffe00u, 0x401019, 0x401007};

    while (times-- > 0)
        linux_sample((struct linux_sample){.event = event,
                                           .pid = pid,
                                           .tid = pid + 1,
                                           .cpu = cpu,
                                           .ip = ip,
                                           .time = now += 1000,
                                           .period = period,
                                           .misc = misc,
                                           .chain = chain,
                                           .chain_count = 3});
}

static void op(unsigned times, uint32_t cpu, uint64_t rip, uint64_t data3, uint64_t address)
{
    const uint64_t registers[] = {0x60000, rip, 0x200005 | IBS_OP_BRN_RET, IBS_NB_DRAM, data3, address, address + 1};

    while (times-- > 0)
        linux_sample((struct linux_sample){.event = OP,
                                           .pid = WORK,
                                           .tid = WORK,
                                           .cpu = cpu,
                                           .ip = rip,
                                           .time = now += 1000,
                                           .period = 4000,
                                           .misc = USER | EXACT,
                                           .addr = address,
                                           .phys_addr = address ? address + 1 : 0,
                                           .weight = address ? 77 : 0,
                                           .data_src = address ? 0x68100142 : 0,
                                           .registers = registers,
                                           .caps = 0x1f,
                                           .register_count = 7});
}

static void fetch(unsigned times, uint32_t cpu, uint64_t rip)
{
    const uint64_t registers[] = {IBS_FETCH_COMP | IBS_FETCH_PHY_VALID | IBS_FETCH_IC_MISS, rip, rip + 0x1000};

    while (times-- > 0)
        linux_sample((struct linux_sample){.event = FETCH,
                                           .pid = WORK,
                                           .tid = WORK,
                                           .cpu = cpu,
                                           .ip = rip,
                                           .time = now += 1000,
                                           .period = 5000,
                                           .misc = USER | EXACT,
                                           .registers = registers,
                                           .caps = 0x1f,
                                           .register_count = 3});
}

static const char *const words[] = {"perf", "record", "-e", "ibs_op/cnt_ctl=1/", "./program", NULL}, *const cores[] = {
                                                                                                         "0-1",
                                                                                                         "2,4-5"};
static const struct linux_facts facts = {
    "box", "6.1.0-test", "6.1.99", "x86_64", "AMD Phenom(tm) made by a test", "AuthenticAMD,16,10,3", words, 2, cores};
static char path[300];

static void make_file(void)
{
    uint64_t two[] = {linux_id(OP), 3}, three[] = {0, linux_id(CYCLES), 5}, one[] = {4}, some[] = {1, 2, 3};

    program_make("program.elf");
    linux_begin(events, EVENTS);
    now = 5000;
    linux_map(UINT32_MAX, KERNEL_START, 0x100000, KERNEL_START, "[kernel.kallsyms]_text", KERNEL);
    linux_comm(WORK, "program", PERFDATA_MISC_COMM_EXEC, 0);
    linux_comm(OTHER, "other", 0, 0);
    linux_map2(WORK, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, "/gone/program.elf", USER, 5, program_id, 20);
    linux_map2(WORK, LIBRARY, 0x10000, 0, "/usr/lib/gone.so", USER, 5, (const uint8_t[]){0xab, 0xcd, 3, 4}, 4);
    linux_map2(WORK, 0x50000000, 0x10000, 0, "/usr/share/data", USER, 1, (const uint8_t[]){1}, 1);
    linux_task(PERFDATA_RECORD_FORK, OTHER, WORK, 0, 5500);
    plain(3, CYCLES, WORK, 0, USER, 0x401016, 1500);
    plain(1, CYCLES, WORK, 4, KERNEL, KERNEL_START + 0x10, 2500);
    plain(1, CYCLES, WORK, 0, USER, 0x401030, 0); /* without a period: one */
    op(6, 0, 0x401016, IBS_LD_OP | IBS_DC_MISS | 120ull << 32 | IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID,
       0x7000040);
    op(2, 4, 0x40101d, 0, 0);
    op(1, 1, LIBRARY + 0x10, 0, 0);
    fetch(2, 1, 0x401010);
    plain(2, QUOTED, WORK, 1, USER, 0x401016, 70);
    plain(1, UNKNOWN, OTHER, 2, 5, 0x401016, 9);
    plain(3, CLOCK, WORK, 4, USER, 0x401016, 1000000);
    linux_record(PERFDATA_RECORD_LOST, 0, two, 2, now);
    linux_record(PERFDATA_RECORD_LOST_SAMPLES, 0, one, 1, now); /* of the first event, by its id */
    linux_record(PERFDATA_RECORD_THROTTLE, 0, three, 3, now);
    linux_record(PERFDATA_RECORD_THROTTLE, 0, three, 3, now);
    linux_record(PERFDATA_RECORD_UNTHROTTLE, 0, three, 3, now);
    linux_record(14, 0, NULL, 0, now);  /* SWITCH */
    linux_record(50, 0, some, 3, now);  /* an unknown type */
    linux_record(73, 0, some, 2, now);  /* THREAD_MAP */
    linux_record(250, 0, some, 1, now); /* an unknown type of perf's own */
    linux_task(PERFDATA_RECORD_EXIT, OTHER, WORK, 0, now);
    snprintf(path, sizeof(path), "%s", linux_write("linux.data", &facts));
    /* There are 22 samples: 5 of cycles, 9 ops, 2 fetches, 2 of "say", 1 of an unknown event, 3 of the clock. */
}

static int begin(void **state)
{
    make_file();
    return 0;
}

static const char missing[] = "ibsprof: /usr/lib/gone.so (build-id abcd0304): no ELF file found; its samples are shown "
                              "by address; --debug-dir=DIR looks for the file in DIR\n";

static void writes(struct tool_result got, const char *err, const char *name)
{
    expect_text(got.err, err);
    expect_file(got.out, name);
    assert_int_equal(got.status, EXIT_DONE);
}

static void said(void **state)
{
    writes(tool_run(&command_info, path, NULL), "", "linux/linux-file-info.txt");
    writes(tool_run(&command_info, "--json", path, NULL), "", "linux/linux-file-info.json");
}

static void rows(void **state)
{
    writes(tool_run(&command_export, "--format=jsonl", path, NULL), "", "linux/linux-file.jsonl");
    writes(tool_run(&command_export, "--samples=op", path, NULL), "", "linux/linux-file-op.csv");
    writes(tool_run(&command_export, "--samples=events", path, NULL), "", "linux/linux-file-events.csv");
}

static void reports(void **state)
{
    writes(tool_run(&command_report, path, NULL), missing, "linux/linux-file.txt");
    writes(tool_run(&command_report, "--by=core", path, NULL), missing, "linux/linux-file-core.txt");
}

/* ---------------------------------------------------------------- what a file does not say */

static void clock_samples(unsigned count, uint32_t pid)
{
    linux_map(pid, 0x400000, 0x10000, 0, "/gone/program", USER);
    for (unsigned i = 0; i < count; i++)
        linux_sample((struct linux_sample){
            .pid = pid, .tid = pid, .ip = 0x401000, .time = now += 1000, .period = 1, .misc = USER});
}

/* The first program started in a recording of all processes is not the workload. */
static void no_workload(void **state)
{
    struct linux_event event = {LINUX_SOFTWARE, 0, 1000000, 0, 0, NULL};

    for (int everyone = 0; everyone < 2; everyone++) {
        const char *written;

        event.flags = everyone ? LINUX_EVERYONE : 0;
        linux_begin(&event, 1);
        linux_comm(WORK, "date", PERFDATA_MISC_COMM_EXEC, now += 1000);
        clock_samples(3, WORK);
        clock_samples(9, OTHER);
        written = linux_write("everyone.data", &facts);
        struct tool_result got = tool_run(&command_report, written, NULL);
        assert_int_equal(strstr(got.out, "\nWorkload  date\n") == NULL, everyone);
        assert_int_equal(strstr(got.out, "\nWorkload  the file names none: everything in user mode") != NULL, everyone);
        got = tool_run(&command_report, "--json", written, NULL);
        assert_int_equal(strstr(got.out, "\"workload\":\"\"") != NULL, everyone);
        assert_int_equal(strstr(got.out, "\"workload\":\"date\"") != NULL, !everyone);
    }
}

/* A script starts a tool on another processor, whose records come first in the file. */
static void first_by_time(void **state)
{
    const struct linux_event event = {LINUX_HARDWARE, 0, 4000, 0, PERFDATA_ATTR_ENABLE_ON_EXEC, NULL};
    struct tool_result got;

    linux_begin(&event, 1);
    linux_comm(WORK, "perf-exec", 0, 0);
    linux_comm(OTHER, "readlink", PERFDATA_MISC_COMM_EXEC, 3000);
    clock_samples(1, OTHER);
    linux_comm(WORK, "script", PERFDATA_MISC_COMM_EXEC, 1000);
    clock_samples(3, WORK);
    got = tool_run(&command_report, "--json", linux_write("script.data", &facts), NULL);
    assert_non_null(strstr(got.out, "\"workload\":\"script\""));
}

/* Samples without PERF_SAMPLE_CPU belong to no core. */
static void no_cores(void **state)
{
    const struct linux_event event = {LINUX_SOFTWARE, 0, 1000000, 0, LINUX_NO_CPU, NULL};
    static const char none[] = "ibsprof: FILES/nowhere.data: the file does not say which core took a sample; "
                               "'perf record --sample-cpu' does\n";
    char written[300];
    struct tool_result got;

    linux_begin(&event, 1);
    linux_comm(WORK, "program", PERFDATA_MISC_COMM_EXEC, now += 1000);
    clock_samples(5, WORK);
    snprintf(written, sizeof(written), "%s", linux_write("nowhere.data", &facts));
    got = tool_run(&command_report, "--by=core", written, NULL);
    assert_int_equal(got.status, EXIT_INPUT);
    assert_string_equal(got.out, "");
    assert_non_null(strstr(got.err, none));
    got = tool_run(&command_report, "--core=0", written, NULL);
    assert_int_equal(got.status, EXIT_INPUT);
    assert_non_null(strstr(got.err, none));
    got = tool_run(&command_report, written, NULL);
    assert_non_null(strstr(got.out, "\nSamples   5 of cpu-clock\n"));
    assert_null(strstr(got.out, "core 0"));
    got = tool_run(&command_report, "--json", written, NULL);
    assert_non_null(strstr(got.out, "\"cores\":[],\n\"nodes_known\":false,\n\"nodes\":[]"));
    got = tool_run(&command_export, written, NULL);
    assert_int_equal(got.status, EXIT_DONE);
    assert_non_null(strstr(got.out, ",-,100,100,0,\"cpu-clock\","));
    got = tool_run(&command_export, "--format=jsonl", written, NULL);
    assert_non_null(strstr(got.out, "\"cpu\":null,"));
}

/* In a recording with a frequency perf weighs samples by their periods, and so do shares here; numbers of samples are
 * not compared. */
static void periods_that_vary(void **state)
{
    const struct linux_event event = {LINUX_HARDWARE, 0, 4000, 0, PERFDATA_ATTR_FREQ, NULL};
    static const char note[] =
        "Periods of cycles vary, as with a frequency (perf record -F): its samples are weighted by them.\n";
    char written[300], refused[600];
    struct tool_result got;

    for (int vary = 1; vary >= 0; vary--) {
        linux_begin(&event, 1);
        linux_comm(WORK, "program", PERFDATA_MISC_COMM_EXEC, now += 1000);
        linux_map(WORK, 0x400000, 0x10000, 0, "/gone/program", USER);
        for (unsigned i = 0; i < 4; i++)
            linux_sample((struct linux_sample){.pid = WORK,
                                               .tid = WORK,
                                               .ip = i < 3 ? 0x401000 : 0x402000,
                                               .time = now += 1000,
                                               .period = vary && i == 3 ? 97 : 1,
                                               .misc = USER});
        snprintf(written, sizeof(written), "%s", linux_write("frequency.data", &facts));
        got = tool_run(&command_report, written, NULL);
        assert_non_null(strstr(got.out, "\nSamples   4 of cycles\n"));
        assert_int_equal(strstr(got.out, note) != NULL, vary);
        assert_non_null(strstr(got.out, vary ? "\n>      97   97.0%  2000" : "\n>       3   75.0%  1000"));
        got = tool_run(&command_annotate, written, NULL);
        assert_int_equal(strstr(got.out, note) != NULL, vary);
        got = tool_run(&command_report, "--folded", written, NULL);
        assert_non_null(
            strstr(got.out, vary ? "# counts are sums of periods, which vary in this file.\n" : ";1000 3\n"));
        assert_non_null(strstr(got.out, vary ? ";2000 97\n" : ";2000 1\n"));
        got = tool_run(&command_report, "--csv", written, NULL);
        assert_int_equal(strstr(got.out, "# Periods of cycles vary, as with a frequency (perf record -F): its samples, "
                                         "which are counted here, represent unequal numbers of events.") != NULL,
                         vary);
        got = tool_run(&command_report, "--json", written, NULL);
        assert_non_null(
            strstr(got.out, vary ? "\"weight\":100,\"periods_vary\":true" : "\"weight\":4,\"periods_vary\":false"));
    }
    linux_begin(&event, 1);
    linux_comm(WORK, "program", PERFDATA_MISC_COMM_EXEC, now += 1000);
    clock_samples(3, WORK);
    linux_sample(
        (struct linux_sample){.pid = WORK, .tid = WORK, .ip = 0x402000, .time = now, .period = 5, .misc = USER});
    snprintf(written, sizeof(written), "%s", linux_write("frequency.data", &facts));
    got = tool_run(&command_compare, written, written, NULL);
    assert_int_equal(got.status, EXIT_INPUT);
    snprintf(refused, sizeof(refused),
             "ibsprof: compare: FILES/frequency.data: periods of cycles vary, as with a frequency, so its samples "
             "represent unequal numbers of events; record with a fixed period (perf record -c)\n");
    assert_non_null(strstr(got.err, refused));
    assert_string_equal(got.out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_workload),       cmocka_unit_test(first_by_time), cmocka_unit_test(no_cores),
        cmocka_unit_test(periods_that_vary), cmocka_unit_test(said),          cmocka_unit_test(rows),
        cmocka_unit_test(reports),
    };

    return cmocka_run_group_tests(tests, begin, files_end);
}
