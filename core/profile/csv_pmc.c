/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/profile/csv.h"

static void write_header(struct out *out, const struct pmc_profile *profile)
{
    out_printf(out, "rva,function,file,line,instruction");
    for (unsigned i = 0; i < profile->event_count; i++) {
        const struct event_spec *spec = &profile->event[i].spec;
        char text[96];
        struct out_memory title;

        out_memory_init(&title, text, sizeof(text));
        if (spec->event) {
            event_write(spec, false, &title.out);
            out_printf(&title.out, " %s [samples]", spec->event->symbol);
        } else {
            out_printf(&title.out, "timer [samples]");
        }
        out_printf(out, ",");
        csv_field(out, text);
    }
    out_printf(out, "\n");
}

/* Writes counts; a cell is empty where the event was not counted. */
static void write_counts(struct out *out, const struct pmc_profile *profile, const uint64_t *counts)
{
    for (unsigned e = 0; e < profile->event_count; e++)
        if (pmc_profile_counted(&profile->event[e]))
            out_printf(out, ",%lu", counts[e]);
        else
            out_printf(out, ",");
    out_printf(out, "\n");
}

static bool any_counts(const struct pmc_profile *profile, uint32_t from, uint32_t end)
{
    for (uint32_t i = from; i < end; i++)
        if (!pmc_profile_empty(profile, i))
            return true;
    return false;
}

void csv_write_pmc_profile(struct out *out, const struct pmc_profile *profile)
{
    const struct codemap *map = profile->levels.map;
    uint64_t counts[PMC_PROFILE_EVENTS];

    write_header(out, profile);
    for (uint32_t start = 0, end; start < map->insn_count; start = end) {
        end = codemap_function_end(map, start);
        for (uint32_t i = any_counts(profile, start, end) ? start : end; i < end; i++) {
            csv_instruction(out, map, i);
            pmc_profile_sum(profile, PROFILE_INSTRUCTIONS, i, counts);
            write_counts(out, profile, counts);
        }
    }
    for (unsigned e = 0; e < profile->event_count; e++)
        counts[e] = profile->event[e].outside;
    out_printf(out, ",(outside the map),,,");
    write_counts(out, profile, counts);
}
