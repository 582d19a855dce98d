/* SPDX-License-Identifier: BSD-2-Clause */
/* Rooflines worked out by hand: which roof limits, how near it is, and what is left if something was not counted. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/events/events.h"
#include "core/profile/roofline.h"

/* 4 GFLOP/s and 10 GB/s: the roofs meet at 0.4 operations per byte. */
#define PEAKS                                                                                                          \
    [ROOFLINE_OPERATIONS] = {.operations = 8000000, .bytes = 64, .ns = 2000000}, [ROOFLINE_MEMORY] = {                 \
                                                                                     .operations = 1000000,            \
                                                                                     .bytes = 30000000,                \
                                                                                     .ns = 3000000}
#define LOOPS(...)                                                                                                     \
    (const struct roofline_counts[ROOFLINE_LOOPS])                                                                     \
    {                                                                                                                  \
        [ROOFLINE_WORKLOAD] = {__VA_ARGS__}, PEAKS                                                                     \
    }

static struct roofline computed(const struct roofline_counts *of)
{
    struct roofline roofline;

    roofline_compute(&roofline, of);
    return roofline;
}

static const char *printed(const struct roofline *roofline, enum event_set set)
{
    static char text[2000];
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    roofline_print(&memory.out, roofline, set);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        assert_true(strcspn(line, "\n") <= 79);
    return text;
}

static void assert_says(const struct roofline *roofline, enum event_set set, const char *says)
{
    char flat[2000];

    strcpy(flat, printed(roofline, set));
    for (char *at = flat; *at; at++)
        *at = *at == '\n' ? ' ' : *at;
    if (!strstr(flat, says))
        fail_msg("no '%s' in\n%s", says, flat);
}

/* At 0.1 operations per byte the memory's roof is 1 GFLOP/s. */
TEST(under_the_memory)
{
    const struct roofline of = computed(LOOPS(.operations = 300000, .bytes = 3000000, .ns = 1000000));

    assert_int_equal(of.bound, ROOFLINE_UNDER_MEMORY);
    assert_int_equal(of.operations_s[ROOFLINE_WORKLOAD], 300000000);
    assert_int_equal(of.bytes_s[ROOFLINE_WORKLOAD], 3000000000);
    assert_int_equal(of.operations_s[ROOFLINE_OPERATIONS], 4000000000);
    assert_int_equal(of.bytes_s[ROOFLINE_MEMORY], 10000000000);
    assert_int_equal(of.intensity_ppm[ROOFLINE_WORKLOAD], 100000);
    assert_int_equal(of.intensity_ppm[ROOFLINE_MEMORY], 33333);
    assert_int_equal(of.ridge_ppm, 400000);
    assert_int_equal(of.roof_s, 1000000000);
    assert_int_equal(of.operations_share_ppm, 75000);
    assert_int_equal(of.bytes_share_ppm, 300000);
    assert_int_equal(of.share_ppm, 300000);
    assert_string_equal(printed(&of, EVENT_SET_10H),
                        "Roofline                        GFLOP/s        GB/s   FLOP/byte\n"
                        "workload                          0.300       3.000       0.100\n"
                        "peak of operations (SSE2)         4.000       0.000  125000.000\n"
                        "peak of memory (triad)            0.333      10.000       0.033\n"
                        "The roof is the peak of memory, 1.000 GFLOP/s at this ratio; 30.0% of it are\n"
                        "reached. The roofs meet at 0.400 FLOP/byte.\n"
                        "FLOP: event 003:7F, SSE and AVX, not x87. Bytes: event 1E0:FF, lines of 64.\n");
}

TEST(under_the_operations)
{
    const struct roofline of = computed(LOOPS(.operations = 3000000, .bytes = 3000000, .ns = 1000000));

    assert_int_equal(of.bound, ROOFLINE_UNDER_OPERATIONS);
    assert_int_equal(of.roof_s, 4000000000);
    assert_int_equal(of.share_ppm, 750000);
    assert_says(&of, EVENT_SET_ZEN4, "the peak of operations, 4.000 GFLOP/s at this ratio; 75.0% of it are reached.");
    assert_says(&of, EVENT_SET_ZEN4, "event 003:0F, SSE and AVX, not x87. Bytes: to and from DRAM, counted outside");
}

/* Where the roofs meet both shares are the same, and so are the roofs. */
TEST(at_the_ridge)
{
    const struct roofline of = computed(LOOPS(.operations = 400000, .bytes = 1000000, .ns = 1000000));
    const struct roofline below = computed(LOOPS(.operations = 400000, .bytes = 1000010, .ns = 1000000));

    assert_int_equal(of.operations_share_ppm, of.bytes_share_ppm);
    assert_int_equal(of.bound, ROOFLINE_UNDER_OPERATIONS);
    assert_int_equal(of.roof_s, 4000000000);
    assert_int_equal(below.bound, ROOFLINE_UNDER_MEMORY);
}

TEST(more_than_the_peak)
{
    const struct roofline of = computed(LOOPS(.operations = 9000000, .bytes = 1, .ns = 1000000));

    assert_int_equal(of.share_ppm, 2250000);
    assert_says(&of, EVENT_SET_10H, "225.0% of it");
}

TEST(no_bytes)
{
    const struct roofline of = computed(LOOPS(.operations = 2000000, .ns = 1000000));

    assert_int_equal(of.intensity_ppm[ROOFLINE_WORKLOAD], ROOFLINE_NONE);
    assert_int_equal(of.bytes_share_ppm, 0);
    assert_int_equal(of.bound, ROOFLINE_UNDER_OPERATIONS);
    assert_int_equal(of.roof_s, 4000000000);
    assert_says(&of, EVENT_SET_10H, "workload                          2.000       0.000           - ");
}

TEST(no_operations)
{
    const struct roofline of = computed(LOOPS(.bytes = 5000000, .ns = 1000000));

    assert_int_equal(of.intensity_ppm[ROOFLINE_WORKLOAD], 0);
    assert_int_equal(of.bound, ROOFLINE_UNDER_MEMORY);
    assert_int_equal(of.roof_s, 0);
    assert_int_equal(of.share_ppm, 500000);
    assert_says(&of, EVENT_SET_10H, "Without floating-point operations memory is the roof: 50.0% of its peak");
}

TEST(neither)
{
    const struct roofline of = computed(LOOPS(.ns = 1000000));

    assert_int_equal(of.bound, ROOFLINE_NOT_KNOWN);
    assert_int_equal(of.roof_s, ROOFLINE_NONE);
    assert_int_equal(of.share_ppm, ROOFLINE_NONE);
    assert_says(&of, EVENT_SET_10H, "The workload's roof is not known.");
}

TEST(no_time)
{
    const struct roofline of = computed(LOOPS(.operations = 300000, .bytes = 3000000));

    assert_int_equal(of.operations_s[ROOFLINE_WORKLOAD], ROOFLINE_NONE);
    assert_int_equal(of.bytes_s[ROOFLINE_WORKLOAD], ROOFLINE_NONE);
    assert_int_equal(of.intensity_ppm[ROOFLINE_WORKLOAD], 100000);
    assert_int_equal(of.bound, ROOFLINE_NOT_KNOWN);
    assert_says(&of, EVENT_SET_10H, "workload                              -           -       0.100 ");
}

TEST(not_counted)
{
    const struct roofline no_operations =
        computed(LOOPS(.no_operations = "as it is", .operations = 7, .bytes = 3000000, .ns = 1000000));
    const struct roofline no_bytes =
        computed(LOOPS(.no_bytes = "for a reason", .operations = 2000000, .bytes = 7, .ns = 1000000));

    assert_int_equal(no_operations.operations_s[ROOFLINE_WORKLOAD], ROOFLINE_NONE);
    assert_int_equal(no_operations.intensity_ppm[ROOFLINE_WORKLOAD], ROOFLINE_NONE);
    assert_int_equal(no_operations.operations_share_ppm, ROOFLINE_NONE);
    assert_int_equal(no_operations.bytes_share_ppm, 300000);
    assert_int_equal(no_operations.bound, ROOFLINE_NOT_KNOWN);
    assert_says(&no_operations, EVENT_SET_10H, "FLOP: not counted, as it is. Bytes: event 1E0:FF");
    assert_int_equal(no_bytes.bytes_s[ROOFLINE_WORKLOAD], ROOFLINE_NONE);
    assert_int_equal(no_bytes.intensity_ppm[ROOFLINE_WORKLOAD], ROOFLINE_NONE);
    assert_int_equal(no_bytes.bytes_share_ppm, ROOFLINE_NONE);
    assert_int_equal(no_bytes.operations_share_ppm, 500000);
    assert_int_equal(no_bytes.bound, ROOFLINE_NOT_KNOWN);
    assert_says(&no_bytes, EVENT_SET_16H,
                "FLOP: event 003:77, SSE and AVX, not x87. Bytes: not counted, for a reason.");
}

/* Without a known peak there is no share of it, and none of a peak of zero. */
TEST(no_peak)
{
    struct roofline_counts of[ROOFLINE_LOOPS] = {{.operations = 1, .bytes = 1, .ns = 1}, PEAKS};
    struct roofline roofline;

    of[ROOFLINE_OPERATIONS].ns = 0;
    roofline_compute(&roofline, of);
    assert_int_equal(roofline.operations_share_ppm, ROOFLINE_NONE);
    assert_int_not_equal(roofline.bytes_share_ppm, ROOFLINE_NONE);
    assert_int_equal(roofline.ridge_ppm, ROOFLINE_NONE);
    assert_int_equal(roofline.bound, ROOFLINE_NOT_KNOWN);
    of[ROOFLINE_OPERATIONS].ns = 1;
    of[ROOFLINE_MEMORY].bytes = 0;
    roofline_compute(&roofline, of);
    assert_int_equal(roofline.bytes_share_ppm, ROOFLINE_NONE);
    assert_int_equal(roofline.ridge_ppm, ROOFLINE_NONE);
    assert_int_equal(roofline.bound, ROOFLINE_NOT_KNOWN);
}

/* Each set of events has an event of operations, which is in its table with all bits of this mask. Masks by number. */
TEST(events)
{
    static const uint8_t masks[EVENT_SETS] = {
        [EVENT_SET_10H] = 0x7F,    [EVENT_SET_12H] = 0x7F,    [EVENT_SET_14H] = 0x7F,  [EVENT_SET_16H] = 0x77,
        [EVENT_SET_15H] = 0xFF,    [EVENT_SET_15H_10] = 0xFF, [EVENT_SET_ZEN] = 0xFF,  [EVENT_SET_ZEN2] = 0x0F,
        [EVENT_SET_15H_30] = 0xFF, [EVENT_SET_15H_60] = 0xFF, [EVENT_SET_ZEN3] = 0x0F, [EVENT_SET_ZEN4] = 0x0F,
        [EVENT_SET_ZEN5] = 0x0F,   [EVENT_SET_ZEN6] = 0x0F,
    };

    assert_null(roofline_operations(EVENT_SET_NONE));
    for (unsigned set = EVENT_SET_NONE + 1; set < EVENT_SETS; set++) {
        const struct roofline_event *of = roofline_operations((enum event_set)set);
        const struct event *event = event_by_select((enum event_set)set, 0x003);

        assert_non_null(of);
        assert_non_null(event);
        assert_int_equal(of->select, 0x003);
        assert_int_equal(of->mask, masks[set]);
        assert_int_equal(of->mask & ~event->mask_legal, 0);
        assert_int_equal(roofline_lines((enum event_set)set) != NULL, set == EVENT_SET_10H);
    }
    assert_int_equal(roofline_lines(EVENT_SET_10H)->select, 0x1E0);
    assert_int_equal(roofline_lines(EVENT_SET_10H)->mask, event_by_select(EVENT_SET_10H, 0x1E0)->mask_legal);
}

TEST(facts)
{
    char text[1000];
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    roofline_write(&memory.out, LOOPS(.operations = 300000, .no_bytes = "for a reason", .ns = 1000000));
    assert_string_equal(text, "#: roofline.workload.operations = 300000\n"
                              "#: roofline.workload.bytes = not available: for a reason\n"
                              "#: roofline.workload.ns = 1000000\n"
                              "#: roofline.operations.operations = 8000000\n"
                              "#: roofline.operations.bytes = 64\n"
                              "#: roofline.operations.ns = 2000000\n"
                              "#: roofline.memory.operations = 1000000\n"
                              "#: roofline.memory.bytes = 30000000\n"
                              "#: roofline.memory.ns = 3000000\n");
    out_memory_init(&memory, text, sizeof(text));
    roofline_write(&memory.out, LOOPS(.no_operations = "as it is"));
    assert_non_null(strstr(text, "#: roofline.workload.operations = not available: as it is\n"));
}

RUN_TESTS(NULL, NULL)
