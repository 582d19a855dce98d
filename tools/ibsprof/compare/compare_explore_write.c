/* SPDX-License-Identifier: BSD-2-Clause */
/* Two sets of explorations as text, CSV and JSON. */
#include <math.h>

#include "tools/ibsprof/compare/compare_explore.h"
#include "tools/ibsprof/counters/exploration.h"

static bool is_known(const struct compare_node *node)
{
    return node->side[SIDE_A].known && node->side[SIDE_B].known;
}

/* What says how much there is of it, and what differs; a row that is flagged on one side only, too. */
static bool is_shown(const struct compare_node *node, const struct explore_node_row *row, bool all)
{
    const struct compare_node_side *a = &node->side[SIDE_A], *b = &node->side[SIDE_B];

    if (!is_known(node))
        return false;
    return all || node->verdict == VERDICT_DIFFERENT || node->verdict == VERDICT_BOTH ||
           (row->level == 1 && row->unit != EXPLORE_UNIT_CYCLES) || (a->flagged > 0) != (b->flagged > 0);
}

/* What rounds to zero has no sign. */
static double shown(double value, int digits)
{
    return fabs(value) < 0.5 * pow(10, -digits) ? 0 : value;
}

static char mark(const struct compare_node_side *side)
{
    return side->flagged > 0 ? '*' : ' ';
}

static void print_node(FILE *to, const struct comparison *c, unsigned index, bool colour)
{
    static const char *const colours[VERDICTS] = {[VERDICT_DIFFERENT] = "\033[1;33m",
                                                  [VERDICT_BOTH] = "\033[33m",
                                                  [VERDICT_EQUIVALENT] = "\033[34m",
                                                  [VERDICT_INCONCLUSIVE] = "\033[2m"};
    const struct explore_node_row *row = &c->exploration->method->row[index];
    const struct compare_node *node = &c->exploration->node[index];
    const struct compare_node_side *a = &node->side[SIDE_A], *b = &node->side[SIDE_B];
    double scale = row->unit == EXPLORE_UNIT_RATIO ? 1 : 100;
    int digits = row->unit == EXPLORE_UNIT_RATIO ? 3 : 2;

    fprintf(to, "  %*s%s, %s%s\n", 2 * (row->level - 1), "", row->name, row->unit_text,
            a->reliability < 0.9 || b->reliability < 0.9 ? "  LOW" : "");
    fprintf(to, "   %c %7.*f %c %7.*f %8.*f ", mark(a), digits, shown(a->mean * scale, digits), mark(b), digits,
            shown(b->mean * scale, digits), digits, shown(node->difference * scale, digits));
    if (node->judged) {
        char interval[40], spread[40];

        snprintf(interval, sizeof(interval), "(%.*f to %.*f)", digits, shown(node->low * scale, digits), digits,
                 shown(node->high * scale, digits));
        snprintf(spread, sizeof(spread), "%.*f %.*f", digits, a->spread * scale, digits, b->spread * scale);
        fprintf(to, "%-19s %-12s %s%s%s\n", interval, spread, colour ? colours[node->verdict] : "",
                stat_verdict_name(node->verdict), colour ? "\033[0m" : "");
    } else if (c->exploration->judged == 0 && (a->repeats > 0 || b->repeats > 0)) {
        fprintf(to, "repeats: %.2f %% %.2f %%\n", 100 * a->repeats, 100 * b->repeats);
    } else {
        fputs("not judged\n", to);
    }
}

void compare_explore_text(FILE *to, const struct comparison *c, bool all, bool colour)
{
    const struct compare_exploration *e = c->exploration;

    if (!e)
        return;
    fputs("\nGeneral Exploration (* above its threshold in some run)\n", to);
    if (e->judged > 0)
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
        if (is_shown(&e->node[i], &e->method->row[i], all))
            print_node(to, c, i, colour);
    for (unsigned i = 0; i < e->method->rows; i++)
        if (e->node[i].side[SIDE_A].known != e->node[i].side[SIDE_B].known)
            fprintf(to, "  %s: known in %c only\n", e->method->row[i].name, e->node[i].side[SIDE_A].known ? 'A' : 'B');
    if (e->judged > 0)
        fputs("Spread: standard deviation between runs, in the row's unit.\n", to);
}

/* ---------------------------------------------------------------- CSV */

static void write_number(FILE *to, double value)
{
    fputc(',', to);
    if (isfinite(value))
        fprintf(to, "%.10g", value);
}

/* The columns of compare_csv; n is the number of runs, and the place in the tree is the name alone. */
void compare_explore_csv(FILE *to, const struct comparison *c)
{
    const struct compare_exploration *e = c->exploration;

    for (unsigned i = 0; e && i < e->method->rows; i++) {
        const struct compare_node *node = &e->node[i];
        const struct compare_node_side *a = &node->side[SIDE_A], *b = &node->side[SIDE_B];
        const double values[] = {a->mean,     a->low,           a->high,         b->mean,         b->low,
                                 b->high,     node->difference, node->low,       node->high,      (double)NAN,
                                 (double)NAN, (double)NAN,      e->runs[SIDE_A], e->runs[SIDE_B], (double)NAN,
                                 (double)NAN, node->p_value,    node->q,         node->margin};

        if (!is_known(node))
            continue;
        fprintf(to, "exploration,\"%s\",%s,,,", e->method->row[i].name, e->method->row[i].unit_text);
        for (unsigned k = 0; k < sizeof(values) / sizeof(values[0]); k++)
            write_number(to, values[k]);
        fprintf(to, ",%s,,,\n", node->judged ? stat_verdict_name(node->verdict) : "");
    }
}

/* ---------------------------------------------------------------- JSON */

static void write_side(struct json *json, const char *key, const struct compare_node_side *side)
{
    if (!side->known) {
        json_key(json, key);
        json_null(json);
        return;
    }
    json_key_object(json, key);
    json_key_real(json, "value", side->mean);
    json_key_real(json, "low", side->low);
    json_key_real(json, "high", side->high);
    json_key_real(json, "spread", side->spread);
    json_key_real(json, "spread_of_repeats", side->repeats);
    json_key_real(json, "reliability", side->reliability);
    json_key_uint(json, "flagged_in_runs", side->flagged);
    json_end(json);
}

void compare_explore_json(struct json *json, const struct comparison *c)
{
    const struct compare_exploration *e = c->exploration;

    if (!e)
        return;
    json_key_array(json, "exploration");
    for (unsigned i = 0; i < e->method->rows; i++) {
        const struct explore_node_row *row = &e->method->row[i];
        const struct compare_node *node = &e->node[i];

        json_object(json);
        exploration_json_row(json, row);
        write_side(json, "a", &node->side[SIDE_A]);
        write_side(json, "b", &node->side[SIDE_B]);
        if (is_known(node)) {
            json_key_object(json, "difference");
            json_key_real(json, "value", node->difference);
            json_key_real(json, "low", node->low);
            json_key_real(json, "high", node->high);
            json_end(json);
            json_key_real(json, "p", node->p_value);
            json_key_real(json, "q", node->q);
            json_key_real(json, "margin", node->margin);
            json_key_text(json, "verdict", node->judged ? stat_verdict_name(node->verdict) : NULL);
        }
        json_end(json);
    }
    json_end(json);
}
