/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/noise/noise_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/csv_file.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/run_folder.h"

static const struct {
    const char *name, *title;
} regimes[NOISE_FILE_REGIMES] = {{"firmware", "firmware's interrupts on"},
                                 {"masked", "interrupts off"},
                                 {"alone", "everything off"},
                                 {"linux", "Linux"}};

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
    run_ini_free(&file->ini);
    *file = (struct noise_file){0};
}

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

static void read_detours(struct noise_file *file, FILE *from)
{
    static const char *const columns[] = {"regime", "start_ns", "length_ns", "cause"};
    enum { REGIME, START, LENGTH, CAUSE, COLUMNS };
    struct csv_file csv;
    bool good = csv_begin(&csv, from) && csv_has_columns(&csv, columns, COLUMNS);

    while (good && csv_next(&csv))
        for (unsigned i = 0; i < file->regimes; i++)
            if (strcmp(file->regime[i].name, csv.field[REGIME]) == 0)
                *must_add(file->regime[i].detours, file->regime[i].detour_count) =
                    (struct noise_detour){strtoull(csv.field[START], NULL, 10), strtoull(csv.field[LENGTH], NULL, 10),
                                          cause_of(csv.field[CAUSE])};
    csv_end(&csv);
}

enum noise_file_state noise_file_read(struct noise_file *file, const char *path, char *error, size_t error_size)
{
    FILE *csv = run_folder_has(path, ".") ? run_folder_open(path, "noise.csv") : NULL;
    char problem[100];

    *file = (struct noise_file){.facts = {.cpu_name = ""}};
    if (csv == NULL)
        return NOISE_FILE_OTHER;
    file->path = must_copy(path);
    (void)run_ini_read(&file->ini, &file->facts, path, problem, sizeof(problem)); /* without it there are no figures */
    file->is_model = file->facts.is_model;
    snprintf(file->cpu, sizeof(file->cpu), "%s", file->facts.cpu_name);
    file->tsc_khz = file->facts.tsc_khz;
    for (unsigned i = 0; i < NOISE_FILE_REGIMES; i++) {
        struct noise_regime_file *regime = &file->regime[file->regimes];

        if (run_number(&file->facts, FACT_NOISE_DURATION_NS, regimes[i].name) == 0)
            continue;
        regime->name = regimes[i].name;
        regime->title = regimes[i].title;
        read_regime(regime, &file->facts);
        file->is_linux = strcmp(regime->name, "linux") == 0;
        file->regimes++;
    }
    read_detours(file, csv);
    fclose(csv);
    if (file->regimes > 0 && file->tsc_khz > 0)
        return NOISE_FILE_READ;
    snprintf(error, error_size, "%s: run.ini beside noise.csv has no noise figures", path);
    noise_file_free(file);
    return NOISE_FILE_DAMAGED;
}
