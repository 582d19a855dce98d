/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/sweep/sweep_runs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/run_ini.h"

/* Settings that separate runs of one workload and parameter into curves. */
static const char *const apart[] = {"memory", "pages", "frames", "cores"};
enum { APART = sizeof(apart) / sizeof(apart[0]) };

/* Returns the name of a workload parameter among the facts, or NULL. */
static const char *parameter(const struct input_setting *setting)
{
    return setting->fact && fact_find(setting->key) == FACT_PARAMETER ? strchr(setting->key, '.') + 1 : NULL;
}

static bool is_kept(const struct input_setting *setting)
{
    for (unsigned i = 0; i < APART && !setting->fact; i++)
        if (strcmp(setting->key, apart[i]) == 0)
            return true;
    return parameter(setting) != NULL;
}

/* Returns a run's value; NULL: none. */
static const char *value_of(const struct sweep_run *run, const char *key, bool fact)
{
    for (uint32_t i = 0; i < run->setting_count; i++)
        if (run->settings[i].fact == fact && strcmp(run->settings[i].key, key) == 0)
            return run->settings[i].value;
    return NULL;
}

/* ---------------------------------------------------------------- reading */

struct input *sweep_open(const struct run_list *list, uint32_t run)
{
    char error[1024];
    struct input *input = input_open(list->path[run], error, sizeof(error));

    if (!input)
        complain("%s", error);
    return input;
}

/* Returns false after a complaint: a pipe gives its bytes once, and each run is opened several times. */
static bool can_be_read_again(const char *path)
{
    struct stat found;

    if (stat(path, &found) != 0 || S_ISREG(found.st_mode) || S_ISDIR(found.st_mode))
        return true;
    complain("%s is a pipe, and several runs are read more than once: give the run's folder or file", path);
    return false;
}

static void keep(struct sweep_run *run, const struct input_facts *facts)
{
    for (uint32_t i = 0; i < facts->setting_count; i++) {
        const struct input_setting *setting = &facts->settings[i];

        if (is_kept(setting))
            *must_add(run->settings, run->setting_count) =
                (struct input_setting){must_copy(setting->key), must_copy(setting->value), setting->fact};
    }
}

/* Takes the first run's workload, or compares it. Returns false after a complaint. */
static bool same_workload(struct sweep *sweep, const struct run_list *list, uint32_t run,
                          const struct input_facts *facts)
{
    sweep->is_model |= facts->is_model;
    if (run == 0) {
        sweep->workload = must_copy(facts->workload);
        snprintf(sweep->cpu, sizeof(sweep->cpu), "%s", facts->cpu_name);
    }
    if (strcmp(facts->workload, sweep->workload) == 0)
        return true;
    complain("the workload of %s is %s, that of %s is %s: several runs must have the same workload", list->path[0],
             sweep->workload, list->path[run], facts->workload);
    return false;
}

bool sweep_runs_read(struct sweep_runs *runs, struct sweep *sweep, const struct run_list *list)
{
    *runs = (struct sweep_runs){list, must_alloc(list->count, sizeof(*runs->run))};
    for (uint32_t i = 0; i < list->count; i++) {
        struct input *input = can_be_read_again(list->path[i]) ? sweep_open(list, i) : NULL;
        bool good = input && same_workload(sweep, list, i, input_facts(input));

        if (good)
            keep(&runs->run[i], input_facts(input));
        input_close(input);
        if (!good)
            return false;
    }
    return true;
}

void sweep_runs_free(struct sweep_runs *runs)
{
    for (uint32_t i = 0; i < runs->list->count; i++) {
        for (uint32_t k = 0; k < runs->run[i].setting_count; k++) {
            free((char *)(uintptr_t)runs->run[i].settings[k].key);
            free((char *)(uintptr_t)runs->run[i].settings[k].value);
        }
        free(runs->run[i].settings);
    }
    free(runs->run);
}

/* ---------------------------------------------------------------- parameters */

static bool differs(const struct sweep_runs *runs, const char *key, bool fact)
{
    const char *first = value_of(&runs->run[0], key, fact);

    for (uint32_t i = 1; i < runs->list->count; i++) {
        const char *other = value_of(&runs->run[i], key, fact);

        if ((!first) != (!other) || (first && strcmp(first, other) != 0))
            return true;
    }
    return false;
}

bool sweep_runs_choose(const struct sweep_runs *runs, struct sweep *sweep, const char *wanted)
{
    const struct sweep_run *first = &runs->run[0];
    unsigned found = 0;

    for (uint32_t i = 0; i < first->setting_count; i++) {
        const char *name = parameter(&first->settings[i]);

        if (!name || !differs(runs, first->settings[i].key, true))
            continue;
        if (wanted ? strcmp(name, wanted) == 0 : found == 0 || strcmp(name, "kb") == 0)
            snprintf(sweep->against, sizeof(sweep->against), "%s", name);
        found++;
    }
    if (sweep->against[0] && (wanted || found == 1 || strcmp(sweep->against, "kb") == 0))
        return true;
    if (wanted)
        complain("the runs have no parameter '%s' that differs", wanted);
    else if (found == 0)
        complain("several runs, but no parameter of the workload differs; 'compare' takes equal runs");
    else
        complain("several parameters of the runs differ: choose one with --against=NAME");
    return false;
}

double sweep_runs_x(const struct sweep_runs *runs, const struct sweep *sweep, uint32_t run)
{
    char key[48];
    const char *value;

    snprintf(key, sizeof(key), "workload.%s", sweep->against);
    value = value_of(&runs->run[run], key, true);
    return value ? strtod(value, NULL) : 0;
}

uint32_t sweep_runs_series(const struct sweep_runs *runs, struct sweep *sweep, uint32_t run)
{
    char text[200] = "";

    for (unsigned i = 0; i < APART; i++) {
        const char *value = value_of(&runs->run[run], apart[i], false);

        if (differs(runs, apart[i], false))
            snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s = %s", text[0] ? ", " : "", apart[i],
                     value ? value : "?");
    }
    for (uint32_t i = 0; i < sweep->series_count; i++)
        if (strcmp(sweep->series[i], text) == 0)
            return i;
    *must_add(sweep->series, sweep->series_count) = must_copy(text);
    return sweep->series_count - 1;
}
