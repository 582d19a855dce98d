/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of events, what is refused before anything is programmed, and groups. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/events/event_groups.h"

static char text[4096];

static struct out *sink(struct out_memory *memory)
{
    out_memory_init(memory, text, sizeof(text));
    return &memory->out;
}

static struct event_list list_of(const char *events)
{
    struct event_list list = {.counters = 1}; /* an entry of an earlier list */

    assert_int_equal(event_list_parse(EVENT_SET_10H, events, strlen(events), &list, NULL), 0);
    return list;
}

TEST(lists_are_read)
{
    struct event_list list;
    struct out_memory memory;
    const char *mixed = " 076@250000, 041,\tNOPE 46:07 41@1@ ,", *none = " , ";

    assert_int_equal(event_list_parse(EVENT_SET_10H, mixed, strlen(mixed), &list, sink(&memory)), 2);
    assert_string_equal(text, "no event is called 'NOPE'; 'events' lists them\nperiod '1@' is not a number from 1\n");
    assert_int_equal(event_list_parse(EVENT_SET_10H, mixed, strlen(mixed), &list, NULL), 2);
    assert_int_equal(list.count, 3);
    assert_int_equal(list.spec[0].event->select, 0x76);
    assert_int_equal(list.spec[0].period, 250000);
    assert_int_equal(list.spec[2].mask, 7);
    assert_int_equal(event_list_find(&list, &list.spec[2]), 2);
    assert_int_equal(event_list_parse(EVENT_SET_10H, none, strlen(none), &list, NULL), 0);
    assert_int_equal(list.count, 0);
}

TEST(lists_have_an_end)
{
    struct event_list list;
    struct out_memory memory;
    char many[EVENT_LIST_MAX * 4 + 16] = "";

    for (int i = 0; i < EVENT_LIST_MAX; i++)
        strcat(many, "041 ");
    assert_int_equal(event_list_parse(EVENT_SET_10H, many, strlen(many), &list, NULL), 0);
    assert_int_equal(list.count, EVENT_LIST_MAX);
    strcat(many, "042 043");
    assert_int_equal(event_list_parse(EVENT_SET_10H, many, strlen(many), &list, sink(&memory)), 1);
    assert_string_equal(text, "more than 159 events\n");
    assert_int_equal(event_list_parse(EVENT_SET_10H, many, strlen(many), &list, NULL), 1);
    assert_int_equal(list.count, EVENT_LIST_MAX);
    /* A list of one event does not find event 042, although its second place still holds that event. */
    assert_int_equal(event_list_parse(EVENT_SET_10H, "041 042", 7, &list, NULL), 0);
    list.count = 1;
    assert_int_equal(event_list_find(&list, &list.spec[0]), 0);
    assert_int_equal(event_list_find(&list, &list.spec[1]), -1);
}

TEST(requests)
{
    static const struct {
        const char *events;
        enum event_sharing sharing;
        bool sampling;
        char revision;
        unsigned cores;
        const char *problems;
    } rows[] = {
        {"76 c0 41 42", EVENT_SHARING_NONE, true, 'C', 1, ""},
        {"76 c0 41 42 43", EVENT_SHARING_NONE, true, 'C', 1,
         "5 events, but 4 counters: allow re-runs or multiplexing\n"},
        {"76 c0 41 42 43", EVENT_SHARING_RERUN, true, 'C', 1, ""},
        {"76 c0 41 42 43", EVENT_SHARING_MULTIPLEX, true, 'C', 1, ""},
        {"76 c0 41 42 43 44 45 46 47", EVENT_SHARING_MULTIPLEX, true, 'C', 1,
         "9 events are 3 groups, but at most 2 take turns: name fewer, or allow re-runs\n"},
        {"76 c0 41 42 43 44 45 46 47", EVENT_SHARING_RERUN, true, 'C', 1, ""},
        {"76 c0 41 42 43 44 45 46 47", EVENT_SHARING_MULTIPLEX, false, 'C', 1, ""},
        {"76@1000", EVENT_SHARING_NONE, true, 'C', 1, "076: period 1000 is under its minimum of 50000\n"},
        {"76@1000", EVENT_SHARING_NONE, false, 'C', 1, ""},
        {"46:f", EVENT_SHARING_NONE, false, 'C', 1, "046: mask 0F has reserved bits 08; allowed are 07\n"},
        {"1cf 4ed", EVENT_SHARING_NONE, false, 'B', 1,
         "1CF: exists from revision C on, this is B\n4ED: only revision D has it, this is B\n"},
        {"e0 4e0", EVENT_SHARING_NONE, false, 'C', 1, ""},
        {"e0 76 4e0", EVENT_SHARING_NONE, false, 'C', 2,
         "0E0: is counted once per node; 2 cores of a node would share the count\n"
         "4E0: is counted once per node; 2 cores of a node would share the count\n"},
        {"76 41 76", EVENT_SHARING_NONE, true, 'C', 1, "076: is listed twice\n"},
        {"c1 c1:c=1 c1:c=2 c1:i:c=2", EVENT_SHARING_NONE, true, 'C', 1, ""},
        {"46:1 46:2 CD CD:e", EVENT_SHARING_NONE, true, 'C', 1, ""},
        {"76 76:u 76:k C0", EVENT_SHARING_NONE, true, 'C', 1, ""},
        {"42:1f@500 42@900", EVENT_SHARING_NONE, true, 'C', 1, "042:1F: is listed twice\n"},
        {"", EVENT_SHARING_NONE, true, 'C', 1, "no event to measure\n"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct event_list list = list_of(rows[i].events);
        struct event_request request = {.list = &list,
                                        .sharing = rows[i].sharing,
                                        .sampling = rows[i].sampling,
                                        .revision = rows[i].revision,
                                        .cores_per_node = rows[i].cores,
                                        .groups = (list.count + 3) / 4,
                                        .turns_max = 2};
        struct out_memory memory;
        unsigned lines = 0, wrong = event_request_check(&request, sink(&memory));

        for (const char *c = text; *c; c++)
            lines += *c == '\n';
        assert_string_equal(text, rows[i].problems);
        assert_int_equal(wrong, lines);
        assert_int_equal(event_request_check(&request, NULL), lines);
    }
}

static bool even_masks(void *context, const struct event_spec *spec)
{
    ++*(unsigned *)context;
    return spec->mask % 2 == 0;
}

/* A list of all events has each mask bit separately, all bits, and the default; a modifier with each of the other bits;
 * numbers one by one. */
TEST(all_events)
{
    static const struct {
        enum event_unit unit;
        char revision;
        const char *has, *lacks;
    } rows[] = {
        {EVENT_DC, 'C', "040 041 042:1F 042:01 042:10 045:07 045:04 04D:02", "045:00 076 042:03"},
        {EVENT_DC, 'B', "040 045:03 045:01", "045:04 045:07"},
        {EVENT_FP, 'C', "003:7F 003:01 003:41 003:20 003:60 000:3F", "003:40 003:00"},
        {EVENT_L2, 'C', "068:00 068:07 069:03 07D:3F", "07D:03"},
        {EVENT_L3, 'C', "4E0:F7 4E0:F1 4E0:F4 4E2:FF", "4E0:07 4E0:01 4E0:10"},
        {EVENT_FR, 'B', "0C0 076", "1CF 1C0"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct event_all all = {.set = EVENT_SET_10H, .revision = rows[i].revision, .unit = rows[i].unit};
        struct event_list list, has = list_of(rows[i].has), lacks = list_of(rows[i].lacks);
        unsigned left_out = 77;

        assert_true(event_list_all(&list, &all, &left_out));
        assert_int_equal(left_out, 0);
        for (unsigned e = 0; e < has.count; e++)
            assert_true(event_list_find(&list, &has.spec[e]) >= 0);
        for (unsigned e = 0; e < lacks.count; e++)
            if (event_list_find(&list, &lacks.spec[e]) >= 0)
                fail_msg("row %zu: %03x:%02x", i, lacks.spec[e].event->select, lacks.spec[e].mask);
        for (unsigned e = 0; e < list.count; e++) {
            assert_int_equal(list.spec[e].event->unit, rows[i].unit);
            if (list.spec[e].event->mask_modifier) /* a modifier counts nothing by itself */
                assert_int_not_equal(list.spec[e].mask, list.spec[e].event->mask_modifier);
            if (!(list.spec[e].event->flags & EVENT_MASK_INDEX) &&
                (e == 0 || list.spec[e - 1].event != list.spec[e].event)) /* the default comes first */
                assert_int_equal(list.spec[e].mask, event_default_mask(list.spec[e].event, rows[i].revision));
            assert_int_equal(event_list_find(&list, &list.spec[e]), e); /* no event is there twice */
            assert_true(event_check(&list.spec[e], rows[i].revision, NULL));
        }
    }
}

static bool listed(const struct event_list *list, const struct event *event, unsigned mask, char revision)
{
    struct event_spec spec = {.event = event, .mask = (uint8_t)mask, .user = true, .kernel = true, .mask_given = true};

    return mask <= UINT8_MAX && event_check(&spec, revision, NULL) && event_list_find(list, &spec) >= 0;
}

/* A unit's list has all that can be counted of each event: the default, all bits, each bit, and each bit with the
 * modifier; where the mask is a number, all numbers. Masks of the northbridge's events select all cores as well. */
TEST(each_mask_of_each_event)
{
    for (char revision = 'B'; revision <= 'E'; revision++)
        for (unsigned unit = 0; unit < EVENT_UNITS; unit++) {
            struct event_all all = {.set = EVENT_SET_10H, .revision = revision, .unit = (uint8_t)unit};
            const struct event *event;
            unsigned left_out, expected = 0;
            struct event_list list;

            if (!event_list_all(&list, &all, &left_out))
                assert_int_equal(unit, EVENT_NB); /* more events than a list holds */
            for (unsigned e = 0; (event = event_at(EVENT_SET_10H, e)); e++) {
                bool index = event->flags & EVENT_MASK_INDEX, wanted[256] = {false};
                unsigned legal = event->mask_legal & ~(revision < 'C' ? (unsigned)event->mask_since_c : 0);

                if (event->unit != unit)
                    continue;
                for (unsigned mask = 0; index && mask <= event->mask_legal; mask++)
                    wanted[mask] = true;
                for (unsigned bit = 0; !index && bit < 8; bit++) {
                    unsigned mask = 1u << bit | (event->flags & EVENT_CORE_SELECT ? 0xF0 : 0);

                    wanted[mask] |= legal >> bit & 1;
                    wanted[mask | event->mask_modifier] |= legal >> bit & 1;
                }
                wanted[event_default_mask(event, revision)] = wanted[index ? 0 : legal] = true;
                for (unsigned mask = 0; mask < 256; mask++) {
                    struct event_spec spec = {.event = event, .mask = (uint8_t)mask, .user = true, .kernel = true};

                    wanted[mask] &= event_check(&spec, revision, NULL);
                    expected += wanted[mask];
                    if ((list.count < EVENT_LIST_MAX || event < list.spec[list.count - 1].event) &&
                        listed(&list, event, mask, revision) != wanted[mask])
                        fail_msg("revision %c: %03x:%02x", revision, event->select, mask);
                }
            }
            assert_int_equal(list.count, expected < EVENT_LIST_MAX ? expected : EVENT_LIST_MAX);
        }
}

TEST(all_events_that_count)
{
    unsigned asked = 0, left_out = 0;
    struct event_all all = {
        .set = EVENT_SET_10H, .revision = 'C', .unit = EVENT_DC, .counts = even_masks, .context = &asked};
    struct event_list list;

    assert_true(event_list_all(&list, &all, &left_out));
    assert_true(left_out > 0 && list.count > 0);
    assert_int_equal(list.count + left_out, asked);
    for (unsigned i = 0; i < list.count; i++)
        assert_int_equal(list.spec[i].mask % 2, 0);
    all = (struct event_all){.set = EVENT_SET_10H, .revision = 'C', .unit = EVENT_UNITS};
    assert_false(event_list_all(&list, &all, &left_out)); /* some hundreds are left out */
    assert_int_equal(list.count, EVENT_LIST_MAX);
}

static const char *show(const struct event_groups *groups)
{
    struct out_memory memory;
    struct out *out = sink(&memory);

    for (unsigned g = 0; g < groups->count; g++) {
        for (unsigned i = 0; i < groups->group[g].count; i++)
            if (!event_group_has(&groups->group[g], i))
                out_printf(out, groups->group[g].event[i] == EVENT_GROUP_NONE ? "-" : "+");
            else
                out_printf(out, "%u", groups->group[g].event[i]);
        out_printf(out, " ");
    }
    return text;
}

/* Makes a list of events that may use any counter (a), counters 0 to 2 (l), 5:3, of which 3 is used (h), counter 0
 * alone (z), or that take two counters (p). */
static struct event_list made_of(const char *events)
{
    static const struct event rows[] = {
        {.counters = 0}, {.counters = 0x07}, {.counters = 0x38}, {.counters = 0x01}, {.pair = true}};
    struct event_list list = {.count = (unsigned)strlen(events)};

    for (unsigned i = 0; i < list.count; i++)
        list.spec[i].event = &rows[strchr("alhzp", events[i]) - "alhzp"];
    return list;
}

TEST(groups_of_counters)
{
    static const struct {
        unsigned events;
        int sentinel;
        const char *groups;
        unsigned counters;
    } rows[] = {
        {1, -1, "0 ", 0},      {4, -1, "0123 ", 0},       {5, -1, "0123 4 ", 0},     {9, -1, "0123 4567 8 ", 0},
        {1, 0, "0 ", 0},       {4, 0, "0123 ", 0},        {5, 0, "0123 04 ", 0},     {8, 0, "0123 0456 07 ", 0},
        {5, 4, "4012 43 ", 0}, {5, 1, "1023 14 ", 0},     {2, 1, "10 ", 0},          {0, -1, "", 0},
        {4, -1, "0123 ", 4},   {9, -1, "012345 678 ", 6}, {9, 0, "012345 0678 ", 6}, {5, 1, "102 134 ", 3},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct event_list list = made_of("aaaaaaaaa" + 9 - rows[i].events);
        struct event_groups groups;

        list.counters = rows[i].counters;
        assert_true(event_groups_make(&groups, &list, rows[i].sentinel));
        assert_string_equal(show(&groups), rows[i].groups);
        for (unsigned e = 0; e < rows[i].events; e++)
            assert_int_equal(event_groups_with(&groups, e), (int)e == rows[i].sentinel ? groups.count : 1);
    }
}

/* Events that only some counters count get one of these counters, and share groups as far as possible. */
TEST(counters_that_can_count)
{
    static const struct {
        const char *events;
        int sentinel;
        const char *groups;
        unsigned counters;
    } rows[] = {
        {"hhhlll", -1, "345012 ", 6},
        {"hhhhaaa", -1, "456012 ---3 ", 6},
        {"h", -1, "---0 ", 0},
        {"hlll", -1, "1230 ", 0},
        {"llh", -1, "01-2 ", 0},
        {"aaah", -1, "0123 ", 0},
        {"haaa", -1, "1230 ", 0},
        {"llll", -1, "012 3 ", 0},
        {"hh", -1, "---0 ---1 ", 0},
        {"lz", -1, "10 ", 0},
        {"hhlllaa", -1, "2340 56-1 ", 0}, /* an event goes into the first group that has a place for it */
        {"lhhal", 0, "0341 0--2 ", 0},
        {"lz", 0, "10 ", 0}, /* the sentinel takes another counter */
        {"lllh", 3, "0123 ", 0},
        {"llllh", 4, "0124 3--4 ", 0},
        {"aap", -1, "012+ ", 0}, /* an even counter and the next one */
        {"apa", -1, "021+ ", 0},
        {"pp", -1, "0+1+ ", 0},
        {"ppa", -1, "0+1+ 2 ", 0},
        {"ppp", -1, "0+1+2+ ", 6},
        {"ppp", -1, "0+1+ 2+ ", 5}, /* the last counter has no next one */
        {"aaap", -1, "012 3+ ", 4},
        {"aapppa", 0, "012+3+ 054+ ", 6},
        {"lp", 1, "1+0 ", 3},
        {"zp", -1, "0-1+ ", 4},
    };
    struct event_list list;
    struct event_groups groups;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        list = made_of(rows[i].events);
        list.counters = rows[i].counters;
        assert_true(event_groups_make(&groups, &list, rows[i].sentinel));
        assert_string_equal(show(&groups), rows[i].groups);
        for (unsigned g = 0; g < groups.count; g++)
            for (unsigned c = 0; c < groups.group[g].count; c++)
                if (event_group_has(&groups.group[g], c))
                    assert_true(event_counters(list.spec[groups.group[g].event[c]].event) >> c & 1);
    }
    list = made_of("zz");
    assert_false(event_groups_make(&groups, &list, 0)); /* the events can never be counted together */
    list = made_of("h");
    for (list.count = 1; list.count <= EVENT_GROUPS_MAX; list.count++)
        list.spec[list.count] = list.spec[0];
    assert_false(event_groups_make(&groups, &list, -1));
    list.count--;
    assert_true(event_groups_make(&groups, &list, -1));
}

TEST(the_same_counter_needs_sharing)
{
    struct event_list list = list_of("76 c0");
    struct event_request request = {.list = &list, .revision = 'C', .cores_per_node = 1, .groups = 2};
    struct out_memory memory;

    assert_int_equal(event_request_check(&request, sink(&memory)), 1);
    assert_string_equal(text, "events that need the same counter: allow re-runs or multiplexing\n");
    request.sharing = EVENT_SHARING_RERUN;
    assert_int_equal(event_request_check(&request, NULL), 0);
}

/* The longest list with a sentinel fits. */
TEST(the_longest_list_is_grouped)
{
    struct event_list list = made_of("a");
    struct event_groups groups;

    for (; list.count < EVENT_LIST_MAX; list.count++)
        list.spec[list.count] = list.spec[0];
    assert_true(event_groups_make(&groups, &list, 0));
    assert_int_equal(groups.count, (EVENT_LIST_MAX - 1 + 2) / 3);
    assert_int_equal(event_groups_with(&groups, EVENT_LIST_MAX - 1), 1);
}

RUN_TESTS(NULL, NULL)
