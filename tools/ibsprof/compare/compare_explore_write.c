/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes two sets of explorations as text, CSV and JSON. */
#include <math.h>

#include "tools/ibsprof/compare/compare_explore.h"
#include "tools/ibsprof/counters/exploration.h"

/* Returns whether to show a row: totals, rows that differ, and rows flagged on only one side. */
static bool is_shown(const struct compare_node *node, const struct explore_node_row *row, bool all)
{
    const struct compare_node_side *a = &node->side[SIDE_A], *b = &node->side[SIDE_B];

    if (!compare_node_known(node))
        return false;
    return all || node->verdict == VERDICT_DIFFERENT || node->verdict == VERDICT_BOTH ||
           (row->level == 1 && row->unit != EXPLORE_UNIT_CYCLES) || (a->flagged > 0) != (b->flagged > 0);
}

static struct compare_node_form form_of(const struct explore_node_row *row)
{
    bool ratio = row->unit == EXPLORE_UNIT_RATIO;

    return (struct compare_node_form){.name = row->name,
                                      .unit = row->unit_text,
                                      .depth = row->level - 1,
                                      .scale = ratio ? 1 : 100,
                                      .digits = ratio ? 3 : 2};
}

void compare_explore_text(FILE *to, const struct comparison *c, bool all, bool colour)
{
    const struct compare_exploration *e = c->exploration;
    bool judged;

    if (!e)
        return;
    judged = e->judged;
    fputs("\nGeneral Exploration (* above its threshold in some run)\n", to);
    if (judged)
        fprintf(to,
                "  %u different, %u both, %u equivalent, %u inconclusive\n"
                "           A         B    B - A %.0f %% interval     Spread A, B\n",
                e->count[VERDICT_DIFFERENT], e->count[VERDICT_BOTH], e->count[VERDICT_EQUIVALENT],
                e->count[VERDICT_INCONCLUSIVE], 100 * c->options->level);
    else
        fputs("  no verdicts: one run on a side has no spread between runs\n"
              "           A         B    B - A spread over the run's repeats, A, B\n",
              to);
    for (unsigned i = 0; i < e->method->rows; i++)
        if (is_shown(&e->node[i], &e->method->row[i], all)) {
            const struct compare_node_form form = form_of(&e->method->row[i]);

            compare_node_text(to, &e->node[i], &form, !judged, colour);
        }
    for (unsigned i = 0; i < e->method->rows; i++)
        if (e->node[i].side[SIDE_A].known != e->node[i].side[SIDE_B].known)
            fprintf(to, "  %s: known in %c only\n", e->method->row[i].name, e->node[i].side[SIDE_A].known ? 'A' : 'B');
    if (judged)
        fputs("Spread: standard deviation between runs, in the row's unit.\n", to);
}

/* ---------------------------------------------------------------- CSV */

void compare_explore_csv(FILE *to, const struct comparison *c)
{
    const struct compare_exploration *e = c->exploration;

    for (unsigned i = 0; e && i < e->method->rows; i++) {
        const struct compare_node_form form = form_of(&e->method->row[i]);

        compare_node_csv(to, &e->node[i], "exploration", &form, e->runs);
    }
}

/* ---------------------------------------------------------------- JSON */

void compare_explore_json(struct json *json, const struct comparison *c)
{
    const struct compare_exploration *e = c->exploration;

    if (!e)
        return;
    json_key_array(json, "exploration");
    for (unsigned i = 0; i < e->method->rows; i++) {
        const struct explore_node_row *row = &e->method->row[i];

        json_object(json);
        exploration_json_row(json, row);
        compare_node_json(json, &e->node[i]);
        json_end(json);
    }
    json_end(json);
}
