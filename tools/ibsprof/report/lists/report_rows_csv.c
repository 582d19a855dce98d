/* SPDX-License-Identifier: BSD-2-Clause */
/* All events by function or source line, as CSV; the contract is in report_text.h. */
#include <inttypes.h>

#include "core/profile/csv.h"
#include "tools/ibsprof/profile/rows.h"
#include "tools/ibsprof/read/input_names.h"
#include "tools/ibsprof/report/lists/report_columns.h"
#include "tools/ibsprof/report/tables/report_text.h"

static void write_place(struct out *out, const struct run_profile *profile, enum profile_level level,
                        const struct profile_place *place)
{
    const struct codemap *map = place->insn >= 0 ? profile->maps[place->object] : NULL;
    const struct codemap_insn *insn = map && level == PROFILE_LINES ? &map->insns[place->insn] : NULL;
    const char *function = profile_function(profile, place);

    csv_field(out, profile_object(profile, place));
    if (level == PROFILE_FUNCTIONS && place->func >= 0)
        out_printf(out, ",0x%" PRIx64 ",", profile_function_start(profile, place->object, place->func));
    else
        out_printf(out, ",0x%" PRIx64 ",", place->rva);
    csv_field(out, function ? function : "");
    out_printf(out, ",");
    csv_field(out, insn && insn->file < map->file_count ? map->strings + map->files[insn->file] : "");
    out_printf(out, ",");
    if (insn && insn->line > 0)
        out_printf(out, "%" PRIu32, (uint32_t)insn->line);
    out_printf(out, ",%s,%s",
               place->mode > MODE_UNKNOWN && place->mode <= MODE_GUEST_USER ? input_mode_name(place->mode) : "",
               profile->outside_unknown ? ""
               : place->workload        ? "1"
                                        : "0");
}

void report_rows_csv(struct out *out, const struct run_profile *profile, enum profile_level level,
                     const struct report_options *options)
{
    struct rows *rows = rows_make(profile, level, &options->measure, false);

    out_printf(out, "object,rva,function,file,line,mode,workload");
    report_columns_csv_titles(out, profile);
    out_printf(out, "\n");
    for (uint32_t i = 0; i < rows->count; i++) {
        write_place(out, profile, level, rows->rows[i].first);
        report_columns_csv(out, profile, rows->rows[i].counts, rows->rows[i].events);
        out_printf(out, "\n");
    }
    rows_free(rows);
}
