/* SPDX-License-Identifier: BSD-2-Clause */
/* 'ibsprof export --format=perf.data': a copy has the same samples, events and losses as the original file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/family/pmc_regs.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/read/input.h"

enum { COUNTERS = 3 };

static void make_run(const char *folder)
{
    static struct perfdata_counter counters[COUNTERS], timer;

    made_run_begin();
    made_info.cores = 3;
    made_info.event[SAMPLE_OP] = (struct perfdata_event){true, true, 4000, 7};
    made_info.event[SAMPLE_FETCH] = (struct perfdata_event){true, false, 5000, 0};
    counters[0] = (struct perfdata_counter){true, "041 DATA_CACHE_MISSES", 0x41, 100, 3, 301, 2};
    counters[1] = (struct perfdata_counter){false, "not sampled", 0x42, 1, 0, 0, 0};
    counters[2] = (struct perfdata_counter){true, "wide", 0x1000003e8, 50, 1, 50, 0};
    timer = (struct perfdata_counter){true, "cpu-clock", 0, 1000000, 2, 2000000, 5};
    made_info.counters = counters;
    made_info.counter_count = COUNTERS;
    made_info.timer = &timer;
    made_run_op(2, (struct made_op){.at = 0x401010, .data = 0x123, .cpu = 2});
    made_run_fetch(3, (struct made_fetch){.at = 0x401016, .ctl = 0x4ull << 48, .cpu = 1});
    for (unsigned i = 0; i < 3; i++)
        made_run_record((struct sample_record){
            .kind = SAMPLE_PMC, .reg = {[PMC_EVENT] = 0, [PMC_RIP] = MADE_BASE + 0x401019 + i}, .cpu = i});
    made_run_record((struct sample_record){.kind = SAMPLE_PMC, .reg = {[PMC_EVENT] = 2, [PMC_RIP] = MADE_BASE}});
    for (unsigned i = 0; i < 2; i++)
        made_run_record((struct sample_record){.kind = SAMPLE_TIMER, .reg = {[PMC_RIP] = MADE_BASE + 0x401030 + i}});
    made_run_write(folder, NULL);
}

/* Describes everything that a file has: machine, events, samples. */
static const char *described(const char *path)
{
    char error[500];
    struct input *input = input_open(path, error, sizeof(error));
    const struct input_facts *facts;
    struct perfdata_item item;
    FILE *to;

    if (input == NULL)
        fail_msg("%s", error);
    tool_begin(&to);
    facts = input_facts(input);
    fprintf(to, "%s|%s|%u %u %u|%x|%s|%s|%s\n", facts->vendor, facts->cpu_name, facts->family, facts->model,
            facts->stepping, facts->ibs_caps, facts->version, facts->command, facts->workload);
    for (uint32_t i = 0; i < facts->event_count; i++)
        fprintf(to, "%s %d type %u config %llx period %llu\n", facts->events[i].name, facts->events[i].kind,
                facts->events[i].type, (unsigned long long)facts->events[i].config,
                (unsigned long long)facts->events[i].period);
    while (input_next(input, &item) && item.kind != PERFDATA_ITEM_END)
        if (item.kind == PERFDATA_ITEM_SAMPLE) {
            fprintf(to, "%s %llu cpu %u ip %llx period %llu:", facts->events[item.event].name,
                    (unsigned long long)item.time, item.cpu, (unsigned long long)item.ip,
                    (unsigned long long)item.period);
            for (uint32_t i = 0; i < item.register_count; i++)
                fprintf(to, " %llx", (unsigned long long)item.registers[i]);
            fprintf(to, "\n");
        } else if (item.kind == PERFDATA_ITEM_LOST) {
            fprintf(to, "%s lost %llu\n", facts->events[item.event].name, (unsigned long long)item.lost);
        } else if (item.kind == PERFDATA_ITEM_MAP) {
            fprintf(to, "map %s %llx %llx %llx %u\n", item.map.name, (unsigned long long)item.map.start,
                    (unsigned long long)item.map.length, (unsigned long long)item.map.page_offset,
                    item.map.build_id_size);
        }
    input_close(input);
    return tool_end(to);
}

static void whole(void **state)
{
    char copy[300], run[300];
    const char *kinds[] = {"all", "op", "fetch", "events"},
               *names[] = {"info/copy-all.txt", "info/copy-op.txt", "info/copy-fetch.txt", "info/copy-events.txt"};

    make_run("run");
    snprintf(run, sizeof(run), "%s", files_path("run"));
    expect_file(described(run), "info/copy-all.txt");
    for (int i = 0; i < 4; i++) {
        snprintf(copy, sizeof(copy), "%s", files_path("copy"));
        tool_expect(tool_run(&command_export, "-f", "perf.data", "-s", kinds[i], "-o", copy, run, NULL), EXIT_DONE, "",
                    "");
        expect_file(described(copy), names[i]);
    }
}

/* Ops are sampled by cycles, and fetches at random; the copy describes its events by the registers of perf's own. */
static void other_settings(void **state)
{
    char copy[300];

    make_run("run");
    made_info.event[SAMPLE_OP].variant = false;
    made_info.event[SAMPLE_FETCH].variant = true;
    made_info.build_id = NULL;
    made_run_write("run", NULL);
    snprintf(copy, sizeof(copy), "%s", files_path("copy"));
    tool_expect(tool_run(&command_export, "-f", "perf.data", "-o", copy, files_path("run"), NULL), EXIT_DONE, "", "");
    expect_file(described(copy), "info/copy-other.txt");
}

/* A file of the toolkit has periods in its samples only, and no maps. */
static void from_the_toolkit(void **state)
{
    static const char header[] = "IBS Op Sample File\nAMD Processor Family: 0x10\nAMD Processor Model: 0x4\n"
                                 "AMD Processor Stepping: 0x2\nAMD Processor Name: Phenom\nCommand line: prog\n"
                                 "IBS Op Structure Version: 1\n=============================================\n";
    uint8_t bytes[1000];
    size_t size = strlen(header);
    char copy[300], raw[300];

    memcpy(bytes, header, size);
    for (uint64_t i = 0; i < 2; i++) {
        const uint64_t sample[13] = {
            i ? 0x6186b : 0x6186a, 0x401639 + i, 0, 0, 0, 0, 0, 0, 0, 1000 * (i + 1), 0, 12ull << 32 | 11, i};

        memcpy(bytes + size, sample, sizeof(sample));
        size += sizeof(sample);
    }
    snprintf(raw, sizeof(raw), "%s", files_write("raw", bytes, size));
    snprintf(copy, sizeof(copy), "%s", files_path("copy"));
    tool_expect(tool_run(&command_export, "-f", "perf.data", "-o", copy, raw, NULL), EXIT_DONE, "", "");
    expect_file(described(copy), "info/copy-toolkit.txt");
}

static void not_of_linux(void **state)
{
    char path[300];

    make_run("run");
    snprintf(path, sizeof(path), "%s", files_path("run/perf.data"));
    made_run_as_linux(path);
    tool_expect(tool_run(&command_export, "-f", "perf.data", "-o", files_path("copy"), path, NULL), EXIT_USAGE, "",
                "ibsprof: FILES/run/perf.data: is already a perf.data file of Linux, whose maps would be lost: copy "
                "the file\n");
    /* In a run's folder the file is a recording with an operating system, whose maps are the run's. */
    tool_expect(tool_run(&command_export, "-f", "perf.data", "-o", "/dev/full", files_path("run"), NULL), EXIT_OUTPUT,
                "", "ibsprof: /dev/full: cannot be written: No space left on device\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole),
        cmocka_unit_test(other_settings),
        cmocka_unit_test(from_the_toolkit),
        cmocka_unit_test(not_of_linux),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
