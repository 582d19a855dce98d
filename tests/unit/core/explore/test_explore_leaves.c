/* SPDX-License-Identifier: BSD-2-Clause */
/* Leaves of Zen's trees by counts that have them, each the first to look at: those that no workload plants on the
 * virtual PMU, which retires half of the slots at most and has one thread; and restarts. */
#include <string.h>

#include "tests/unit/core/check.h"
#include "tests/unit/core/explore_made.h"

#include "core/explore/explore_slots.h"
#include "core/explore/explore_tokens.h"

enum { NONE = -1 };

static void first_is(const struct explore_method *method, const uint64_t *totals, unsigned events, int first, int below)
{
    struct explore_input input = {.method = method};
    struct explore_result result;

    for (unsigned i = 0; i < events; i++)
        input.count[i] = (struct explore_count){totals[i], COUNTS_COUNTED, 1000000, 1000};
    result = explored(&input);
    assert_int_equal(explore_largest(&result, EXPLORE_ROOT, 0), first);
    assert_int_equal(explore_largest(&result, (unsigned)first, 0), below);
}

/* Each row has counts of a million cycles; the limiting part is a tenth above its threshold, and the rest is spread. */
TEST(of_slots)
{
    static const struct explore_method *const methods[] = {&explore_slots_6, &explore_slots_8};

    for (unsigned i = 0; i < 2; i++) {
        uint64_t slots = methods[i]->slots * (uint64_t)MEGA;
        uint64_t totals[SLOTS_EVENTS] = {[SLOTS_C] = MEGA,
                                         [SLOTS_C0] = slots / 2,
                                         [SLOTS_U] = slots * 77 / 100,
                                         [SLOTS_DISPATCHED] = slots * 78 / 100,
                                         [SLOTS_FRONT] = slots / 10,
                                         [SLOTS_BACK] = slots * 12 / 100,
                                         [SLOTS_FRONT_ALL] = MEGA / 20,
                                         [SLOTS_C2] = 100000,
                                         [SLOTS_C3] = 100,
                                         [SLOTS_RESYNC] = 30000,
                                         [SLOTS_WAIT] = 100000,
                                         [SLOTS_WAIT_LOAD] = 50000};

        first_is(methods[i], totals, SLOTS_EVENTS, SLOTS_RETIRING, NONE);
        totals[SLOTS_U] = slots * 61 / 100; /* 17 % are thrown away */
        first_is(methods[i], totals, SLOTS_EVENTS, SLOTS_BAD, SLOTS_BAD_RESTARTS);
        totals[SLOTS_U] = totals[SLOTS_DISPATCHED] = slots * 67 / 100;
        totals[SLOTS_OTHER] = slots * 11 / 100;
        first_is(methods[i], totals, SLOTS_EVENTS, SLOTS_OTHER_THREAD, NONE);
    }
}

TEST(of_tokens)
{
    static const struct explore_method *const methods[] = {&explore_tokens_zen, &explore_tokens_zen2,
                                                           &explore_tokens_zen3};

    for (unsigned i = 0; i < 3; i++) {
        uint64_t slots = methods[i]->slots * (uint64_t)MEGA;
        uint64_t totals[TOKENS_EVENTS] = {[TOKENS_C] = MEGA,
                                          [TOKENS_C0] = slots / 2,
                                          [TOKENS_U] = slots * 77 / 100,
                                          [TOKENS_DISPATCHED] = slots * 78 / 100,
                                          [TOKENS_GROUPS] = MEGA * 85 / 100,
                                          [TOKENS_EMPTY] = MEGA / 20,
                                          [TOKENS_0AF] = MEGA / 20,
                                          [TOKENS_RETIRE] = MEGA / 20,
                                          [TOKENS_C2] = 100000,
                                          [TOKENS_RESYNC] = 30000};

        first_is(methods[i], totals, TOKENS_EVENTS, TOKENS_RETIRING, NONE);
        totals[TOKENS_U] = slots * 61 / 100;
        first_is(methods[i], totals, TOKENS_EVENTS, TOKENS_BAD, TOKENS_BAD_RESTARTS);
    }
}

/* Slots that the back end leaves empty beyond the cycles without retirement are mentioned from a tenth on, if the
 * processor counts them. */
TEST(waits_that_no_counter_tells)
{
    static const struct {
        uint64_t back, waits;
        enum counts_state state;
        uint32_t ppm;
    } rows[] = {{2400000, 300000, COUNTS_COUNTED, 100000},
                {2399994, 300000, COUNTS_COUNTED, 99999},
                {2400000, 500000, COUNTS_COUNTED, 0},
                {2400000, 300000, COUNTS_NOT_MODELLED, 0}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct explore_input input = {.method = &explore_slots_6};
        struct explore_result result;
        char text[2000];
        struct out_memory out;

        for (unsigned event = 0; event < SLOTS_EVENTS; event++)
            input.count[event] = (struct explore_count){0, COUNTS_COUNTED, 1000000, 1000};
        input.count[SLOTS_C].total = MEGA;
        input.count[SLOTS_BACK].total = rows[i].back;
        input.count[SLOTS_WAIT].total = rows[i].waits;
        input.count[SLOTS_WAIT].state = rows[i].state;
        result = explored(&input);
        assert_int_equal(result.untold_ppm, rows[i].ppm);
        out_memory_init(&out, text, sizeof(text));
        result.method->legend(&out.out, &result);
        assert_int_equal(strstr(text, "Dispatch waits while ops retire in 10.0 % of the") != NULL, i == 0);
        assert_null(strstr(text, "right prediction"));
    }
}

RUN_TESTS(NULL, NULL)
