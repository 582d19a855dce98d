/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events of Family 10h without a source on a file's processor (core/ibs/derived.h, derived_has_source): every output
 * omits them, and names them once.
 */
#ifndef TOOLS_IBSPROF_NO_SOURCE_H
#define TOOLS_IBSPROF_NO_SOURCE_H

#include "core/base/out.h"
#include "core/view/view.h"
#include "tools/ibsprof/profile/profile.h"

/* Returns whether the file has samples of the event's kind, but its processor no source for the event. */
bool no_source(const struct run_profile *profile, enum derived event);
bool no_source_any(const struct run_profile *profile);

/* Prints a line: "not on this processor (Family 19h models 60h-FFh (Zen 4)): F109, F209 to F20C: no source in its
 * registers"; nothing if every event has one. */
void no_source_note(struct out *out, const struct run_profile *profile, const char *prefix);

/* Copies the view's columns that have sources. Returns false if none has, or the population of its rows has not. */
bool no_source_view(const struct run_profile *profile, const struct view *view, struct view *ret_view);

#endif
