/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of counting mode. */
#include "core/profile/counts.h"

#include "core/run/turns.h"

const char *counts_state_name(enum counts_state state)
{
    static const char *const names[] = {[COUNTS_NOT_COUNTED] = "not counted",
                                        [COUNTS_NOT_MODELLED] = "not modelled",
                                        [COUNTS_COUNTED] = "counted",
                                        [COUNTS_NO_L3] = "no L3"};

    return names[state];
}

static void print_row(struct out *out, const struct event_spec *spec, const struct counts_result *r)
{
    char name[24];
    struct out_memory memory;

    out_memory_init(&memory, name, sizeof(name));
    event_write(spec, false, &memory.out);
    out_printf(out, "%-14s", name);
    if (r->state != COUNTS_COUNTED) {
        out_printf(out, " %s\n", counts_state_name(r->state));
        return;
    }
    out_printf(out, "%c%14lu%14lu%14lu", r->below_overhead ? '<' : ' ', r->mean, r->min, r->max);
    if (r->repeats > 1)
        out_ratio(out, r->cv_ppm, 1000000, 100, 3, 7);
    else
        out_printf(out, "%7s", "-");
    if (r->overhead_unknown)
        out_printf(out, "%9s", "unknown");
    else
        out_printf(out, "%9lu", r->overhead);
    out_ratio(out, r->reliability_ppm, 1000000, 1, 2, 5);
    out_printf(out, "\n");
}

static void print_residue(struct out *out, const struct counts *counts)
{
    struct counts_result result;
    uint64_t residue;
    unsigned event;

    if (!counts_worst_residue(counts, &event, &residue))
        return;
    out_printf(out, "Residue: an empty region, minus the overhead, counts ");
    if (!residue) {
        out_printf(out, "0 throughout.\n");
        return;
    }
    counts_result(counts, event, &result);
    out_printf(out, "at most\n%lu, at ", residue);
    event_write(&counts->list->spec[event], false, out);
    if (result.mean) {
        out_printf(out, ", which is");
        out_ratio(out, residue, result.mean, 100, 3, 6);
        out_printf(out, " %% of its mean");
    }
    out_printf(out, ".\n");
}

void counts_print(struct out *out, const struct counts *counts)
{
    bool below = false, unlike = false;

    out_printf(out, "%-14s%15s%14s%14s%7s%9s%5s\n", "Event", "Mean", "Least", "Most", "CV %", "Overhead", "Rel.");
    for (unsigned event = 0; event < counts->list->count; event++) {
        struct counts_result result;

        counts_result(counts, event, &result);
        print_row(out, &counts->list->spec[event], &result);
        below |= result.below_overhead;
        unlike |= result.state == COUNTS_COUNTED && result.reliability_ppm < TURNS_RELIABLE_PPM;
    }
    out_printf(out,
               "Counts are per run of the region, from %u run%s, minus the overhead: the counts\nof start and stop "
               "around an empty function, whose return is one instruction.\nCV: standard deviation / mean over runs.\n"
               "Rel.: 1 - 1.96 times the distance of passes from the event's own, by clocks.\n",
               counts->repeats, counts->repeats == 1 ? "" : "s");
    print_residue(out, counts);
    if (below)
        out_printf(out, "<: the count was less than the overhead, and is 0 here.\n");
    if (unlike)
        out_printf(out, "WARNING: passes may differ by more than 10 %%: do not combine their events.\n");
}
