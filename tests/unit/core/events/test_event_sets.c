/* SPDX-License-Identifier: BSD-2-Clause */
/* Counter events of later families: which processor has which set, and that a number is looked up in the right
 * table. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/core/check.h"
#include "tests/unit/core/golden_rows.h"

#include "core/events/event_groups.h"
#include "core/events/events.h"
#include "core/family/ibs_family.h"

static char text[4096];

static struct out *sink(struct out_memory *memory)
{
    out_memory_init(memory, text, sizeof(text));
    return &memory->out;
}

/* The split is Linux's, tools/perf/pmu-events/arch/x86/mapfile.csv: 17h by model 30h, 19h by ranges. */
TEST(processors_have_their_set)
{
    static const struct {
        unsigned family, model;
        enum event_set set;
    } rows[] = {
        {0x10, 0x04, EVENT_SET_10H},    {0x12, 0x01, EVENT_SET_12H},    {0x15, 0x02, EVENT_SET_15H},
        {0x15, 0x13, EVENT_SET_15H_10}, {0x15, 0x30, EVENT_SET_15H_30}, {0x15, 0x65, EVENT_SET_15H_60},
        {0x14, 0x01, EVENT_SET_14H},    {0x16, 0x00, EVENT_SET_16H},    {0x16, 0x30, EVENT_SET_16H},
        {0x17, 0x01, EVENT_SET_ZEN},    {0x17, 0x2F, EVENT_SET_ZEN},    {0x17, 0x30, EVENT_SET_ZEN2},
        {0x17, 0x71, EVENT_SET_ZEN2},   {0x18, 0x00, EVENT_SET_NONE},   {0x19, 0x01, EVENT_SET_ZEN3},
        {0x19, 0x21, EVENT_SET_ZEN3},   {0x19, 0x11, EVENT_SET_ZEN4},   {0x19, 0x61, EVENT_SET_ZEN4},
        {0x1A, 0x02, EVENT_SET_ZEN5},   {0x1A, 0x44, EVENT_SET_ZEN5},   {0x1A, 0x50, EVENT_SET_ZEN6},
        {0x1A, 0x4F, EVENT_SET_ZEN5},   {0x1A, 0x60, EVENT_SET_ZEN5},   {0x1A, 0x80, EVENT_SET_ZEN6},
        {0x1A, 0xCF, EVENT_SET_ZEN6},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (ibs_family_of(rows[i].family, rows[i].model)->events != rows[i].set)
            fail_msg("family %xh model %xh", rows[i].family, rows[i].model);
}

TEST(rows_are_sound)
{
    for (int set = EVENT_SET_ZEN; set < EVENT_SETS; set++) {
        const struct event *event, *before = NULL;

        assert_true(event_count(set) > 2);
        for (unsigned i = 0; (event = event_at(set, i)); i++, before = event) {
            struct event_spec spec = {.event = event, .mask = event->mask_default, .user = true, .kernel = true};
            unsigned legal = 0;

            assert_true(event->select <= 0xFFF && event->unit < EVENT_UNITS);
            assert_ptr_equal(event_by_select(set, event->select), event); /* no number is there twice in a set */
            assert_ptr_equal(event_by_symbol(set, event->symbol, strlen(event->symbol)), event);
            assert_true(!before || before->unit != event->unit || before->select < event->select);
            for (int bit = 0; bit < EVENT_MASK_BITS; bit++)
                legal |= event->bits[bit] ? 1u << bit : 0;
            assert_int_equal(event->mask_legal, legal);
            assert_true(event->period_min >= 500 && event_default_period(event) >= event->period_min);
            assert_true(event_check(&spec, 'E', NULL));
            assert_true(set == EVENT_SET_12H || !(event->sets & EVENT_IN(10H)));
            assert_int_not_equal(event_counters(event), 0); /* one of the four counters in use, at least */
            if (event->as_first) {
                assert_non_null(event_by_select(EVENT_SET_10H, event->select));
                assert_int_equal(event_by_select(EVENT_SET_10H, event->select)->mask_default, event->mask_default);
            }
        }
        assert_null(event_at(set, event_count(set)));
    }
    assert_int_equal(event_count(EVENT_SET_NONE), 0);
}

/* One number may stand for the same event in another set, for another event, or for none. */
TEST(text_is_of_its_set)
{
    static const struct {
        enum event_set set;
        const char *event, *full, *problem;
    } rows[] = {
        {EVENT_SET_10H, "0C0", "RETIRED_INSTRUCTIONS:00", NULL},
        {EVENT_SET_ZEN4, "0C0", "ex_ret_instr:00", NULL},
        {EVENT_SET_ZEN, "EX_RET_INSTR", "ex_ret_instr:00", NULL},
        {EVENT_SET_ZEN5, "ex_ret_ops:c=8", "ex_ret_ops:00:c=8", NULL},
        {EVENT_SET_ZEN5, "ex_ret_ops:c=128", NULL, "count mask 'c=128' is not c=1 to c=127"},
        {EVENT_SET_10H, "0C1:c=4", NULL, "count mask 'c=4' is not c=1 to c=3"},
        {EVENT_SET_ZEN2, "07D", NULL, "Zen 2 has no event 07D; 'events' lists them"},
        {EVENT_SET_ZEN2, "RETIRED_INSTRUCTIONS", NULL,
         "no event is called 'RETIRED_INSTRUCTIONS'; 'events' lists them"},
        {EVENT_SET_ZEN6, "0CC", "ex_ret_brn_ind:00", NULL},
        {EVENT_SET_ZEN6, "ex_mprof_ibs_ops", "ex_mprof_ibs_ops:01", NULL},
        {EVENT_SET_ZEN6, "0CB", NULL, "Zen 6 has no event 0CB; 'events' lists them"},
        {EVENT_SET_ZEN5, "29C", NULL, "Zen 5 has no event 29C; 'events' lists them"},
        {EVENT_SET_15H, "07d", "REQUESTS_TO_L2:47", NULL},
        {EVENT_SET_15H_10, "075", NULL, "Piledriver has no event 075; 'events' lists them"},
        {EVENT_SET_15H_60, "PIPELINE_RESTART_DUE_TO_VARIOUS_EVENTS:10:c=127",
         "PIPELINE_RESTART_DUE_TO_VARIOUS_EVENTS:10:c=127", NULL},
        {EVENT_SET_14H, "0e4", "MEMORY_CONTROLLER_RBD_QUEUE_EVENTS:0C", NULL},
        {EVENT_SET_16H, "0E4", NULL, "Jaguar has no event 0E4; 'events' lists them"},
        {EVENT_SET_16H, "MISALIGNED_ACCESSES:c=3", "MISALIGNED_ACCESSES:03:c=3", NULL},
        {EVENT_SET_16H, "0C1:c=4", NULL, "count mask 'c=4' is not c=1 to c=3"},
        {EVENT_SET_12H, "LFENCE_INSTRUCTIONS_RETIRED", "LFENCE_INSTRUCTIONS_RETIRED:00", NULL},
        {EVENT_SET_12H, "0e5", "DCT1_PAGE_TABLE_EVENTS:1F", NULL},
        {EVENT_SET_12H, "4e0", NULL, "Llano has no event 4E0; 'events' lists them"},
        {EVENT_SET_12H, "0C1:c=4", NULL, "count mask 'c=4' is not c=1 to c=3"},
        {EVENT_SET_NONE, "0C0", NULL, "this processor has no event 0C0; 'events' lists them"},
    };
    struct event_list list = {.count = 0};
    struct out_memory memory;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct event_spec spec;

        if (event_parse(rows[i].set, rows[i].event, strlen(rows[i].event), &spec, sink(&memory)) != !rows[i].problem)
            fail_msg("%s: %s", rows[i].event, text);
        if (!rows[i].problem) {
            event_write(&spec, true, sink(&memory));
            assert_true(event_check(&spec, 'E', NULL));
        }
        assert_string_equal(text, rows[i].problem ? rows[i].problem : rows[i].full);
    }
    assert_int_equal(event_list_parse(EVENT_SET_ZEN4, "0C0 0C1 041:x", 13, &list, NULL), 1);
    assert_ptr_equal(list.spec[1].event, event_by_select(EVENT_SET_ZEN4, 0x0C1));
}

/* Returns whether the golden file shows the row in full: one row of each form, and the first and last of each set. */
static bool shown(enum event_set set, unsigned i)
{
    static const struct {
        enum event_set set;
        uint16_t select;
    } rows[] = {
        {EVENT_SET_ZEN, 0x029},    /* note: never retires */
        {EVENT_SET_ZEN, 0x035},    /* no mask */
        {EVENT_SET_ZEN, 0x045},    /* a mask of eight bits */
        {EVENT_SET_ZEN, 0x064},    /* a remark of one line */
        {EVENT_SET_ZEN, 0x070},    /* a remark of several lines */
        {EVENT_SET_ZEN, 0x0C1},    /* note: interrupts; a long period */
        {EVENT_SET_ZEN5, 0x0AE},   /* a symbol wider than its column */
        {EVENT_SET_15H, 0x000},    /* counters 3 to 5 */
        {EVENT_SET_15H, 0x003},    /* one counter */
        {EVENT_SET_15H, 0x023},    /* counters 0 to 2 */
        {EVENT_SET_15H, 0x024},    /* a mask bit of two lines */
        {EVENT_SET_15H, 0x086},    /* an abbreviation that is cut */
        {EVENT_SET_15H_30, 0x0CA}, /* a name of two lines */
        {EVENT_SET_12H, 0x0E0},    /* note: once per node */
    };
    const struct event *event = event_at(set, i);

    for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++)
        if (rows[row].set == set && rows[row].select == event->select)
            return true;
    return i == 0 || i + 1 == event_count(set);
}

static void add_list(struct golden_rows *golden, enum event_set set)
{
    static char list[16384];
    struct out_memory memory;
    unsigned row = 0;

    out_memory_init(&memory, list, sizeof(list));
    assert_int_equal(events_list(&memory.out, set, ""), event_count(set));
    assert_true(memory.needed < sizeof(list));
    golden_rows_part(golden, event_set_name(set));
    for (const char *line = list; *line; line = strchr(line, '\n') + 1) {
        size_t length = strcspn(line, "\n") + 1;

        if (*line != ' ') { /* a unit's heading */
            golden_rows_line(golden, line, length);
            continue;
        }
        assert_true(row < event_count(set));
        golden_rows_add(golden, event_at(set, row)->select, line, length, shown(set, row));
        row++;
    }
    assert_int_equal(row, event_count(set));
}

/* Adds the events that no earlier set has. */
static void add_explanations(struct golden_rows *golden, enum event_set set)
{
    struct out_memory memory;
    char part[40];

    snprintf(part, sizeof(part), "%s, explained", event_set_name(set));
    golden_rows_part(golden, part);
    for (unsigned i = 0; i < event_count(set); i++) {
        const struct event *event = event_at(set, i);

        if (event->sets & ((1u << set) - 1))
            continue;
        event_explain(sink(&memory), set, event);
        assert_true(memory.needed < sizeof(text));
        golden_rows_add(golden, event->select, text, strlen(text), shown(set, i));
        for (const char *line = text; *line; line = strchr(line, '\n') + 1)
            if (strcspn(line, "\n") > 79)
                fail_msg("wider than 79: %.*s", (int)strcspn(line, "\n"), line);
    }
}

TEST(lists_and_explanations)
{
    static struct golden_rows golden;
    struct out_memory memory;

    golden_rows_begin(&golden, "events_later.txt");
    for (int set = EVENT_SET_ZEN; set < EVENT_SETS; set++)
        add_list(&golden, set);
    for (int set = EVENT_SET_ZEN; set < EVENT_SETS; set++)
        add_explanations(&golden, set);
    /* A unit is looked for by its whole name, not by a part of it; Bobcat's table has no event of the L3. */
    assert_int_equal(events_list(sink(&memory), EVENT_SET_ZEN, "FP"), 7);
    assert_int_equal(events_list(sink(&memory), EVENT_SET_14H, "L3"), 0);
    golden_rows_check(&golden);
}

/* Only explanations for Family 10h name revisions and what revision B lacks, even if other families share the row. */
TEST(explained_by_set)
{
    const struct event *missed = event_by_select(EVENT_SET_12H, 0x045);
    struct out_memory memory;

    assert_ptr_equal(missed, event_by_select(EVENT_SET_10H, 0x045));
    event_explain(sink(&memory), EVENT_SET_12H, missed);
    assert_non_null(strstr(text, "\n  processors Family 10h, Llano\n"));
    assert_null(strstr(text, "\n  revisions"));
    assert_null(strstr(text, "revision B"));
    event_explain(sink(&memory), EVENT_SET_10H, missed);
    assert_non_null(strstr(text, "\n  revisions  all\n"));
    assert_non_null(strstr(text, "\n  note       revision B does not have mask 04\n"));
    assert_null(strstr(text, "processors"));
}

/* The counters of each event are those of Linux, amd_get_event_constraints_f15h. */
TEST(counters_of_15h)
{
    static const struct {
        uint16_t select;
        uint8_t counters;
    } rows[] = {
        {0x000, 0x38}, {0x003, 8},    {0x006, 0x38}, {0x020, 0x3F}, {0x023, 7},    {0x040, 0x3F}, {0x043, 7},
        {0x045, 7},    {0x046, 7},    {0x065, 7},    {0x076, 7},    {0x07D, 7},    {0x081, 7},    {0x09A, 7},
        {0x0C0, 0x3F}, {0x0CF, 0x3F}, {0x0D1, 7},    {0x0D9, 7},    {0x0DB, 0x3F}, {0x1C0, 0x38}, {0x1D8, 0x3F},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (event_counters(event_by_select(EVENT_SET_15H_30, rows[i].select)) != rows[i].counters)
            fail_msg("%03x", rows[i].select);
}

/* Only 003h needs a pair (Linux, amd_is_pair_event_code), in all families from 17h on, and on counters that have a next
 * one. */
TEST(counters_in_pairs)
{
    for (unsigned set = EVENT_SET_10H; set < EVENT_SETS; set++)
        for (unsigned i = 0; i < event_count((enum event_set)set); i++) {
            const struct event *event = event_at((enum event_set)set, i);
            bool zen = set >= EVENT_SET_ZEN && set <= EVENT_SET_ZEN6;

            assert_int_equal(event->pair, zen && event->select == 0x003);
            if (event->pair)
                assert_int_equal(event_counters(event), 0x15);
        }
}

/* A list of all events has each bit of each mask, of one set alone. */
TEST(all_of_a_set)
{
    static struct event_list list;
    struct event_all all = {.revision = 'B', .unit = EVENT_FR, .set = EVENT_SET_ZEN3};
    unsigned left_out;

    assert_true(event_list_all(&list, &all, &left_out));
    assert_true(list.count > 2);
    for (unsigned i = 0; i < list.count; i++)
        assert_true(list.spec[i].event->sets & EVENT_IN(ZEN3));
}

RUN_TESTS(NULL, NULL)
