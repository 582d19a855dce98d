/* SPDX-License-Identifier: BSD-2-Clause */
/* Counter events in one table have one unit, and its columns have room for their figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/profile/measure.h"

enum { LOAD = 0x401016, ADD = 0x401019 };

/* Makes a run with IBS ops, three samples of misses and two of instructions. The misses stand for this number of
 * events. */
static const char *make(uint64_t misses)
{
    const struct perfdata_counter counters[] = {
        {true, "041 DATA_CACHE_MISSES:00", 0x41, 1000, 3, misses, 0},
        {true, "0C0 RETIRED_INSTRUCTIONS:00", 0xC0, 600000000, 2, 1200000000, 0},
    };

    made_run_begin();
    made_info.counters = counters;
    made_info.counter_count = 2;
    made_run_op(5, (struct made_op){.at = LOAD});
    for (unsigned i = 0; i < 5; i++)
        made_run_record((struct sample_record){
            .kind = SAMPLE_PMC, .reg = {[PMC_EVENT] = i % 2, [PMC_RIP] = MADE_BASE + (i % 2 ? ADD : LOAD)}});
    program_make("program.elf");
    return made_run_write("run", "workload = loop\n");
}

static void one_unit(void **state)
{
    const char *text = tool_run(&command_annotate, "--event=041", "--event=0C0", make(3000), NULL).out;

    assert_non_null(
        strstr(text, ": 041 DATA_CACHE_MISSES:00, 3 of 3\n0C0: 0C0 RETIRED_INSTRUCTIONS:00, 2 of 2 samples\n"));
    assert_non_null(strstr(text, "samples  share heat     0C0  line address instruction\n"));
    assert_null(strstr(text, "Periods of"));
    /* The 10,003 events in three samples of two groups: not all samples stand for the same number. */
    text = tool_run(&command_annotate, "--event=041", "--event=0C0", make(10003), NULL).out;
    assert_non_null(strstr(text, ": 041 DATA_CACHE_MISSES:00, 10003 of 10003\n"
                                 "0C0: 0C0 RETIRED_INSTRUCTIONS:00, 1200000000 of 1200000000 events\n"));
    assert_non_null(strstr(text, " events  share heat        0C0  line address instruction\n"));
    assert_non_null(strstr(text, "\n                    1200000000 "));
    text = tool_run(&command_annotate, "--event=0C0", "--event=041", make(10003), NULL).out;
    assert_non_null(strstr(text, "\n1200000000 100.0% ####"));
    assert_non_null(strstr(text, "\n    events  share heat     041  line address instruction\n"));
    text = tool_run(&command_report, "--by=module", make(10003), NULL).out;
    assert_non_null(strstr(text, "NOTE      Periods of 041 DATA_CACHE_MISSES:00 vary, because each group that counted "
                                 "the event had its own: its samples are weighted by them.\n"));
    assert_null(strstr(text, "RETIRED_INSTRUCTIONS:00 vary"));
    assert_non_null(strstr(text, "\n>       5  100.0%   10003  100.0% 1200000000  100.0%  program.elf\n"));
}

/* Events are weighted if they must be: all counters if one varies; events of IBS are counted as samples. */
static void weighted(void **state)
{
    const struct input_event events[] = {{.name = "op", .kind = SAMPLE_OP},
                                         {.name = "a", .kind = SAMPLE_PMC},
                                         {.name = "b", .kind = SAMPLE_PMC},
                                         {.name = "clock", .kind = SAMPLE_TIMER}};
    const struct input_facts facts = {.events = events, .event_count = 4};
    bool varies[4] = {false};
    const struct run_profile profile = {.facts = &facts, .event_varies = varies};

    for (uint32_t one = 0; one < 4; one++) {
        varies[one] = true;
        for (uint32_t i = 0; i < 4; i++) {
            assert_int_equal(profile_weighted(&profile, i), one == 0 ? i == 0 : i > 0);
            assert_string_equal(measure_at(&profile, i).unit, profile_weighted(&profile, i) ? "events" : "samples");
        }
        varies[one] = false;
    }
    for (uint32_t i = 0; i < 4; i++)
        assert_false(profile_weighted(&profile, i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_unit), cmocka_unit_test(weighted)};

    return cmocka_run_group_tests(tests, NULL, files_end);
}
