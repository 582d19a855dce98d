/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/compare/compare_explore.h"

#include <math.h>
#include <stdlib.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/counters/exploration.h"

static const double MILLION = 1e6, RESIDUE = 0.001;

static bool is_part_of_cycles(const struct explore_node_row *row)
{
    return row->unit == EXPLORE_UNIT_CYCLES || row->unit == EXPLORE_UNIT_SLOTS;
}

/* Returns the least variance of a mean. */
static double least_variance(const struct explore_node_row *row, double mean)
{
    return pow(RESIDUE * (is_part_of_cycles(row) ? 1 : mean), 2) / 3;
}

static void sum_up(struct compare_node_side *side, const struct explore_result *trees, uint32_t runs, unsigned index)
{
    double *values = must_alloc(runs, sizeof(*values));
    bool known = true;

    for (uint32_t run = 0; run < runs; run++) {
        values[run] = (double)trees[run].node[index].value / MILLION;
        known &= trees[run].node[index].state == EXPLORE_KNOWN;
    }
    if (known) {
        compare_node_sum_up(side, values, runs);
        side->reliability = 1;
        for (uint32_t run = 0; run < runs; run++) {
            const struct explore_node *node = &trees[run].node[index];

            side->repeats = fmax(side->repeats, node->cv_ppm / MILLION);
            side->reliability = fmin(side->reliability, node->reliability_ppm / MILLION);
            side->flagged += node->flagged;
        }
    }
    free(values);
}

/* Returns whether a row has a spread. Residues are for counters; samples have a known spread only in runs that
 * differ. */
static bool has_spread(const struct compare_node *node, const struct explore_node_row *row)
{
    return !(row->inputs >> EXPLORE_IBS & 1) || node->side[SIDE_A].spread > 0 || node->side[SIDE_B].spread > 0;
}

static double margin_of(const struct compare_node *node, const struct explore_node_row *row,
                        const struct compare_options *options)
{
    return fmax(row->unit == EXPLORE_UNIT_RATIO ? 0 : options->margin.absolute,
                options->margin.relative * fabs(node->side[SIDE_A].mean));
}

void compare_explore_judge(struct compare_exploration *e, const struct explore_result *const trees[SIDES],
                           const uint32_t runs[SIDES], const struct compare_options *options)
{
    *e = (struct compare_exploration){.method = trees[SIDE_A]->method, .runs = {runs[SIDE_A], runs[SIDE_B]}};
    for (unsigned i = 0; i < e->method->rows; i++) {
        const struct explore_node_row *row = &e->method->row[i];
        struct compare_node *node = &e->node[i];
        double least[SIDES];

        for (uint32_t side = 0; side < SIDES; side++) {
            sum_up(&node->side[side], trees[side], runs[side], i);
            least[side] = least_variance(row, node->side[side].mean);
        }
        node->judged = compare_node_known(node) && runs[SIDE_A] > 1 && runs[SIDE_B] > 1 && has_spread(node, row);
        if (compare_node_known(node))
            compare_node_judge(node, least, runs, margin_of(node, row, options), options->level);
    }
    e->judged = compare_nodes_conclude(e->node, e->method->rows, options->level, e->count);
}

/* ---------------------------------------------------------------- the runs */

/* Returns the trees of a side; NULL: some run is no exploration; *ret_some: another one is. */
static struct explore_result *read_side(const struct comparison *c, uint32_t side, bool *ret_some)
{
    struct explore_result *trees = must_alloc(c->run_count[side], sizeof(*trees));
    uint32_t read = 0;

    for (uint32_t i = 0; i < c->run_count[side]; i++) {
        const struct run_profile *profile = c->runs[side][i].profile;

        read += exploration_read(&trees[read], profile->facts);
    }
    *ret_some |= read > 0;
    if (read == c->run_count[side])
        return trees;
    free(trees);
    return NULL;
}

static void tell(struct comparison *c)
{
    const struct compare_exploration *e = c->exploration;

    if (e->judged == 0)
        compare_note(c, false,
                     "Both sides are explorations. The rows of their trees are side by side below, without verdicts: "
                     "verdicts need at least two runs per side, and five are better.");
    else
        compare_note(c, false,
                     "Both sides are explorations: of %u rows of the tree %u differ, %u more differ within the margin, "
                     "%u are equivalent (below).",
                     e->judged, e->count[VERDICT_DIFFERENT], e->count[VERDICT_BOTH], e->count[VERDICT_EQUIVALENT]);
}

/* Returns the method of a tree that differs from the first one's in rows or, with 'slots', in slots; NULL: none
 * does. */
static const struct explore_method *another(const struct comparison *c, struct explore_result *const trees[SIDES],
                                            bool slots)
{
    const struct explore_method *first = trees[SIDE_A][0].method;

    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t i = 0; i < c->run_count[side]; i++) {
            const struct explore_method *method = trees[side][i].method;

            if (slots ? method->slots != first->slots : method->row != first->row)
                return method;
        }
    return NULL;
}

static void compare_trees(struct comparison *c, struct explore_result *const trees[SIDES])
{
    const struct explore_result *const both[SIDES] = {trees[SIDE_A], trees[SIDE_B]};
    const struct explore_method *other = another(c, trees, false);

    if (other) {
        compare_note(c, false, "Some explorations use %s and others %s: their trees are not compared.",
                     trees[SIDE_A][0].method->title, other->title);
        return;
    }
    c->exploration = must_new(c->exploration);
    compare_explore_judge(c->exploration, both, c->run_count, c->options);
    tell(c);
    other = another(c, trees, true);
    if (other)
        compare_note(c, false,
                     "Some of the processors have %u slots per cycle and others %u: shares of slots refer to each "
                     "processor's own slots.",
                     trees[SIDE_A][0].method->slots, other->slots);
}

void compare_explore(struct comparison *c)
{
    struct explore_result *trees[SIDES];
    bool some = false;

    for (uint32_t side = 0; side < SIDES; side++)
        trees[side] = read_side(c, side, &some);
    if (trees[SIDE_A] && trees[SIDE_B])
        compare_trees(c, trees);
    else if (some)
        compare_note(c, false, "Some of the runs are explorations and others are not: trees are not compared.");
    free(trees[SIDE_A]);
    free(trees[SIDE_B]);
}
