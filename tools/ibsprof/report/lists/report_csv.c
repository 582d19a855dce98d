/* SPDX-License-Identifier: BSD-2-Clause */
/* The report as CSV; the contract is in report_text.h. */
#include <inttypes.h>

#include "core/profile/csv.h"
#include "tools/ibsprof/counters/time_file.h"
#include "tools/ibsprof/profile/view_profile.h"
#include "tools/ibsprof/report/json/report_parts.h"
#include "tools/ibsprof/report/lists/report_columns.h"
#include "tools/ibsprof/report/tables/report_text.h"
#include "tools/ibsprof/read/input_names.h"

static void place_row(struct out *out, const struct run_profile *profile, const struct profile_place *place)
{
    const char *function = profile_function(profile, place);

    csv_field(out, profile_object(profile, place));
    out_printf(out, ",");
    if (place->insn >= 0) {
        csv_instruction(out, profile->maps[place->object], (uint32_t)place->insn);
    } else {
        out_printf(out, "0x%" PRIx64 ",", place->rva);
        csv_field(out, function ? function : "");
        out_printf(out, ",,,");
    }
    out_printf(out, ",%s,%s",
               place->mode > MODE_UNKNOWN && place->mode <= MODE_GUEST_USER ? input_mode_name(place->mode) : "",
               profile->outside_unknown ? ""
               : place->workload        ? "1"
                                        : "0");
    report_columns_csv(out, profile, place->counts, place->events);
    out_printf(out, "\n");
}

/* Writes profile.csv again, with the run's saved estimate of time. */
static void write_own(struct out *out, const struct run_profile *profile, const struct view_profile *core)
{
    struct time_file time;

    if (!report_time_read(&time, profile)) {
        csv_write_profile(out, &core->profile, NULL);
        return;
    }
    time_file_move(&time, core->map);
    csv_write_profile(out, &core->profile, &time.share);
    time_file_free(&time);
}

void report_csv(struct out *out, const struct run_profile *profile)
{
    if (!profile->facts->is_linux && !profile->outside_unknown) {
        struct view_profile core;

        view_profile_make(&core, profile, main_object(profile), 0);
        write_own(out, profile, &core);
        view_profile_free(&core);
        return;
    }
    out_printf(out, "object,rva,function,file,line,instruction,mode,workload");
    report_columns_csv_titles(out, profile);
    out_printf(out, "\n");
    for (uint32_t i = 0; i < profile->place_count; i++)
        place_row(out, profile, &profile->places[i]);
}
