/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/events/events.h"

#include "core/base/mem.h"
#include "core/base/str.h"
#include "core/family/pmc_regs.h"

extern const struct event __start_event_rows[], __stop_event_rows[];

const struct event_unit_text event_units[EVENT_UNITS] = {
    [EVENT_FP] = {"FP", "floating point"},
    [EVENT_LS] = {"LS", "load/store and segments"},
    [EVENT_DC] = {"DC", "data cache and DTLB"},
    [EVENT_L2] = {"L2", "L2 cache and system interface"},
    [EVENT_IC] = {"IC", "instruction cache and ITLB"},
    [EVENT_FR] = {"FR", "execution"},
    [EVENT_NB] = {"NB", "northbridge"},
    [EVENT_L3] = {"L3", "L3 cache"},
};

static const char *const set_names[EVENT_SETS] = {
    [EVENT_SET_NONE] = "this processor", [EVENT_SET_10H] = "Family 10h",     [EVENT_SET_ZEN] = "Zen",
    [EVENT_SET_ZEN2] = "Zen 2",          [EVENT_SET_ZEN3] = "Zen 3",         [EVENT_SET_ZEN4] = "Zen 4",
    [EVENT_SET_ZEN5] = "Zen 5",          [EVENT_SET_ZEN6] = "Zen 6",         [EVENT_SET_15H] = "Bulldozer",
    [EVENT_SET_15H_10] = "Piledriver",   [EVENT_SET_15H_30] = "Steamroller", [EVENT_SET_15H_60] = "Excavator",
    [EVENT_SET_14H] = "Bobcat",          [EVENT_SET_16H] = "Jaguar",         [EVENT_SET_12H] = "Llano",
};

enum { PERIOD_FREQUENT = 250000, PERIOD_RARE = 25000 };

/* Returns the first of these rows, in the order of the files, that the set has, or NULL. */
static const struct event *first(const struct event *row, enum event_set set)
{
    while (row < __stop_event_rows && !(row->sets >> set & 1))
        row++;
    return row < __stop_event_rows ? row : NULL;
}

/* Iterates over the set's rows. */
#define EACH_ROW(row, set)                                                                                             \
    const struct event *row = first(__start_event_rows, set);                                                          \
    row;                                                                                                               \
    row = first(row + 1, set)

const struct event *event_at(enum event_set set, unsigned index)
{
    for (unsigned unit = 0; unit < EVENT_UNITS; unit++)
        for (EACH_ROW(row, set))
            if (row->unit == unit && index-- == 0)
                return row;
    return NULL;
}

unsigned event_count(enum event_set set)
{
    unsigned count = 0;

    for (EACH_ROW(row, set))
        count++;
    return count;
}

const char *event_set_name(enum event_set set)
{
    return set_names[set];
}

const struct event *event_by_select(enum event_set set, uint32_t select)
{
    for (EACH_ROW(row, set))
        if (row->select == select)
            return row;
    return NULL;
}

const struct event *event_by_symbol(enum event_set set, const char *text, size_t length)
{
    for (EACH_ROW(row, set))
        if (str_is(text, length, row->symbol))
            return row;
    return NULL;
}

unsigned event_count_mask_max(const struct event *event)
{
    return event->sets & (EVENT_IN(10H) | EVENT_IN(12H) | EVENT_IN(14H) | EVENT_IN(16H)) ? PMC_COUNT_MASK_MAX
                                                                                         : PMC_COUNT_MASK_LATER;
}

unsigned event_counters(const struct event *event)
{
    unsigned counters = event->counters ? event->counters : (1u << PMC_COUNTERS) - 1;

    return event->pair ? counters & PMC_PAIRS : counters;
}

uint8_t event_default_mask(const struct event *event, char revision)
{
    return revision < 'C' ? event->mask_default & (uint8_t)~event->mask_since_c : event->mask_default;
}

void event_fit(struct event_spec *spec, char revision)
{
    if (!spec->mask_given)
        spec->mask = event_default_mask(spec->event, revision);
}

uint64_t event_default_period(const struct event *event)
{
    uint64_t period = event->flags & EVENT_FREQUENT ? PERIOD_FREQUENT : PERIOD_RARE;

    return period < event->period_min ? event->period_min : period;
}

bool event_same(const struct event_spec *a, const struct event_spec *b)
{
    return a->event == b->event && a->mask == b->mask && a->count_mask == b->count_mask && a->user == b->user &&
           a->kernel == b->kernel && a->edge == b->edge && a->invert == b->invert;
}

uint64_t event_ctl(const struct event_spec *spec)
{
    uint64_t flags = 0;

    if (spec->user)
        flags |= PMC_CTL_USR;
    if (spec->kernel)
        flags |= PMC_CTL_OS;
    if (spec->edge)
        flags |= PMC_CTL_EDGE;
    if (spec->invert)
        flags |= PMC_CTL_INV;
    return pmc_ctl(spec->event->select, spec->mask, spec->count_mask, flags);
}

void event_write(const struct event_spec *spec, bool full, struct out *out)
{
    const struct event *event = spec->event;

    if (full)
        out_printf(out, "%s", event->symbol);
    else
        out_printf(out, "%03X", event->select);
    if (full || event->mask_legal)
        out_printf(out, ":%02X", spec->mask);
    if (spec->user != spec->kernel)
        out_printf(out, spec->user ? ":u" : ":k");
    if (spec->edge)
        out_printf(out, ":e");
    if (spec->invert)
        out_printf(out, ":i");
    if (spec->count_mask)
        out_printf(out, ":c=%u", spec->count_mask);
    if (full && spec->period)
        out_printf(out, "@%lu", spec->period);
}
