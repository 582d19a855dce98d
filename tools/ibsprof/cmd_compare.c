/* ibsprof compare: is there a difference between two sets of runs, where, and how sure is that? */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/command.h"
#include "tools/ibsprof/compare/compare_copies.h"
#include "tools/ibsprof/compare/compare_load.h"
#include "tools/ibsprof/compare/compare_many.h"
#include "tools/ibsprof/base/must.h"

enum { FORMAT_TEXT = COMPARE_TEXT, FORMAT_CSV, FORMAT_JSON, FORMAT_HTML, FORMATS };
static const char *const format_names[FORMATS] = {"text", "csv", "json", "html"};

enum { MAPS_MAX = 64, SEED = 1, PERMUTATIONS = 9999, RESAMPLES = 2000 };

struct settings {
    struct compare_options options;
    struct compare_map maps[MAPS_MAX];
    struct load_options load;
    int format;
    bool all, fail_if[VERDICTS];
    char *regimes;
    const char *output;
    struct compare_run *runs[SIDES];
    struct loaded *loaded[SIDES];
    uint32_t run_count[SIDES];
};

static void usage(FILE *to)
{
    fputs("usage: ibsprof compare [OPTION...] A B\n"
          "       ibsprof compare [OPTION...] A... -- B...\n"
          "\n"
          "Says whether the profiles of side B differ from those of side A, in which instructions and in what, with\n"
          "intervals; and whether they are shown to be equal, which is not the same as finding no difference. Take\n"
          "several runs a side, ten are good: with one, only samples can be counted, not what changes between runs.\n"
          "Of noise runs (config=noise, or the Linux twin's JSON): detours, time lost, the largest, the spread.\n"
          "\n"
          "  -f, --format=FORMAT    text, csv, json or html; also --csv, --json, --html\n"
          "  -o, --output=OUTPUT    file to write; standard output when it is not given\n"
          "      --all              list what does not differ as well (text)\n"
          "      --event=EVENT      op, fetch, or an event's name; op when all runs have such samples\n"
          "      --margin=POINTS    shares and rates are equivalent within so many percentage points (0.5; of rates\n"
          "                         below 5 %, a tenth of the rate, but 0.05 at least) ...\n"
          "      --margin-relative=PERCENT   ... or so many percent of A's value, whichever is more (5)\n"
          "      --level=PERCENT    of intervals; what is left is the rate of false verdicts (95)\n"
          "      --map=A=B          take function B of side B for function A of side A, by offset\n"
          "      --regime=A[,B]         noise runs: firmware, masked or alone (everything off; alone)\n"
          "      --force-code       go on though functions of the same name have different code\n"
          "      --fail-if=VERDICT  end with status 3 on this verdict: different, both, equivalent, inconclusive,\n"
          "                         one-run; several with commas\n"
          "      --resamples=N      of the bootstrap (2000)      --seed=N  of all random choices (1)\n"
          "  -h, --help             this text\n" LOAD_HELP "\n"
          "Verdicts: different; equivalent (within the margin); both (a real difference within the margin);\n"
          "inconclusive (neither is shown: it says how many samples would do); one-run (a side is a single run: what "
          "was\n"
          "found is said of these runs, and nothing of the sides).\n",
          to);
}

/* ---------------------------------------------------------------- options */

enum {
    OPTION_CSV = 256,
    OPTION_JSON,
    OPTION_HTML,
    OPTION_ALL,
    OPTION_EVENT,
    OPTION_MARGIN,
    OPTION_MARGIN_RELATIVE,
    OPTION_LEVEL,
    OPTION_MAP,
    OPTION_FORCE_CODE,
    OPTION_FAIL_IF,
    OPTION_RESAMPLES,
    OPTION_SEED,
    OPTION_REGIME,
};

static const struct option long_options[] = {
    {"format", required_argument, NULL, 'f'},
    {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {"csv", no_argument, NULL, OPTION_CSV},
    {"json", no_argument, NULL, OPTION_JSON},
    {"html", no_argument, NULL, OPTION_HTML},
    {"all", no_argument, NULL, OPTION_ALL},
    {"event", required_argument, NULL, OPTION_EVENT},
    {"margin", required_argument, NULL, OPTION_MARGIN},
    {"margin-relative", required_argument, NULL, OPTION_MARGIN_RELATIVE},
    {"level", required_argument, NULL, OPTION_LEVEL},
    {"map", required_argument, NULL, OPTION_MAP},
    {"force-code", no_argument, NULL, OPTION_FORCE_CODE},
    LOAD_LONG_OPTIONS,
    {"fail-if", required_argument, NULL, OPTION_FAIL_IF},
    {"resamples", required_argument, NULL, OPTION_RESAMPLES},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"regime", required_argument, NULL, OPTION_REGIME},
    {NULL, 0, NULL, 0},
};

static bool read_number(const char *name, const char *text, double least, double most, double *ret)
{
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end != '\0' || !(value >= least && value <= most)) {
        complain("compare: --%s takes a number from %g to %g, not '%s'", name, least, most, text);
        return false;
    }
    *ret = value;
    return true;
}

static bool read_format(struct settings *s, const char *name)
{
    for (int i = 0; i < FORMATS; i++)
        if (strcmp(name, format_names[i]) == 0) {
            s->format = i;
            return true;
        }
    complain("compare: --format is text, csv, json or html, not '%s'", name);
    return false;
}

static bool read_fail_if(struct settings *s, char *list)
{
    for (char *word = strtok(list, ","); word != NULL; word = strtok(NULL, ",")) {
        int i = 0;

        while (i < VERDICTS && strcmp(word, stat_verdict_name((enum stat_verdict)i)) != 0)
            i++;
        if (i == VERDICTS) {
            complain("compare: --fail-if is different, both, equivalent, inconclusive or one-run, not '%s'", word);
            return false;
        }
        s->fail_if[i] = true;
    }
    return true;
}

static bool read_map(struct settings *s, char *text)
{
    char *equals = strchr(text, '=');

    if (equals == NULL || equals == text || equals[1] == '\0' || s->options.map_count == MAPS_MAX) {
        complain("compare: --map=A=B names two functions (at most %d times), not '%s'", MAPS_MAX, text);
        return false;
    }
    *equals = '\0';
    s->maps[s->options.map_count++] = (struct compare_map){.a = text, .b = equals + 1};
    return true;
}

static bool read_option(struct settings *s, int option, char *value)
{
    double number = 0;

    switch (option) {
    case 'f':
        return read_format(s, value);
    case OPTION_CSV:
    case OPTION_JSON:
    case OPTION_HTML:
        s->format = FORMAT_CSV + (option - OPTION_CSV);
        return true;
    case 'o':
        s->output = value;
        return true;
    case OPTION_ALL:
        s->all = true;
        return true;
    case OPTION_EVENT:
        s->options.event = value;
        return true;
    case OPTION_MARGIN:
        if (!read_number("margin", value, 0, 100, &number))
            return false;
        s->options.margin.absolute = number / 100;
        s->options.fixed_margin = true;
        return true;
    case OPTION_MARGIN_RELATIVE:
        if (!read_number("margin-relative", value, 0, 100, &number))
            return false;
        s->options.margin.relative = number / 100;
        return true;
    case OPTION_LEVEL:
        if (!read_number("level", value, 50, 99.99, &number))
            return false;
        s->options.level = number / 100;
        return true;
    case OPTION_MAP:
        return read_map(s, value);
    case OPTION_REGIME:
        s->regimes = value;
        return true;
    case OPTION_FORCE_CODE:
        s->options.force_code = true;
        return true;
    case OPTION_FAIL_IF:
        return read_fail_if(s, value);
    case OPTION_RESAMPLES:
        if (!read_number("resamples", value, 100, 1000000, &number))
            return false;
        s->options.resamples = (uint32_t)number;
        return true;
    case OPTION_SEED:
        if (!read_number("seed", value, 0, 4294967295.0, &number))
            return false;
        s->options.seed = (unsigned long)number;
        return true;
    default:
        return load_option(&s->load, option, value); /* or getopt has said what is wrong */
    }
}

static bool add_run(struct settings *s, uint32_t side, const char *path)
{
    s->runs[side] = must_grow(s->runs[side], (s->run_count[side] + 1), sizeof(**s->runs));
    s->runs[side][s->run_count[side]++] = (struct compare_run){.path = path};
    return true;
}

/* -1: go on; else the exit code. */
static int read_options(struct settings *s, int argc, char **argv)
{
    static char between[] = "--"; /* getopt would take "--" for the end of the options */
    uint32_t side = SIDE_A;
    bool parted = false;
    int option;

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--") == 0) {
            parted = true;
            between[0] = ':'; /* not an option, told by its address */
            argv[i] = between;
        }
    optind = 0; /* glibc: begin anew */
    while ((option = getopt_long(argc, argv, "f:o:h", long_options, NULL)) != -1) {
        if (option == 'h') {
            usage(stdout);
            return EXIT_DONE;
        }
        if (!read_option(s, option, optarg))
            return EXIT_USAGE;
    }
    if (!parted && argc - optind == 2) {
        add_run(s, SIDE_A, argv[optind]);
        add_run(s, SIDE_B, argv[optind + 1]);
        return -1;
    }
    for (int i = optind; i < argc; i++) {
        if (argv[i] != between)
            add_run(s, side, argv[i]);
        else if (side == SIDE_A)
            side = SIDE_B;
        else
            s->run_count[SIDE_B] = 0, i = argc;
    }
    if (s->run_count[SIDE_A] == 0 || s->run_count[SIDE_B] == 0) {
        complain("compare: two runs, or several on each side with '--' between the sides; 'ibsprof compare --help' "
                 "says how");
        return EXIT_USAGE;
    }
    return -1;
}

/* ---------------------------------------------------------------- the command */

static int write_output(const struct settings *s, const struct comparison *c)
{
    FILE *to = s->output != NULL ? fopen(s->output, "w") : stdout;
    bool good = to != NULL;

    if (good) {
        if (s->format == FORMAT_TEXT)
            compare_text(to, c, s->all, colour_allowed(fileno(to)));
        else if (s->format == FORMAT_CSV)
            compare_csv(to, c);
        else if (s->format == FORMAT_JSON)
            good = compare_json(to, c);
        else
            good = compare_html(to, c) == 0;
        good = fflush(to) == 0 && !ferror(to) && good;
        if (to != stdout)
            good = fclose(to) == 0 && good;
    }
    if (!good) {
        complain("%s: cannot be written: %s", s->output != NULL ? s->output : "standard output", strerror(errno));
        return EXIT_OUTPUT;
    }
    return s->fail_if[c->verdict] ? EXIT_VERDICT : EXIT_DONE;
}

/* "alone", or "firmware,alone": of side A, of side B. */
static bool read_regimes(char *text, const char *regimes[SIDES])
{
    static const char *const names[] = {"firmware", "masked", "alone"};
    char *comma = text != NULL ? strchr(text, ',') : NULL;
    unsigned found = 0;

    regimes[SIDE_A] = regimes[SIDE_B] = text != NULL ? text : "alone";
    if (comma != NULL) {
        *comma = '\0';
        regimes[SIDE_B] = comma + 1;
    }
    for (uint32_t side = 0; side < SIDES; side++)
        for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
            found += strcmp(regimes[side], names[i]) == 0;
    if (found == SIDES)
        return true;
    complain("compare: --regime is firmware, masked or alone, or two of these with a comma");
    return false;
}

/* -1: the runs are no noise runs. */
static int noise(const struct settings *s)
{
    struct run_list lists[SIDES] = {0};
    struct noise_compare_options options = {.level = s->options.level,
                                            .margin_rate = 1,
                                            .margin_fraction =
                                                s->options.fixed_margin ? s->options.margin.absolute : 1e-6,
                                            .margin_ns = 1000,
                                            .margin_relative = s->options.margin.relative};
    enum stat_verdict verdict = VERDICT_INCONCLUSIVE;
    int status;

    if (!read_regimes(s->regimes, options.regime))
        return EXIT_USAGE;
    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t i = 0; i < s->run_count[side]; i++)
            run_list_add(&lists[side], s->runs[side][i].path);
    status = compare_noise(lists, &options, s->format, s->output, &verdict);
    for (uint32_t side = 0; side < SIDES; side++)
        run_list_free(&lists[side]);
    return status == EXIT_DONE && s->fail_if[verdict] ? EXIT_VERDICT : status;
}

static int run(int argc, char **argv)
{
    struct settings s = {.options = {.level = 0.95,
                                     .power = 0.8,
                                     .margin = {0.005, 0.05},
                                     .permutations = PERMUTATIONS,
                                     .resamples = RESAMPLES,
                                     .seed = SEED,
                                     .code_hash = object_code_hash}};
    struct comparison c = {.options = &s.options};
    char error[1024] = "";
    int result = read_options(&s, argc, argv);
    bool loaded = true;

    if (result < 0)
        result = noise(&s);
    if (result < 0) {
        s.options.maps = s.maps;
        for (uint32_t side = 0; side < SIDES; side++) {
            c.runs[side] = s.runs[side];
            s.loaded[side] = must_alloc(s.run_count[side], sizeof(**s.loaded));
            loaded =
                loaded && compare_load(s.runs[side], s.loaded[side], s.run_count[side], &s.load, &c.run_count[side]);
            c.copy_count[side] = s.run_count[side] - c.run_count[side];
        }
        result = EXIT_INPUT;
        if (loaded)
            compare_tell_copies(&c);
        if (loaded && compare_align(&c, error, sizeof(error))) {
            compare_sides(&c);
            compare_judge(&c);
            result = write_output(&s, &c);
            for (uint32_t side = 0; side < SIDES; side++)
                for (uint32_t i = 0; i < s.run_count[side]; i++)
                    if (s.runs[side][i].partial && result == EXIT_DONE)
                        result = EXIT_INPUT;
        } else if (loaded) {
            complain("%s", error);
        }
    }
    compare_free(&c);
    for (uint32_t side = 0; side < SIDES; side++) {
        if (s.loaded[side] != NULL)
            compare_unload(s.runs[side], s.loaded[side], s.run_count[side]);
        free(s.loaded[side]);
        free(s.runs[side]);
    }
    return result;
}

const struct command command_compare = {
    .name = "compare", .summary = "say what differs between two sets of runs, and how sure that is", .run = run};
