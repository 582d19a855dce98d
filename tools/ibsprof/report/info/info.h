/* SPDX-License-Identifier: BSD-2-Clause */
/* Results of 'ibsprof info', and their output. */
#ifndef TOOLS_IBSPROF_INFO_H
#define TOOLS_IBSPROF_INFO_H

#include <stdio.h>

#include "tools/ibsprof/read/input.h"

enum { INFO_TYPES = 128, INFO_MODES = 6 };

struct info {
    const struct input_facts *facts;
    uint64_t items[PERFDATA_ITEM_OTHER + 1]; /* by kind */
    uint64_t lost, maps_with_build_id;
    uint64_t modes[INFO_MODES];                           /* samples by enum input_mode */
    uint64_t types[INFO_TYPES];                           /* records by perf's type */
    uint64_t *event_samples, *event_periods, *event_lost; /* indexed as facts.events */
    uint64_t first_time, last_time;                       /* of samples */
    const char *error;                                    /* error that ended reading early, or NULL */
};

void info_text(FILE *file, const struct info *info);
void info_json(FILE *file, const struct info *info);

#endif
