/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/compare/compare_time.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/counters/exploration.h"
#include "tools/ibsprof/read/run_ini.h"

/* ---------------------------------------------------------------- what a run says */

static double elapsed_of(const struct run_profile *profile)
{
    return (double)run_number(profile->facts, FACT_ELAPSED);
}

/* An operating system's file has the times of samples, in ns, but not the time of the program. */
static double recorded_of(const struct run_profile *profile)
{
    if (!profile->facts->is_linux || profile->facts->format != INPUT_PERFDATA)
        return 0;
    return (double)(profile->last_time - profile->first_time) / 1000;
}

static double cycles_of(const struct run_profile *profile)
{
    struct explore_result result;

    return exploration_read(&result, profile->facts) ? (double)result.cycles : 0;
}

static const struct time_row {
    const char *key;
    struct compare_node_form form;
    double (*of)(const struct run_profile *profile); /* 0: not in the run */
    double resolution;                               /* relative to the value */
    double least;                                    /* in the value's unit */
} rows[COMPARE_TIMES] = {
    {"elapsed_us", {.name = "elapsed, with its sampling", .unit = "ms", .scale = 1e-3, .digits = 3}, elapsed_of, 0, 1},
    {"recorded_us",
     {.name = "recorded, first sample to last", .unit = "ms", .scale = 1e-3, .digits = 3},
     recorded_of,
     0,
     1},
    /* Counts from outside of the workload are corrected to under 0.1 % (compare_explore.h). */
    {"cycles",
     {.name = "core cycles, not sampled", .unit = "millions", .scale = 1e-6, .digits = 3},
     cycles_of,
     2e-3,
     0},
};

/* ---------------------------------------------------------------- both sides */

static void sum_up(struct compare_node_side *side, const struct time_row *row, const struct comparison *c,
                   uint32_t which)
{
    uint32_t runs = c->run_count[which];
    double *values = must_alloc(runs, sizeof(*values));
    bool known = runs > 0;

    for (uint32_t run = 0; run < runs; run++) {
        values[run] = row->of(c->runs[which][run].profile);
        known &= values[run] > 0;
    }
    if (known)
        compare_node_sum_up(side, values, runs);
    free(values);
}

/* Returns the variance of a figure known to within 'width': a rectangle's. */
static double rectangle(double width)
{
    return width * width / 12;
}

static double ratio_of(const struct compare_node *node)
{
    return node->side[SIDE_B].mean / node->side[SIDE_A].mean;
}

/* Begins the first sentence with the time if it differs: equal profiles may take unequal time, and unequal ones the
 * same. */
static void tell(struct comparison *c)
{
    for (unsigned i = 0; i < COMPARE_TIMES; i++) {
        const struct compare_node *node = &c->times->node[i];

        if (!node->judged || node->verdict != VERDICT_DIFFERENT)
            continue;
        char *profiles = c->sentence;

        c->sentence = must_text("A run of B takes %.3f times as long as one of A (%s). By samples, %c%s",
                                ratio_of(node), rows[i].form.name, tolower((unsigned char)profiles[0]), profiles + 1);
        free(profiles);
        return;
    }
}

void compare_time(struct comparison *c)
{
    uint32_t tally[VERDICTS] = {0};

    c->times = must_new(c->times);
    for (unsigned i = 0; i < COMPARE_TIMES; i++) {
        struct compare_node *node = &c->times->node[i];
        double least[SIDES];

        for (uint32_t side = 0; side < SIDES; side++) {
            sum_up(&node->side[side], &rows[i], c, side);
            least[side] = rectangle(fmax(rows[i].resolution * node->side[side].mean, rows[i].least));
        }
        node->judged = compare_node_known(node) && c->run_count[SIDE_A] > 1 && c->run_count[SIDE_B] > 1;
        if (compare_node_known(node))
            compare_node_judge(node, least, c->run_count, c->options->margin.relative * node->side[SIDE_A].mean,
                               c->options->level);
    }
    (void)compare_nodes_conclude(c->times->node, COMPARE_TIMES, c->options->level, tally);
    tell(c);
}

/* ---------------------------------------------------------------- output */

void compare_time_text(FILE *to, const struct comparison *c, bool colour)
{
    bool head = false;

    for (unsigned i = 0; c->times && i < COMPARE_TIMES; i++) {
        const struct compare_node *node = &c->times->node[i];
        const struct compare_node_side *side = node->side;

        if (!side[SIDE_A].known && !side[SIDE_B].known)
            continue;
        if (!head)
            fprintf(to, "\nTime of a run\n           A         B    B - A %.0f %% interval     Spread A, B\n",
                    100 * c->options->level);
        head = true;
        if (!compare_node_known(node)) {
            uint32_t which = side[SIDE_A].known ? SIDE_A : SIDE_B;

            fprintf(to, "  %s, %s: %.*f in %c, not known in %c\n", rows[i].form.name, rows[i].form.unit,
                    rows[i].form.digits, side[which].mean * rows[i].form.scale, which == SIDE_A ? 'A' : 'B',
                    which == SIDE_A ? 'B' : 'A');
            continue;
        }
        compare_node_text(to, node, &rows[i].form, false, colour);
        fprintf(to, "     B takes %.3f times as long as A\n", ratio_of(node));
    }
}

void compare_time_csv(FILE *to, const struct comparison *c)
{
    for (unsigned i = 0; c->times && i < COMPARE_TIMES; i++) {
        const struct compare_node_form form = {.name = "all", .unit = ""};

        compare_node_csv(to, &c->times->node[i], rows[i].key, &form, c->run_count);
    }
}

void compare_time_json(struct json *json, const struct comparison *c)
{
    json_key_array(json, "time");
    for (unsigned i = 0; c->times && i < COMPARE_TIMES; i++) {
        const struct compare_node *node = &c->times->node[i];

        if (!node->side[SIDE_A].known && !node->side[SIDE_B].known)
            continue;
        json_object(json);
        json_key_text(json, "key", rows[i].key);
        json_key_text(json, "name", rows[i].form.name);
        json_key_text(json, "unit", rows[i].form.unit);
        json_key_real(json, "scale", rows[i].form.scale);
        compare_node_json(json, node);
        json_end(json);
    }
    json_end(json);
}
