/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/profile/csv.h"

#include "core/base/mem.h"

void csv_field(struct out *out, const char *text)
{
    bool quoted = false;
    size_t start = 0, end = 0;

    for (const char *p = text; *p; p++)
        if (*p == ',' || *p == '"' || *p == '\n' || *p == '\r')
            quoted = true;
    if (!quoted) {
        out->write(out, text, strlen(text));
        return;
    }
    out->write(out, "\"", 1);
    for (; text[end]; end++) {
        if (text[end] != '"')
            continue;
        /* The quote itself comes with the next piece, so it is written twice. */
        out->write(out, text + start, end + 1 - start);
        start = end;
    }
    out->write(out, text + start, end - start);
    out->write(out, "\"", 1);
}

void csv_event(struct out *out, enum derived event)
{
    char text[80];
    struct out_memory title;

    out_memory_init(&title, text, sizeof(text));
    out_printf(&title.out, "%s %s [%s]", derived_events[event].code, derived_events[event].abbreviation,
               derived_unit_name(&derived_events[event]));
    csv_field(out, text);
}

static void write_header(struct out *out, const struct derived_set *set, bool timed)
{
    out_printf(out, "rva,function,file,line,instruction");
    for (int i = 0; i < DERIVED_COUNT; i++) {
        if (!set->has[i])
            continue;
        out_printf(out, ",");
        csv_event(out, (enum derived)i);
    }
    out_printf(out, "%s\n", timed ? CSV_TIME_TITLES : "");
}

void csv_time(struct out *out, const struct time_share_part *part)
{
    out_printf(out, ",%u,%u,%u", part->share, part->low, part->high);
}

/* Writes figures; counts NULL: none. */
static void write_figures(struct out *out, const struct derived_set *set, const uint64_t *counts,
                          const struct time_share_part *part)
{
    for (int i = 0; i < DERIVED_COUNT; i++)
        if (set->has[i])
            out_printf(out, ",%lu", counts ? counts[i] : 0);
    if (part)
        csv_time(out, part);
    out_printf(out, "\n");
}

void csv_instruction(struct out *out, const struct codemap *map, uint32_t index)
{
    const struct codemap_insn *insn = &map->insns[index];

    out_printf(out, "0x%x,", insn->rva);
    csv_field(out, map->strings + map->funcs[insn->func].name);
    out_printf(out, ",");
    csv_field(out, insn->file < map->file_count ? map->strings + map->files[insn->file] : "");
    out_printf(out, ",");
    if (insn->line)
        out_printf(out, "%u", insn->line);
    out_printf(out, ",");
    csv_field(out, map->strings + insn->text);
}

static bool any_counts(const struct profile *profile, uint32_t from, uint32_t end)
{
    for (uint32_t i = from; i < end; i++)
        if (!profile_empty(profile, i))
            return true;
    return false;
}

void csv_write_profile(struct out *out, const struct profile *profile, const struct time_share *time)
{
    write_header(out, profile->set, time);
    for (uint32_t start = 0, end; start < profile->map->insn_count; start = end) {
        end = codemap_function_end(profile->map, start);
        for (uint32_t i = any_counts(profile, start, end) ? start : end; i < end; i++) {
            csv_instruction(out, profile->map, i);
            write_figures(out, profile->set, profile_row(profile, i), time ? &time->rows[i].part : NULL);
        }
    }
    out_printf(out, ",(outside the map),,,");
    write_figures(out, profile->set, profile->outside, time ? &time->rows[profile->map->insn_count].part : NULL);
    if (!time)
        return;
    out_printf(out, ",(front end),,,");
    write_figures(out, profile->set, NULL, &time->front);
}
