/* SPDX-License-Identifier: BSD-2-Clause */
/* The event table, events as text, and what is refused. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/events/events.h"

static char text[32768];

static struct out *sink(struct out_memory *memory)
{
    out_memory_init(memory, text, sizeof(text));
    return &memory->out;
}

/* ---------------------------------------------------------------- the table */

TEST(rows_are_sound)
{
    const struct event *event, *before = NULL;

    for (unsigned i = 0; (event = event_at(EVENT_SET_10H, i)); i++, before = event) {
        struct event_spec spec = {.event = event, .mask = event->mask_default, .user = true, .kernel = true};
        unsigned legal = 0;

        assert_true(event->select <= 0xFFF && event->unit < EVENT_UNITS);
        assert_true(!before || before->unit < event->unit ||
                    (before->unit == event->unit && before->select < event->select));
        assert_ptr_equal(event_by_select(EVENT_SET_10H, event->select), event); /* no number is there twice */
        assert_ptr_equal(event_by_symbol(EVENT_SET_10H, event->symbol, strlen(event->symbol)), event);
        for (int bit = 0; bit < EVENT_MASK_BITS; bit++)
            legal |= event->bits[bit] ? 1u << bit : 0;
        if (!(event->flags & EVENT_MASK_INDEX))
            assert_int_equal(event->mask_legal, legal);
        assert_int_equal(event->mask_since_c & ~event->mask_legal, 0);
        assert_true(event->since >= 'B' && event->since <= event->last && event->last <= 'E');
        assert_true(event->period_min >= 500);
        assert_true(event_default_period(event) >= event->period_min);
        assert_int_equal((event->flags & EVENT_NODE) != 0, event->unit >= EVENT_NB);
        if (event->unit == EVENT_L3)
            assert_int_equal(event->mask_legal & event->mask_default & 0xF0, 0xF0);
        /* A plain name stands for an event that can be counted. */
        event_fit(&spec, event->since);
        if (!event_check(&spec, event->since, NULL))
            fail_msg("default of %03x is refused", event->select);
    }
}

/* The table has as many events as oprofile's list, and 068 and 069; the units are CodeAnalyst's. */
TEST(table_is_complete)
{
    static const unsigned wanted[EVENT_UNITS] = {7, 9, 16, 10, 14, 38, 24, 5};
    unsigned counts[EVENT_UNITS] = {0};

    for (unsigned i = 0; i < event_count(EVENT_SET_10H); i++)
        counts[event_at(EVENT_SET_10H, i)->unit]++;
    assert_memory_equal(counts, wanted, sizeof(wanted));
    assert_int_equal(event_count(EVENT_SET_10H), 123);
    assert_null(event_at(EVENT_SET_10H, 123));
    assert_null(event_by_select(EVENT_SET_10H, 0x07A));
    assert_null(event_by_symbol(EVENT_SET_10H, "RETIRED", 7));
}

TEST(revisions_and_minima)
{
    static const struct {
        uint16_t select;
        char since, last;
        uint32_t minimum;
        uint64_t period;
    } rows[] = {
        {0x041, 'B', 'E', 500, 25000},    {0x076, 'B', 'E', 50000, 250000},  {0x0C0, 'B', 'E', 50000, 250000},
        {0x0C1, 'B', 'E', 50000, 250000}, {0x0C2, 'B', 'E', 500, 25000},     {0x165, 'C', 'E', 500, 25000},
        {0x1C0, 'C', 'E', 500, 25000},    {0x1CF, 'C', 'E', 500000, 500000}, {0x1D3, 'C', 'E', 500, 25000},
        {0x1D4, 'C', 'E', 500, 25000},    {0x1D5, 'C', 'E', 500, 25000},     {0x4ED, 'D', 'D', 500, 25000},
        {0x4E3, 'B', 'E', 500, 25000},    {0x040, 'B', 'E', 500, 250000},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct event *event = event_by_select(EVENT_SET_10H, rows[i].select);

        assert_int_equal(event->since, rows[i].since);
        assert_int_equal(event->last, rows[i].last);
        assert_int_equal(event->period_min, rows[i].minimum);
        assert_int_equal(event_default_period(event), rows[i].period);
    }
}

/* The events whose masks are more than a set of bits, with their reserved bits and combinations, stated here a second
 * time (BKDG 31116, erratum 437; the sources are named in core/events/events.h). */
TEST(masks_with_rules)
{
    static const struct {
        uint16_t select;
        char rule; /* i: a number, c: core select, g: two groups, a: alone, m: modifier, s: since revision C */
        uint8_t bits;
    } rules[] = {{0x068, 'i', 9},    {0x069, 'i', 9},    {0x4E0, 'c', 0xF0}, {0x4E1, 'c', 0xF0},
                 {0x4E2, 'c', 0xF0}, {0x4E3, 'c', 0xF0}, {0x4ED, 'c', 0xF0}, {0x0E9, 'g', 0},
                 {0x044, 'a', 0x60}, {0x003, 'm', 0x40}, {0x045, 's', 0x04}};
    const struct event *event;

    for (unsigned i = 0; (event = event_at(EVENT_SET_10H, i)); i++) {
        char rule = 0;
        uint8_t bits = 0;

        for (size_t r = 0; r < sizeof(rules) / sizeof(rules[0]); r++) {
            if (rules[r].select == event->select) {
                rule = rules[r].rule;
                bits = rules[r].bits;
            }
        }
        for (unsigned mask = 0; mask < 256; mask++) {
            for (char revision = event->since; revision <= event->last; revision++) {
                struct event_spec spec = {.event = event, .mask = (uint8_t)mask, .user = true, .kernel = true};
                unsigned legal = event->mask_legal & ~(rule == 's' && revision == 'B' ? bits : 0u);
                bool allowed = !(mask & ~legal) && (mask || !legal);

                if (rule == 'i')
                    allowed = mask <= bits;
                else if (rule == 'c')
                    allowed &= (mask & bits) == bits && mask & 0x0F;
                else if (rule == 'g')
                    allowed &= mask & 0x0F && mask & 0xF0;
                else if (rule == 'a')
                    allowed &= !(mask & bits) || !(mask & ~bits);
                else if (rule == 'm')
                    allowed &= (mask & ~bits) != 0;
                if (event_check(&spec, revision, NULL) != allowed)
                    fail_msg("%03x:%02x on revision %c", event->select, mask, revision);
            }
        }
    }
}

/* ---------------------------------------------------------------- text */

TEST(legal_text)
{
    static const struct {
        const char *text, *full, *brief;
        uint64_t ctl;
    } rows[] = {
        {"DATA_CACHE_MISSES", "DATA_CACHE_MISSES:00", "041", 0x30041},
        {"data_cache_misses@25000", "DATA_CACHE_MISSES:00@25000", "041", 0x30041},
        {"0x41", "DATA_CACHE_MISSES:00", "041", 0x30041},
        {"041", "DATA_CACHE_MISSES:00", "041", 0x30041},
        {"41:0", "DATA_CACHE_MISSES:00", "041", 0x30041},
        {"42", "DATA_CACHE_REFILLS_FROM_L2_OR_NORTHBRIDGE:1F", "042:1F", 0x31F42},
        {"042:0x1E", "DATA_CACHE_REFILLS_FROM_L2_OR_NORTHBRIDGE:1E", "042:1E", 0x31E42},
        {"46:7:u@25000", "L1_DTLB_AND_L2_DTLB_MISS:07:u@25000", "046:07:u", 0x10746},
        {"46:u:7", "L1_DTLB_AND_L2_DTLB_MISS:07:u", "046:07:u", 0x10746},
        {"0C1:c=2:k", "RETIRED_UOPS:00:k:c=2", "0C1:k:c=2", 0x20200C1},
        {"C1:i:c=1", "RETIRED_UOPS:00:i:c=1", "0C1:i:c=1", 0x18300C1},
        {"0CD:e", "INTERRUPTS_MASKED_CYCLES:00:e", "0CD:e", 0x700CD},
        {"0CD:uke", "INTERRUPTS_MASKED_CYCLES:00:e", "0CD:e", 0x700CD},
        {"1cf@0x7A120", "IBS_OPS_TAGGED:00@500000", "1CF", 0x1000300CF},
        {"4e1", "L3_CACHE_MISSES:F7", "4E1:F7", 0x40003F7E1},
        {"4e1:F1", "L3_CACHE_MISSES:F1", "4E1:F1", 0x40003F1E1},
        {"1_BIT_ECC_ERRORS:0e", "1_BIT_ECC_ERRORS:0E", "04A:0E", 0x30E4A},
        {"MAB_WAIT:9", "MAB_WAIT:09", "069:09", 0x30969},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct out_memory memory;
        struct event_spec spec, again;

        if (!event_parse(EVENT_SET_10H, rows[i].text, strlen(rows[i].text), &spec, sink(&memory)))
            fail_msg("%s: %s", rows[i].text, text);
        assert_string_equal(text, "");
        assert_int_equal(event_ctl(&spec), rows[i].ctl);
        assert_true(event_check(&spec, 'D', sink(&memory)));
        event_write(&spec, false, sink(&memory));
        assert_string_equal(text, rows[i].brief);
        event_write(&spec, true, sink(&memory));
        assert_string_equal(text, rows[i].full);
        assert_true(event_parse(EVENT_SET_10H, rows[i].full, strlen(rows[i].full), &again, NULL));
        assert_true(event_same(&spec, &again) && again.period == spec.period);
    }
}

TEST(wrong_text)
{
    static const struct {
        const char *text, *problem;
    } rows[] = {
        {"", "no event is called ''; 'events' lists them"},
        {"DC_MISSES", "no event is called 'DC_MISSES'; 'events' lists them"},
        {"DATA_CACHE_MISSE", "no event is called 'DATA_CACHE_MISSE'; 'events' lists them"},
        {"1041", "no event is called '1041'; 'events' lists them"},
        {"0x", "no event is called '0x'; 'events' lists them"},
        {"7A", "Family 10h has no event 07A; 'events' lists them"},
        {"41:", "part '' is neither a mask (00 to FF) nor one of u, k, e, i, c=N"},
        {"41:100", "part '100' is neither a mask (00 to FF) nor one of u, k, e, i, c=N"},
        {"41:x", "part 'x' is neither a mask (00 to FF) nor one of u, k, e, i, c=N"},
        {"41:u:u", "part 'u' is neither a mask (00 to FF) nor one of u, k, e, i, c=N"},
        {"46:01:02", "more than one mask"},
        {"41:c=", "count mask 'c=' is not c=1 to c=3"},
        {"41:c=0", "count mask 'c=0' is not c=1 to c=3"},
        {"41:c=4", "count mask 'c=4' is not c=1 to c=3"},
        {"41:c=1:c=2", "more than one count mask"},
        {"41@", "period '' is not a number from 1"},
        {"41@0", "period '0' is not a number from 1"},
        {"41@25k", "period '25k' is not a number from 1"},
        {"41@-5", "period '-5' is not a number from 1"},
        {"AVERYLONGNAMETHATNOBODYWOULDWRITEHEREBUTSOMEBODYMAY",
         "no event is called 'AVERYLONGNAMETHATNOBODYW..'; 'events' lists them"},
        {"\x1b[2J", "no event is called '?[2J'; 'events' lists them"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct out_memory memory;
        struct event_spec spec = {.period = 77};

        assert_false(event_parse(EVENT_SET_10H, rows[i].text, strlen(rows[i].text), &spec, sink(&memory)));
        assert_string_equal(text, rows[i].problem);
        assert_false(event_parse(EVENT_SET_10H, rows[i].text, strlen(rows[i].text), &spec, NULL));
        assert_int_equal(spec.period, 77);
    }
}

/* ---------------------------------------------------------------- limits */

TEST(what_cannot_be_counted)
{
    static const struct {
        const char *text;
        char revision;
        const char *problem; /* NULL: legal */
    } rows[] = {
        {"41", 'B', NULL},
        {"41:1", 'C', "041: has no mask, but 01 was given"},
        {"46:8", 'C', "046: mask 08 has reserved bits 08; allowed are 07"},
        {"46:0", 'C', "046: mask 00 counts nothing; allowed are bits of 07"},
        {"45:7", 'B', "045: mask 07 has reserved bits 04; allowed are 03"},
        {"45:7", 'C', NULL},
        {"45:3", 'B', NULL},
        {"69:0", 'C', NULL},
        {"69:a", 'C', "069: mask 0A; allowed is 00 to 09"},
        {"44:60", 'C', NULL},
        {"44:20", 'C', NULL},
        {"44:21", 'C', "044: mask 21; bits 60 go with no others"},
        {"E9:a2", 'C', NULL},
        {"E9:02", 'C', "0E9: mask 02 counts nothing: a bit of 0F and one of F0 are needed"},
        {"E9:a0", 'C', "0E9: mask A0 counts nothing: a bit of 0F and one of F0 are needed"},
        {"4E0:17", 'C', "4E0: mask 17; bits F0 must all be set (erratum 437)"},
        {"4E0:f0", 'C', "4E0: mask F0 counts nothing: a bit of 07 is needed"},
        {"4E0:ff", 'C', "4E0: mask FF has reserved bits 08; allowed are F7"},
        {"1CF", 'B', "1CF: exists from revision C on, this is B"},
        {"1CF", 'E', NULL},
        {"4ED", 'C', "4ED: only revision D has it, this is C"},
        {"4ED", 'E', "4ED: only revision D has it, this is E"},
        {"4ED", 'D', NULL},
        {"41@499", 'C', "041: period 499 is under its minimum of 500"},
        {"41@500", 'C', NULL},
        {"76@49999", 'C', "076: period 49999 is under its minimum of 50000"},
        {"41@0x800000000000", 'C', NULL},
        {"41@0x800000000001", 'C', "041: period 140737488355329 is over 140737488355328"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct out_memory memory;
        struct event_spec spec;

        assert_true(event_parse(EVENT_SET_10H, rows[i].text, strlen(rows[i].text), &spec, NULL));
        if (event_check(&spec, rows[i].revision, sink(&memory)) != !rows[i].problem)
            fail_msg("%s: '%s'", rows[i].text, text);
        assert_string_equal(text, rows[i].problem ? rows[i].problem : "");
        assert_true(memory.needed <= 79);
    }
}

TEST(specs_made_by_hand_are_checked_too)
{
    struct event_spec spec = {.event = event_by_select(EVENT_SET_10H, 0xC0), .kernel = true};
    struct out_memory memory;

    spec.count_mask = 4;
    assert_false(event_check(&spec, 'C', sink(&memory)));
    assert_string_equal(text, "0C0: count mask 4; allowed is up to 3");
    spec.count_mask = 3;
    assert_true(event_check(&spec, 'C', NULL));
    spec.kernel = false;
    assert_false(event_check(&spec, 'C', sink(&memory)));
    assert_string_equal(text, "0C0: neither user nor kernel level is counted");
}

/* A name without a mask gets the revision's default mask; a mask that was written stays. */
TEST(default_masks_fit_the_revision)
{
    struct event_spec spec;

    assert_true(event_parse(EVENT_SET_10H, "045", 3, &spec, NULL));
    event_fit(&spec, 'B');
    assert_int_equal(spec.mask, 0x03);
    assert_true(event_check(&spec, 'B', NULL));
    event_fit(&spec, 'C');
    assert_int_equal(spec.mask, 0x07);
    assert_true(event_parse(EVENT_SET_10H, "045:07", 6, &spec, NULL));
    event_fit(&spec, 'B');
    assert_int_equal(spec.mask, 0x07);
}

/* ---------------------------------------------------------------- for people */

static void assert_width(void)
{
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        if (strcspn(line, "\n") > 79)
            fail_msg("wider than 79: %.*s", (int)strcspn(line, "\n"), line);
}

TEST(lists)
{
    static const struct {
        const char *filter;
        unsigned lines;
    } rows[] = {{"l3", 5}, {"dc", 16}, {"4e", 5}, {"DISPATCH_STALL", 10}, {"octword", 1}, {"nothing", 0}, {"", 123}};
    struct out_memory memory;

    assert_int_equal(events_list(sink(&memory), EVENT_SET_10H, NULL), 123);
    assert_true(memory.needed < sizeof(text));
    assert_width();
    check_golden("events_list.txt", text);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(events_list(sink(&memory), EVENT_SET_10H, rows[i].filter), rows[i].lines);
    for (unsigned i = 0; i < event_count(EVENT_SET_10H); i++) { /* each event below its unit */
        (void)events_list(sink(&memory), EVENT_SET_10H, event_at(EVENT_SET_10H, i)->symbol);
        assert_non_null(strstr(text, ": "));
        assert_int_not_equal(text[0], ' ');
    }
}

TEST(explanations)
{
    struct out_memory memory, all;
    static char golden[131072];

    out_memory_init(&all, golden, sizeof(golden));
    for (unsigned i = 0; i < event_count(EVENT_SET_10H); i++) {
        event_explain(&all.out, EVENT_SET_10H, event_at(EVENT_SET_10H, i));
        event_explain(sink(&memory), EVENT_SET_10H, event_at(EVENT_SET_10H, i));
        assert_width();
    }
    assert_true(all.needed < sizeof(golden));
    check_golden("events_explain.txt", golden);
}

RUN_TESTS(NULL, NULL)
