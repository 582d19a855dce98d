/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events of Family 10h that a file's processor has no source for (core/ibs/derived.h, derived_has_source): they are
 * left out of every output and named once.
 */
#ifndef TOOLS_IBSPROF_NO_SOURCE_H
#define TOOLS_IBSPROF_NO_SOURCE_H

#include "core/base/out.h"
#include "core/view/view.h"
#include "tools/ibsprof/profile/profile.h"

/* The file has samples of the event's kind and its processor no source for it. */
bool no_source(const struct run_profile *profile, enum derived event);
bool no_source_any(const struct run_profile *profile);

/* A line: "not on this processor (Family 19h models 60h-FFh (Zen 4)): F109, F209 to F20C: no source in its registers".
 * Nothing when every event has one. */
void no_source_note(struct out *out, const struct run_profile *profile, const char *prefix);

/* The view with the columns that have sources; false: none has, or what its rows are of has not. */
bool no_source_view(const struct run_profile *profile, const struct view *view, struct view *ret_view);

#endif
