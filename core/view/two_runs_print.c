/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/mem.h"
#include "core/base/origin.h"
#include "core/base/str.h"
#include "core/base/wrap.h"
#include "core/view/two_runs.h"
#include "core/view/view.h"

enum { LINE = 79, TEXT = 26, LABEL = 37, VALUE = 14, KEY = 20, SETTING = 28, SENTENCE = 700, FIGURE = 24 };

/* ---------------------------------------------------------------- what differs in their settings */

static size_t until(const char *text, char end)
{
    size_t length = 0;

    while (text[length] && text[length] != end)
        length++;
    return length;
}

/* Returns the value of a key, up to the line's end, or NULL. */
static const char *value_of(const char *settings, const char *key, size_t length)
{
    for (; *settings; settings += until(settings, '\n') + 1)
        if (until(settings, '=') == length && !memcmp(settings, key, length))
            return settings + length + 1;
    return NULL;
}

static void print_setting(struct out *out, const char *key, size_t length, const char *const value[2])
{
    out_printf(out, "  %-*.*s", KEY, (int)length, key);
    for (unsigned side = 0; side < 2; side++) {
        const char *text = value[side] ? value[side] : "(default)";
        size_t shown = until(text, '\n');

        if (shown > SETTING - 3)
            out_printf(out, " %.*s..", SETTING - 3, text);
        else
            out_printf(out, " %-*.*s", side ? 0 : SETTING - 1, (int)shown, text);
    }
    out_printf(out, "\n");
}

static void print_settings(struct out *out, const struct two_runs *two)
{
    bool any = false;

    for (unsigned side = 0; side < 2; side++) {
        const char *other = two->side[!side]->settings;

        for (const char *line = two->side[side]->settings; *line; line += until(line, '\n') + 1) {
            size_t length = until(line, '=');
            const char *value[2] = {line + length + 1, value_of(other, line, length)};
            size_t shown = until(value[0], '\n');

            /* The first side showed settings of both. */
            if (value[1] && (side || (until(value[1], '\n') == shown && !memcmp(value[0], value[1], shown))))
                continue;
            if (!any)
                out_printf(out, "\n%-*s A%*sB\n", KEY + 2, "Settings that differ", SETTING - 1, "");
            any = true;
            print_setting(out, line, length, (const char *const[]){value[side], value[!side]});
        }
    }
    if (!any)
        out_printf(out, "\nTheir settings are the same.\n");
}

/* ---------------------------------------------------------------- figures */

/* Prints a figure of each, in thousandths if 'thousandths', and how many times A's is B's. */
static void print_figure(struct out *out, const char *label, uint64_t a, uint64_t b, bool thousandths)
{
    uint64_t value[2] = {a, b};

    out_printf(out, "  %-*s", LABEL - 2, label);
    for (unsigned side = 0; side < 2; side++)
        out_ratio(out, value[side], thousandths ? 1000 : 1, 1, thousandths ? 3 : 0, VALUE);
    out_ratio(out, b, a, 1, 3, VALUE);
    out_printf(out, "\n");
}

static void print_samples(struct out *out, const struct two_runs *two)
{
    const struct figures *a = two->side[0], *b = two->side[1];
    char label[FIGURES_WHAT_MAX + 20];
    struct out_memory text;

    out_memory_init(&text, label, sizeof(label));
    out_printf(&text.out, "samples: %s", a->what);
    print_figure(out, label, a->samples, b->samples, false);
    if (a->outside || b->outside)
        print_figure(out, "of them outside of the workload", a->outside, b->outside, false);
    if (a->period && b->period)
        print_figure(out, "samples * period", a->samples * a->period, b->samples * b->period, false);
}

static void print_figures(struct out *out, const struct two_runs *two)
{
    const struct figures *a = two->side[0], *b = two->side[1];
    char label[80];
    struct out_memory text;

    out_printf(out, "\n%-*s%*s%*s%*s\n", LABEL, "Figures", VALUE, "A", VALUE, "B", VALUE, "B / A");
    if (a->us && b->us)
        print_figure(out, "elapsed, with its sampling, ms", a->us, b->us, true);
    if (a->work != b->work) {
        out_memory_init(&text, label, sizeof(label));
        out_printf(&text.out, "work, %s", a->unit);
        print_figure(out, label, a->work, b->work, false);
        if (a->us && b->us && a->work && b->work)
            print_figure(out, "elapsed for each of them, ns", a->us * 1000 * 1000 / a->work,
                         b->us * 1000 * 1000 / b->work, true);
    }
    if (a->instructions && b->instructions)
        print_figure(out, "instructions retired", a->instructions, b->instructions, false);
    if (a->what[0] && str_equal(a->what, b->what))
        print_samples(out, two);
}

/* ---------------------------------------------------------------- shares */

static const char *text_of(const struct two_runs *two, const struct two_runs_share *share)
{
    const struct codemap *map = two->side[0]->map;

    return map ? map->strings + map->insns[share->insn].text : "";
}

static void print_share(struct out *out, const struct two_runs *two, const struct two_runs_share *share)
{
    static const char *const words[TWO_RUNS_VERDICTS] = {"different", "both", "equivalent", "inconclusive", "not kept"};
    uint32_t a = share->ppm[0], b = share->ppm[1];
    char figure[FIGURE];
    struct out_memory text;

    if (share->rare)
        out_printf(out, " %-*s", TEXT + 7, "rare ones, together");
    else
        out_printf(out, " %6x ", share->rva);
    if (!share->rare)
        view_print_instruction(out, text_of(two, share), TEXT);
    for (unsigned side = 0; side < 2; side++)
        out_ratio(out, share->ppm[side], share->kept[side] ? 10000 : 0, 1, 2, 8);
    if (share->verdict == TWO_RUNS_NOT_KEPT) {
        out_printf(out, "%8s%7s  %s\n", "-", "-", words[share->verdict]);
        return;
    }
    out_memory_init(&text, figure, sizeof(figure));
    out_printf(&text.out, "%s", a > b ? "-" : "");
    out_ratio(&text.out, a > b ? a - b : b - a, 10000, 1, 2, 0);
    out_printf(out, "%8s", figure);
    out_ratio(out, share->interval_ppm, 10000, 1, 2, 7);
    out_printf(out, "  %s\n", words[share->verdict]);
}

static void print_shares(struct out *out, const struct two_runs *two)
{
    out_printf(out, "\n%-*s%8s%8s%8s%7s\n", TEXT + 8, "Share of samples, %", "A", "B", "B - A", "+-95%");
    for (uint32_t i = 0; i < two->count; i++)
        print_share(out, two, &two->share[i]);
    for (unsigned side = 0; side < 2; side++)
        if (two->side[side]->left)
            out_printf(out, "%c: %lu more instructions with %lu samples are not kept, beyond %u.\n", 'A' + (int)side,
                       two->side[side]->left, two->side[side]->left_samples, FIGURES_ROWS);
    out_printf(out, "\n");
    wrap_text(out,
              "+-95%: the error of B - A is at most this large in 95 of 100 cases, for each share alone and if samples "
              "are independent. different: by more than chance alone gives for any of these shares in 95 of 100 cases "
              "(Bonferroni). equivalent: within 0.5 points "
              "or 5 % of A, whichever is more; both: different and within; inconclusive: neither. ibsprof compare "
              "takes several runs per side, and says how much runs of one side differ.",
              0, 0, LINE);
}

/* ---------------------------------------------------------------- the first sentence */

static void write_first(struct out *out, const struct two_runs *two, enum two_runs_verdict verdict)
{
    const struct two_runs_share *first = NULL;
    uint32_t most = 0;

    for (uint32_t i = 0; i < two->count; i++) {
        const struct two_runs_share *share = &two->share[i];
        uint32_t a = share->ppm[0], b = share->ppm[1], distance = a > b ? a - b : b - a;

        if (share->verdict == verdict && distance >= most) {
            first = share;
            most = distance;
        }
    }
    out_printf(out, "%u of %u shares, most of all that of ", two->of[verdict], two->count);
    if (first->rare)
        out_printf(out, "the rare ones, ");
    else
        out_printf(out, "%x (%s), ", first->rva, text_of(two, first));
    out_ratio(out, first->ppm[0], 10000, 1, 2, 0);
    out_printf(out, " %% in A and ");
    out_ratio(out, first->ppm[1], 10000, 1, 2, 0);
    out_printf(out, " %% in B.");
}

static void write_verdict(struct out *out, const struct two_runs *two)
{
    if (!two->judged) {
        out_printf(out, "Undecided for these runs: no instruction has enough samples.");
        return;
    }
    if (two->copies) {
        out_printf(out, "Undecided for these runs: both have the same samples, like copies of one recording: use "
                        "another seed for one of them.");
        return;
    }
    switch (two->verdict) {
    case TWO_RUNS_DIFFERENT:
    case TWO_RUNS_BOTH:
        out_printf(out, "These runs differ%s: ", two->verdict == TWO_RUNS_BOTH ? ", but little" : "");
        write_first(out, two, two->verdict);
        break;
    case TWO_RUNS_EQUIVALENT:
        out_printf(out, "These runs are equivalent: all %u shares are within 0.5 points or 5 %% of A.", two->count);
        break;
    default:
        out_printf(out, "Undecided for these runs: no share differs for certain, and %u of %u may differ.",
                   two->of[TWO_RUNS_INCONCLUSIVE] + two->of[TWO_RUNS_NOT_KEPT], two->count);
        break;
    }
}

static void write_refusal(struct out *out, const struct figures *a, const struct figures *b)
{
    if (!a->what[0] || !b->what[0])
        out_printf(out, "No shares are compared: a run with config=%s keeps no shares of instructions.",
                   a->what[0] ? b->config : a->config);
    else if (!str_equal(a->what, b->what))
        out_printf(out, "No shares are compared: A has samples of %s, B of %s, which cannot be compared.", a->what,
                   b->what);
    else
        out_printf(out, "No shares are compared: %s has no samples of the workload.",
                   a->samples > a->outside ? "B" : "A");
}

static void print_first(struct out *out, const struct two_runs *two, bool shares)
{
    char sentence[SENTENCE];
    struct out_memory text;

    out_memory_init(&text, sentence, sizeof(sentence));
    if (shares)
        write_verdict(&text.out, two);
    else
        write_refusal(&text.out, two->side[0], two->side[1]);
    out_printf(
        &text.out,
        " One run per side shows nothing about the sides: only repeated runs do, and there is no verdict on the time.");
    wrap_text(out, sentence, 0, 0, LINE);
    for (unsigned side = 0; side < 2; side++)
        if (!two->side[side]->good)
            out_printf(out, "WARNING: %c failed: its report says why.\n", 'A' + (int)side);
    if (two->side[0]->model)
        out_printf(out, ORIGIN_MODEL "\n");
}

void two_runs_print(struct out *out, struct two_runs *two, const struct figures *a, const struct figures *b)
{
    bool shares = two_runs_shares(a, b);

    two->side[0] = a;
    two->side[1] = b;
    if (!str_equal(a->workload, b->workload)) {
        out_printf(out,
                   "Not compared: the workload of A is %s, that of B %s.\nTimes and shares of different code cannot be "
                   "compared.\n",
                   a->workload, b->workload);
        return;
    }
    if (shares)
        two_runs_judge(two, a, b);
    print_first(out, two, shares);
    print_settings(out, two);
    print_figures(out, two);
    if (shares)
        print_shares(out, two);
}
