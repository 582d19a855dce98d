/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts of two bodies of a snippet, of which one is subtracted from the other; the contract is in snippet_runs.h. */
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/snippet/snippet_runs.h"

static struct snippet_count *find(struct snippet_side *side, const struct counts_csv_row *row)
{
    struct snippet_count *event;

    for (unsigned i = 0; i < side->count; i++) {
        event = &side->event[i];
        if (event->select == row->select && event->mask == row->mask && event->count_mask == row->count_mask)
            return event;
    }
    if (side->count == COUNTS_CSV_ROWS)
        return NULL;
    event = &side->event[side->count++];
    *event = (struct snippet_count){row->select, row->mask, row->count_mask, .min = UINT64_MAX};
    memcpy(event->event, row->event, sizeof(event->event));
    return event;
}

bool snippet_side_add(struct snippet_side *side, const char *path)
{
    struct counts_csv *counts = must_new(counts);
    bool good = counts_csv_open(counts, path);

    for (unsigned i = 0; good && i < counts->count; i++) {
        const struct counts_result *result = &counts->row[i].result;
        struct snippet_count *event = result->state == COUNTS_COUNTED ? find(side, &counts->row[i]) : NULL;

        if (!event)
            continue;
        event->mean += (double)result->mean;
        event->min = result->min < event->min ? result->min : event->min;
        event->max = result->max > event->max ? result->max : event->max;
        event->repeats += result->repeats;
        event->runs++;
    }
    side->runs += good;
    free(counts);
    return good;
}

struct snippet_figure snippet_figure_of(const struct snippet_count *more, const struct snippet_count *less,
                                        double instructions)
{
    return (struct snippet_figure){.mean = (more->mean / more->runs - less->mean / less->runs) / instructions,
                                   .least = ((double)more->min - (double)less->max) / instructions,
                                   .most = ((double)more->max - (double)less->min) / instructions,
                                   .spread = more->repeats > 1 || less->repeats > 1};
}
