/* SPDX-License-Identifier: BSD-2-Clause */
/* The cause by counters: the event that costs most, and the row of General Exploration. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/out.h"
#include "core/explore/explore_10h.h"
#include "tests/unit/ibsprof/fake_input.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/cause/cause_counters.h"

enum { HERE = 0x1000, THERE = 0x2000, FIRST = 2, SECOND = 3, TEXT = 2000, PERIOD = 100, RAW = 4, HARDWARE = 0 };

struct run {
    struct fake_input *fake;
    struct run_profile *profile;
    struct cause_counter found;
    char text[TEXT];
};

static void begin(struct run *run, uint32_t type, uint64_t first, uint64_t second)
{
    run->fake = fake_input_make(true);
    run->fake->events[FIRST] =
        (struct input_event){.name = "first", .kind = SAMPLE_PMC, .type = type, .config = first, .period = PERIOD};
    run->fake->events[SECOND] =
        (struct input_event){.name = "second", .kind = SAMPLE_PMC, .type = type, .config = second, .period = PERIOD};
    run->fake->input.facts.event_count = 4;
    run->fake->input.facts.vendor = "AuthenticAMD";
    run->fake->input.facts.family = 0x10;
    fake_input_map(run->fake, 1, 0x1000, 0x10000, 0x1000, "work");
}

static void add(struct run *run, uint32_t event, uint64_t address, unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        struct perfdata_item *sample = fake_input_clock(run->fake, 1, address);

        sample->event = event;
        sample->period = PERIOD;
        sample->record.kind = SAMPLE_PMC;
    }
}

/* Returns whether there is a cause; its text is in run->text. */
static bool find(struct run *run)
{
    struct profile_options options = {0};
    struct cause_words words;
    struct out_memory memory;
    char error[200];
    bool good;

    run->profile = run_profile_read(&run->fake->input, &options, error, sizeof(error));
    assert_non_null(run->profile);
    good = cause_counters_find(&run->found, run->profile);
    out_memory_init(&memory, run->text, sizeof(run->text));
    if (good) {
        cause_counters_words(&words, run->profile, &run->found);
        cause_words_print(&memory.out, &words);
    }
    return good;
}

static void end(struct run *run)
{
    run_profile_free(run->profile);
    fake_input_free(run->fake);
}

static void the_event_that_costs_most_leads(void **state)
{
    struct run run;

    /* An event 0C3 takes 12 cycles, and 047 takes one. */
    begin(&run, RAW, 0x47, 0xC3);
    add(&run, FIRST, HERE, 300);
    add(&run, SECOND, THERE, 60);
    assert_true(find(&run));
    assert_string_equal(run.found.row->name, "branches");
    assert_int_equal(run.found.trust, CAUSE_LOW);
    assert_int_equal(run.found.where->rva, THERE);
    assert_int_equal(run.found.there, 60);
    end(&run);
    begin(&run, RAW, 0x47, 0xC3);
    add(&run, FIRST, HERE, 2000);
    add(&run, SECOND, THERE, 60);
    assert_true(find(&run));
    assert_string_equal(run.found.row->name, "misaligned");
    assert_int_equal(run.found.trust, CAUSE_HIGH);
    end(&run);
    begin(&run, RAW, 0xC3, 0x47);
    add(&run, FIRST, HERE, 100);
    add(&run, SECOND, THERE, 700);
    assert_true(find(&run));
    assert_int_equal(run.found.trust, CAUSE_FAIR);
    end(&run);
    begin(&run, RAW, 0x47, 0xC3); /* the event before had more than half */
    add(&run, FIRST, HERE, 1000);
    add(&run, SECOND, THERE, 150);
    assert_true(find(&run));
    assert_string_equal(run.found.row->name, "branches");
    assert_int_equal(run.found.trust, CAUSE_FAIR);
    end(&run);
}

/* Instructions and clocks cost nothing, and a cause needs at least ten samples. */
static void events_that_count_work_are_no_cause(void **state)
{
    struct run run;

    begin(&run, RAW, 0xC0, 0x76);
    add(&run, FIRST, HERE, 300);
    add(&run, SECOND, HERE, 300);
    assert_false(find(&run));
    end(&run);
    begin(&run, RAW, 0xC0, 0xC3);
    add(&run, FIRST, HERE, 300);
    add(&run, SECOND, HERE, 9);
    assert_false(find(&run));
    end(&run);
}

static void what_was_not_measured_is_no_cause(void **state)
{
    struct run run;

    begin(&run, RAW, 0xC3, 0x47);
    run.fake->events[FIRST].not_measured = true;
    add(&run, FIRST, HERE, 300);
    assert_false(find(&run));
    end(&run);
}

static void linux_names_of_events_are_known(void **state)
{
    struct run run;

    begin(&run, HARDWARE, 5, 3); /* branch-misses, cache-misses */
    add(&run, FIRST, HERE, 300);
    assert_true(find(&run));
    assert_string_equal(run.found.row->name, "branches");
    end(&run);
    begin(&run, HARDWARE, 5, 3);
    add(&run, SECOND, HERE, 300);
    assert_true(find(&run));
    assert_string_equal(run.found.row->name, "l2-misses");
    end(&run);
    begin(&run, HARDWARE, 0, 1); /* cycles, instructions */
    add(&run, FIRST, HERE, 300);
    assert_false(find(&run));
    end(&run);
}

static void the_text_has_the_rate_where_instructions_were_sampled(void **state)
{
    struct run run;

    begin(&run, RAW, 0xC0, 0xC3);
    add(&run, FIRST, HERE, 4000);
    add(&run, SECOND, HERE, 200);
    assert_true(find(&run));
    assert_string_equal(run.text, "Cause     Branches are mispredicted: of the sampled events, second costs most,\n"
                                  "          200 samples, 50.0 in 1000 instructions.\n"
                                  "  where   1000 in work: 200 of them; interrupts come some instructions after\n"
                                  "          the cause\n"
                                  "  try     Make the branch predictable (sort the data, split the loop), or\n"
                                  "          replace it by CMOV or SETcc.\n"
                                  "  sure    high: at the least cost of one event, 12 cycles; the ops that wait\n"
                                  "          for it are not counted\n");
    end(&run);
}

/* The text and JSON of each event that costs cycles, on two processors; later processors have other numbers for
 * some. */
static void all_that_is_said(void **state)
{
    /* clang-format off */
    static const struct { uint32_t family; uint64_t event; } rows[] = {
        {0x10, 0xC3}, {0x10, 0xCA}, {0x10, 0xC9}, {0x10, 0x41}, {0x10, 0x746}, {0x10, 0x745}, {0x10, 0x47}, {0x10, 0x77E},
        {0x10, 0x81}, {0x10, 0x385}, {0x10, 0x100C3}, {0x10, 0x8000C3}, {0x19, 0xC3}, {0x19, 0xF045}, {0x19, 0x0964}};
    /* clang-format on */
    FILE *out;

    tool_begin(&out);
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct cause_words words;
        struct json json;
        struct run run;

        begin(&run, RAW, rows[i].event, 0xC0);
        run.fake->input.facts.family = rows[i].family;
        add(&run, FIRST, HERE, 30);
        add(&run, FIRST, THERE, 80);
        add(&run, SECOND, HERE, 1000);
        fprintf(out, "%llx\n", (unsigned long long)rows[i].event);
        if (find(&run)) {
            cause_counters_words(&words, run.profile, &run.found);
            json_init(&json, out);
            json_object(&json);
            cause_words_json(&json, &words);
            json_end(&json);
            assert_true(json_finish(&json));
            fputs(run.text, out);
        }
        end(&run);
    }
    expect_file(tool_end(out), "causes-counted.txt");
}

static void the_lowest_flagged_row_leads_an_exploration(void **state)
{
    static const unsigned flagged[] = {EXPLORE_BACK, EXPLORE_MEMORY, EXPLORE_MEMORY_DRAM, EXPLORE_FRONT};
    struct explore_result result = {.method = explore_of(EVENT_SET_10H)};
    struct cause_words words;

    assert_false(cause_exploration_words(&words, &result));
    for (unsigned i = 0; i < 4; i++)
        result.node[flagged[i]] = (struct explore_node){
            .value = (int64_t)(900000 - 10000 * i), .state = EXPLORE_KNOWN, .flagged = true, .reliability_ppm = 980000};
    assert_true(cause_exploration_words(&words, &result));
    assert_string_equal(words.name, "DRAM, est.");
    assert_string_equal(words.says,
                        "DRAM, est.: 88.0 % slots, over 10.0 %. The data comes from memory: far more cycles "
                        "than the 72 ops of the reorder buffer can cover");
    assert_string_equal(words.sure, "high: the lowest reliability of its counts is 0.98");
    result.node[EXPLORE_MEMORY_DRAM].unreliable = true;
    assert_true(cause_exploration_words(&words, &result));
    assert_int_equal(words.trust, CAUSE_LOW);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_event_that_costs_most_leads),
        cmocka_unit_test(events_that_count_work_are_no_cause),
        cmocka_unit_test(what_was_not_measured_is_no_cause),
        cmocka_unit_test(linux_names_of_events_are_known),
        cmocka_unit_test(the_text_has_the_rate_where_instructions_were_sampled),
        cmocka_unit_test(all_that_is_said),
        cmocka_unit_test(the_lowest_flagged_row_leads_an_exploration),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
