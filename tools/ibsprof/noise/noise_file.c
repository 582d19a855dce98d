#include "tools/ibsprof/noise/noise_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/ibsprof/base/json_read.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/run_folder.h"
#include "tools/ibsprof/read/run_ini.h"

enum { LINE_BYTES = 1024, JSON_BYTES_MAX = 64 << 20 };

static const struct {
    const char *name, *title;
} regimes[NOISE_FILE_REGIMES] = {
    {"firmware", "firmware's interrupts on"}, {"masked", "interrupts off"}, {"alone", "everything off"}};

const struct noise_regime_file *noise_file_regime(const struct noise_file *file, const char *name)
{
    for (unsigned i = 0; i < file->regimes; i++)
        if (file->is_linux || strcmp(file->regime[i].name, name) == 0)
            return &file->regime[i];
    return NULL;
}

double noise_rate(const struct noise_class *class)
{
    return (double)class->milli_per_second / 1e3;
}

double noise_bound(const struct noise_class *class)
{
    return (double)class->bound_micro / 1e6;
}

void noise_file_free(struct noise_file *file)
{
    for (unsigned i = 0; i < NOISE_FILE_REGIMES; i++)
        free(file->regime[i].detours);
    free(file->path);
    *file = (struct noise_file){0};
}

static void add_detour(struct noise_regime_file *regime, uint64_t at, uint64_t ns, uint32_t cause)
{
    if ((regime->detour_count & (regime->detour_count - 1)) == 0)
        regime->detours =
            must_grow(regime->detours, regime->detour_count ? 2 * regime->detour_count : 1, sizeof(*regime->detours));
    regime->detours[regime->detour_count++] = (struct noise_detour){at, ns, cause};
}

/* ---------------------------------------------------------------- a run of ours */

static void read_class(struct noise_class *class, const struct input_facts *facts, const char *regime, const char *name)
{
    *class = (struct noise_class){.threshold_ns = run_number(facts, FACT_NOISE_THRESHOLD, regime, name),
                                  .count = run_number(facts, FACT_NOISE_DETOURS, regime, name),
                                  .milli_per_second = run_number(facts, FACT_NOISE_RATE, regime, name),
                                  .lost_ppb = run_number(facts, FACT_NOISE_LOST, regime, name),
                                  .bound_micro = run_number(facts, FACT_NOISE_BOUND, regime, name)};
}

/* "4000000 ns, 2 of 5, HZ 250" */
static bool read_period(struct noise_period *period, const char *text)
{
    if (sscanf(text, "%" SCNu64 " ns, %u of %u", &period->nanoseconds, &period->detours, &period->expected) != 3 ||
        period->nanoseconds == 0)
        return false;
    period->milli_hz = 1000000000000ull / period->nanoseconds;
    return true;
}

static void read_regime(struct noise_regime_file *regime, const struct input_facts *facts)
{
    const char *name = regime->name, *period;

    regime->duration_ns = run_number(facts, FACT_NOISE_DURATION_NS, name);
    regime->reads = run_number(facts, FACT_NOISE_READS, name);
    regime->usual_ps = run_number(facts, FACT_NOISE_USUAL, name);
    regime->largest_ns = run_number(facts, FACT_NOISE_LARGEST, name);
    regime->not_kept = run_number(facts, FACT_NOISE_NOT_KEPT, name);
    regime->blind_ns = run_number(facts, FACT_NOISE_BLIND, name);
    read_class(&regime->by[NOISE_NINE], facts, name, "nine");
    read_class(&regime->by[NOISE_MICROSECOND], facts, name, "microsecond");
    for (unsigned i = NOISE_UNKNOWN; i < NOISE_CAUSES; i++)
        regime->by_cause[i] = run_number(facts, FACT_NOISE_CAUSE, name, noise_cause_name(i));
    for (unsigned i = 0; i < NOISE_PERIODS && (period = run_fact(facts, FACT_NOISE_PERIOD, name, i)); i++)
        regime->periods += read_period(&regime->period[regime->periods], period);
    for (unsigned i = 0; i < NOISE_BINS; i++) {
        regime->bins[i] = run_number(facts, FACT_NOISE_BIN, name, i);
        regime->quanta.late[i] = run_number(facts, FACT_NOISE_QUANTA_LATE, name, i);
    }
    regime->quanta.count = run_number(facts, FACT_NOISE_QUANTA, name);
    regime->quanta.least = run_number(facts, FACT_NOISE_QUANTA_LEAST, name);
    regime->quanta.most = run_number(facts, FACT_NOISE_QUANTA_MOST, name);
    regime->quanta.lost_ppb = run_number(facts, FACT_NOISE_QUANTA_LOST, name);
}

static uint32_t cause_of(const char *name)
{
    for (uint32_t i = NOISE_UNKNOWN; i < NOISE_CAUSES; i++)
        if (strcmp(noise_cause_name(i), name) == 0)
            return i;
    return NOISE_NOT_ASKED;
}

static void read_detours(struct noise_file *file, FILE *csv)
{
    char line[LINE_BYTES], name[16], cause[32];
    uint64_t at, ns;

    while (fgets(line, sizeof(line), csv)) {
        cause[0] = '\0';
        if (sscanf(line, "%15[a-z],%" SCNu64 ",%" SCNu64 ",%31[^\n]", name, &at, &ns, cause) < 3)
            continue;
        for (unsigned i = 0; i < file->regimes; i++)
            if (strcmp(file->regime[i].name, name) == 0)
                add_detour(&file->regime[i], at, ns, cause_of(cause));
    }
}

static enum noise_file_state read_folder(struct noise_file *file, char *error, size_t error_size)
{
    FILE *csv = run_folder_open(file->path, "noise.csv");
    struct input_facts facts = {.cpu_name = ""};
    struct run_ini ini = {0};
    char problem[100];

    if (csv == NULL)
        return NOISE_FILE_OTHER;
    (void)run_ini_read(&ini, &facts, file->path, problem, sizeof(problem)); /* without it there are no figures */
    file->is_model = facts.is_model;
    snprintf(file->cpu, sizeof(file->cpu), "%s", facts.cpu_name);
    file->tsc_khz = facts.tsc_khz;
    for (unsigned i = 0; i < NOISE_FILE_REGIMES; i++) {
        struct noise_regime_file *regime = &file->regime[file->regimes];

        if (run_number(&facts, FACT_NOISE_DURATION_NS, regimes[i].name) == 0)
            continue;
        regime->name = regimes[i].name;
        regime->title = regimes[i].title;
        read_regime(regime, &facts);
        file->regimes++;
    }
    read_detours(file, csv);
    fclose(csv);
    run_ini_free(&ini);
    if (file->regimes > 0 && file->tsc_khz > 0)
        return NOISE_FILE_READ;
    snprintf(error, error_size, "%s: run.ini beside noise.csv has no figures of noise", file->path);
    return NOISE_FILE_DAMAGED;
}

/* ---------------------------------------------------------------- the twin's JSON */

static void json_bins(uint64_t *bins, const struct json_value *list)
{
    for (const struct json_value *bin = list ? list->first : NULL; bin; bin = bin->next) {
        uint64_t from = json_to_uint(json_member(bin, "from_ticks"));

        bins[from ? 63 - __builtin_clzll(from) : 0] += json_to_uint(json_member(bin, "count"));
    }
}

static void json_class(struct noise_class *class, const struct json_value *from)
{
    class->threshold_ns = json_to_uint(json_member(from, "threshold_ns"));
    class->count = json_to_uint(json_member(from, "detours"));
    class->milli_per_second = (uint64_t)(json_to_real(json_member(from, "per_second")) * 1e3 + 0.5);
    class->lost_ppb = json_to_uint(json_member(from, "lost_ppb"));
    class->bound_micro = (uint64_t)(json_to_real(json_member(from, "fewer_per_second")) * 1e6 + 0.5);
}

static void json_detours(struct noise_regime_file *regime, const struct json_value *root)
{
    const struct json_value *all = json_member(root, "detours"), *longest = json_member(root, "longest");

    for (const struct json_value *one = all ? all->first : NULL; one; one = one->next)
        if (one->type == JSON_ARRAY && one->first && one->first->next)
            add_detour(regime, json_to_uint(one->first), json_to_uint(one->first->next), NOISE_NOT_ASKED);
    /* Files of older twins have the longest alone. */
    for (const struct json_value *one = longest ? longest->first : NULL; one; one = one->next) {
        uint64_t ns = json_to_uint(json_member(one, "ns"));

        if (ns > regime->largest_ns)
            regime->largest_ns = ns;
        if (all == NULL)
            add_detour(regime, json_to_uint(json_member(one, "at_ns")), ns, NOISE_NOT_ASKED);
    }
}

static bool take_json(struct noise_file *file, const struct json_value *root)
{
    struct noise_regime_file *regime = &file->regime[0];
    const struct json_value *periods = json_member(root, "periods"), *quanta = json_member(root, "quanta");

    if (json_member(root, "usual_gap_ps") == NULL || json_member(root, "one_microsecond") == NULL)
        return false;
    file->is_linux = true;
    file->regimes = 1;
    file->tsc_khz = (uint32_t)json_to_uint(json_member(root, "tsc_khz"));
    regime->name = "linux";
    regime->title = "Linux";
    regime->duration_ns = json_to_uint(json_member(root, "duration_ns"));
    regime->reads = json_to_uint(json_member(root, "reads"));
    regime->usual_ps = json_to_uint(json_member(root, "usual_gap_ps"));
    json_class(&regime->by[NOISE_NINE], json_member(root, "nine_times_usual"));
    json_class(&regime->by[NOISE_MICROSECOND], json_member(root, "one_microsecond"));
    regime->not_kept = json_to_uint(json_member(root, "not_kept"));
    json_bins(regime->bins, json_member(root, "histogram"));
    for (const struct json_value *one = periods ? periods->first : NULL; one && regime->periods < NOISE_PERIODS;
         one = one->next)
        regime->period[regime->periods++] = (struct noise_period){
            .nanoseconds = json_to_uint(json_member(one, "ns")),
            .milli_hz = (uint64_t)(json_to_real(json_member(one, "hz")) * 1e3 + 0.5),
            .detours = (uint32_t)json_to_uint(json_member(one, "detours")),
            .expected = (uint32_t)json_to_uint(json_member(one, "expected")),
        };
    if (quanta) {
        regime->quanta.count = json_to_uint(json_member(quanta, "count"));
        regime->quanta.least = json_to_uint(json_member(quanta, "least_ticks"));
        regime->quanta.most = json_to_uint(json_member(quanta, "most_ticks"));
        regime->quanta.lost_ppb = json_to_uint(json_member(quanta, "lost_ppb"));
        json_bins(regime->quanta.late, json_member(quanta, "histogram"));
    }
    json_detours(regime, root);
    return true;
}

static enum noise_file_state read_json(struct noise_file *file, char *error, size_t error_size)
{
    enum noise_file_state state = NOISE_FILE_OTHER;
    FILE *from = fopen(file->path, "rb");
    struct json_tree *tree;
    char problem[200], *text;
    size_t size = 0;
    int first;

    if (from == NULL)
        return NOISE_FILE_OTHER;
    do
        first = fgetc(from);
    while (first == ' ' || first == '\n' || first == '\r' || first == '\t');
    if (first != '{') {
        fclose(from);
        return NOISE_FILE_OTHER;
    }
    size = fseek(from, 0, SEEK_END) == 0 && ftell(from) >= 0 ? (size_t)ftell(from) : 0;
    rewind(from);
    if (size > JSON_BYTES_MAX) {
        snprintf(error, error_size, "%s: larger than 64 MiB", file->path);
        fclose(from);
        return NOISE_FILE_DAMAGED;
    }
    text = must_alloc(size + 1, 1);
    size = fread(text, 1, size, from);
    fclose(from);
    tree = json_read(text, size, problem, sizeof(problem));
    free(text);
    if (tree == NULL) {
        snprintf(error, error_size, "%s: %s", file->path, problem);
        return NOISE_FILE_DAMAGED;
    }
    if (take_json(file, json_root(tree))) {
        state = NOISE_FILE_READ;
        if (file->tsc_khz == 0 || file->regime[0].duration_ns == 0) {
            snprintf(error, error_size, "%s: no duration, or no rate of the TSC", file->path);
            state = NOISE_FILE_DAMAGED;
        }
    }
    json_tree_free(tree);
    return state;
}

enum noise_file_state noise_file_read(struct noise_file *file, const char *path, char *error, size_t error_size)
{
    enum noise_file_state state;
    struct stat status;

    *file = (struct noise_file){.path = must_text("%s", path)};
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
        state = read_json(file, error, error_size);
    else
        state = read_folder(file, error, error_size);
    if (state != NOISE_FILE_READ)
        noise_file_free(file);
    return state;
}
