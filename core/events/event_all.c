/* SPDX-License-Identifier: BSD-2-Clause */
/* All events of a revision, each bit of their masks separately. */
#include "core/events/event_groups.h"

struct collector {
    const struct event_all *all;
    struct event_list *list;
    uint64_t seen[4]; /* a bit for each mask of this event */
    unsigned left_out;
    bool full;
};

static void add(struct collector *c, const struct event *event, unsigned mask)
{
    struct event_spec spec = {.event = event, .mask = (uint8_t)mask, .user = true, .kernel = true, .mask_given = true};

    if (c->seen[mask / 64] >> mask % 64 & 1 || !event_check(&spec, c->all->revision, NULL))
        return;
    c->seen[mask / 64] |= 1ull << mask % 64;
    if (c->all->counts && !c->all->counts(c->all->context, &spec))
        c->left_out++;
    else if (c->list->count < EVENT_LIST_MAX)
        c->list->spec[c->list->count++] = spec;
    else
        c->full = true;
}

static void add_numbers(struct collector *c, const struct event *event)
{
    for (unsigned number = 0; number <= event->mask_legal; number++)
        add(c, event, number);
}

static void add_bits(struct collector *c, const struct event *event)
{
    unsigned legal = c->all->revision < 'C' ? event->mask_legal & ~(unsigned)event->mask_since_c : event->mask_legal;
    unsigned always = event->flags & EVENT_CORE_SELECT ? 0xF0 : 0, modifier = event->mask_modifier;

    add(c, event, event_default_mask(event, c->all->revision));
    add(c, event, legal);
    for (unsigned bit = 1; bit <= 0x80; bit <<= 1) {
        if (!(legal & bit) || (modifier & bit))
            continue;
        add(c, event, always | bit);
        add(c, event, always | bit | modifier);
    }
}

bool event_list_all(struct event_list *list, const struct event_all *all, unsigned *ret_left_out)
{
    struct collector c = {.all = all, .list = list};
    const struct event *event;

    list->count = 0;
    list->set = all->set;
    list->counters = list->meant = list->missing = 0;
    for (unsigned i = 0; (event = event_at(all->set, i)); i++) {
        if (all->unit != EVENT_UNITS && event->unit != all->unit)
            continue;
        for (unsigned word = 0; word < 4; word++)
            c.seen[word] = 0;
        if (event->flags & EVENT_MASK_INDEX)
            add_numbers(&c, event);
        else
            add_bits(&c, event);
    }
    *ret_left_out = c.left_out;
    return !c.full;
}
