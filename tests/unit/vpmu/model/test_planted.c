/* SPDX-License-Identifier: BSD-2-Clause */
/* General Exploration of programs with one bottleneck, counted on the models of Zen 2 and Zen 4: the tree names the
 * bottleneck first. IBS does not sample, so rows that need IBS are missing. There is no program for restarts and
 * microcode: the pipeline has no wrong path for the first, and retires too few ops for the second. */
#include <string.h>

#include "core/explore/explore.h"
#include "tests/unit/test.h"
#include "tests/unit/vpmu/planted.h"

static char text[32768];

static const struct expected {
    const char *on_zen2, *on_zen4;
} planted[PLANTED] = {
    [PLANTED_RETIRE] = {"Retire queue", "Core bound"},
    [PLANTED_SCHEDULERS] = {"Integer, address schedulers", "Core bound"},
    [PLANTED_FLOATING] = {"Floating-point scheduler", "Core bound"},
    [PLANTED_STORES] = {"Store queue", "Core bound"},
    [PLANTED_MISSES] = {"Load queue", "Memory bound"},
    [PLANTED_JUMPS] = {"Front-end latency (0A9)", "Latency: nothing supplied"},
    [PLANTED_FULL_LINES] = {"Front-end bandwidth", "Bandwidth: too few supplied"},
    [PLANTED_BRANCHES] = {"Mispredicted branches", "Mispredicted branches"},
};

/* Returns whether the first note is of the row. */
static bool is_first_note(const struct explore_result *result, const char *row)
{
    static const char heading[] = "each part before its parent)\n";
    struct out_memory out;
    const char *note;

    out_memory_init(&out, text, sizeof(text));
    explore_print(&out.out, result);
    note = strstr(text, heading);
    return note && strncmp(note + strlen(heading), row, strlen(row)) == 0;
}

static bool flags(const struct explore_result *result, const char *row)
{
    for (unsigned i = 0; i < result->method->rows; i++)
        if (result->node[i].flagged && strcmp(result->method->row[i].name, row) == 0)
            return true;
    return false;
}

static struct explore_input counted(enum planted of, const char *processor, enum event_set set)
{
    struct explore_input input = {.method = explore_of(set), .model = true};
    struct planted_count counts[EXPLORE_EVENTS] = {0};

    for (unsigned i = 0; i < input.method->events; i++) {
        const struct explore_event *event = &input.method->event[i];

        counts[i] = (struct planted_count){event->select, event->mask, event->count_mask, false, 0};
    }
    planted_count(of, processor, counts, input.method->events);
    for (unsigned i = 0; i < input.method->events; i++)
        input.count[i] = (struct explore_count){counts[i].total,
                                                counts[i].modelled ? COUNTS_COUNTED : COUNTS_NOT_MODELLED, 1000000, 0};
    return input;
}

static void what_was_planted_is_named(const char *processor, enum event_set set)
{
    for (enum planted i = 0; i < PLANTED; i++) {
        const char *expected = set == EVENT_SET_ZEN2 ? planted[i].on_zen2 : planted[i].on_zen4;
        const struct explore_input input = counted(i, processor, set);
        struct explore_result result;

        explore_compute(&result, &input);
        for (unsigned c = 0; c < result.method->checks; c++)
            if (result.check[c].verdict == EXPLORE_FAIL)
                fail_msg("%s, program %u: %s", processor, i, result.method->check[c].says);
        /* The refill after a wrong path belongs to the front end, and is longer than the path. */
        if (i == PLANTED_BRANCHES ? !flags(&result, expected) : !is_first_note(&result, expected)) {
            print_error("%s", text);
            fail_msg("%s, program %u: not %s", processor, i, expected);
        }
    }
}
TEST(test_zen2)
{
    what_was_planted_is_named("zen2", EVENT_SET_ZEN2);
}

TEST(test_zen4)
{
    what_was_planted_is_named("zen4", EVENT_SET_ZEN4);
}

RUN_TESTS(NULL, NULL)
