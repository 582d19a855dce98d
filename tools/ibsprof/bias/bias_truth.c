/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The virtual PMU's exact time by instruction (docs/model.md), which tools/qemu/boot leaves two folders above a run:
 * truth-reference.csv is of the passes that nothing disturbed, truth.csv of all that was measured in the boot.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/csv_file.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/bias/bias.h"

static int column(const struct csv_file *csv, const char *name)
{
    for (unsigned i = 0; i < csv->columns; i++)
        if (strcmp(csv->field[i], name) == 0)
            return (int)i;
    return -1;
}

/* Reads times and executions of the instructions of the exact run. */
static bool read_rows(struct csv_file *csv, const struct bias_exact *exact, double *time, double *executions)
{
    int sixths, empty, count;

    if (!csv_begin(csv, csv->file))
        return false;
    sixths = column(csv, "time_sixths"), empty = column(csv, "empty_cycles"), count = column(csv, "executions");
    if (column(csv, "rva") != 0 || sixths < 0 || empty < 0 || count < 0)
        return false;
    while (csv_next(csv)) {
        uint32_t at = bias_exact_find(exact, strtoull(csv->field[0], NULL, 16));

        if (at == exact->insns)
            continue;
        time[at] += strtod(csv->field[sixths], NULL) / 6;
        time[exact->insns + 1] += strtod(csv->field[empty], NULL);
        executions[at] += strtod(csv->field[count], NULL);
    }
    return !csv->problem;
}

/* Returns whether all instructions were executed the same multiple of the exact counts, so that the runs have no other
 * parameters. */
static bool is_multiple(const struct bias_exact *exact, const double *executions)
{
    double times = exact->insns ? executions[0] / exact->insn[0].executions : 0;

    for (uint32_t i = 0; i < exact->insns; i++)
        if (fabs(executions[i] - times * exact->insn[i].executions) > 0.5)
            return false;
    return times > 0;
}

static bool read_file(struct bias_run *run, const struct bias_exact *exact, const char *name)
{
    char *path = must_text("%s/../../%s", run->run.path, name);
    FILE *file = fopen(path, "r");
    double *executions;
    struct csv_file csv = {.file = file};

    free(path);
    if (!file)
        return false;
    run->truth = must_alloc(exact->insns + 2, sizeof(double));
    executions = must_alloc(exact->insns + 1, sizeof(double));
    if (!read_rows(&csv, exact, run->truth, executions))
        run->no_truth = "is damaged";
    else if (!is_multiple(exact, executions))
        run->no_truth = "has other executions than the exact run: the parameters or the code differ";
    else
        run->no_truth = NULL;
    run->truth_name = name;
    csv_end(&csv);
    fclose(file);
    free(executions);
    if (run->no_truth) {
        free(run->truth);
        run->truth = NULL;
    }
    return run->truth;
}

void bias_truth_read(struct bias_run *run, const struct bias_exact *exact)
{
    if (!read_file(run, exact, "truth-reference.csv"))
        (void)read_file(run, exact, "truth.csv");
}
