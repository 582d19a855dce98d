/* SPDX-License-Identifier: BSD-2-Clause */
/* Meanings of events: each processor has one row for each meaning, with an event of its own; configurations are made of
 * them. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/events/meaning.h"
#include "core/view/configs.h"
#include "core/view/view.h"

static char text[65536];

TEST(one_row_each)
{
    for (enum event_set set = EVENT_SET_10H; set < EVENT_SETS; set++) {
        for (unsigned m = 0; m < EVENT_MEANINGS; m++) {
            unsigned rows = 0;

            for (unsigned i = 0; i < event_meaning_row_count; i++)
                rows += event_meaning_rows[i].meaning == m && (event_meaning_rows[i].sets >> set & 1);
            if (rows != 1)
                fail_msg("%s: %u rows of %s", event_set_name(set), rows, event_meaning_name((enum event_meaning)m));
        }
    }
}

/* Each event is in the set's table with this mask; an event that has a number and a meaning of Family 10h's has this
 * meaning here. */
TEST(events_exist)
{
    for (enum event_set set = EVENT_SET_10H; set < EVENT_SETS; set++) {
        for (unsigned m = 0; m < EVENT_MEANINGS; m++) {
            const struct event_meaning_row *row = event_meaning_of(set, (enum event_meaning)m);
            struct event_list list = {.set = set};
            struct out_memory memory;

            event_list_add(&list, (enum event_meaning)m, 0);
            assert_int_equal(list.count, row->select != 0);
            assert_int_equal(list.missing, row->select ? 0 : 1u << m);
            assert_int_equal(list.meant, row->select ? 1u << m : 0);
            if (!row->select) {
                assert_non_null(row->remark);
                continue;
            }
            out_memory_init(&memory, text, sizeof(text));
            if (!event_check(&list.spec[0], 'E', &memory.out))
                fail_msg("%s, %s: %s", event_set_name(set), event_meaning_name((enum event_meaning)m), text);
            if (list.spec[0].event->as_first)
                assert_int_equal(row->select, event_meaning_of(EVENT_SET_10H, (enum event_meaning)m)->select);
            for (unsigned other = 0; other < EVENT_MEANINGS; other++)
                assert_int_equal(event_means(&list.spec[0], (enum event_meaning)other), other == m);
            list.spec[0].count_mask = 1;
            assert_false(event_means(&list.spec[0], (enum event_meaning)m));
        }
    }
}

/* Revision B has fewer bits of a default mask; an event with another mask has another meaning. */
TEST(masks)
{
    struct event_spec spec = {.event = event_by_select(EVENT_SET_10H, 0x045), .mask = 0x03};

    assert_true(event_means(&spec, MEANING_DTLB_L2_HITS));
    spec.mask = 0x01;
    assert_false(event_means(&spec, MEANING_DTLB_L2_HITS));
    spec = (struct event_spec){.event = event_by_select(EVENT_SET_ZEN2, 0x045), .mask = 0xFF};
    assert_false(event_means(&spec, MEANING_DTLB_WALKS));
    spec.mask = 0xF0;
    assert_true(event_means(&spec, MEANING_DTLB_WALKS));
}

/* All configurations of counters on all processors: their groups and events, what is missing and what differs. */
TEST(on_all_processors)
{
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    for (enum event_set set = EVENT_SET_10H + 1; set < EVENT_SETS; set++) {
        out_printf(&memory.out, "---- %s\n", event_set_name(set));
        for (unsigned i = 0; i < config_count; i++)
            if (config_table[i].kind == CONFIG_PMC)
                config_explain(&memory.out, &config_table[i], set);
    }
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        assert_true(strcspn(line, "\n") <= 79);
    check_golden("meanings.txt", text);
}

static struct pmc_profile profile_of(enum event_set set, const char *config)
{
    static uint64_t memory[4096];
    static struct event_list list;
    struct event_groups groups;
    struct pmc_profile profile;

    assert_true(config_events(config_find(config), set, &list, &groups));
    assert_true(pmc_profile_init(&profile, &small_map, SMALL_BASE, &list, 0, memory, sizeof(memory)));
    for (unsigned i = 0; i < list.count; i++) {
        struct sample_record record = {.kind = SAMPLE_PMC, .reg = {[PMC_EVENT] = i}};

        record.reg[PMC_RIP] = SMALL_BASE + small_map.insns[SMALL_FMUL].rva;
        for (unsigned n = 0; n <= i; n++)
            pmc_profile_add(&profile, &record);
    }
    all_ran(&profile);
    return profile;
}

/* A view finds a processor's event by its meaning; columns without an event are left out, and so is a view without
 * columns. */
TEST(views)
{
    static const struct {
        enum event_set set;
        const char *config, *view;
        unsigned columns; /* 0: the view is left out */
    } rows[] = {
        {EVENT_SET_10H, "data_access", "dc_focus", 9},  {EVENT_SET_ZEN, "data_access", "dc_focus", 6},
        {EVENT_SET_ZEN2, "data_access", "dc_focus", 9}, {EVENT_SET_ZEN6, "inst_access", "ic_focus", 3},
        {EVENT_SET_ZEN4, "l2_access", "l2_focus", 6},   {EVENT_SET_NONE, "data_access", "dc_focus", 9},
        {EVENT_SET_16H, "assess", "l2_focus", 0},       {EVENT_SET_ZEN5, "branch", "return_focus", 7},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct view *view = view_find(rows[i].view);
        struct pmc_profile profile;
        struct out_memory memory;
        struct view part;

        memset(&part, 0xa5, sizeof(part));
        assert_int_equal(view_with_events(view, rows[i].set, &part), rows[i].columns != 0);
        if (!rows[i].columns)
            continue;
        assert_int_equal(part.column_count, rows[i].columns);
        if (!rows[i].set) {
            assert_memory_equal(&part, view, sizeof(part)); /* unchanged */
            continue;
        }
        profile = profile_of(rows[i].set, rows[i].config);
        assert_true(view_measured(&part, &profile));
        assert_int_equal(view_measured(view, &profile), part.column_count == view->column_count);
        out_memory_init(&memory, text, sizeof(text));
        view_print_pmc(&memory.out, &part, &profile, PROFILE_FUNCTIONS, NULL);
        assert_non_null(strstr(text, view->title));
        if (rows[i].set == EVENT_SET_ZEN2) {
            assert_non_null(strstr(text, "> has the most of this event: data cache misses.\n"));
            assert_null(strstr(text, "042:1F")); /* no footnote of Family 10h's */
        }
    }
}

/* A user's view names Family 10h's events: where these have a meaning, the view takes the processor's event of that
 * meaning. */
TEST(own_views)
{
    static const uint32_t misses[] = {VIEW_COUNTER(0x041, 0)}, others[] = {VIEW_COUNTER(0x046, 0x0F)};
    static const struct view_own own[] = {{"misses", misses, 1}, {"others", others, 1}};
    struct view view = {.name = "t", .title = "T", .what = "w", .column_count = 1, .own = own, .own_count = 2};
    struct pmc_profile profile = profile_of(EVENT_SET_ZEN2, "data_access");

    for (unsigned i = 0; i < 2; i++) {
        view.population = view.mark = view.columns[0].left = (uint16_t)(VIEW_OWN + i);
        view.columns[0].title = "C";
        assert_int_equal(view_measured(&view, &profile), i == 0);
    }
}

RUN_TESTS(NULL, NULL)
