/* SPDX-License-Identifier: BSD-2-Clause */
/* Every name that an output prints for an event finds that event, and no other one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/events/events.h"
#include "core/profile/csv.h"
#include "tools/ibsprof/profile/event_names.h"

enum { AMD = 0x10, RAW = 4 };

/* Returns the event of the file that the text names; -1: none, -2: several. */
static int64_t meant(const struct input_facts *facts, const char *text)
{
    uint32_t found[EVENT_NAMES_MAX];
    unsigned count = event_names_find(facts, text, found);

    return count == 0 ? -1 : count > 1 ? -2 : (int64_t)found[0];
}

static const char *upper(const char *text)
{
    static char copy[200];
    size_t i = 0;

    for (; text[i] && i < sizeof(copy) - 1; i++)
        copy[i] = text[i] >= 'a' && text[i] <= 'z' ? (char)(text[i] - 'a' + 'A') : text[i];
    copy[i] = '\0';
    return copy;
}

/* Tries the names of one counter event in the image's lists, its CSV files and perf.data. */
static void has_names(const struct input_facts *facts, const struct event_spec *spec)
{
    struct event_spec copy = *spec;
    char text[2][160];
    struct out_memory out;

    copy.period = 25000;
    for (int full = 0; full < 2; full++) {
        out_memory_init(&out, text[full], sizeof(text[full]));
        event_write(&copy, full, &out.out);
        assert_int_equal(meant(facts, text[full]), 0);
    }
    snprintf(text[1], sizeof(text[1]), "%.40s %.90s [samples]", text[0], spec->event->symbol);
    assert_int_equal(meant(facts, text[1]), 0);
    assert_int_equal(meant(facts, upper(text[1])), -1); /* "[SAMPLES]" is never printed */
    snprintf(text[1], sizeof(text[1]), "0x%x", spec->event->select);
    assert_int_equal(meant(facts, text[1]), 0);
    assert_int_equal(meant(facts, spec->event->symbol), 0);
    assert_int_equal(meant(facts, spec->event->name), 0);
    assert_int_equal(meant(facts, spec->event->abbreviation), 0);
    assert_int_equal(meant(facts, upper(spec->event->abbreviation)), 0);
}

/* Each event of Family 10h is alone in a file: of ibsboot, whose names tell it, and of Linux, where perf_event_attr
 * does. */
static void counter_events(void **state)
{
    for (unsigned i = 0; i < event_count(EVENT_SET_10H); i++) {
        struct event_spec spec = {.event = event_at(EVENT_SET_10H, i),
                                  .mask = event_at(EVENT_SET_10H, i)->mask_default};
        char name[160];
        struct input_event event = {.name = name, .kind = SAMPLE_PMC, .type = RAW};
        struct input_facts facts = {.family = AMD, .events = &event, .event_count = 1};
        struct out_memory out;

        out_memory_init(&out, name, sizeof(name));
        event_write(&spec, true, &out.out);
        has_names(&facts, &spec);
        snprintf(name, sizeof(name), "made/event/");
        event.config =
            (spec.event->select & 0xFF) | (uint64_t)(spec.event->select & 0xF00) << 24 | (uint64_t)spec.mask << 8;
        facts.is_linux = true;
        has_names(&facts, &spec);
        assert_int_equal(meant(&facts, "made/event/"), 0);
        facts.family = 6; /* the select means something else there */
        assert_int_equal(meant(&facts, spec.event->symbol), -1);
        assert_int_equal(meant(&facts, "made/event/"), 0);
    }
}

/* Names are looked up in the table of the file's processor; headings of views are Family 10h's, and those of events
 * with the same meaning. */
static void events_of_later_families(void **state)
{
    static const struct input_event events[] = {
        {.name = "ex_ret_instr:00", .kind = SAMPLE_PMC},
        {.name = "r0c1", .kind = SAMPLE_PMC, .type = RAW, .config = 0xC1},
        {.name = "r041", .kind = SAMPLE_PMC, .type = RAW, .config = 0x741},
    };
    const struct input_facts facts = {
        .is_linux = true, .family = 0x17, .model = 0x71, .events = events, .event_count = 3};
    struct event_spec spec;

    assert_int_equal(meant(&facts, "0C0"), 0);
    assert_int_equal(meant(&facts, "Ret inst"), 0);
    assert_int_equal(meant(&facts, "ex_ret_cops"), 1);
    assert_int_equal(meant(&facts, "RETIRED_UOPS"), -1);
    assert_int_equal(meant(&facts, "DATA_CACHE_MISSES"), -1);
    assert_true(event_names_spec(&facts, 0, &spec));
    assert_ptr_equal(spec.event, event_by_select(EVENT_SET_ZEN2, 0x0C0));
}

static const struct input_event counters[] = {
    {.name = "DATA_CACHE_MISSES:00", .kind = SAMPLE_PMC},
    {.name = "DATA_CACHE_REFILLS_FROM_L2_OR_NORTHBRIDGE:1F", .kind = SAMPLE_PMC},
    {.name = "DATA_CACHE_REFILLS_FROM_L2_OR_NORTHBRIDGE:01", .kind = SAMPLE_PMC},
    {.name = "RETIRED_UOPS:00:k:c=2", .kind = SAMPLE_PMC},
    {.name = "RETIRED_UOPS:00", .kind = SAMPLE_PMC},
    {.name = "cpu-clock", .kind = SAMPLE_TIMER},
};
static const struct input_facts run = {
    .family = AMD, .events = counters, .event_count = sizeof(counters) / sizeof(counters[0])};

static void masks_and_modifiers(void **state)
{
    assert_int_equal(meant(&run, "041"), 0);
    assert_int_equal(meant(&run, "041:00"), 0);
    assert_int_equal(meant(&run, "041:01"), -1);
    assert_int_equal(meant(&run, "042:1f"), 1);
    assert_int_equal(meant(&run, "042:01"), 2);
    assert_int_equal(meant(&run, "042"), -2);
    assert_int_equal(meant(&run, "DC refills L2/NB"), -2);
    assert_int_equal(meant(&run, "data_cache_refills_from_l2_or_northbridge:01"), 2);
    assert_int_equal(meant(&run, "0C1:c=2:k"), 3);
    assert_int_equal(meant(&run, "0C1:c=3:k"), -1);
    assert_int_equal(meant(&run, "0C1"), -2);
    assert_int_equal(meant(&run, "RETIRED_UOPS:00"), 4); /* exactly the file's name */
    assert_int_equal(meant(&run, "timer"), 5);
    assert_int_equal(meant(&run, "timer [samples]"), 5);
    assert_int_equal(meant(&run, "Ticks"), 5);
    assert_int_equal(meant(&run, ""), -1);
    assert_int_equal(meant(&run, " [samples]"), -1);
    assert_int_equal(meant(&run, "F206"), -1); /* no samples of IBS */
}

/* "DC miss" is a heading in views of counters and of IBS: its meaning depends on the samples that exist. */
static void headings(void **state)
{
    static const struct input_event ibs[] = {{.name = "ibs_op//", .kind = SAMPLE_OP},
                                             {.name = "DATA_CACHE_MISSES:00", .kind = SAMPLE_PMC}};
    const struct input_facts ops = {.family = AMD, .events = ibs, .event_count = 1};
    const struct input_facts both = {.family = AMD, .events = ibs, .event_count = 2};

    assert_int_equal(meant(&run, "DC miss"), 0);
    assert_int_equal(meant(&run, "dc REFILL"), 1); /* with the view's mask, 1F */
    assert_int_equal(meant(&run, "DC miss rate"), -1);
    assert_int_equal(meant(&ops, "DC miss"), 1 + DERIVED_F206_DC_MISS);
    assert_int_equal(meant(&both, "DC miss"), -2);
    assert_int_equal(meant(&both, "DC misses"), 1);
    assert_int_equal(meant(&both, "IBS DC miss"), 2 + DERIVED_F206_DC_MISS);
    assert_int_equal(meant(&ops, "Taken mispr."), 1 + DERIVED_F106_BRANCH_TAKEN_MISPREDICTED);
    assert_int_equal(meant(&ops, "Mispredicted"), -2);  /* branches and returns */
    assert_int_equal(meant(&ops, "Sum of cycles"), -2); /* F219, F24B, F24C */
    assert_int_equal(meant(&ops, "ibs_op//"), 0);
    assert_int_equal(meant(&ops, "F000"), -1); /* an event of fetches */
}

static void derived(void **state)
{
    static const struct input_event ibs[] = {{.name = "ibs_op//", .kind = SAMPLE_OP},
                                             {.name = "ibs_fetch//", .kind = SAMPLE_FETCH}};
    const struct input_facts facts = {.events = ibs, .event_count = 2};

    assert_int_equal(meant(&facts, "IBS fetch"), 2 + DERIVED_F000_FETCH_ALL); /* CodeAnalyst's names for the event */
    assert_int_equal(meant(&facts, "IBS fetch samples"), 2 + DERIVED_F000_FETCH_ALL);
    for (int i = 0; i < DERIVED_FIRST; i++) {
        const struct derived_event *event = &derived_events[i];
        char column[200];
        struct out_memory out;

        out_memory_init(&out, column, sizeof(column));
        csv_event(&out.out, (enum derived)i);
        if (column[0] == '"') { /* quoted */
            column[strlen(column) - 1] = '\0';
            memmove(column, column + 1, strlen(column));
        }
        assert_int_equal(meant(&facts, column), 2 + i);
        assert_int_equal(meant(&facts, event->code), 2 + i);
        assert_int_equal(meant(&facts, event->name), 2 + i);
        assert_int_equal(meant(&facts, upper(event->abbreviation)), 2 + i);
        if (event->symbol[0])
            assert_int_equal(meant(&facts, event->symbol), 2 + i);
    }
}

/* A select has many events: the message lists no more than there is room for. */
static void many(void **state)
{
    struct input_event events[40];
    const struct input_facts facts = {.events = events, .event_count = 40};
    char names[40][30];
    uint32_t found[EVENT_NAMES_MAX];

    for (unsigned i = 0; i < 40; i++) {
        snprintf(names[i], sizeof(names[i]), "DATA_CACHE_LINES_EVICTED:%02X", i);
        events[i] = (struct input_event){.name = names[i], .kind = SAMPLE_PMC};
    }
    assert_int_equal(event_names_find(&facts, "044", found), EVENT_NAMES_MAX);
    assert_int_equal(found[EVENT_NAMES_MAX - 1], EVENT_NAMES_MAX - 1);
    assert_int_equal(meant(&facts, "044:27"), 0x27);
}

/* Messages and columns name an event with its select if it is AMD's, and by its own name otherwise. */
static void messages(void **state)
{
    static const struct input_event events[] = {{.name = "DATA_CACHE_MISSES", .kind = SAMPLE_PMC},
                                                {.name = "sched:sched_switch", .kind = SAMPLE_PMC, .type = 2}};
    const struct input_facts facts = {.events = events, .event_count = 2};
    static const char *const says[] = {"DATA_CACHE_MISSES (041 DC misses)", "sched:sched_switch"};
    static const char *const codes[] = {"041", "sched:sched_switch"};
    char text[100], wanted[100];

    for (uint32_t i = 0; i < 2; i++) {
        assert_string_equal(event_names_say(&facts, i, text, sizeof(text)), says[i]);
        assert_string_equal(event_names_code(&facts, i, text, sizeof(text)), codes[i]);
    }
    for (uint32_t i = 0; i < DERIVED_COUNT; i++) {
        snprintf(wanted, sizeof(wanted), "%s %s", derived_events[i].code, derived_events[i].abbreviation);
        assert_string_equal(event_names_say(&facts, 2 + i, text, sizeof(text)), wanted);
        assert_string_equal(event_names_code(&facts, 2 + i, text, sizeof(text)), derived_events[i].code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counter_events),
        cmocka_unit_test(events_of_later_families),
        cmocka_unit_test(masks_and_modifiers),
        cmocka_unit_test(headings),
        cmocka_unit_test(derived),
        cmocka_unit_test(many),
        cmocka_unit_test(messages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
