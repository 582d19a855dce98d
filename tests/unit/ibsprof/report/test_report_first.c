/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of a report are in the order of costs, without tables that have nothing to show. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"
#include "tests/unit/test.h"
#include "core/view/view.h"
#include "tools/ibsprof/cause/cause.h"

enum { LOAD = 0x401016, ADD = 0x401019, JNZ = 0x40101d, MANY = 400 };

#define TIMES(retire_, complete_) ((uint64_t)(retire_) << 16 | ((retire_) - (complete_)))
#define MISS(cycles_)             (IBS_LD_OP | IBS_DC_MISS | (uint64_t)(cycles_) << 32)

static const char ini[] = "workload = \"loop\"\n#: figures = model\n#: machine.family = 0x10\n#: machine.model = 0xa\n";

static void begin(void)
{
    program_make("program.elf");
    made_run_begin();
    made_run_op(MANY, (struct made_op){.at = ADD, .data = TIMES(4, 3)});
}

/* Expects the titles of these tables in the report of the made run, each followed by a bar, and then the line that
 * names the tables left out. */
static void expect_tables(const char *option, const char *wanted)
{
    struct tool_result got = tool_run(&command_report, option, made_run_write("run", ini), NULL);
    char titles[2000] = "";

    assert_int_equal(got.status, EXIT_DONE);
    for (char *line = strtok(got.out, "\n"), *by; line; line = strtok(NULL, "\n")) {
        by = strncmp(line, "IBS ", 4) == 0 ? strstr(line, " by instruction: ") : NULL;
        if (by)
            sprintf(titles + strlen(titles), "%.*s|", (int)(by - line), line);
        if (strncmp(line, "Zero, ", 6) == 0)
            strcat(titles, line);
    }
    expect_text(titles, wanted);
}

TEST(mispredictions_first)
{
    begin();
    made_run_op(MANY, (struct made_op){.at = JNZ, .data = TIMES(4, 3) | IBS_OP_BRN_RET | IBS_OP_BRN_MISP});
    made_run_op(MANY, (struct made_op){.at = LOAD, .data = TIMES(4, 3), .data3 = IBS_LD_OP});
    expect_tables("--width=79",
                  "IBS BR branch|IBS op profile|IBS load/store breakdown|Zero, and left out: IBS DC miss latency");
    /* A table that was named is shown with its zeros. */
    expect_tables("--view=ibs_dclat", "IBS DC miss latency|");
}

/* A cause of less than a tenth of the first one has no table at the top. */
TEST(two_causes_then_one)
{
    begin();
    made_run_op(MANY, (struct made_op){.at = LOAD, .data = TIMES(160, 159), .data3 = IBS_LD_OP | IBS_DC_ST_TO_LD_FWD});
    made_run_op(MANY, (struct made_op){.at = LOAD, .data = TIMES(4, 3), .data3 = MISS(12)});
    expect_tables("--width=79", "IBS DC miss latency|IBS MEM forwarding and bank conflicts|IBS op profile|"
                                "IBS load/store breakdown|");
    made_run_op(MANY, (struct made_op){.at = LOAD, .data = TIMES(4, 3), .data2 = IBS_NB_DRAM, .data3 = MISS(250)});
    expect_tables("--width=79", "IBS DC miss latency|IBS op profile|IBS load/store breakdown|");
}

/* A table at the top is shown once, and is not left out, because there are samples of the cause. */
TEST(translations_first)
{
    begin();
    made_run_op(MANY, (struct made_op){.at = LOAD,
                                       .data = TIMES(4, 3),
                                       .data3 = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_L1TLB_MISS});
    expect_tables("--width=79",
                  "IBS MEM data TLB|IBS op profile|IBS load/store breakdown|Zero, and left out: IBS DC miss latency");
}

/* Functions of a run of counters are sorted by the event that costs most, if it has enough samples to be a cause. */
TEST(functions_by_the_event_that_costs_most)
{
    static const struct linux_event events[] = {{LINUX_HARDWARE, 0, 1000, 0, 0, "cycles"},
                                                {LINUX_HARDWARE, 3, 1000, 0, 0, "cache-misses"}};
    static const char *const words[] = {"perf", "record", NULL};
    static const struct linux_facts facts = {
        "box", "6.1.0", "6.1", "x86_64", "AMD made by a test", "AuthenticAMD,16,10,3", words, 0, NULL};

    for (unsigned misses = 9; misses < 11; misses++) {
        linux_begin(events, 2);
        linux_comm(7, "program", 0, 1);
        for (unsigned i = 0; i < 50 + misses; i++)
            linux_sample((struct linux_sample){
                .event = i >= 50, .pid = 7, .tid = 7, .ip = 0x400000 + i, .time = 2 + i, .period = 1000, .misc = 2});
        const char *path = linux_write("counters.data", &facts);
        struct tool_result got = tool_run(&command_report, path, NULL);
        assert_non_null(strstr(got.out, misses == 10 ? ", sorted by: cache-misses\n" : ", sorted by: cycles\n"));
        got = tool_run(&command_report, "--event=cycles", path, NULL);
        assert_non_null(strstr(got.out, ", sorted by: cycles\n"));
        assert_null(strstr(got.out, ", sorted by: cache-misses\n"));
    }
}

TEST(each_cause_of_samples_has_a_table)
{
    for (unsigned i = 0; i < cause_row_count; i++) {
        assert_int_equal(cause_rows[i].view != NULL, cause_rows[i].kind != CAUSE_COUNTER);
        if (cause_rows[i].view)
            assert_non_null(view_find(cause_rows[i].view));
    }
}

RUN_TESTS(NULL, files_end)
