/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/noise/noise_compare.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/noise/noise_rate.h"
#include "tools/ibsprof/noise/noise_side.h"

enum { RETURN_ORDER = 4 };

/* ---------------------------------------------------------------- parts */

/* Mean over runs. within: variance of the mean within runs; 0: not known. */
struct mean {
    double value, variance, df;
    bool known; /* there is some variance */
};

static struct mean mean_of(const double *values, uint32_t runs, double within)
{
    struct mean mean = {.df = INFINITY, .variance = within, .known = runs > 1 || within > 0};
    double between = 0;

    for (uint32_t i = 0; i < runs; i++)
        mean.value += values[i] / runs;
    for (uint32_t i = 0; runs > 1 && i < runs; i++)
        between += pow(values[i] - mean.value, 2) / (runs - 1) / runs;
    if (between > within) {
        mean.variance = between;
        mean.df = runs - 1;
    }
    return mean;
}

static struct noise_value interval_of(const struct mean *mean, double level)
{
    double half = stat_quantile_t((1 - level) / 2, mean->df) * sqrt(mean->variance);

    if (!mean->known)
        return (struct noise_value){mean->value, NAN, NAN};
    return (struct noise_value){mean->value, fmax(0, mean->value - half), mean->value + half};
}

static double welch_p(const struct mean *a, const struct mean *b)
{
    double variance = a->variance + b->variance, df = INFINITY;

    if (a->value == b->value)
        return 1;
    if (!(variance > 0))
        return a->known && b->known ? 0 : (double)NAN;
    if (!isinf(a->df) || !isinf(b->df))
        df = variance * variance /
             ((isinf(a->df) ? 0 : a->variance * a->variance / a->df) +
              (isinf(b->df) ? 0 : b->variance * b->variance / b->df));
    return noise_p_of_t((b->value - a->value) / sqrt(variance), df);
}

/* ---------------------------------------------------------------- items */

static struct noise_value lost_of(const struct noise_sums *n, const struct noise_sums *other, double level,
                                  struct mean *mean)
{
    struct noise_value value;

    *mean = mean_of(n->lost, n->runs, n->squares / (n->total * n->total));
    if (n->all > 0)
        return interval_of(mean, level);
    /* No detour: the rate's upper end, times the mean length on the other side. */
    value = (struct noise_value){0, 0, 0};
    mean->known = true;
    if (other->all > 0)
        value.high = noise_rate_of(n, level).high * other->lost_seconds / other->all;
    return value;
}

static struct noise_value largest_of(const struct noise_sums *n)
{
    return (struct noise_value){n->largest, n->lengths >= RETURN_ORDER ? n->length[RETURN_ORDER - 1] : (double)NAN,
                                NAN};
}

static uint32_t longer(const struct noise_sums *n, double than)
{
    uint32_t count = 0;

    while (count < n->lengths && n->length[count] > than)
        count++;
    return count == 0 && n->largest > than ? 1 : count;
}

static double largest_p(const struct noise_sums *a, const struct noise_sums *b)
{
    const struct noise_sums *more = b->largest > a->largest ? b : a, *less = more == b ? a : b;
    double part = more->total / (a->total + b->total), count = longer(more, less->largest);

    if (a->largest == b->largest)
        return 1;
    return fmin(1, pow(part, count) + pow(1 - part, count));
}

/* Returns false if there is nothing to compare. */
static bool spread_of(const struct noise_sums *n, double level, struct noise_value *ret)
{
    struct mean mean = mean_of(n->lost, n->runs, 0);
    double sd = sqrt(mean.variance * n->runs), df = n->runs - 1.0, tail = (1 - level) / 2;

    *ret = (struct noise_value){n->runs > 1 ? sd : (double)NAN, NAN, NAN};
    if (n->runs < 2)
        return false;
    ret->low = sd * sqrt(df / gsl_cdf_chisq_Qinv(tail, df));
    ret->high = sd * sqrt(df / gsl_cdf_chisq_Pinv(tail, df));
    return n->all > 0;
}

static double spread_p(const struct noise_sums *a, const struct noise_sums *b, double sd_a, double sd_b)
{
    double f = sd_b * sd_b / (sd_a * sd_a), p;

    if (sd_a == sd_b)
        return 1;
    if (!(sd_a > 0))
        return 0;
    p = gsl_cdf_fdist_P(f, b->runs - 1.0, a->runs - 1.0);
    return 2 * fmin(p, 1 - p);
}

static void name_item(struct noise_comparison *c, enum noise_item_kind kind, const char *key, const char *title,
                      const char *unit, double margin)
{
    struct noise_item *item = &c->item[kind];

    item->key = key;
    item->title = title;
    item->unit = unit;
    /* fmax() returns the number if the other value is NaN. */
    item->margin = fmax(margin, c->options.margin_relative * item->side[0].value);
}

/* Tests whether the difference is within the margin, by two one-sided tests: the 1 - 2 alpha interval. */
static void test_equivalence(struct noise_item *item, struct noise_value d)
{
    item->equivalent = d.low > -item->margin && d.high < item->margin;
}

static void make_rate(struct noise_comparison *c, const struct noise_sums *a, const struct noise_sums *b)
{
    double level = c->options.level, narrow = 2 * level - 1;
    struct noise_item *item = &c->item[NOISE_ITEM_RATE];

    item->side[0] = noise_rate_of(a, level);
    item->side[1] = noise_rate_of(b, level);
    item->difference = noise_rate_difference(a, b, level);
    item->p_value = noise_rate_p(a, b);
    item->judged = true;
    name_item(c, NOISE_ITEM_RATE, "rate", "detours of 1 us and more", "a second", c->options.margin_rate);
    test_equivalence(item, noise_rate_difference(a, b, narrow));
    for (unsigned side = 0; side < NOISE_SIDES; side++)
        c->side[side].fewer = c->side[side].detours == 0 ? item->side[side].high : 0;
}

static void make_lost(struct noise_comparison *c, const struct noise_sums *a, const struct noise_sums *b)
{
    double level = c->options.level, narrow = 2 * level - 1;
    struct noise_item *item = &c->item[NOISE_ITEM_LOST];
    struct mean mean_a, mean_b;

    item->side[0] = lost_of(a, b, level, &mean_a);
    item->side[1] = lost_of(b, a, level, &mean_b);
    item->difference = noise_difference(item->side[0], item->side[1]);
    item->p_value = welch_p(&mean_a, &mean_b);
    item->judged = !isnan(item->p_value) && (a->all > 0 || b->all > 0);
    name_item(c, NOISE_ITEM_LOST, "lost", "time lost in detours", "fraction", c->options.margin_fraction);
    test_equivalence(item, noise_difference(lost_of(a, b, narrow, &mean_a), lost_of(b, a, narrow, &mean_b)));
}

static void make_largest(struct noise_comparison *c, const struct noise_sums *a, const struct noise_sums *b)
{
    struct noise_item *item = &c->item[NOISE_ITEM_LARGEST];

    item->side[0] = largest_of(a);
    item->side[1] = largest_of(b);
    item->difference = (struct noise_value){b->largest - a->largest, NAN, NAN};
    item->p_value = largest_p(a, b);
    item->judged = a->all > 0 || b->all > 0;
    name_item(c, NOISE_ITEM_LARGEST, "largest", "largest detour", "ns", c->options.margin_ns);
}

static void make_spread(struct noise_comparison *c, const struct noise_sums *a, const struct noise_sums *b)
{
    struct noise_item *item = &c->item[NOISE_ITEM_SPREAD];
    bool in_a = spread_of(a, c->options.level, &item->side[0]), in_b = spread_of(b, c->options.level, &item->side[1]);

    item->difference = (struct noise_value){item->side[1].value - item->side[0].value, NAN, NAN};
    item->judged = in_a && in_b;
    item->p_value = item->judged ? spread_p(a, b, item->side[0].value, item->side[1].value) : (double)NAN;
    name_item(c, NOISE_ITEM_SPREAD, "spread", "spread of time lost between runs", "fraction",
              c->options.margin_fraction);
    if (item->judged)
        test_equivalence(item, noise_difference(item->side[0], item->side[1]));
}

static void make_quantum(struct noise_comparison *c, const struct noise_sums *a, const struct noise_sums *b)
{
    double level = c->options.level, narrow = 2 * level - 1;
    struct noise_item *item = &c->item[NOISE_ITEM_QUANTUM];
    struct mean mean_a = mean_of(a->quantum, a->quanta, 0), mean_b = mean_of(b->quantum, b->quanta, 0);

    item->side[0] = interval_of(&mean_a, level);
    item->side[1] = interval_of(&mean_b, level);
    item->difference = noise_difference(item->side[0], item->side[1]);
    item->p_value = welch_p(&mean_a, &mean_b);
    item->judged = a->quanta > 1 && b->quanta > 1;
    if (!item->judged && (a->quanta == 0 || b->quanta == 0))
        item->side[a->quanta == 0 ? 0 : 1] = (struct noise_value){NAN, NAN, NAN};
    name_item(c, NOISE_ITEM_QUANTUM, "quantum", "time lost in fixed work", "fraction", c->options.margin_fraction);
    if (item->judged)
        test_equivalence(item, noise_difference(interval_of(&mean_a, narrow), interval_of(&mean_b, narrow)));
}

/* ---------------------------------------------------------------- verdict */

static void judge_items(struct noise_comparison *c)
{
    double p[NOISE_ITEMS], q[NOISE_ITEMS];
    uint32_t judged = 0;
    unsigned counts[VERDICTS] = {0};

    for (unsigned i = 0; i < NOISE_ITEMS; i++)
        if (c->item[i].judged)
            p[judged++] = c->item[i].p_value;
    stat_fdr(p, q, judged);
    judged = 0;
    for (unsigned i = 0; i < NOISE_ITEMS; i++) {
        struct noise_item *item = &c->item[i];

        item->q = item->judged ? q[judged++] : (double)NAN;
        item->verdict = stat_judge(item->judged && item->q <= 1 - c->options.level, item->equivalent);
        /* The largest has no upper end, and the spread rests on few runs: they can show a difference, but "equivalent"
         * does not require them. */
        if (item->judged && (i < NOISE_ITEM_LARGEST || item->verdict == VERDICT_DIFFERENT))
            counts[item->verdict]++;
    }
    c->verdict = counts[VERDICT_DIFFERENT]      ? VERDICT_DIFFERENT
                 : counts[VERDICT_INCONCLUSIVE] ? VERDICT_INCONCLUSIVE
                 : counts[VERDICT_BOTH]         ? VERDICT_BOTH
                                                : VERDICT_EQUIVALENT;
}

static void side_words(const struct noise_comparison *c, unsigned side, char *text, size_t size)
{
    const struct noise_side *s = &c->side[side];

    if (s->detours == 0)
        snprintf(text, size, "%c (%s) had no detour in %.3g s, so fewer than %.3g per second", 'A' + (int)side,
                 s->label, s->seconds, s->fewer);
    else
        snprintf(text, size, "%c (%s) had %.2f detours per second%s, lost %.3g %% of its time, at most %.1f us at once",
                 'A' + (int)side, s->label, c->item[NOISE_ITEM_RATE].side[side].value,
                 s->tick_hz ? " (including its timer ticks)" : "", 100 * c->item[NOISE_ITEM_LOST].side[side].value,
                 c->item[NOISE_ITEM_LARGEST].side[side].value / 1e3);
}

static const struct input_facts *facts_of(const void *context, uint32_t side, uint32_t run)
{
    const struct noise_comparison *c = context;

    return &c->side[side].files.file[run].facts;
}

/* Compares the setup before the measurements, because it may be the cause. */
static void compare_silicon(struct noise_comparison *c)
{
    const uint32_t runs[NOISE_SIDES] = {c->side[0].files.count, c->side[1].files.count};

    run_silicon_compare(&c->silicon, runs, facts_of, c);
    if (c->silicon.count)
        c->set_up = must_text("The processors were not set up alike: %s. This may cause differences in noise. The "
                              "values are below the sides.",
                              c->silicon.names);
}

void noise_compare_free(struct noise_comparison *c)
{
    run_silicon_free(&c->silicon);
    free(c->set_up);
    c->set_up = NULL;
}

static void conclude(struct noise_comparison *c)
{
    static const char *const words[VERDICTS] = {[VERDICT_DIFFERENT] = "Different",
                                                [VERDICT_EQUIVALENT] = "Equivalent",
                                                [VERDICT_BOTH] = "Both: a real difference, within the margin",
                                                [VERDICT_INCONCLUSIVE] = "Inconclusive"};
    char a[240], b[240];
    unsigned count = 0;
    bool model[NOISE_SIDES] = {false};

    side_words(c, 0, a, sizeof(a));
    side_words(c, 1, b, sizeof(b));
    snprintf(c->sentence, sizeof(c->sentence), "%s: %s; %s.", words[c->verdict], a, b);
    compare_silicon(c);
    if (c->set_up)
        c->warnings[count++] = c->set_up;
    if (c->side[0].runs < 2 || c->side[1].runs < 2)
        c->warnings[count++] = "A side with one run does not show how runs differ: take several; ten are good.";
    for (unsigned side = 0; side < NOISE_SIDES; side++)
        for (uint32_t i = 0; i < c->side[side].files.count; i++)
            model[side] |= c->side[side].files.file[i].is_model;
    c->is_model = model[0] || model[1];
    if (c->is_model)
        c->warnings[count++] =
            "MODEL: ibsboot ran in a virtual machine: this compares two systems only if the other one ran in "
            "the same machine, and says nothing about silicon.";
}

bool noise_compare(struct noise_comparison *c, char *error, size_t error_size)
{
    struct noise_sums *n = must_alloc(NOISE_SIDES, sizeof(*n));
    bool good = true;

    for (unsigned side = 0; side < NOISE_SIDES && good; side++)
        good = noise_side_read(&c->side[side], c->options.regime[side], &n[side], error, error_size);
    if (good) {
        make_rate(c, &n[0], &n[1]);
        make_lost(c, &n[0], &n[1]);
        make_largest(c, &n[0], &n[1]);
        make_spread(c, &n[0], &n[1]);
        make_quantum(c, &n[0], &n[1]);
        judge_items(c);
        conclude(c);
    }
    free(n[0].length);
    free(n[1].length);
    free(n);
    return good;
}
