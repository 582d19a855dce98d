/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/compare/compare_copies.h"

#include <string.h>

static bool same_points(const struct run_profile *a, const struct run_profile *b)
{
    if (a->points_seen != b->points_seen || a->point_count != b->point_count)
        return false;
    for (uint32_t i = 0; i < a->point_count; i++) {
        const struct profile_point *x = &a->points[i], *y = &b->points[i];

        if (x->time != y->time || x->addr != y->addr || x->latency != y->latency || x->source != y->source ||
            x->store != y->store || x->tlb_miss != y->tlb_miss)
            return false;
    }
    return true;
}

bool compare_same_samples(const struct run_profile *a, const struct run_profile *b)
{
    uint32_t events = a->facts->event_count;

    if (a->first_time == 0 && a->point_count == 0)
        return false;
    return a->first_time == b->first_time && a->last_time == b->last_time && events == b->facts->event_count &&
           memcmp(a->event_samples, b->event_samples, events * sizeof(*a->event_samples)) == 0 &&
           memcmp(a->event_weights, b->event_weights, events * sizeof(*a->event_weights)) == 0 &&
           memcmp(a->totals, b->totals, sizeof(a->totals)) == 0 &&
           memcmp(a->latency, b->latency, sizeof(a->latency)) == 0 &&
           memcmp(a->tag_to_ret, b->tag_to_ret, sizeof(a->tag_to_ret)) == 0 &&
           memcmp(a->fetch_latency, b->fetch_latency, sizeof(a->fetch_latency)) == 0 && same_points(a, b);
}

static void tell_side(struct comparison *c, uint32_t side)
{
    uint32_t different = c->run_count[side], copies = c->copy_count[side];
    const struct compare_run *first = &c->runs[side][different];
    char more[40] = "";

    if (copies == 0)
        return;
    if (copies > 1)
        snprintf(more, sizeof(more), " (and %u more)", copies - 1);
    compare_note(c, true,
                 "%u of the %u runs of side %c are copies and not counted: %s has the same samples as %s%s. Runs of "
                 "the virtual PMU with equal settings and seeds are the same: give each run its own seed=.",
                 copies, different + copies, side == SIDE_A ? 'A' : 'B', first->path, first->copy_of, more);
}

void compare_tell_copies(struct comparison *c)
{
    for (uint32_t side = 0; side < SIDES; side++)
        tell_side(c, side);
    for (uint32_t a = 0; a < c->run_count[SIDE_A]; a++)
        for (uint32_t b = 0; b < c->run_count[SIDE_B]; b++)
            if (compare_same_samples(c->runs[SIDE_A][a].profile, c->runs[SIDE_B][b].profile)) {
                c->shared++;
                compare_note(c, true, "%s of side A and %s of side B have the same samples: one recording.",
                             c->runs[SIDE_A][a].path, c->runs[SIDE_B][b].path);
            }
}
