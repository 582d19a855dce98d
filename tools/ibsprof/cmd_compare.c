/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof compare: is there a difference between two sets of runs, where, and how sure is that? */
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/command.h"
#include "tools/ibsprof/compare/compare_copies.h"
#include "tools/ibsprof/compare/compare_explore.h"
#include "tools/ibsprof/compare/compare_load.h"
#include "tools/ibsprof/compare/compare_many.h"
#include "tools/ibsprof/compare/compare_time.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/options.h"
#include "tools/ibsprof/read/run_archive.h"

static const char *const format_names[] = {
    [FORM_TEXT] = "text", [FORM_CSV] = "csv", [FORM_JSON] = "json", [FORM_HTML] = "html", NULL};
static const char *const regime_names[] = {"firmware", "masked", "alone", NULL};

enum { MAPS_MAX = 64, SEED = 1, PERMUTATIONS = 9999, RESAMPLES = 2000 };
static const double MARGIN_DEFAULT = 0.005, MARGIN_NOT_CHOSEN = -1;

struct compare_settings {
    struct compare_options options;
    struct compare_map maps[MAPS_MAX];
    struct load_options load;
    struct objects opened;
    int format;        /* enum form */
    uint32_t fail_if;  /* bits by enum stat_verdict */
    bool fixed_margin; /* --margin was given */
    const char *regime[SIDES];
    const char *output;
    struct compare_run *runs[SIDES];
    uint32_t run_count[SIDES];
};

/* ---------------------------------------------------------------- options */

static const char *add_map(void *place, char *text)
{
    struct compare_settings *s = place;
    char *equals = strchr(text, '=');

    if (!equals || equals == text || equals[1] == '\0' || s->options.map_count == MAPS_MAX)
        return "names two functions, A=B, and may be given 64 times";
    *equals = '\0';
    s->maps[s->options.map_count++] = (struct compare_map){.a = text, .b = equals + 1};
    return NULL;
}

/* Reads "alone" for both sides, or "firmware,alone" for sides A and B. */
static const char *read_regimes(void *place, char *text)
{
    struct compare_settings *s = place;
    const char *comma = strchr(text, ','), *words[SIDES] = {text, comma ? comma + 1 : text};

    for (uint32_t side = 0; side < SIDES; side++) {
        size_t length = side == SIDE_A && comma ? (size_t)(comma - text) : strlen(words[side]);

        s->regime[side] = NULL;
        for (unsigned i = 0; regime_names[i]; i++)
            if (strlen(regime_names[i]) == length && memcmp(regime_names[i], words[side], length) == 0)
                s->regime[side] = regime_names[i];
        if (!s->regime[side])
            return "is firmware, masked or alone, or two of these with a comma";
    }
    return NULL;
}

#define PLACE(member_) offsetof(struct compare_settings, member_)
static const struct option_row option_rows[] = {
    {"format", 'f', "FORMAT", OPTION_WORD, PLACE(format), .words = format_names, .help = ""},
    {"csv", 0, NULL, OPTION_VALUE, PLACE(format), .value = FORM_CSV, .help = "the same as --format=csv"},
    {"json", 0, NULL, OPTION_VALUE, PLACE(format), .value = FORM_JSON, .help = "the same as --format=json"},
    {"html", 0, NULL, OPTION_VALUE, PLACE(format), .value = FORM_HTML, .help = "the same as --format=html"},
    {"output", 'o', "FILE", OPTION_TEXT, PLACE(output), .help = "write to FILE (default: standard output)"},
    {"all", 0, NULL, OPTION_FLAG, PLACE(options.all), .help = "also list figures that do not differ (text)"},
    {"event", 0, "EVENT", OPTION_TEXT, PLACE(options.event),
     .help = "op, fetch, or an event by any of its names; op when all runs have such samples"},
    {"margin", 0, "POINTS", OPTION_NUMBER, PLACE(options.margin.absolute), .most = 100, .divisor = 100,
     .help = "shares are equivalent within this number of percentage points (0.5) ..."},
    {"margin-relative", 0, "PERCENT", OPTION_NUMBER, PLACE(options.margin.relative), .most = 100, .divisor = 100,
     .help = "... or this percentage of A's value, whichever is more (5)"},
    {"margin-rates", 0, "POINTS", OPTION_NUMBER, PLACE(options.rate_margin), .most = 100, .divisor = 100,
     .help = "the same for rates (a tenth of the rate; at most the margin of shares, and at least\n0.05 points, for "
             "the whole workload 0.05 % of all its samples)"},
    {"level", 0, "PERCENT", OPTION_NUMBER, PLACE(options.level), .least = 50, .most = 99.99, .divisor = 100,
     .help = "level of intervals; the rest is the rate of false verdicts (95)"},
    {"map", 0, "A=B", OPTION_CALL, 0, .call = add_map,
     .help = "treat function B of side B as function A of side A, by offset"},
    {"regime", 0, "A[,B]", OPTION_CALL, 0, .words = regime_names, .call = read_regimes,
     .help = "noise runs: firmware, masked or alone (everything off; alone)"},
    {"force-code", 0, NULL, OPTION_FLAG, PLACE(options.force_code),
     .help = "continue although functions of the same name have different code"},
    {"fail-if", 0, "VERDICT", OPTION_WORDS, PLACE(fail_if), .words = stat_verdict_names,
     .help = "end\nwith status 3 on this verdict; several, separated by commas"},
    {"resamples", 0, "N", OPTION_COUNT, PLACE(options.resamples), .least = 100, .most = 1000000,
     .help = "resamples of the bootstrap (2000)"},
    {"seed", 0, "N", OPTION_COUNT, PLACE(options.seed), .most = UINT32_MAX, .help = "seed of all random choices (1)"},
    {"", .kind = OPTION_TABLE, .place = PLACE(load), .table = load_option_rows},
    {0},
};

static const struct option_table options = {
    .command = "compare",
    .usage = "usage: ibsprof compare [OPTION...] A B\n"
             "       ibsprof compare [OPTION...] A... -- B...\n"
             "\n"
             "Says whether the profiles of side B differ from those of side A, at which instructions and in which "
             "figures,\nwith intervals; and whether they are shown to be equal, which is more than finding no "
             "difference. Take\nseveral runs per side, ten are good: one run shows only sampling error, not variation "
             "between runs.\nNoise runs (config=noise, or the Linux twin): compares detours, time lost, the largest "
             "detour, the spread.\n",
    .rows = option_rows,
    .notes = "Verdicts: different; equivalent (within the margin); both (a real difference within the margin);\n"
             "inconclusive (neither is shown; the result says how many samples are needed); one-run (a side is a "
             "single\nrun: the result is about these runs, not about the sides).\n",
};

static void add_runs(struct compare_settings *s, uint32_t side, char *const *paths, int count)
{
    s->runs[side] = must_alloc((size_t)count, sizeof(**s->runs));
    s->run_count[side] = (uint32_t)count;
    for (int i = 0; i < count; i++)
        s->runs[side][i].path = paths[i];
}

static int separator(int argc, char *const *argv)
{
    int i = 0;

    while (i < argc && strcmp(argv[i], "--") != 0)
        i++;
    return i;
}

/* "--" separates the sides, and options may be on both: each side is a separate command line. */
static bool read_command_line(struct compare_settings *s, int argc, char **argv, enum exit_code *ret_code)
{
    int a_count = separator(argc, argv), b_count = argc - a_count;
    char **a = argv, **b = argv + a_count;
    bool good = b_count == 0 || separator(b_count - 1, b + 1) == b_count - 1;

    if (!run_operands_read(&options, &a_count, &a, s, ret_code))
        return false;
    if (b_count > 0) {
        b[0] = argv[0];
        if (!run_operands_read(&options, &b_count, &b, s, ret_code))
            return false;
    } else if (a_count == 2) {
        a_count = b_count = 1;
        b = a + 1;
    }
    if (a_count == 0 || b_count == 0 || !good) {
        *ret_code = options_misused(&options, "two runs, or several on each side with '--' between the sides");
        return false;
    }
    add_runs(s, SIDE_A, a, a_count);
    add_runs(s, SIDE_B, b, b_count);
    s->options.maps = s->maps;
    s->fixed_margin = s->options.margin.absolute != MARGIN_NOT_CHOSEN;
    if (!s->fixed_margin)
        s->options.margin.absolute = MARGIN_DEFAULT;
    return true;
}

/* ---------------------------------------------------------------- the command */

static enum exit_code judged(const struct compare_settings *s, enum stat_verdict verdict, enum exit_code code)
{
    return code == EXIT_DONE && (s->fail_if >> verdict & 1) ? EXIT_VERDICT : code;
}

/* Returns false if the runs are no noise runs. */
static bool compare_as_noise(const struct compare_settings *s, enum exit_code *ret_code)
{
    struct run_list lists[SIDES] = {0};
    struct noise_compare_options noise = {
        .level = s->options.level,
        .margin_rate = 1,
        .margin_fraction = s->fixed_margin ? s->options.margin.absolute : 1e-6,
        .margin_ns = 1000,
        .margin_relative = s->options.margin.relative,
        .regime = {s->regime[SIDE_A], s->regime[SIDE_B]},
    };
    enum stat_verdict verdict = VERDICT_INCONCLUSIVE;
    bool done;

    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t i = 0; i < s->run_count[side]; i++)
            run_list_add(&lists[side], s->runs[side][i].path);
    done = compare_noise(lists, &noise, (enum form)s->format, s->output, &verdict, ret_code);
    for (uint32_t side = 0; side < SIDES; side++)
        run_list_free(&lists[side]);
    *ret_code = judged(s, verdict, *ret_code);
    return done;
}

static bool load_sides(struct compare_settings *s, struct comparison *c)
{
    const char **paths = must_alloc(s->run_count[SIDE_A] + s->run_count[SIDE_B] + 1, sizeof(*paths));
    size_t count = 0;
    bool good = true;

    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t i = 0; i < s->run_count[side]; i++)
            paths[count++] = s->runs[side][i].path;
    s->load.profile.search.others = paths;
    s->load.profile.search.opened = &s->opened;
    for (uint32_t side = 0; side < SIDES && good; side++) {
        c->runs[side] = s->runs[side];
        good = compare_load(s->runs[side], s->run_count[side], &s->load, &c->run_count[side]);
        c->copy_count[side] = s->run_count[side] - c->run_count[side];
    }
    s->load.profile.search.others = NULL;
    free(paths);
    return good;
}

static enum exit_code compare_profiles(struct compare_settings *s)
{
    struct comparison c = {.options = &s->options};
    enum exit_code code = EXIT_INPUT;
    char error[1024] = "";

    if (load_sides(s, &c)) {
        compare_tell_copies(&c);
        if (compare_align(&c, error, sizeof(error))) {
            compare_sides(&c);
            compare_plan(&c);
            compare_no_source(&c);
            compare_judge(&c);
            compare_time(&c);
            compare_explore(&c);
            code = judged(s, c.verdict, document_write(s->output, (enum form)s->format, &compare_document, &c));
        } else {
            complain("%s", error);
        }
    }
    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t i = 0; i < s->run_count[side]; i++)
            if (s->runs[side][i].partial && code == EXIT_DONE)
                code = EXIT_INPUT;
    compare_free(&c);
    return code;
}

static int run(int argc, char **argv)
{
    struct compare_settings s = {.options = {.level = 0.95,
                                             .power = 0.8,
                                             .margin = {MARGIN_NOT_CHOSEN, 0.05},
                                             .rate_margin = MARGIN_NOT_CHOSEN,
                                             .permutations = PERMUTATIONS,
                                             .resamples = RESAMPLES,
                                             .seed = SEED,
                                             .code_hash = object_code_hash},
                                 .regime = {"alone", "alone"}};
    enum exit_code code;

    if (read_command_line(&s, argc, argv, &code) && !compare_as_noise(&s, &code))
        code = compare_profiles(&s);
    for (uint32_t side = 0; side < SIDES; side++) {
        compare_unload(s.runs[side], s.run_count[side]);
        free(s.runs[side]);
    }
    objects_free(&s.opened);
    return code;
}

const struct command command_compare = {.name = "compare",
                                        .summary = "compare two sets of runs: differences, and how certain they are",
                                        .run = run,
                                        .is_read = true};
