/* SPDX-License-Identifier: BSD-2-Clause */
/* General Exploration by function and line, with those rows of levels 2 and 3 that counter samples allow. */
#include "app/run/kind.h"
#include "app/kinds/counters/explore_functions.h"
#include "core/explore/explore_places.h"

KIND(kind_explore_deep, 36) = {
    .name = "explore_deep",
    .title = "General Exploration by function, all levels",
    .explanation = "Like explore_functions, with levels 2 and 3 as far as counter samples show\n"
                   "them: more groups of events, so more samples are needed for equally narrow\n"
                   "intervals.\n",
    .slots = true,
    .parts = {&kind_pmc},
    .events = KIND_SAMPLES_EVENTS,
    .list_events = explore_places_list_deep,
    .tables = explore_functions_tables,
};
