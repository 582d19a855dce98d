/* SPDX-License-Identifier: BSD-2-Clause */
/* One verdict over all items, in one sentence; and names, order and notes that all outputs share. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/compare/compare.h"
#include "tools/ibsprof/base/must.h"

void compare_note(struct comparison *c, bool warning, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = must_text_of(format, args);
    va_end(args);
    *must_add(c->notes, c->note_count) = (struct compare_note){.text = text, .warning = warning};
}

void compare_place_name(const struct comparison *c, uint32_t place, char *text, size_t size)
{
    if (place == COMPARE_WHOLE)
        snprintf(text, size, "all");
    else if (!c->places[place].function)
        snprintf(text, size, "rare");
    else
        snprintf(text, size, "%s+0x%" PRIx64, c->places[place].function, c->places[place].offset);
}

const char *compare_place_text(const struct comparison *c, uint32_t place)
{
    return place == COMPARE_WHOLE ? "" : c->places[place].text;
}

void compare_figures(FILE *to, const struct comparison *c, const char *prefix)
{
    const char *a = c->figures[SIDE_A], *b = c->figures[SIDE_B];

    if (a && b && strcmp(a, b) == 0) {
        fprintf(to, "%s%s\n", prefix, a);
        return;
    }
    if (a)
        fprintf(to, "%sSide A: %s\n", prefix, a);
    if (b)
        fprintf(to, "%sSide B: %s\n", prefix, b);
}

double compare_needed(const struct comparison *c, const struct compare_item *item, uint32_t side)
{
    double n = c->estimates[side][0].n;

    return isfinite(item->factor) ? ceil(n * fmax(item->factor, 1)) : 0;
}

/* ---------------------------------------------------------------- order */

/* Sorts by importance: differences in units of the margin. Rates of a single instruction show the place, so they
 * precede the whole's. */
static int by_weight(const void *left, const void *right, void *comparison)
{
    const struct comparison *c = comparison;
    static const int rank[VERDICTS] = {
        [VERDICT_DIFFERENT] = 0, [VERDICT_BOTH] = 1, [VERDICT_INCONCLUSIVE] = 2, [VERDICT_EQUIVALENT] = 3};
    const struct compare_item *a = &c->items[*(const uint32_t *)left], *b = &c->items[*(const uint32_t *)right];
    double x, y;

    if (rank[a->verdict] != rank[b->verdict])
        return rank[a->verdict] - rank[b->verdict];
    x = fabs(a->log2_ratio) < 1e-12 ? 0 : fabs(a->difference) / (a->high - a->low);
    y = fabs(b->log2_ratio) < 1e-12 ? 0 : fabs(b->difference) / (b->high - b->low);
    if (x != y)
        return x > y ? -1 : 1;
    return a < b ? -1 : a > b;
}

uint32_t *compare_order(const struct comparison *c)
{
    uint32_t *order = must_alloc(c->item_count, sizeof(*order));

    for (uint32_t i = 0; i < c->item_count; i++)
        order[i] = i;
    if (c->item_count > 0)
        qsort_r(order, c->item_count, sizeof(*order), by_weight, (void *)c);
    return order;
}

/* ---------------------------------------------------------------- the verdict */

/* "Equivalent" is claimed for the profile: all shares, and the rates of the whole workload. A single instruction's
 * rates and latencies rest on far fewer samples; they can prove a difference, but are not required. */
static bool is_required(const struct compare_item *item)
{
    return item->column == COMPARE_SHARE ||
           (item->place == COMPARE_WHOLE && compare_columns[item->column].kind != COLUMN_QUANTILE);
}

static void describe_item(const struct comparison *c, const struct compare_item *item, char *text, size_t size)
{
    const struct compare_column *column = &compare_columns[item->column];
    char place[300], title[160], what[800];

    compare_place_name(c, item->place, place, sizeof(place));
    if (item->column == COMPARE_WORK)
        snprintf(title, sizeof(title), "number of %s for each of the %.60s", c->event, c->work_unit);
    else
        snprintf(title, sizeof(title), "%s", column->title);
    if (item->place == COMPARE_WHOLE)
        snprintf(what, sizeof(what), "the %s%s", title, item->column == COMPARE_WORK ? "" : " of the whole workload");
    else if (compare_place_text(c, item->place)[0] != '\0')
        snprintf(what, sizeof(what), "the %s of %s (%s)", title, place, compare_place_text(c, item->place));
    else
        snprintf(what, sizeof(what), "the %s of %s", title, place);
    if (column->kind == COLUMN_SHARE || column->kind == COLUMN_RATE)
        snprintf(text, size, "%s, %.2f %% in A and %.2f %% in B", what, 100 * item->a, 100 * item->b);
    else
        snprintf(text, size, "%s, %.4g in A and %.4g in B", what, item->a, item->b);
}

/* Returns the beginning of the sentence for several runs a side; a single run says nothing about its side. */
static const char *opening(const struct comparison *c)
{
    static const char *const sides[VERDICTS] = {"Different", "Equivalent", "Both", "Inconclusive"};
    static const char *const runs[VERDICTS] = {"These runs differ", "These runs are equivalent",
                                               "These runs differ, but little", "Undecided for these runs"};

    return c->verdict == VERDICT_ONE_RUN ? runs[c->of_runs] : sides[c->of_runs];
}

static const char *closing(const struct comparison *c)
{
    if (c->verdict != VERDICT_ONE_RUN)
        return "";
    return c->run_count[SIDE_A] == c->run_count[SIDE_B]
               ? " One run per side shows nothing about the sides: only repeated runs do."
               : " A side with one run shows nothing about the side: only repeated runs do.";
}

static void conclude(struct comparison *c, enum stat_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void conclude(struct comparison *c, enum stat_verdict verdict, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = must_text_of(format, args);
    va_end(args);
    c->of_runs = verdict;
    /* One run does not show how far runs of its side differ: two recordings of one program, taken one after the other
     * on a busy machine, were called different in 39 of 45 pairs. */
    c->verdict = c->run_count[SIDE_A] == 1 || c->run_count[SIDE_B] == 1 ? VERDICT_ONE_RUN : verdict;
    c->sentence = must_text("%s: %s%s", opening(c), text, closing(c));
    free(text);
}

void compare_thousands(double value, char *text, size_t size)
{
    char digits[40];
    size_t length, at = 0;

    snprintf(digits, sizeof(digits), "%.0f", value);
    length = strlen(digits);
    for (size_t i = 0; i < length && at + 2 < size; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = '\0';
}

/* Rounds 128,400 to 128,000, because more digits would claim too much. */
static double three_digits(double value)
{
    double unit = value > 0 ? pow(10, floor(log10(value)) - 2) : 1;

    return round(value / unit) * unit;
}

/* Numbers of items of each kind, and what the sentence says about them. */
struct item_counts {
    uint32_t different, both, required, equal;
    double factor;    /* factor by which any required item's samples must grow; at least 1 */
    char first[1024]; /* the most important item */
};

static void count_items(const struct comparison *c, struct item_counts *counts)
{
    uint32_t *order = compare_order(c);

    *counts = (struct item_counts){.factor = 1};
    if (c->item_count > 0)
        describe_item(c, &c->items[order[0]], counts->first, sizeof(counts->first));
    free(order);
    for (uint32_t i = 0; i < c->item_count; i++) {
        const struct compare_item *item = &c->items[i];

        counts->different += item->verdict == VERDICT_DIFFERENT;
        counts->both += item->verdict == VERDICT_BOTH;
        if (!is_required(item))
            continue;
        counts->required++;
        counts->equal += item->equivalent;
        if (!item->equivalent && item->verdict == VERDICT_INCONCLUSIVE)
            counts->factor = fmax(counts->factor, item->factor);
    }
}

/* Writes what would decide the comparison. */
static void describe_needed(const struct comparison *c, double factor, char *text, size_t size)
{
    char samples[40];

    compare_thousands(three_digits(factor * fmax(c->estimates[0][0].n, c->estimates[1][0].n)), samples,
                      sizeof(samples));
    /* There were enough samples, but chance put the sides too far apart. */
    if (factor <= 1)
        snprintf(text, size, "this many samples show in %.0f of 100 cases that equal sides are equal: take new runs",
                 100 * c->options->power);
    else
        snprintf(text, size, "if the sides are equal, about %s samples per side (%.1f times as many) would show it",
                 samples, factor);
}

const struct compare_setting *compare_setting_of(const struct comparison *c, const char *name)
{
    for (uint32_t i = 0; i < c->setting_count; i++)
        if (strcmp(c->settings[i].name, name) == 0)
            return &c->settings[i];
    return NULL;
}

void compare_conclude(struct comparison *c)
{
    const struct compare_setting *workload = compare_setting_of(c, "workload");
    const struct compare_options *o = c->options;
    char margin[160], rates[60], needed[200];
    struct item_counts n;

    count_items(c, &n);
    if (o->rate_margin < 0)
        snprintf(rates, sizeof(rates), "a tenth");
    else
        snprintf(rates, sizeof(rates), "%g points", 100 * o->rate_margin);
    snprintf(margin, sizeof(margin), "%g points or %g %% (%srates: %s)", 100 * o->margin.absolute,
             100 * o->margin.relative, o->rate_margin < 0 ? "small " : "", rates);
    describe_needed(c, n.factor, needed, sizeof(needed));
    if (c->shared > 0)
        conclude(c, VERDICT_INCONCLUSIVE, "%s, so the sides are not independent, and their difference means nothing.",
                 c->shared == c->run_count[SIDE_A] && c->shared == c->run_count[SIDE_B]
                     ? "both sides are the same recordings"
                     : "a recording is on both sides");
    else if (workload)
        conclude(c, VERDICT_DIFFERENT,
                 "the sides ran different workloads, %s in A and %s in B; the figures below are from two programs, and "
                 "do not show a change of one.",
                 workload->a, workload->b);
    else if ((c->within_failed[SIDE_A] && c->within_runs[SIDE_A]) ||
             (c->within_failed[SIDE_B] && c->within_runs[SIDE_B]))
        conclude(c, VERDICT_INCONCLUSIVE,
                 "runs of one side differ among themselves (A/A fails), so a difference between the sides would mean "
                 "nothing.");
    else if (n.different > 0)
        conclude(c, VERDICT_DIFFERENT, "%u of %u comparisons differ, most of all %s.", n.different, c->item_count,
                 n.first);
    else if (n.equal == n.required && n.both > 0)
        conclude(c, VERDICT_BOTH, "there is a real difference (%s), but all %u shares and rates are within %s.",
                 n.first, n.required, margin);
    else if (c->whole_q <= 1 - o->level && n.equal < n.required)
        conclude(c, VERDICT_DIFFERENT,
                 "the profiles as a whole are not the same (p %.2g), but no instruction stands out.", c->whole.p_value);
    else if (n.equal == n.required)
        conclude(c, VERDICT_EQUIVALENT,
                 "no difference was found, and all %u shares and rates are shown to be within %s of each other.",
                 n.required, margin);
    else
        conclude(c, VERDICT_INCONCLUSIVE,
                 "no difference was found, but %u of %u shares and rates are not shown to be within %s; %s.",
                 n.required - n.equal, n.required, margin, needed);
}

void compare_free(struct comparison *c)
{
    for (uint32_t i = 0; i < c->place_count; i++)
        free(c->places[i].function);
    for (uint32_t i = 0; i < c->outside_count; i++)
        free(c->outside[i].label);
    for (uint32_t i = 0; i < c->note_count; i++)
        free(c->notes[i].text);
    for (uint32_t i = 0; i < c->setting_count; i++) {
        free(c->settings[i].name);
        free(c->settings[i].a);
        free(c->settings[i].b);
    }
    for (uint32_t side = 0; side < SIDES; side++) {
        free(c->x[side]);
        free(c->n[side]);
        free(c->estimates[side]);
        free(c->x_halves[side]);
        free(c->values[side]);
        for (size_t i = 0; c->latency[side] && i < (size_t)c->run_count[side] * c->place_count; i++)
            free(c->latency[side][i]);
        free(c->latency[side]);
        free(c->exposure[side]);
    }
    free(c->places);
    free(c->one_sided);
    free(c->outside);
    free(c->notes);
    free(c->settings);
    free(c->items);
    free(c->times);
    free(c->exploration);
    free(c->sentence);
}
