/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Level 1 of General Exploration by function and line, from samples of its events; and of the whole run, from the
 * counters' values. With sharing=multiplex it is one run, for workloads that do not repeat.
 */
#include "app/kinds/counters/explore_functions.h"

#include "app/run/kind.h"
#include "app/kinds/counters/pmc.h"
#include "core/explore/explore_places.h"

enum { MILLION = 1000000 };

/* Returns whether the row is shown: CPI and the slots of level 1; other rows if their events were sampled. */
static bool is_shown(const struct explore_result *result, unsigned node, bool deep)
{
    const struct explore_node_row *row = &result->method->row[node];

    if (row->level == 1)
        return row->unit == EXPLORE_UNIT_SLOTS || node == result->method->column[0];
    return deep && (result->node[node].state == EXPLORE_KNOWN || result->node[node].raw_state == EXPLORE_KNOWN);
}

/* Takes the totals of the run, with the reliability of each event. */
static void take_totals(const struct run *run, struct explore_input *input)
{
    for (unsigned i = 0; i < run->task.list.count; i++) {
        const struct event_spec *spec = &run->task.list.spec[i];
        struct counts_result result = {.state = run->task.counted[i] ? COUNTS_NOT_COUNTED : COUNTS_NOT_MODELLED};
        int event;

        if (run->task.counted[i] && measure_pmc_mean(run, i, &result.mean, &result.cv_ppm)) {
            struct turns_estimate estimate;

            measure_pmc_estimate(run, i, &estimate);
            result.state = COUNTS_COUNTED;
            result.reliability_ppm = estimate.unseen ? turns_none_ppm(estimate.turns) : estimate.reliability_ppm;
        }
        event = explore_event_of(input->method, spec->event->select, spec->mask, spec->count_mask);
        if (event >= 0)
            explore_take(input, (unsigned)event, &result);
    }
}

static void print_node(struct out *out, const struct explore_node_row *row, const struct explore_node *node)
{
    bool ratio = row->unit == EXPLORE_UNIT_RATIO, raw = node->state != EXPLORE_KNOWN && row->level > 1;
    int64_t value = raw ? node->raw : node->value;
    uint64_t size = (uint64_t)(value < 0 ? -value : value);
    int indent = 2 * (row->level - 1), more = row->level > 1 ? 2 : 0; /* longer names, shorter numbers */

    out_printf(out, "%c %*s%-*s", node->flagged ? '*' : ' ', indent, "", 32 + more - indent, row->name);
    if (node->state != EXPLORE_KNOWN && !raw) {
        out_printf(out, "%10s\n", "-");
        return;
    }
    out_printf(out, "%s", value < 0 && size >= 500 ? "-" : " ");
    out_ratio(out, size, MILLION, ratio ? 1 : 100, ratio ? 2 : 1, 9 - more);
    out_printf(out, " %-10s", raw ? "% clk, raw" : row->unit_text);
    out_ratio(out, node->reliability_ppm, MILLION, 1, 2, 6);
    out_printf(out, "%s\n", node->reliability_ppm < TURNS_RELIABLE_PPM ? " LOW" : "");
}

void explore_functions_tables(struct out *out, const struct run *run)
{
    const struct explore_sampling of = explore_places_sampled(&run->pmc.profile);
    struct explore_input input = {.method = of.method};
    struct explore_result result;
    bool deep;

    take_totals(run, &input);
    explore_compute(&result, &input);
    deep = explore_places_deep(of);
    out_printf(out, "\nGeneral Exploration, %s of the whole run: by the counters themselves\n",
               deep ? "the rows" : "level 1");
    out_printf(out, "%54s%8s\n", "", "MUX");
    for (unsigned i = 0; i < of.method->rows; i++)
        if (is_shown(&result, i, deep))
            print_node(out, &of.method->row[i], &result.node[i]);
    if (deep && explore_has_raw(of.method))
        out_printf(out, "raw: clocks with this cause; they overlap.\n");
    out_printf(out, "MUX: the lowest reliability of the row's events: 1 - half of the 95 %% interval\nof the event's "
                    "total; 1 - 3/turns if no turn saw the event. LOW: below 0.9.\nIncludes each interrupt handler's "
                    "entry and exit, unlike config=explore.\n\n");
    explore_places_print(out, &run->pmc.profile, PROFILE_FUNCTIONS);
    out_printf(out, "\n");
    explore_places_print(out, &run->pmc.profile, PROFILE_LINES);
}

KIND(kind_explore_functions, 35) = {
    .name = "explore_functions",
    .title = "General Exploration by function",
    .explanation = "CPI and level 1 of General Exploration by function and line, with intervals,\n"
                   "from samples of the events in their formulas; with sharing=multiplex in one\n"
                   "run.\n",
    .slots = true,
    .parts = {&kind_pmc},
    .events = KIND_SAMPLES_EVENTS,
    .list_events = explore_places_list,
    .tables = explore_functions_tables,
};
