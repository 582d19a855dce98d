/* SPDX-License-Identifier: BSD-2-Clause */
/* Meanings of events: one row for each on each processor, with an event that it has; configurations made of them. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/events/meaning.h"
#include "core/view/configs.h"

static char text[65536];

static void one_row_each(void **state)
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

/* Each event is in the set's table with this mask, and an event of Family 10h's number and meaning has this meaning. */
static void events_exist(void **state)
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

/* Revision B has fewer bits of a default mask; other masks are other events. */
static void masks(void **state)
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

/* All configurations of counters on all processors: groups, events, what is missing and what differs. */
static void on_all_processors(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_row_each),
        cmocka_unit_test(events_exist),
        cmocka_unit_test(masks),
        cmocka_unit_test(on_all_processors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
