/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions that a report lists completely, and from how many samples on a report has rows. */
#include "tests/unit/test.h"

#include <string.h>

#include "tools/ibsprof/report/json/report_choose.h"

enum { PLACES = 8 };

/* Three functions of three, two and one instructions of a byte each. */
static const struct codemap_func funcs[] = {{.rva = 0x10, .size = 3}, {.rva = 0x13, .size = 2}, {.rva = 0x15}};
static const struct codemap_insn insns[] = {
    {.rva = 0x10, .func = 0, .length = 1}, {.rva = 0x11, .func = 0, .length = 1},
    {.rva = 0x12, .func = 0, .length = 1}, {.rva = 0x13, .func = 1, .length = 1},
    {.rva = 0x14, .func = 1, .length = 1}, {.rva = 0x15, .func = 2, .length = 1}};
static const struct codemap map = {.insns = insns, .funcs = funcs, .insn_count = 6, .func_count = 3, .strings = ""};
static const struct codemap *maps[] = {&map, NULL};
static const struct input_event events[] = {{.kind = SAMPLE_TIMER}, {.kind = SAMPLE_OP}};
static const struct input_facts facts = {.events = events, .event_count = 2};
static uint64_t of_events[PLACES][2];

/* Samples by function: 10, 40, 20; object 1, which has no code map, has 7 and 5. */
static struct profile_place places[PLACES] = {
    {.rva = 0x10, .func = 0, .counts = {[DERIVED_F100_OP_ALL] = 4}},
    {.rva = 0x12, .func = 0, .counts = {[DERIVED_F000_FETCH_ALL] = 6}},
    {.rva = 0x13, .func = 1, .counts = {[DERIVED_F100_OP_ALL] = 30, [DERIVED_F000_FETCH_ALL] = 9}, .workload = true},
    {.rva = 0x14, .func = 1, .counts = {[DERIVED_F100_OP_ALL] = 1}},
    {.rva = 0x15, .func = 2, .counts = {[DERIVED_F100_OP_ALL] = 8}, .events = of_events[4]},
    {.object = 1, .rva = 1, .func = -1, .counts = {[DERIVED_F100_OP_ALL] = 4}},
    {.object = 1, .rva = 2, .func = -1, .counts = {[DERIVED_F100_OP_ALL] = 3}},
    {.object = PROFILE_NO_OBJECT, .rva = 9, .func = -1, .counts = {[DERIVED_F100_OP_ALL] = 5}, .workload = true},
};
static const struct run_profile profile = {
    .facts = &facts, .maps = maps, .object_count = 2, .places = places, .place_count = PLACES};

static int begin(void **state)
{
    of_events[4][0] = 12;
    of_events[4][1] = 1000; /* samples of IBS ops are counted already */
    return 0;
}

TEST(functions)
{
    static const struct report_function wanted[] = {
        {.object = 0, .func = 0, .first = 0, .samples = 10, .insns = 3},
        {.object = 0, .func = 1, .first = 2, .samples = 40, .insns = 2, .workload = true},
        {.object = 0, .func = 2, .first = 4, .samples = 20, .insns = 1},
        {.object = 1, .func = -1, .first = 5, .samples = 7},
        {.object = PROFILE_NO_OBJECT, .func = -1, .first = 7, .samples = 5, .workload = true},
    };
    struct report_choice choice;

    report_choose(&choice, &profile, &(struct report_json_options){.rows_max = PLACES, .listed_max = 0});
    assert_int_equal(choice.count, 5);
    assert_int_equal(choice.least, 0);
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(choice.function[i].object, wanted[i].object);
        assert_int_equal(choice.function[i].func, wanted[i].func);
        assert_int_equal(choice.function[i].first, wanted[i].first);
        assert_int_equal(choice.function[i].samples, wanted[i].samples);
        assert_int_equal(choice.function[i].insns, wanted[i].insns);
        assert_int_equal(choice.function[i].workload, wanted[i].workload);
        assert_false(choice.function[i].listed);
    }
    report_choice_free(&choice);
    assert_null(choice.function);
}

/* Functions with the most samples come first, as long as they have no more instructions than this. */
TEST(listed_whole)
{
    static const struct {
        uint32_t most;
        const char *listed; /* of the three functions */
    } rows[] = {{0, "..."}, {1, "..."}, {2, ".x."}, {3, ".xx"}, {5, ".xx"}, {6, "xxx"}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct report_choice choice;

        report_choose(&choice, &profile, &(struct report_json_options){.rows_max = PLACES, .listed_max = rows[i].most});
        for (unsigned f = 0; f < 3; f++)
            assert_int_equal(choice.function[f].listed, rows[i].listed[f] == 'x');
        report_choice_free(&choice);
    }
}

/* If there are more places than rows, a row needs more samples than the first place without a row. The places have 39,
 * 20, 6, 5, 4, 4, 3 and 1. */
TEST(least_samples_of_a_row)
{
    static const uint64_t wanted[PLACES + 1] = {40, 21, 7, 6, 5, 5, 4, 2, 0};

    for (uint32_t most = 0; most <= PLACES; most++) {
        struct report_choice choice;

        report_choose(&choice, &profile, &(struct report_json_options){.rows_max = most, .listed_max = 100});
        assert_int_equal(choice.least, wanted[most]);
        report_choice_free(&choice);
    }
}

RUN_TESTS(begin, NULL)
