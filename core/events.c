/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/events.h"

#include "core/events_rows.h"
#include "core/mem.h"
#include "core/pmc_regs.h"
#include "core/str.h"

/* Tables of Family 10h by unit, then those of later families: a set's, in the order of the units. Pointers to the
 * counts: the values of other files' variables are no constants. */
static const struct {
    const struct event *rows;
    const unsigned *count;
    const char *unit;
    const char *what;
} tables[] = {
    [EVENT_FP] = {events_fp, &events_fp_count, "FP", "floating point"},
    [EVENT_LS] = {events_ls, &events_ls_count, "LS", "load/store and segments"},
    [EVENT_DC] = {events_dc, &events_dc_count, "DC", "data cache and DTLB"},
    [EVENT_L2] = {events_l2, &events_l2_count, "L2", "L2 cache and system interface"},
    [EVENT_IC] = {events_ic, &events_ic_count, "IC", "instruction cache and ITLB"},
    [EVENT_FR] = {events_fr, &events_fr_count, "FR", "execution"},
    [EVENT_NB] = {events_nb, &events_nb_count, "NB", "northbridge"},
    [EVENT_L3] = {events_l3, &events_l3_count, "L3", "L3 cache"},
    [EVENT_UNITS] = {events_zen_ls, &events_zen_ls_count, NULL, NULL},
    {events_zen_l2, &events_zen_l2_count, NULL, NULL},
    {events_zen_ic, &events_zen_ic_count, NULL, NULL},
    {events_zen_fr, &events_zen_fr_count, NULL, NULL},
    {events_15h_ls, &events_15h_ls_count, NULL, NULL},
    {events_15h_l2, &events_15h_l2_count, NULL, NULL},
    {events_15h_fr, &events_15h_fr_count, NULL, NULL},
    {events_cat_ls, &events_cat_ls_count, NULL, NULL},
    {events_cat_fr, &events_cat_fr_count, NULL, NULL},
    {events_12h_nb, &events_12h_nb_count, NULL, NULL},
};

static const char *const set_names[EVENT_SETS] = {
    [EVENT_SET_NONE] = "this processor", [EVENT_SET_10H] = "Family 10h",     [EVENT_SET_ZEN] = "Zen",
    [EVENT_SET_ZEN2] = "Zen 2",          [EVENT_SET_ZEN3] = "Zen 3",         [EVENT_SET_ZEN4] = "Zen 4",
    [EVENT_SET_ZEN5] = "Zen 5",          [EVENT_SET_ZEN6] = "Zen 6",         [EVENT_SET_15H] = "Bulldozer",
    [EVENT_SET_15H_10] = "Piledriver",   [EVENT_SET_15H_30] = "Steamroller", [EVENT_SET_15H_60] = "Excavator",
    [EVENT_SET_14H] = "Bobcat",          [EVENT_SET_16H] = "Jaguar",         [EVENT_SET_12H] = "Llano",
};

enum { PERIOD_FREQUENT = 250000, PERIOD_RARE = 25000 };

struct event_table event_table(enum event_unit unit)
{
    return (struct event_table){
        .rows = tables[unit].rows, .count = *tables[unit].count, .unit = tables[unit].unit, .what = tables[unit].what};
}

/* Where a walk over a set's rows is. */
struct walk {
    size_t table;
    unsigned row;
};

static const struct event *next(struct walk *walk, enum event_set set)
{
    for (; walk->table < sizeof(tables) / sizeof(tables[0]); walk->table++, walk->row = 0)
        while (walk->row < *tables[walk->table].count) {
            const struct event *event = &tables[walk->table].rows[walk->row++];

            if (event->sets >> set & 1)
                return event;
        }
    return NULL;
}

const struct event *event_at(enum event_set set, unsigned index)
{
    struct walk walk = {0};
    const struct event *event;

    while ((event = next(&walk, set)) && index)
        index--;
    return event;
}

unsigned event_count(enum event_set set)
{
    struct walk walk = {0};
    unsigned count = 0;

    while (next(&walk, set))
        count++;
    return count;
}

const char *event_set_name(enum event_set set)
{
    return set_names[set];
}

const struct event *event_by_select(enum event_set set, uint32_t select)
{
    struct walk walk = {0};
    const struct event *event;

    while ((event = next(&walk, set)) && event->select != select)
        ;
    return event;
}

const struct event *event_by_symbol(enum event_set set, const char *text, size_t length)
{
    struct walk walk = {0};
    const struct event *event;

    while ((event = next(&walk, set)) && !str_is(text, length, event->symbol))
        ;
    return event;
}

unsigned event_count_mask_max(const struct event *event)
{
    return event->sets & (EVENT_IN(10H) | EVENT_IN(12H) | EVENT_IN(14H) | EVENT_IN(16H)) ? PMC_COUNT_MASK_MAX
                                                                                         : PMC_COUNT_MASK_LATER;
}

unsigned event_counters(const struct event *event)
{
    unsigned all = (1u << PMC_COUNTERS) - 1;

    return event->counters ? event->counters & all : all;
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
