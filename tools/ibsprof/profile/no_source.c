/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/no_source.h"

#include <inttypes.h>

bool no_source(const struct run_profile *profile, enum derived event)
{
    bool kind = false;

    for (uint32_t i = 0; i < profile->facts->event_count; i++)
        kind |= profile->facts->events[i].kind == derived_events[event].kind;
    return kind && !derived_events[event].later && !profile_has(profile, event);
}

bool no_source_any(const struct run_profile *profile)
{
    for (int i = 0; i < DERIVED_FIRST; i++)
        if (no_source(profile, (enum derived)i))
            return true;
    return false;
}

void no_source_note(struct out *out, const struct run_profile *profile, const char *prefix)
{
    const struct ibs_family *row = profile->set.machine.row;
    unsigned kinds = 0;

    if (!no_source_any(profile))
        return;
    out_printf(out, "%snot on this processor (", prefix);
    if (row)
        out_printf(out, "%s): ", row->name);
    else
        out_printf(out, "family 0x%" PRIX32 " is not known): ", profile->facts->family);
    for (uint32_t i = 0; i < profile->facts->event_count; i++)
        if (sample_is_ibs(profile->facts->events[i].kind))
            kinds |= 1u << profile->facts->events[i].kind;
    derived_print_missing(out, &profile->set, kinds);
    out_printf(out, "; its registers do not show them\n");
}

bool no_source_view(const struct run_profile *profile, const struct view *view, struct view *ret_view)
{
    if (view_kind(view) == SAMPLE_PMC)
        return view_with_events(view, input_event_set(profile->facts), ret_view);
    return view_with_sources(view, &profile->set, ret_view);
}
