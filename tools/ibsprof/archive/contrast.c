/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/archive/contrast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"

/* Margin, level and least counts, as the defaults of 'ibsprof compare' (cmd_compare.c, compare.h). */
static const struct stat_margin margin = {0.005, 0.05};
static const double level = 0.95, expected_least = 5;

/* A side: the rows of x of its units. */
struct side {
    double *x, *n;
    struct stat_estimate *cells;
    uint32_t runs;
};

static void estimate(struct side *side, const struct contrast_subject *subject, uint32_t group, bool own)
{
    uint32_t cells = subject->cell_count;

    side->runs = 0;
    for (uint32_t i = 0, last = 0; i < subject->run_count; i++) {
        const struct contrast_run *run = &subject->run[i], *before = &subject->run[last];
        double *x;

        if ((run->group == group) != own)
            continue;
        if (side->runs == 0 || run->unit != before->unit || run->group != before->group) {
            side->n[side->runs] = 0;
            memset(side->x + (size_t)side->runs++ * cells, 0, cells * sizeof(double));
        }
        last = i;
        side->n[side->runs - 1] += run->total;
        x = side->x + (size_t)(side->runs - 1) * cells;
        for (uint32_t cell = 0; cell < cells; cell++)
            x[cell] += subject->x[(size_t)i * cells + cell];
    }
    stat_estimate(&(struct stat_side){.runs = side->runs, .cells = cells, .x = side->x, .n = side->n}, side->cells);
}

static void side_make(struct side *side, const struct contrast_subject *subject)
{
    side->x = must_alloc((size_t)subject->run_count * subject->cell_count, sizeof(double));
    side->n = must_alloc(subject->run_count, sizeof(double));
    side->cells = must_alloc(subject->cell_count, sizeof(*side->cells));
}

static void side_free(struct side *side)
{
    free(side->x);
    free(side->n);
    free(side->cells);
}

/* Returns whether the smaller side would have enough samples if both were alike. */
static bool has_enough(const struct stat_estimate *a, const struct stat_estimate *b)
{
    return (a->x + b->x) / (a->n + b->n) * fmin(a->n, b->n) >= expected_least;
}

static void add_items(struct contrast *contrast, uint32_t number, uint32_t group, const struct side *others,
                      const struct side *own)
{
    for (uint32_t cell = 0; cell < contrast->subject[number].cell_count; cell++) {
        struct contrast_item item = {.subject = number, .group = group, .cell = cell, .runs = own->runs};

        item.others = others->cells[cell];
        item.own = own->cells[cell];
        if (!has_enough(&item.others, &item.own))
            continue;
        stat_difference(&item.others, &item.own, level, &item.difference);
        *must_add(contrast->item, contrast->item_count) = item;
    }
}

static void judge(struct contrast *contrast)
{
    double *p = must_alloc(contrast->item_count, sizeof(*p)), *q = must_alloc(contrast->item_count, sizeof(*q));

    for (uint32_t i = 0; i < contrast->item_count; i++)
        p[i] = contrast->item[i].difference.p_value;
    stat_fdr(p, q, contrast->item_count);
    for (uint32_t i = 0; i < contrast->item_count; i++) {
        struct contrast_item *item = &contrast->item[i];
        bool equivalent = stat_equivalent(&item->others, &item->own, &item->difference, margin, 1 - level);

        item->q = q[i];
        item->verdict = item->runs < 2 ? VERDICT_ONE_RUN : stat_judge(q[i] <= 1 - level, equivalent);
    }
    free(p);
    free(q);
}

void contrast_judge(struct contrast *contrast)
{
    for (uint32_t i = 0; i < contrast->subject_count; i++) {
        const struct contrast_subject *subject = &contrast->subject[i];
        struct side others, own;

        side_make(&others, subject);
        side_make(&own, subject);
        for (uint32_t group = 0; group < subject->group_count && subject->group_count > 1; group++) {
            estimate(&others, subject, group, false);
            estimate(&own, subject, group, true);
            add_items(contrast, i, group, &others, &own);
        }
        side_free(&others);
        side_free(&own);
    }
    judge(contrast);
}
