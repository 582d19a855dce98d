/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/csv_file.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/shown.h"
#include "tools/ibsprof/bias/bias.h"
#include "tools/ibsprof/read/run_folder.h"

bool bias_facts_read(struct bias_facts *run, const char *path)
{
    char error[400];

    *run = (struct bias_facts){.path = must_copy(path)};
    run->facts.path = run->path;
    if (!run_ini_read(&run->ini, &run->facts, path, error, sizeof(error)))
        complain("%s: %s", shown(path), error);
    else if (run_phase(&run->facts))
        complain("%s: it was not finished: name finished runs", shown(path));
    else
        return true;
    return false;
}

void bias_facts_free(struct bias_facts *run)
{
    run_ini_free(&run->ini);
    free(run->path);
}

/* ---------------------------------------------------------------- exact.csv */

enum { RVA, FUNCTION, FILE_NAME, LINE, INSTRUCTION, OPS, EXECUTIONS, REPETITIONS, TAKEN, COLUMNS };

static void add(struct bias_exact *exact, char *const field[])
{
    struct bias_insn *insn = must_add(exact->insn, exact->insns);
    double executions = strtod(field[EXECUTIONS], NULL), repetitions = strtod(field[REPETITIONS], NULL);

    *insn = (struct bias_insn){.rva = (uint32_t)strtoul(field[RVA], NULL, 16),
                               .function = must_copy(field[FUNCTION]),
                               .text = must_copy(field[INSTRUCTION]),
                               .executions = executions,
                               .taken = strtod(field[TAKEN], NULL),
                               .before = -1};
    insn->ops = strtod(field[OPS], NULL) * (repetitions > executions ? repetitions : executions);
    exact->executions += executions;
    exact->ops += insn->ops;
}

static int by_rva(const void *a, const void *b)
{
    const struct bias_insn *left = a, *right = b;

    return left->rva < right->rva ? -1 : left->rva > right->rva;
}

uint32_t bias_exact_find(const struct bias_exact *exact, uint64_t rva)
{
    struct bias_insn key = {.rva = (uint32_t)rva}, *found = NULL;

    if (rva <= UINT32_MAX && exact->insns)
        found = bsearch(&key, exact->insn, exact->insns, sizeof(key), by_rva);
    return found ? (uint32_t)(found - exact->insn) : exact->insns;
}

static bool same_function(const struct bias_insn *a, const struct bias_insn *b)
{
    return strcmp(a->function, b->function) == 0;
}

/* Finds the most frequent predecessor of each instruction: the one before it in memory, unless that branches away, or a
 * branch, whose text ends with its target ("jl 1039"). */
static void find_before(struct bias_exact *exact)
{
    double *most = must_alloc(exact->insns, sizeof(*most));

    for (uint32_t i = 0; i < exact->insns; i++) {
        const struct bias_insn *insn = &exact->insn[i];
        const char *target = strrchr(insn->text, ' ');
        char *end = NULL;
        uint32_t to = exact->insns;

        if (i + 1 < exact->insns && same_function(insn, insn + 1) && insn->executions - insn->taken > most[i + 1]) {
            most[i + 1] = insn->executions - insn->taken;
            exact->insn[i + 1].before = (int32_t)i;
        }
        if (insn->taken > 0 && target)
            to = bias_exact_find(exact, strtoull(target + 1, &end, 16));
        if (to < exact->insns && !*end && insn->taken > most[to]) {
            most[to] = insn->taken;
            exact->insn[to].before = (int32_t)i;
        }
    }
    free(most);
}

static void finish(struct bias_exact *exact)
{
    uint32_t first = 0;

    qsort(exact->insn, exact->insns, sizeof(*exact->insn), by_rva);
    for (uint32_t i = 0; i < exact->insns; i++) {
        if (!same_function(&exact->insn[first], &exact->insn[i]))
            first = i;
        exact->insn[i].offset = exact->insn[i].rva - exact->insn[first].rva;
    }
    find_before(exact);
}

static bool read_rows(struct bias_exact *exact, FILE *file)
{
    static const char *const names[COLUMNS] = {"rva", "function",   "file",        "line", "instruction",
                                               "ops", "executions", "repetitions", "taken"};
    struct csv_file csv;
    bool good = csv_begin(&csv, file) && csv_has_columns(&csv, names, COLUMNS);

    while (good && csv_next(&csv))
        add(exact, csv.field);
    good &= !csv.problem && exact->insns && exact->ops > 0;
    csv_end(&csv);
    return good;
}

bool bias_exact_read(struct bias_exact *exact, const char *path)
{
    FILE *file;
    bool good;

    *exact = (struct bias_exact){0};
    if (!bias_facts_read(&exact->run, path))
        return false;
    file = run_folder_open(path, "exact.csv");
    if (!file) {
        complain("%s: it has no exact.csv: name a run with config=exact first, and then runs with samples",
                 shown(path));
        return false;
    }
    good = read_rows(exact, file);
    fclose(file);
    if (!good)
        complain("%s: its exact.csv is damaged: copy the run again", shown(path));
    else if (!run_number(&exact->run.facts, FACT_EXACT_WHOLE))
        complain("%s: its counts end before the workload's end: let it run to the end", shown(path));
    else
        finish(exact);
    return good && run_number(&exact->run.facts, FACT_EXACT_WHOLE);
}

void bias_exact_free(struct bias_exact *exact)
{
    for (uint32_t i = 0; i < exact->insns; i++) {
        free(exact->insn[i].function);
        free(exact->insn[i].text);
    }
    free(exact->insn);
    bias_facts_free(&exact->run);
}
