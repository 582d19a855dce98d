/* SPDX-License-Identifier: BSD-2-Clause */
/* A comparison as text, 79 columns: the verdict first, then its basis. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/wrap.h"
#include "tools/ibsprof/compare/compare_explore.h"
#include "tools/ibsprof/compare/compare_time.h"
#include "tools/ibsprof/base/shown.h"

enum { WIDTH = 79, LONELY_SHOWN = 20, RUNS_SHOWN = 10 };

/* Blue and orange, which colour-blind eyes tell apart; the words are always there as well. */
static const char *const colours[VERDICTS] = {[VERDICT_DIFFERENT] = "\033[1;33m",
                                              [VERDICT_BOTH] = "\033[33m",
                                              [VERDICT_EQUIVALENT] = "\033[34m",
                                              [VERDICT_INCONCLUSIVE] = "\033[2m",
                                              [VERDICT_ONE_RUN] = "\033[1m"};

static void print_sides(FILE *to, const struct comparison *c)
{
    for (uint32_t side = 0; side < SIDES; side++) {
        char samples[40];

        compare_thousands(c->estimates[side][0].n, samples, sizeof(samples));
        fprintf(to, "%c: %u run%s, %s samples of %s in the workload\n", side == SIDE_A ? 'A' : 'B', c->run_count[side],
                c->run_count[side] == 1 ? "" : "s", samples, c->event);
        for (uint32_t run = 0; run < c->run_count[side] && run < RUNS_SHOWN; run++)
            fprintf(to, "     %s\n", shown(c->runs[side][run].path));
        if (c->run_count[side] > RUNS_SHOWN)
            fprintf(to, "     and %u more (--json has all)\n", c->run_count[side] - RUNS_SHOWN);
    }
}

static void print_settings(FILE *to, const struct comparison *c)
{
    fputs("\nOther differences between the sides\n", to);
    for (uint32_t i = 0; i < c->setting_count; i++) {
        const struct compare_setting *s = &c->settings[i];

        if (strlen(s->a) + strlen(s->b) <= 45)
            fprintf(to, "  %-24s A: %-22s B: %s\n", s->name, s->a, s->b);
        else
            fprintf(to, "  %s\n      A: %.70s\n      B: %.70s\n", s->name, s->a, s->b);
    }
    if (c->setting_count == 0)
        fputs("  none is known from the files\n", to);
}

static void print_outside(FILE *to, const struct comparison *c)
{
    const struct stat_estimate *a = &c->outside_share[SIDE_A], *b = &c->outside_share[SIDE_B];
    enum { SHOWN = 8 };

    fprintf(to,
            "\nOutside of the workload (not part of the shares below), %% of all samples\n"
            "  %-44s A %6.2f    B %6.2f\n  %-44s %.2f to %.2f\n",
            "kernel, firmware, handler, other processes", 100 * a->p, 100 * b->p, "    B - A",
            100 * c->outside_difference.low, 100 * c->outside_difference.high);
    for (uint32_t i = 0; i < c->outside_count && i < SHOWN; i++)
        fprintf(to, "    %-42.42s   %6.2f      %6.2f\n", c->outside[i].label,
                a->n > 0 ? 100 * c->outside[i].samples[SIDE_A] / a->n : 0,
                b->n > 0 ? 100 * c->outside[i].samples[SIDE_B] / b->n : 0);
    if (c->outside_count > SHOWN)
        fprintf(to, "    and %u more\n", c->outside_count - SHOWN);
}

/* Prints the end of a line: differences of the sides against themselves, if known. */
static void print_within(FILE *to, const struct comparison *c, bool general, int digits, double a, double b)
{
    for (uint32_t side = 0; side < SIDES; side++)
        if (c->within_n[side][0] > 0)
            fprintf(to, general ? " %9.*g" : " %9.*f", digits, side == SIDE_A ? a : b);
        else
            fprintf(to, " %9s", "-");
    fputc('\n', to);
}

static void print_distance(FILE *to, const struct comparison *c, const char *name, const struct stat_interval *whole,
                           const struct stat_interval *a, const struct stat_interval *b, double scale, int digits)
{
    char interval[60];

    snprintf(interval, sizeof(interval), "%.*f (%.*f to %.*f)", digits, whole->value * scale, digits,
             whole->low * scale, digits, whole->high * scale);
    fprintf(to, "  %-26s %-28s", name, interval);
    print_within(to, c, false, digits, a->value * scale, b->value * scale);
    fprintf(to, "    %-24s %-28.*f", "by chance alone", digits, whole->floor * scale);
    print_within(to, c, false, digits, a->floor * scale, b->floor * scale);
}

static void print_distances(FILE *to, const struct comparison *c)
{
    const struct stat_whole *w = &c->whole, *a = &c->within[SIDE_A], *b = &c->within[SIDE_B];
    char p[60];
    struct stat_interval overlap = {1 - w->tvd.value, 1 - w->tvd.high, 1 - w->tvd.low, 1 - w->tvd.floor},
                         overlap_a = {1 - a->tvd.value, 0, 0, 1 - a->tvd.floor},
                         overlap_b = {1 - b->tvd.value, 0, 0, 1 - b->tvd.floor};

    fprintf(to, "\n%-28s %-28s %9s %9s\n", "The profiles as a whole", "A/B", "A/A", "B/B");
    if (w->p_value == w->p_permutation)
        snprintf(p, sizeof(p), "%.3g (%s %u choices)", w->p_value, w->exact ? "all" : "random", w->permutations);
    else
        snprintf(p, sizeof(p), "%.3g (G %.4g, phi %.2f)", w->p_value, w->g, w->phi);
    fprintf(to, "  %-26s %-28s", "p of no difference", p);
    print_within(to, c, true, 3, a->p_value, b->p_value);
    print_distance(to, c, "overlap, %", &overlap, &overlap_a, &overlap_b, 100, 2);
    print_distance(to, c, "Jensen-Shannon, bits", &w->jsd, &a->jsd, &b->jsd, 1, 5);
    print_distance(to, c, "Cramer's V", &w->cramer, &a->cramer, &b->cramer, 1, 4);
}

static double shown_scale(uint32_t column)
{
    return compare_columns[column].kind == COLUMN_SHARE || compare_columns[column].kind == COLUMN_RATE ? 100 : 1;
}

static const char *shown_unit(uint32_t column)
{
    switch (compare_columns[column].kind) {
    case COLUMN_SHARE:
    case COLUMN_RATE:
        return ", %";
    case COLUMN_QUANTILE:
        return ", cycles";
    default:
        return "";
    }
}

static void print_item(FILE *to, const struct comparison *c, const struct compare_item *item, bool colour)
{
    double scale = shown_scale(item->column);
    int digits = scale == 100 ? 2 : fabs(item->a) < 10 && fabs(item->b) < 10 ? 3 : 1;
    char name[300], interval[60], q[20];
    const char *text = compare_place_text(c, item->place);

    compare_place_name(c, item->place, name, sizeof(name));
    if (item->place == COMPARE_WHOLE)
        snprintf(name, sizeof(name), "whole workload");
    else if (!c->places[item->place].function)
        snprintf(name, sizeof(name), "%u rare instructions", c->rare_count);
    fprintf(to, "  %s%s%.*s\n", name, text[0] != '\0' ? "  " : "",
            (int)(strlen(name) < WIDTH - 4 ? WIDTH - 4 - strlen(name) : 0), text);
    snprintf(interval, sizeof(interval), "(%.*f to %.*f)", digits, item->low * scale, digits, item->high * scale);
    if (item->q < 1e-99)
        snprintf(q, sizeof(q), "<1e-99");
    else
        snprintf(q, sizeof(q), "%.2g", item->q);
    fprintf(to, "     %8.*f %8.*f %9.*f %-21s q %-8s %s%s%s\n", digits, item->a * scale, digits, item->b * scale,
            digits, item->difference * scale, interval, q, colour ? colours[item->verdict] : "",
            stat_verdict_name(item->verdict), colour ? "\033[0m" : "");
    if (item->verdict == VERDICT_INCONCLUSIVE && compare_needed(c, item, SIDE_A) > 0) {
        char needed[40];

        compare_thousands(fmax(compare_needed(c, item, SIDE_A), compare_needed(c, item, SIDE_B)), needed,
                          sizeof(needed));
        fprintf(to, "     needs about %s samples per side\n", needed);
    }
}

/* Returns whether to show an item; without a difference only the whole workload's. */
static bool is_shown(const struct compare_item *item, bool all)
{
    return all || item->verdict == VERDICT_DIFFERENT || item->verdict == VERDICT_BOTH || item->place == COMPARE_WHOLE;
}

static void print_column(FILE *to, const struct comparison *c, uint32_t column, const uint32_t *order, bool colour)
{
    bool all = c->options->all;
    uint32_t count[VERDICTS] = {0}, items = 0, shown = 0;

    for (uint32_t i = 0; i < c->item_count; i++)
        if (c->items[i].column == column) {
            count[c->items[i].verdict]++;
            items++;
            shown += is_shown(&c->items[i], all);
        }
    if (items == 0)
        return;
    if (column == COMPARE_WORK)
        fprintf(to, "\n%s for each of the %.40s\n", c->event, c->work_unit);
    else
        fprintf(to, "\n%s%s\n", compare_columns[column].title, shown_unit(column));
    fprintf(to, "  %u different, %u both, %u equivalent, %u inconclusive\n", count[VERDICT_DIFFERENT],
            count[VERDICT_BOTH], count[VERDICT_EQUIVALENT], count[VERDICT_INCONCLUSIVE]);
    if (shown == 0)
        return;
    fprintf(to, "     %8s %8s %9s %.0f %% interval\n", "A", "B", "B - A", 100 * c->options->level);
    for (uint32_t i = 0; i < c->item_count; i++)
        if (c->items[order[i]].column == column && is_shown(&c->items[order[i]], all))
            print_item(to, c, &c->items[order[i]], colour);
}

static void compare_text(struct out_file *out, const void *what)
{
    const struct comparison *c = what;
    bool all = c->options->all;
    FILE *to = out->file;
    uint32_t *order;

    if (out->colour)
        fputs(colours[c->verdict], to);
    wrap_text(&out->out, c->sentence, 0, 0, WIDTH);
    if (out->colour)
        fputs("\033[0m", to);
    compare_figures(to, c, "");
    for (uint32_t i = 0; i < c->note_count; i++) {
        fputs(c->notes[i].warning ? "WARNING: " : "NOTE: ", to);
        wrap_text(&out->out, c->notes[i].text, c->notes[i].warning ? 9 : 6, 4, WIDTH);
    }
    fputc('\n', to);
    print_sides(to, c);
    compare_time_text(to, c, out->colour);
    print_settings(to, c);
    print_outside(to, c);
    print_distances(to, c);
    order = compare_order(c);
    for (uint32_t column = 0; column < compare_column_count; column++)
        print_column(to, c, column, order, out->colour);
    free(order);
    compare_explore_text(to, c, all, out->colour);
    if (c->one_sided_count > 0)
        fputs("\nFunctions with samples on one side only\n", to);
    for (uint32_t i = 0; i < c->one_sided_count && (all || i < LONELY_SHOWN); i++)
        fprintf(to, "  %c  %-50.50s %10.0f samples\n", c->one_sided[i].side == SIDE_A ? 'A' : 'B',
                c->one_sided[i].function, c->one_sided[i].samples);
    if (c->one_sided_count > LONELY_SHOWN && !all)
        fprintf(to, "  and %u more\n", c->one_sided_count - LONELY_SHOWN);
    fprintf(to,
            "\n%g %% intervals; q: false discovery rate over all %u comparisons; equivalent:\n"
            "within %g points or %g %% of A, whichever is more; ",
            100 * c->options->level, c->item_count, 100 * c->options->margin.absolute,
            100 * c->options->margin.relative);
    if (c->options->rate_margin < 0)
        fputs("small rates: a tenth of\nthe rate. docs/compare.md explains it.\n", to);
    else
        fprintf(to, "rates: %g points\nor %g %%. docs/compare.md explains it.\n", 100 * c->options->rate_margin,
                100 * c->options->margin.relative);
}

const struct document compare_document = {.text = compare_text,
                                          .csv = compare_csv,
                                          .json = compare_json,
                                          .title = "ibsprof compare",
                                          .script = "compare.js",
                                          .id = "comparison"};
