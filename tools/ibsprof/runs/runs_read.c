/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/runs/runs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/read/run_folder.h"

/* Returns 1 for "0001-matmul-classic-ibs", as app/save/save.c numbers runs. */
static int number_of(const char *name)
{
    char *end;
    long number = strtol(name, &end, 10);

    return isdigit((unsigned char)name[0]) && *end == '-' && number >= 0 && number < 100000000 ? (int)number : -1;
}

static void read_note(struct run_entry *run)
{
    FILE *file = run_folder_open(run->path, "note.txt");

    if (!file)
        return;
    if (fgets(run->note, sizeof(run->note), file))
        run->note[strcspn(run->note, "\r\n")] = '\0';
    fclose(file);
}

static void add_samples(struct run_entry *run)
{
    static const enum fact facts[] = {FACT_SAMPLES_OP, FACT_SAMPLES_FETCH, FACT_SAMPLES_PMC, FACT_SAMPLES_TIMER};

    for (unsigned i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
        run->sampled |= run_fact(&run->facts, facts[i]) != NULL;
        run->samples += run_number(&run->facts, facts[i]);
    }
}

bool run_entry_read(struct run_entry *run, const char *path)
{
    char problem[100];
    size_t length = strlen(path);

    *run = (struct run_entry){.facts = {.cpu_name = "", .vendor = "", .workload = "", .work_unit = ""}};
    while (length > 1 && path[length - 1] == '/')
        length--;
    run->path = must_text("%.*s", (int)length, path);
    run->name = strrchr(run->path, '/') ? strrchr(run->path, '/') + 1 : run->path;
    run->number = number_of(run->name);
    if (!run_ini_read(&run->ini, &run->facts, run->path, problem, sizeof(problem))) {
        complain("%s: %s", run->path, problem);
        run_entry_free(run);
        return false;
    }
    add_samples(run);
    read_note(run);
    if (run_phase(&run->facts))
        snprintf(run->unfinished, sizeof(run->unfinished), "NOT FINISHED: %.60s%s%s", run_phase(&run->facts),
                 run->note[0] ? "; " : "", run->note);
    return true;
}

void run_entry_free(struct run_entry *run)
{
    run_ini_free(&run->ini);
    free(run->path);
    *run = (struct run_entry){0};
}

const char *run_entry_started(const struct run_entry *run, char *text)
{
    const char *started = run_fact(&run->facts, FACT_STARTED);

    snprintf(text, 20, "%s", started ? started : "");
    if (strchr(text, 'T'))
        *strchr(text, 'T') = ' ';
    return text;
}

const char *run_entry_config(const struct run_entry *run)
{
    const char *config = run_fact(&run->facts, FACT_CONFIG);

    if (!config)
        config = run_value(&run->facts, "config", false);
    return config ? config : "";
}

const char *run_entry_machine(const struct run_entry *run)
{
    return run->facts.is_model ? "MODEL" : run->facts.cpu_name;
}
