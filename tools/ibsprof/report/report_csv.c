/* SPDX-License-Identifier: BSD-2-Clause */
/* The report as CSV; the contract is in report_text.h. */
#include <inttypes.h>

#include "core/csv.h"
#include "tools/ibsprof/profile/view_profile.h"
#include "tools/ibsprof/report/report_text.h"
#include "tools/ibsprof/read/input_names.h"

static void header(struct out *out, const struct run_profile *profile, bool ibs)
{
    out_printf(out, "object,rva,function,file,line,instruction,mode,workload");
    for (int i = 0; ibs && i < DERIVED_COUNT; i++) {
        out_printf(out, ",");
        csv_event(out, (enum derived)i);
    }
    for (uint32_t i = 0; i < profile->facts->event_count; i++) {
        char text[200];
        struct out_memory title;

        if (sample_is_ibs(profile->facts->events[i].kind))
            continue;
        out_memory_init(&title, text, sizeof(text));
        out_printf(&title.out, "%s [samples]", profile->facts->events[i].name);
        out_printf(out, ",");
        csv_field(out, text);
    }
    out_printf(out, "\n");
}

static void place_row(struct out *out, const struct run_profile *profile, const struct profile_place *place, bool ibs)
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
    for (int i = 0; ibs && i < DERIVED_COUNT; i++)
        out_printf(out, ",%" PRIu64, place->counts[i]);
    for (uint32_t i = 0; i < profile->facts->event_count; i++)
        if (!sample_is_ibs(profile->facts->events[i].kind))
            out_printf(out, ",%" PRIu64, place->events[i]);
    out_printf(out, "\n");
}

void report_csv(struct out *out, const struct run_profile *profile)
{
    bool ibs = false;

    if (!profile->facts->is_linux && !profile->outside_unknown) {
        struct view_profile core;

        view_profile_make(&core, profile, main_object(profile), 0);
        csv_write_profile(out, &core.profile);
        view_profile_free(&core);
        return;
    }
    for (uint32_t i = 0; i < profile->facts->event_count; i++)
        ibs |= sample_is_ibs(profile->facts->events[i].kind);
    header(out, profile, ibs);
    for (uint32_t i = 0; i < profile->place_count; i++)
        place_row(out, profile, &profile->places[i], ibs);
}
