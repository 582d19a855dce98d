/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/compare/compare_node.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/base/must.h"

/* ---------------------------------------------------------------- statistics */

void compare_node_sum_up(struct compare_node_side *side, const double *values, uint32_t runs)
{
    double squares = 0;

    *side = (struct compare_node_side){.known = true, .spread = NAN, .low = NAN, .high = NAN, .reliability = 1};
    for (uint32_t run = 0; run < runs; run++)
        side->mean += values[run] / runs;
    for (uint32_t run = 0; run < runs; run++)
        squares += pow(values[run] - side->mean, 2);
    if (runs > 1)
        side->spread = sqrt(squares / (runs - 1));
}

struct error {
    double variance, df; /* of the mean */
};

static struct error error_of(const struct compare_node_side *side, double least_variance, uint32_t runs)
{
    struct error error = {least_variance, INFINITY};
    double between = side->spread * side->spread / runs;

    if (between > error.variance)
        error = (struct error){between, runs - 1};
    return error;
}

static double welch_df(struct error a, struct error b)
{
    double sum = 0;

    if (isfinite(a.df))
        sum += a.variance * a.variance / a.df;
    if (isfinite(b.df))
        sum += b.variance * b.variance / b.df;
    return sum > 0 ? pow(a.variance + b.variance, 2) / sum : (double)INFINITY;
}

static double p_of(double t, double df)
{
    return 2 * (isinf(df) ? gsl_cdf_ugaussian_Q(fabs(t)) : gsl_cdf_tdist_Q(fabs(t), df));
}

void compare_node_judge(struct compare_node *node, const double least_variance[SIDES], const uint32_t runs[SIDES],
                        double margin, double level)
{
    struct error error[SIDES];
    double alpha = 1 - level, se, df, half90;

    node->difference = node->side[SIDE_B].mean - node->side[SIDE_A].mean;
    node->margin = margin;
    node->low = node->high = node->p_value = NAN;
    if (!node->judged)
        return;
    for (uint32_t s = 0; s < SIDES; s++) {
        double half;

        error[s] = error_of(&node->side[s], least_variance[s], runs[s]);
        half = stat_quantile_t(alpha / 2, error[s].df) * sqrt(error[s].variance);
        node->side[s].low = node->side[s].mean - half;
        node->side[s].high = node->side[s].mean + half;
    }
    se = sqrt(error[SIDE_A].variance + error[SIDE_B].variance);
    df = welch_df(error[SIDE_A], error[SIDE_B]);
    node->low = node->difference - stat_quantile_t(alpha / 2, df) * se;
    node->high = node->difference + stat_quantile_t(alpha / 2, df) * se;
    node->p_value = se > 0 ? p_of(node->difference / se, df) : 1; /* 0 on both sides */
    half90 = stat_quantile_t(alpha, df) * se;
    node->equivalent = fabs(node->difference) + half90 < margin || (se == 0 && node->difference == 0);
}

uint32_t compare_nodes_conclude(struct compare_node *nodes, uint32_t count, double level, uint32_t tally[VERDICTS])
{
    double *p = must_alloc(count, sizeof(*p)), *q = must_alloc(count, sizeof(*q));
    uint32_t judged = 0, next = 0;

    for (uint32_t i = 0; i < count; i++) {
        nodes[i].q = NAN;
        nodes[i].verdict = VERDICT_ONE_RUN;
        if (nodes[i].judged)
            p[judged++] = nodes[i].p_value;
    }
    stat_fdr(p, q, judged);
    for (uint32_t i = 0; i < count; i++)
        if (nodes[i].judged) {
            nodes[i].q = q[next++];
            nodes[i].verdict = stat_judge(nodes[i].q <= 1 - level, nodes[i].equivalent);
            tally[nodes[i].verdict]++;
        }
    free(p);
    free(q);
    return judged;
}

/* ---------------------------------------------------------------- text */

/* Returns 0 for values that round to zero, which then has no sign. */
static double shown(double value, int digits)
{
    return fabs(value) < 0.5 * pow(10, -digits) ? 0 : value;
}

static char mark(const struct compare_node_side *side)
{
    return side->flagged > 0 ? '*' : ' ';
}

void compare_node_text(FILE *to, const struct compare_node *node, const struct compare_node_form *form, bool repeats,
                       bool colour)
{
    static const char *const colours[VERDICTS] = {[VERDICT_DIFFERENT] = "\033[1;33m",
                                                  [VERDICT_BOTH] = "\033[33m",
                                                  [VERDICT_EQUIVALENT] = "\033[34m",
                                                  [VERDICT_INCONCLUSIVE] = "\033[2m"};
    const struct compare_node_side *a = &node->side[SIDE_A], *b = &node->side[SIDE_B];
    double scale = form->scale;
    int digits = form->digits;

    fprintf(to, "  %*s%s, %s%s\n", (int)(2 * form->depth), "", form->name, form->unit,
            a->reliability < 0.9 || b->reliability < 0.9 ? "  LOW" : "");
    fprintf(to, "   %c %7.*f %c %7.*f %8.*f ", mark(a), digits, shown(a->mean * scale, digits), mark(b), digits,
            shown(b->mean * scale, digits), digits, shown(node->difference * scale, digits));
    if (node->judged) {
        char interval[60], spread[60];

        snprintf(interval, sizeof(interval), "(%.*f to %.*f)", digits, shown(node->low * scale, digits), digits,
                 shown(node->high * scale, digits));
        snprintf(spread, sizeof(spread), "%.*f %.*f", digits, a->spread * scale, digits, b->spread * scale);
        fprintf(to, "%-19s %-12s %s%s%s\n", interval, spread, colour ? colours[node->verdict] : "",
                stat_verdict_name(node->verdict), colour ? "\033[0m" : "");
    } else if (repeats && (a->repeats > 0 || b->repeats > 0)) {
        fprintf(to, "repeats: %.2f %% %.2f %%\n", 100 * a->repeats, 100 * b->repeats);
    } else {
        fputs("not judged\n", to);
    }
}

/* ---------------------------------------------------------------- CSV */

void compare_node_csv(FILE *to, const struct compare_node *node, const char *column,
                      const struct compare_node_form *form, const uint32_t runs[SIDES])
{
    const struct compare_node_side *a = &node->side[SIDE_A], *b = &node->side[SIDE_B];
    const double values[] = {a->mean,     a->low,           a->high,      b->mean,      b->low,
                             b->high,     node->difference, node->low,    node->high,   (double)NAN,
                             (double)NAN, (double)NAN,      runs[SIDE_A], runs[SIDE_B], (double)NAN,
                             (double)NAN, node->p_value,    node->q,      node->margin};

    if (!compare_node_known(node))
        return;
    fprintf(to, "%s,\"%s\",%s,,,", column, form->name, form->unit);
    for (unsigned k = 0; k < sizeof(values) / sizeof(values[0]); k++)
        csv_real(to, 10, values[k]);
    fprintf(to, ",%s,,,\n", node->judged ? stat_verdict_name(node->verdict) : "");
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

void compare_node_json(struct json *json, const struct compare_node *node)
{
    write_side(json, "a", &node->side[SIDE_A]);
    write_side(json, "b", &node->side[SIDE_B]);
    if (!compare_node_known(node))
        return;
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
