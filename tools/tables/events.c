/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the counter events as Markdown. */
#include "tools/tables/tables.h"

#include <stdio.h>

#include "core/events/events.h"

enum { USUAL_PERIOD_MIN = 500 };

/* revisions: print Family 10h's. */
static void event_mask(const struct event *event, bool revisions)
{
    if (event->flags & EVENT_MASK_INDEX) {
        printf("a number from 0 to %u", event->mask_legal);
        return;
    }
    for (unsigned bit = 0; bit < EVENT_MASK_BITS; bit++) {
        if (!event->bits[bit])
            continue;
        printf("%s`%02X` ", (event->mask_legal & ((1u << bit) - 1)) ? "<br>" : "", 1u << bit);
        tables_cell(event->bits[bit]);
        if (revisions && event->mask_since_c & 1u << bit)
            printf(" (C and later)");
    }
    if (event->mask_legal)
        printf("<br>default `%02X`", event->mask_default);
}

/* Prints properties that most events lack, then the remarks. revisions: print Family 10h's. */
static void event_notes(const struct event *event, bool revisions)
{
    static const struct {
        uint8_t flag;
        const char *text;
    } notes[] = {
        {EVENT_SPECULATIVE, "Counts ops that never retire, too."},
        {EVENT_NODE, "Counted once per node."},
        {EVENT_CORE_SELECT, "Erratum 437: mask bits 7 to 4 must all be set."},
        {EVENT_INTERRUPTS, "Includes exceptions and interrupts."},
        {EVENT_DOUBTFUL, "Not to be relied upon."},
        {EVENT_MASK_GROUPS, "Both halves of the mask need a bit."},
    };

    if (revisions && event->since == event->last)
        printf("Revision %c. ", event->since);
    else if (revisions && (event->since != 'B' || event->last != 'E'))
        printf("Revisions %c to %c. ", event->since, event->last);
    if (event->period_min != USUAL_PERIOD_MIN)
        printf("Smallest period %u. ", event->period_min);
    for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
        if (event->flags & notes[i].flag)
            printf("%s ", notes[i].text);
    if (event->remark)
        tables_cell(event->remark);
}

void tables_events(void)
{
    const struct event *event;
    unsigned unit = EVENT_UNITS;

    for (unsigned i = 0; (event = event_at(EVENT_SET_10H, i)); i++) {
        if (event->unit != unit) {
            unit = event->unit;
            printf("%s### %s: %s\n\n", unit ? "\n" : "", event_units[unit].name, event_units[unit].what);
            puts("| code | symbol, name | mask | |\n|---|---|---|---|");
        }
        printf("| `%03X` | `%s`<br>", event->select, event->symbol);
        tables_cell(event->name);
        printf(" | ");
        event_mask(event, true);
        printf(" | ");
        event_notes(event, true);
        puts(" |");
    }
}

static void event_counters_note(const struct event *event)
{
    if (!event->counters)
        return;
    printf("On counter");
    for (unsigned counter = 0; event->counters >> counter; counter++)
        if (event->counters >> counter & 1)
            printf(" %u", counter);
    printf(" alone. ");
}

static void row_later(const struct event *event, unsigned sets)
{
    const char *before = "";

    printf("| `%03X` | `%s`<br>", event->select, event->symbol);
    tables_cell(event->name);
    printf(" | ");
    event_mask(event, false);
    printf(" | ");
    if ((event->sets & sets) == sets && (sets & (sets - 1)))
        printf("all");
    else
        for (int set = 0; set < EVENT_SETS; set++)
            if (event->sets & sets & 1u << set) {
                printf("%s%s", before, event_set_name((enum event_set)set));
                before = ", ";
            }
    printf(" | ");
    event_counters_note(event);
    event_notes(event, false);
    puts(" |");
}

/* Marks the codes of a unit's rows in the sets: looking up all codes in each set would take seconds. */
static void codes_of(unsigned unit, unsigned sets, bool used[0x1000])
{
    const struct event *event;

    for (int set = 0; set < EVENT_SETS; set++)
        for (unsigned i = 0; sets >> set & 1 && (event = event_at((enum event_set)set, i)); i++)
            if (event->unit == unit)
                used[event->select] = true;
}

/* Prints the rows of a unit in any of the sets, ascending by code. */
static void unit_later(unsigned unit, unsigned sets)
{
    bool used[0x1000] = {false};
    unsigned shown = 0;

    codes_of(unit, sets, used);
    for (unsigned select = 0; select <= 0xFFF; select++) {
        for (int set = 0; used[select] && set < EVENT_SETS; set++) {
            const struct event *event = sets >> set & 1 ? event_by_select((enum event_set)set, select) : NULL;

            if (!event || event->unit != unit || (event->sets & sets & ((1u << set) - 1))) /* printed for that set */
                continue;
            if (!shown++) {
                printf("\n### %s: %s\n\n", event_units[unit].name, event_units[unit].what);
                puts("| code | symbol, name | mask | processors | |\n|---|---|---|---|---|");
            }
            row_later(event, sets);
        }
    }
}

/* Returns a set, with those that share an event with it. */
static unsigned sharing(enum event_set set)
{
    unsigned sets = 1u << set;

    for (unsigned i = 0; i < event_count(set); i++)
        sets |= event_at(set, i)->sets;
    return sets & ~EVENT_IN(10H);
}

void tables_events_later(void)
{
    unsigned done = EVENT_IN(10H) | EVENT_IN(NONE);

    for (int set = 0; set < EVENT_SETS; set++) {
        unsigned sets = sharing((enum event_set)set);
        const char *before = "";

        if (done >> set & 1)
            continue;
        printf("%s## ", done & ~(EVENT_IN(10H) | EVENT_IN(NONE)) ? "\n" : "");
        for (int member = 0; member < EVENT_SETS; member++)
            if (sets >> member & 1) {
                printf("%s%s", before, event_set_name((enum event_set)member));
                before = ", ";
            }
        puts("");
        for (unsigned unit = 0; unit < EVENT_UNITS; unit++)
            unit_later(unit, sets);
        done |= sets;
    }
}
