/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/kinds/counters/pmc.h"

enum {
    TEXT_COLUMNS = 33,
    EVENT_COLUMNS = 9,
    TABLE_EVENTS = 4,
    LISTED_PERCENT = 1, /* functions with at least this share of all samples are listed whole */
};

/* Events of one table, from 'first' in the list on. */
struct part {
    const struct run *run;
    unsigned first, count;
};

static void line(struct out *out, const struct part *part, char character)
{
    unsigned width = 8 + TEXT_COLUMNS + EVENT_COLUMNS * part->count;

    for (unsigned i = 0; i < width; i++)
        out->write(out, &character, 1);
    out_printf(out, "\n");
}

static void header(struct out *out, const struct part *part)
{
    const struct event_list *list = &part->run->task.list;

    out_printf(out, "\nCounter samples: the point that retirement had reached at each interrupt\n");
    for (unsigned i = 0; i < part->count; i++) {
        out_printf(out, "  ");
        event_write(&list->spec[part->first + i], false, out);
        out_printf(out, "  %s%s\n", list->spec[part->first + i].event->name,
                   part->run->task.counted[part->first + i] ? "" : " (not modelled)");
    }
    line(out, part, '=');
    out_printf(out, "Address %-*s", TEXT_COLUMNS, "Instruction");
    for (unsigned i = 0; i < part->count; i++) {
        struct out_memory text;
        char name[24];

        out_memory_init(&text, name, sizeof(name));
        event_write(&list->spec[part->first + i], false, &text.out);
        out_printf(out, "%*.*s", EVENT_COLUMNS, EVENT_COLUMNS - 1, name);
    }
    out_printf(out, "\n");
    line(out, part, '-');
}

static void cells(struct out *out, const struct part *part, const uint64_t *counts)
{
    for (unsigned i = 0; i < part->count; i++)
        if (pmc_profile_counted(&part->run->pmc.profile.event[part->first + i]))
            out_printf(out, "%*lu", EVENT_COLUMNS, counts[part->first + i]);
        else
            out_printf(out, "%*s", EVENT_COLUMNS, "-");
    out_printf(out, "\n");
}

/* Adds up the samples of the part's events in 'counts'. */
static uint64_t sum(const struct part *part, const uint64_t *counts)
{
    uint64_t all = 0;

    for (unsigned i = 0; i < part->count; i++)
        all += counts[part->first + i];
    return all;
}

static void function(struct out *out, const struct part *part, uint32_t index, uint64_t all)
{
    const struct pmc_profile *profile = &part->run->pmc.profile;
    const struct codemap *map = profile->levels.map;
    uint64_t counts[PMC_PROFILE_EVENTS];

    pmc_profile_sum(profile, PROFILE_FUNCTIONS, index, counts);
    if (!sum(part, counts))
        return;
    out_printf(out, " %-*.*s", TEXT_COLUMNS + 7, TEXT_COLUMNS + 6, map->strings + map->funcs[index].name);
    cells(out, part, counts);
    if (sum(part, counts) * 100 < all * LISTED_PERCENT)
        return;
    for (uint32_t i = 0; i < map->insn_count; i++) {
        if (levels_of(&profile->levels, PROFILE_FUNCTIONS, i) != index)
            continue;
        pmc_profile_sum(profile, PROFILE_INSTRUCTIONS, i, counts);
        out_printf(out, "%7x %-*.*s", map->insns[i].rva, TEXT_COLUMNS, TEXT_COLUMNS - 1,
                   map->strings + map->insns[i].text);
        cells(out, part, counts);
    }
}

static void table(struct out *out, const struct part *part)
{
    const struct pmc_profile *profile = &part->run->pmc.profile;
    uint64_t outside[PMC_PROFILE_EVENTS], all[PMC_PROFILE_EVENTS];

    for (unsigned i = 0; i < profile->event_count; i++) {
        outside[i] = profile->event[i].outside;
        all[i] = profile->event[i].samples;
    }
    header(out, part);
    for (uint32_t f = 0; f < levels_count(&profile->levels, PROFILE_FUNCTIONS); f++)
        function(out, part, f, sum(part, all));
    if (sum(part, outside)) {
        out_printf(out, " %-*s", TEXT_COLUMNS + 7, "(outside of the workloads)");
        cells(out, part, outside);
    }
    line(out, part, '-');
    out_printf(out, " %-*s", TEXT_COLUMNS + 7, "all samples");
    cells(out, part, all);
}

void pmc_samples_tables(struct out *out, const struct run *run)
{
    for (unsigned first = 0; first < run->task.list.count; first += TABLE_EVENTS) {
        unsigned left = run->task.list.count - first;
        const struct part part = {run, first, left < TABLE_EVENTS ? left : TABLE_EVENTS};
        table(out, &part);
    }
}
