/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/export/folded.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/str.h"

/* Writes a frame without the characters that separate frames or end lines. */
static void put_frame(FILE *file, const char *text)
{
    for (; *text; text++)
        fputc(*text == ';' ? ':' : *text == '\n' ? ' ' : *text, file);
}

static void put_function(FILE *file, const struct run_profile *profile, const struct profile_place *place, bool several)
{
    const char *function = profile_function(profile, place);
    const char *object = str_basename(profile_object(profile, place));

    if (function)
        put_frame(file, function);
    if (!function || several) {
        fputs(function ? " [" : object[0] == '[' ? "" : "[", file);
        put_frame(file, object);
        fputs(!function && object[0] == '[' ? "" : "]", file);
    }
}

bool export_folded(FILE *file, const struct run_profile *profile, const struct measure *measure, bool workload_only)
{
    bool several = profile->object_count > 1;

    /* Not a stack, because it does not end with a number, so readers of stacks skip it. */
    if (profile->facts->is_model)
        fprintf(file, "# %s\n", input_figures(profile->facts));
    if (measure->derived < 0 && measure->event >= profile->facts->event_count)
        fprintf(file, "# counts are sums of periods, which vary in this file.\n");
    for (uint32_t i = 0; i < profile->place_count; i++) {
        const struct profile_place *place = &profile->places[i];
        uint64_t count = measure_of(measure, place->counts, place->events);
        const struct codemap *map;
        const struct codemap_insn *insn;

        if (count == 0 || (workload_only && !place->workload))
            continue;
        put_function(file, profile, place, several);
        if (place->insn < 0) {
            fprintf(file, ";%" PRIx64, place->rva);
        } else {
            map = profile->maps[place->object];
            insn = &map->insns[place->insn];
            if (insn->file < map->file_count && insn->line > 0) {
                fputc(';', file);
                put_frame(file, str_basename(map->strings + map->files[insn->file]));
                fprintf(file, ":%u", insn->line);
            }
            fprintf(file, ";%" PRIx64 " ", place->rva);
            put_frame(file, map->strings + insn->text);
        }
        fprintf(file, " %" PRIu64 "\n", count);
    }
    return !ferror(file);
}
