/* SPDX-License-Identifier: BSD-2-Clause */
/* Cells to verdicts. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/compare/compare.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/stat/stat_quantile.h"

enum {
    RATE_SAMPLES_MIN = 20,     /* loads, branches, ... on each side: fewer allow no statement on a rate */
    QUANTILE_SAMPLES_MIN = 50, /* misses */
    QUANTILE_FACTOR_MAX = 100,
};
/* Latencies within a cycle count as equal, whatever their ratio. */
static const double latency_margin = 1;
/* Halves of a side that differ at this level were taken under different conditions. */
static const double within_level = 0.01;

/* ---------------------------------------------------------------- items */

static struct compare_item *add_item(struct comparison *c, uint32_t place, uint32_t column)
{
    struct compare_item *item;

    /* room for all possible items */
    if (c->items == NULL)
        c->items = must_alloc((size_t)(c->place_count + 1) * compare_column_count, sizeof(*c->items));
    item = &c->items[c->item_count++];
    *item = (struct compare_item){.place = place, .column = column, .phi_a = 1, .phi_b = 1, .p_value = 1, .q = 1};
    return item;
}

/* Judges a proportion; scale: factor to the displayed value. */
static void judge_proportion(struct comparison *c, uint32_t place, uint32_t column, const struct stat_estimate *a,
                             const struct stat_estimate *b, struct stat_margin margin, double scale)
{
    const struct compare_options *o = c->options;
    struct compare_item *item = add_item(c, place, column);
    struct stat_difference d;

    stat_difference(a, b, o->level, &d);
    item->a = a->p * scale;
    item->b = b->p * scale;
    item->difference = d.value * scale;
    item->low = d.low * scale;
    item->high = d.high * scale;
    item->log2_ratio = d.log2_ratio;
    item->log2_low = d.log2_low;
    item->log2_high = d.log2_high;
    stat_wilson(a->p, a->n / a->phi, o->level, a->df, &item->low_a, &item->high_a);
    stat_wilson(b->p, b->n / b->phi, o->level, b->df, &item->low_b, &item->high_b);
    item->low_a *= scale;
    item->high_a *= scale;
    item->low_b *= scale;
    item->high_b *= scale;
    item->n_a = scale == 1 ? a->n : a->x;
    item->n_b = scale == 1 ? b->n : b->x;
    item->phi_a = a->phi;
    item->phi_b = b->phi;
    item->p_value = d.p_value;
    item->margin = stat_margin_at(margin, a) * scale;
    item->equivalent = stat_equivalent(a, b, &d, margin, 1 - o->level);
    item->factor = stat_samples_factor(a, b, margin, 1 - o->level, o->power);
}

static void judge_shares(struct comparison *c)
{
    for (uint32_t i = 0; i < c->place_count; i++)
        if (c->estimates[SIDE_A][i].x + c->estimates[SIDE_B][i].x > 0)
            judge_proportion(c, i, COMPARE_SHARE, &c->estimates[SIDE_A][i], &c->estimates[SIDE_B][i],
                             c->options->margin, 1);
}

/* Judges ops (or what the period counts) per unit of work. A count over an exposure is the limit of a proportion of
 * very many, so the same methods apply: n is the exposure times a factor that makes all proportions tiny. */
static void judge_work(struct comparison *c)
{
    const double tiny = 1e9;
    uint32_t cells = c->place_count + 1;
    struct stat_estimate *estimates[SIDES];
    double scale, most = 0;

    if (c->work_unit == NULL)
        return;
    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t run = 0; run < c->run_count[side]; run++)
            most = fmax(most, c->n[side][run] / c->exposure[side][run]);
    scale = most * tiny;
    for (uint32_t side = 0; side < SIDES; side++) {
        uint32_t runs = c->run_count[side];
        double *x = must_alloc((size_t)runs * cells, sizeof(*x)), *n = must_alloc(runs, sizeof(*n));

        for (uint32_t run = 0; run < runs; run++) {
            n[run] = c->exposure[side][run] * scale;
            memcpy(x + (size_t)run * cells, c->x[side] + (size_t)run * c->place_count, c->place_count * sizeof(*x));
            x[(size_t)run * cells + c->place_count] = c->n[side][run];
        }
        estimates[side] = must_alloc(cells, sizeof(**estimates));
        stat_estimate(&(struct stat_side){.runs = runs, .cells = cells, .x = x, .n = n}, estimates[side]);
        free(x);
        free(n);
    }
    for (uint32_t k = 0; k < cells; k++) {
        uint32_t i = k == 0 ? c->place_count : k - 1;
        struct stat_margin margin = c->options->margin;

        if (!(estimates[SIDE_A][i].x + estimates[SIDE_B][i].x > 0))
            continue;
        margin.absolute *= estimates[SIDE_A][c->place_count].p;
        judge_proportion(c, k == 0 ? COMPARE_WHOLE : i, COMPARE_WORK, &estimates[SIDE_A][i], &estimates[SIDE_B][i],
                         margin, scale);
    }
    free(estimates[SIDE_A]);
    free(estimates[SIDE_B]);
}

/* Estimates a rate; the whole workload's is one more cell after the instructions'. */
static struct stat_estimate *estimate_rate(const struct comparison *c, uint32_t side, uint32_t column)
{
    uint32_t runs = c->run_count[side], cells = c->place_count, all = cells + 1;
    double *x = must_alloc((size_t)runs * all, sizeof(*x)), *n = must_alloc((size_t)runs * all, sizeof(*n));
    struct stat_estimate *estimates = must_alloc(all, sizeof(*estimates));
    double *others = must_alloc(cells, sizeof(*others));

    for (uint32_t i = 0; i < cells; i++)
        others[i] = c->estimates[side][i].raw;
    for (uint32_t run = 0; run < runs; run++) {
        const double *values = c->values[side] + ((size_t)run * compare_column_count + column) * 2 * cells;
        size_t row = (size_t)run * all;

        for (uint32_t i = 0; i < cells; i++) {
            x[row + i] = values[i];
            n[row + i] = values[cells + i];
            x[row + cells] += values[i];
            n[row + cells] += values[cells + i];
        }
    }
    stat_estimate(
        &(struct stat_side){
            .runs = runs, .cells = all, .x = x, .n = n, .n_per_cell = true, .others = others, .other_count = cells},
        estimates);
    free(others);
    free(x);
    free(n);
    return estimates;
}

/* Returns the population of a rate as a share of the workload's samples: loads of all ops. */
static double part_of_samples(const struct comparison *c, const struct stat_estimate *a, const struct stat_estimate *b)
{
    double all = c->estimates[SIDE_A][0].n + c->estimates[SIDE_B][0].n;

    return all > 0 ? fmin(1, (a->n + b->n) / all) : 1;
}

static void judge_rate(struct comparison *c, uint32_t column)
{
    struct stat_estimate *a = estimate_rate(c, SIDE_A, column), *b = estimate_rate(c, SIDE_B, column);

    for (uint32_t k = 0; k < c->place_count + 1; k++) {
        uint32_t i = k == 0 ? c->place_count : k - 1;
        struct stat_margin margin = c->options->margin;

        /* A rate of 0 on both sides says nothing about an instruction, and is one test less to correct for. */
        if (a[i].n < RATE_SAMPLES_MIN || b[i].n < RATE_SAMPLES_MIN || (k > 0 && a[i].x + b[i].x == 0))
            continue;
        margin = c->options->rate_margin >= 0
                     ? (struct stat_margin){c->options->rate_margin, margin.relative}
                     : stat_rate_margin(margin, &a[i], &b[i], k == 0 ? part_of_samples(c, &a[i], &b[i]) : 1);
        judge_proportion(c, k == 0 ? COMPARE_WHOLE : i, column, &a[i], &b[i], margin, 1);
    }
    free(a);
    free(b);
}

/* Latency bins with any count, at one place or at all, with their ends, and their number on each side. */
struct latencies {
    uint32_t first, end; /* places */
    uint32_t bins, bin_of[LATENCY_BINS];
    double low[LATENCY_BINS], high[LATENCY_BINS], n[SIDES];
};

static void find_latencies(const struct comparison *c, uint32_t first, uint32_t end, struct latencies *ret)
{
    uint64_t counts[LATENCY_BINS] = {0};

    *ret = (struct latencies){.first = first, .end = end};
    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t run = 0; run < c->run_count[side]; run++)
            for (uint32_t i = first; i < end; i++) {
                const uint32_t *latency = c->latency[side][(size_t)run * c->place_count + i];

                for (uint32_t bin = 0; latency != NULL && bin < LATENCY_BINS; bin++) {
                    counts[bin] += latency[bin];
                    ret->n[side] += latency[bin];
                }
            }
    for (uint32_t bin = 0; bin < LATENCY_BINS; bin++)
        if (counts[bin]) {
            ret->bin_of[ret->bins] = bin;
            ret->low[ret->bins] = latency_bin_low(bin);
            ret->high[ret->bins++] = latency_bin_low(bin + 1) - 1;
        }
}

/* Counts [run * bins + bin]; to be freed. */
static double *count_latencies(const struct comparison *c, uint32_t side, const struct latencies *of)
{
    double *counts = must_alloc((size_t)c->run_count[side] * of->bins, sizeof(*counts));

    for (uint32_t run = 0; run < c->run_count[side]; run++)
        for (uint32_t i = of->first; i < of->end; i++) {
            const uint32_t *latency = c->latency[side][(size_t)run * c->place_count + i];

            for (uint32_t k = 0; latency != NULL && k < of->bins; k++)
                counts[(size_t)run * of->bins + k] += latency[of->bin_of[k]];
        }
    return counts;
}

static void judge_quantile(struct comparison *c, uint32_t column, gsl_rng *rng)
{
    const struct compare_options *o = c->options;
    double power = gsl_cdf_ugaussian_Qinv(1 - o->level) + gsl_cdf_ugaussian_Qinv((1 - o->power) / 2);

    for (uint32_t k = 0; k < c->place_count + 1; k++) {
        struct stat_histograms h[SIDES];
        double *counts[SIDES];
        struct stat_quantile q;
        struct compare_item *item;
        struct latencies of;

        find_latencies(c, k == 0 ? 0 : k - 1, k == 0 ? c->place_count : k, &of);
        if (of.n[SIDE_A] < QUANTILE_SAMPLES_MIN || of.n[SIDE_B] < QUANTILE_SAMPLES_MIN)
            continue;
        for (uint32_t side = 0; side < SIDES; side++) {
            counts[side] = count_latencies(c, side, &of);
            h[side] = (struct stat_histograms){
                .runs = c->run_count[side], .bins = of.bins, .counts = counts[side], .low = of.low, .high = of.high};
        }
        if (stat_quantile_difference(&h[SIDE_A], &h[SIDE_B], compare_columns[column].quantile, o->level, o->resamples,
                                     rng, &q)) {
            item = add_item(c, k == 0 ? COMPARE_WHOLE : k - 1, column);
            item->a = q.a;
            item->b = q.b;
            item->low_a = q.low_a;
            item->high_a = q.high_a;
            item->low_b = q.low_b;
            item->high_b = q.high_b;
            item->difference = q.value;
            item->low = q.low;
            item->high = q.high;
            item->log2_ratio = log2(q.b / q.a);
            item->log2_low = log2(fmax(q.a + q.low, 0) / q.a);
            item->log2_high = log2((q.a + q.high) / q.a);
            item->n_a = of.n[SIDE_A];
            item->n_b = of.n[SIDE_B];
            item->p_value = q.p_value;
            item->margin = fmax(latency_margin, o->margin.relative * q.a);
            item->equivalent = q.low90 > -item->margin && q.high90 < item->margin;
            item->factor = pow(power * q.error / item->margin, 2);
            /* Between two modes the error does not decrease with the number of samples. */
            if (item->factor > QUANTILE_FACTOR_MAX)
                item->factor = INFINITY;
        }
        free(counts[SIDE_A]);
        free(counts[SIDE_B]);
    }
}

/* ---------------------------------------------------------------- the whole */
/* Compares a side with itself: runs with an even number with the others. */
static void judge_within(struct comparison *c, uint32_t side)
{
    uint32_t runs = c->run_count[side], cells = c->place_count;
    struct stat_whole_options options = {
        .permutations = c->options->permutations, .level = c->options->level, .seed = c->options->seed};
    struct stat_side half[2];
    struct stat_estimate *estimates[2];
    double *x[2], *n[2];

    if (runs == 1 && c->runs[side][0].halves[0] == NULL)
        return;
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t own = runs == 1 ? 1 : (runs + 1 - k) / 2;

        x[k] = must_alloc((size_t)own * cells, sizeof(double));
        n[k] = must_alloc(own, sizeof(double));
        for (uint32_t run = 0; run < own; run++) {
            const double *from =
                runs == 1 ? c->x_halves[side] + (size_t)k * cells : c->x[side] + (size_t)(2 * run + k) * cells;

            n[k][run] = runs == 1 ? c->n_halves[side][k] : c->n[side][2 * run + k];
            memcpy(x[k] + (size_t)run * cells, from, cells * sizeof(double));
            c->within_n[side][k] += n[k][run];
        }
        half[k] = (struct stat_side){.runs = own, .cells = cells, .x = x[k], .n = n[k]};
        estimates[k] = must_alloc(cells, sizeof(**estimates));
        stat_estimate(&half[k], estimates[k]);
    }
    c->within_runs[side] = runs >= 4;
    if (c->within_n[side][0] > 0 && c->within_n[side][1] > 0)
        stat_whole(&half[0], estimates[0], &half[1], estimates[1], &options, &c->within[side]);
    else
        c->within_n[side][0] = c->within_n[side][1] = 0;
    c->within_failed[side] = c->within_n[side][0] > 0 && c->within[side].p_value <= within_level;
    for (uint32_t k = 0; k < 2; k++) {
        free(x[k]);
        free(n[k]);
        free(estimates[k]);
    }
}

static void note_within(struct comparison *c)
{
    bool one_a = c->run_count[SIDE_A] == 1, one_b = c->run_count[SIDE_B] == 1;

    if (one_a || one_b)
        compare_note(
            c, true,
            "%s: samples are assumed to be independent, and variation between runs is not in the intervals. "
            "If runs vary, the intervals are too narrow (overdispersion); take several runs per side, ten or more.",
            one_a && one_b ? "One run on each side"
            : one_a        ? "Side A is a single run"
                           : "Side B is a single run");
    for (uint32_t side = 0; side < SIDES; side++) {
        char name = side == SIDE_A ? 'A' : 'B';

        if (!c->within_failed[side])
            continue;
        if (c->within_runs[side])
            compare_note(c, true,
                         "A/A fails: the runs of side %c, halved, differ from each other (p %.2g). They were not taken "
                         "under the same conditions, so nothing can be concluded about the other side.",
                         name, c->within[side].p_value);
        else if (c->run_count[side] > 1)
            compare_note(c, true,
                         "The runs of side %c differ by more than chance among samples (p %.2g). The intervals are "
                         "widened by the variation of these few runs; take ten or more.",
                         name, c->within[side].p_value);
        else
            compare_note(c, true,
                         "A/A fails: alternate slices of the time of side %c differ (p %.2g): the run has phases, or "
                         "its samples come in clusters, so that the intervals are too narrow. Take several runs.",
                         name, c->within[side].p_value);
    }
}

/* Corrects all items and the whole-profile test as one family: in total 5 % of what is called different may be wrong,
 * and of two equal sides 5 in 100 pairs are called different. */
static void correct(struct comparison *c)
{
    double *p = must_alloc(c->item_count + 1, sizeof(*p)), *q = must_alloc(c->item_count + 1, sizeof(*q));

    for (uint32_t i = 0; i < c->item_count; i++)
        p[i] = c->items[i].p_value;
    p[c->item_count] = c->whole.p_value;
    stat_fdr(p, q, c->item_count + 1);
    for (uint32_t i = 0; i < c->item_count; i++) {
        struct compare_item *item = &c->items[i];

        item->q = q[i];
        item->verdict = stat_judge(item->q <= 1 - c->options->level, item->equivalent);
    }
    c->whole_q = q[c->item_count];
    free(p);
    free(q);
}

void compare_judge(struct comparison *c)
{
    const struct compare_options *o = c->options;
    struct stat_whole_options options = {
        .permutations = o->permutations, .resamples = o->resamples, .level = o->level, .seed = o->seed};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, o->seed);
    for (uint32_t side = 0; side < SIDES; side++) {
        c->estimates[side] = must_alloc(c->place_count, sizeof(**c->estimates));
        stat_estimate(&c->shares[side], c->estimates[side]);
    }
    stat_whole(&c->shares[SIDE_A], c->estimates[SIDE_A], &c->shares[SIDE_B], c->estimates[SIDE_B], &options, &c->whole);
    judge_within(c, SIDE_A);
    judge_within(c, SIDE_B);
    note_within(c);
    stat_difference(&c->outside_share[SIDE_A], &c->outside_share[SIDE_B], o->level, &c->outside_difference);
    judge_shares(c);
    judge_work(c);
    for (uint32_t column = 0; column < compare_column_count; column++)
        if (compare_columns[column].kind == COLUMN_RATE && compare_has(c, column))
            judge_rate(c, column);
        else if (compare_columns[column].kind == COLUMN_QUANTILE)
            judge_quantile(c, column, rng);
    correct(c);
    compare_conclude(c);
    gsl_rng_free(rng);
}
