/* SPDX-License-Identifier: BSD-2-Clause */
/* The event table for people. */
#include "core/base/mem.h"
#include "core/base/str.h"
#include "core/base/wrap.h"
#include "core/events/events.h"
#include "core/family/pmc_regs.h"

enum {
    LINE = 79,
    INDENT = 13, /* of an explanation's texts */
    NAMES = 10,  /* column of the symbol in a list */
    SYMBOL = 40, /* its width when it is shorter */
};

/* Returns whether 'part' is in 'text', without regard to case. */
static bool contains(const char *text, const char *part)
{
    size_t length = strlen(part);

    for (; strlen(text) >= length; text++)
        if (str_is(text, length, part))
            return true;
    return false;
}

static bool listed(const struct event *event, const char *filter)
{
    char select[8];
    struct out_memory memory;

    if (!filter || !*filter)
        return true;
    for (unsigned unit = 0; unit < EVENT_UNITS; unit++)
        if (str_is(filter, strlen(filter), event_units[unit].name))
            return event->unit == unit;
    out_memory_init(&memory, select, sizeof(select));
    out_printf(&memory.out, "%03X", event->select);
    return contains(select, filter) || contains(event->symbol, filter) || contains(event->name, filter);
}

/* Prints symbol and abbreviation, the latter cut to the line. */
static void print_names(struct out *out, const struct event *event)
{
    int symbol = (int)strlen(event->symbol), room;

    if (symbol < SYMBOL)
        symbol = SYMBOL;
    room = LINE - NAMES - symbol - 1;
    out_printf(out, "%-*s %.*s\n", symbol, event->symbol, room, event->abbreviation);
}

unsigned events_list(struct out *out, enum event_set set, const char *filter)
{
    const struct event *event;
    unsigned lines = 0, unit = EVENT_UNITS;

    for (unsigned i = 0; (event = event_at(set, i)); i++) {
        if (!listed(event, filter))
            continue;
        if (event->unit != unit) {
            unit = event->unit;
            out_printf(out, "%s: %s\n", event_units[unit].name, event_units[unit].what);
        }
        out_printf(out, "  %03X ", event->select);
        if (event->mask_legal)
            out_printf(out, ":%02X ", event->mask_default);
        else
            out_printf(out, "    ");
        print_names(out, event);
        lines++;
    }
    return lines;
}

static void print_mask(struct out *out, const struct event *event)
{
    if (event->flags & EVENT_MASK_INDEX) {
        out_printf(out, "  mask       a number from 00 to %02X; %02X when none is given\n", event->mask_legal,
                   event->mask_default);
        return;
    }
    if (event->mask_legal == 0) {
        out_printf(out, "  mask       none\n");
        return;
    }
    out_printf(out, "  mask       %02X when none is given\n", event->mask_default);
    for (unsigned bit = 0; bit < EVENT_MASK_BITS; bit++) {
        if (!event->bits[bit])
            continue;
        out_printf(out, "        %02X   ", 1u << bit);
        wrap_text(out, event->bits[bit], INDENT, INDENT, LINE);
    }
}

static void print_flags(struct out *out, const struct event *event)
{
    static const struct {
        uint8_t flag;
        const char *text;
    } notes[] = {
        {EVENT_NODE, "counted once per node: only one core of a node may use it"},
        {EVENT_SPECULATIVE, "counts what never retires, too"},
        {EVENT_INTERRUPTS, "counts interrupts and exceptions, too"},
        {EVENT_DOUBTFUL, "not to be relied upon"},
    };

    for (unsigned i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
        if (event->flags & notes[i].flag)
            out_printf(out, "  note       %s\n", notes[i].text);
}

static void print_sets(struct out *out, const struct event *event)
{
    const char *before = "  processors ";

    for (unsigned set = 0; set < EVENT_SETS; set++) {
        if (!(event->sets >> set & 1))
            continue;
        out_printf(out, "%s%s", before, event_set_name((enum event_set)set));
        before = ", ";
    }
    out_printf(out, "\n");
}

static void print_revisions(struct out *out, const struct event *event)
{
    if (event->since == event->last)
        out_printf(out, "  revisions  only %c\n", event->since);
    else if (event->since > 'B')
        out_printf(out, "  revisions  from %c on\n", event->since);
    else
        out_printf(out, "  revisions  all\n");
}

/* Prints the counters, unless all can count it. */
static void print_counters(struct out *out, const struct event *event)
{
    const char *before = "  counters   ";
    unsigned counters = event->counters || event->pair ? event_counters(event) : 0;

    if (!counters)
        return;
    for (unsigned counter = 0; counters >> counter; counter++) {
        if (!(counters >> counter & 1))
            continue;
        out_printf(out, "%s%u", before, counter);
        before = ", ";
    }
    out_printf(out, event->pair ? ", each with the next\n" : "\n");
}

void event_explain(struct out *out, enum event_set set, const struct event *event)
{
    out_printf(out, "%03X %s\n", event->select, event->symbol);
    out_printf(out, "  name       ");
    wrap_text(out, event->name, INDENT, INDENT, LINE);
    out_printf(out, "  short      %s\n", event->abbreviation);
    out_printf(out, "  unit       %s, %s\n", event_units[event->unit].name, event_units[event->unit].what);
    if (set == EVENT_SET_10H)
        print_revisions(out, event);
    else
        print_sets(out, event);
    print_counters(out, event);
    print_mask(out, event);
    if (set == EVENT_SET_10H && event->mask_since_c)
        out_printf(out, "  note       revision B does not have mask %02X\n", event->mask_since_c);
    out_printf(out, "  period     at least %u, default %lu\n", event->period_min, event_default_period(event));
    out_printf(out, "             start long: interrupts disturb caches, TLBs and predictors\n");
    print_flags(out, event);
    if (event->remark) {
        out_printf(out, "  remark     ");
        wrap_text(out, event->remark, INDENT, INDENT, LINE);
    }
}
