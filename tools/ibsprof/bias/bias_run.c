/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the samples of a run by instruction: profile.csv, pmc.csv, time.csv. */
#include <stdlib.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "tools/ibsprof/base/csv_map.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/shown.h"
#include "tools/ibsprof/bias/bias.h"
#include "tools/ibsprof/counters/exploration.h"
#include "tools/ibsprof/read/run_folder.h"

/* ---------------------------------------------------------------- does the run belong to the exact one? */

static bool is_parameter(const struct input_setting *fact)
{
    static const char begin[] = "workload.", *const others[] = {"work", "unit", "check"};

    if (!fact->fact || strncmp(fact->key, begin, sizeof(begin) - 1) != 0)
        return false;
    for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (strcmp(fact->key + sizeof(begin) - 1, others[i]) == 0)
            return false;
    return true;
}

/* Complains of a parameter that differs between two runs. */
static bool other_parameter(const struct bias_facts *one, const struct bias_facts *other)
{
    for (uint32_t i = 0; i < one->facts.setting_count; i++) {
        const struct input_setting *fact = &one->facts.settings[i];
        const char *value = run_value(&other->facts, fact->key, true);

        if (!is_parameter(fact) || (value && strcmp(value, fact->value) == 0))
            continue;
        complain("%s: it has %s=%s, but %s has %s: name runs with the same parameters", shown(one->path),
                 fact->key + strlen("workload."), fact->value, shown(other->path), value ? value : "none");
        return true;
    }
    return false;
}

static bool belongs(const struct bias_facts *run, const struct bias_facts *exact)
{
    const char *workload = run->facts.workload ? run->facts.workload : "",
               *other = exact->facts.workload ? exact->facts.workload : "";
    unsigned cores = 0;
    uint32_t cpu;

    for (uint32_t i = 0; i < run->facts.setting_count; i++)
        cores += exploration_worker(&run->facts.settings[i], &cpu);
    if (strcmp(workload, other) != 0)
        complain("%s: its workload is %s, but that of %s is %s: name runs of one workload", shown(run->path), workload,
                 shown(exact->path), other);
    else if (cores > 1)
        complain("%s: it sampled %u cores, but exact counts are from one core: sample the workload on one core",
                 shown(run->path), cores);
    else
        return !other_parameter(run, exact) && !other_parameter(exact, run);
    return false;
}

/* ---------------------------------------------------------------- columns of samples */

struct columns {
    struct bias_run *run;
    const struct bias_exact *exact;
    int to[CSV_FIELDS_MAX]; /* by field: the way; -1: none */
    int weighted;           /* the field with cycles from tag to retirement, of way 0; -1: none */
};

static struct bias_way *add_way(const struct columns *columns, enum bias_by by)
{
    struct bias_way *way = must_add(columns->run->way, columns->run->ways);

    *way = (struct bias_way){.by = by, .samples = must_alloc(columns->exact->insns + 1, sizeof(double))};
    return way;
}

/* Chooses the columns of profile.csv: op samples, and their cycles. */
static void choose_ibs(struct columns *columns, const struct csv_file *csv)
{
    uint64_t ctl = run_number(&columns->run->run.facts, FACT_IBS_OP_CTL);

    for (unsigned i = CSV_MAP_FIELDS; i < csv->columns; i++) {
        if (strncmp(csv->field[i], "F100 ", 5) == 0) {
            columns->to[i] = (int)columns->run->ways;
            add_way(columns, ctl & IBS_OP_CNT_CTL ? BIAS_IBS_OPS : BIAS_IBS_CYCLES)->weighted =
                must_alloc(columns->exact->insns + 1, sizeof(double));
        }
        if (strncmp(csv->field[i], "F101 ", 5) == 0)
            columns->weighted = (int)i;
    }
}

static void choose_counters(struct columns *columns, const struct csv_file *csv)
{
    static const struct {
        const char *begin;
        enum bias_by by;
    } known[] = {{"0C0 ", BIAS_INSTRUCTIONS}, {"076 ", BIAS_CYCLES}, {"timer ", BIAS_TIMER}};

    for (unsigned i = CSV_MAP_FIELDS; i < csv->columns; i++)
        for (unsigned k = 0; k < sizeof(known) / sizeof(known[0]); k++)
            if (strncmp(csv->field[i], known[k].begin, strlen(known[k].begin)) == 0) {
                columns->to[i] = (int)columns->run->ways;
                (void)add_way(columns, known[k].by);
            }
}

/* Adds a row. Returns false after a complaint if the exact run has another instruction there. */
static bool take_row(const struct columns *columns, const struct csv_file *csv)
{
    bool outside = !csv->field[0][0];
    uint32_t at = outside ? 0 : bias_exact_find(columns->exact, strtoull(csv->field[0], NULL, 16));

    if (!outside && at < columns->exact->insns && strcmp(columns->exact->insn[at].text, csv->field[4]) != 0) {
        complain(
            "%s: its code differs from that of %s: '%s' is '%s' there; name runs of the same image, or of own code",
            shown(columns->run->run.path), shown(columns->exact->run.path), csv->field[4],
            columns->exact->insn[at].text);
        return false;
    }
    for (unsigned i = CSV_MAP_FIELDS; i < csv->columns; i++) {
        struct bias_way *way = columns->to[i] >= 0 ? &columns->run->way[columns->to[i]] : NULL;

        if (way)
            *(outside ? &way->outside : &way->samples[at]) += strtod(csv->field[i], NULL);
        if (way && way->weighted && columns->weighted >= 0 && !outside)
            way->weighted[at] += strtod(csv->field[columns->weighted], NULL);
    }
    return true;
}

/* Reads a file whose columns 'choose' knows. Returns false after a complaint. */
static bool read_samples(struct bias_run *run, const struct bias_exact *exact, const char *name,
                         void (*choose)(struct columns *, const struct csv_file *))
{
    struct columns columns = {.run = run, .exact = exact, .weighted = -1};
    FILE *file = run_folder_open(run->run.path, name);
    struct csv_file csv;
    bool whole, good = true;

    if (!file)
        return true;
    for (unsigned i = 0; i < CSV_FIELDS_MAX; i++)
        columns.to[i] = -1;
    whole = csv_begin(&csv, file) && csv_map_has(&csv);
    if (whole)
        choose(&columns, &csv);
    while (whole && good && csv_next(&csv))
        good = take_row(&columns, &csv);
    whole &= !csv.problem;
    csv_end(&csv);
    fclose(file);
    if (!whole)
        complain("%s: its %s is damaged: copy the run again", shown(run->run.path), name);
    return whole && good;
}

/* ---------------------------------------------------------------- time.csv */

/* Reads the shares of time.csv, whose first columns are the map's. Damaged or missing: no estimate. */
static void read_time(struct bias_run *run, const struct bias_exact *exact)
{
    FILE *file = run_folder_open(run->run.path, "time.csv");
    struct csv_file csv;

    if (!file)
        return;
    if (csv_begin(&csv, file) && csv_map_has(&csv)) {
        run->estimated = must_alloc(exact->insns + 2, sizeof(double));
        while (csv_next(&csv)) {
            double share = strtod(csv.field[CSV_MAP_FIELDS], NULL);

            if (csv.field[0][0])
                run->estimated[bias_exact_find(exact, strtoull(csv.field[0], NULL, 16))] += share;
            else if (strcmp(csv.field[1], "(front end)") == 0)
                run->estimated[exact->insns + 1] += share;
        }
    }
    csv_end(&csv);
    fclose(file);
}

bool bias_run_read(struct bias_run *run, const struct bias_exact *exact, const char *path)
{
    const char *once;

    *run = (struct bias_run){0};
    if (!bias_facts_read(&run->run, path) || !belongs(&run->run, &exact->run) ||
        !read_samples(run, exact, "profile.csv", choose_ibs) || !read_samples(run, exact, "pmc.csv", choose_counters))
        return false;
    if (!run->ways) {
        complain("%s: it has no samples of IBS ops, of the counters 0C0 and 076, or of the timer", shown(path));
        return false;
    }
    once = run_value(&run->run.facts, "once", false);
    run->once = once && strcmp(once, "yes") == 0;
    run->failed = run_number(&run->run.facts, FACT_ERROR) != 0;
    run->lost = (double)(run_number(&run->run.facts, FACT_SAMPLES_OP_LOST) +
                         run_number(&run->run.facts, FACT_SAMPLES_PMC_LOST) +
                         run_number(&run->run.facts, FACT_SAMPLES_TIMER_LOST));
    read_time(run, exact);
    bias_truth_read(run, exact);
    return true;
}

void bias_run_free(struct bias_run *run)
{
    for (uint32_t i = 0; i < run->ways; i++) {
        free(run->way[i].samples);
        free(run->way[i].weighted);
    }
    free(run->way);
    free(run->estimated);
    free(run->truth);
    bias_facts_free(&run->run);
}
