/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/shown.h"
#include "tools/ibsprof/bias/bias.h"
#include "tools/ibsprof/read/run_folder.h"
#include "tools/ibsprof/stat/stat_table.h"

enum { SEED = 1 /* seed of the draws, for repeatable results */ };

/* ---------------------------------------------------------------- reading */

static bool add_run(struct bias *bias, const char *path)
{
    return bias_run_read(must_add(bias->run, bias->runs), &bias->exact, path);
}

/* Adds the runs of a path. With several, those without samples by instruction are skipped. */
static bool add_path(struct bias *bias, const char *path)
{
    struct run_list list = {0};
    uint32_t before = bias->runs;
    bool good = run_list_find(&list, path) || run_list_find_below(&list, path);

    if (!good)
        complain("%s: there is no run", shown(path));
    for (uint32_t i = 0; good && i < list.count; i++)
        if (list.count == 1 || run_folder_has(list.path[i], "profile.csv") || run_folder_has(list.path[i], "pmc.csv"))
            good = add_run(bias, list.path[i]);
    if (good && bias->runs == before) {
        complain("%s: none of its runs sampled", shown(path));
        good = false;
    }
    run_list_free(&list);
    return good;
}

bool bias_read(struct bias *bias, const char *exact, char *const *paths, int count)
{
    bool good;

    *bias = (struct bias){.nearest = -1};
    good = bias_exact_read(&bias->exact, exact);
    for (int i = 0; good && i < count; i++)
        good = add_path(bias, paths[i]);
    return good;
}

void bias_free(struct bias *bias)
{
    for (uint32_t i = 0; i < bias->runs; i++)
        bias_run_free(&bias->run[i]);
    free(bias->run);
    free(bias->row);
    bias_exact_free(&bias->exact);
}

/* ---------------------------------------------------------------- comparing */

static double sum_of(const double *v, uint32_t count)
{
    double sum = 0;

    for (uint32_t i = 0; i < count; i++)
        sum += v[i];
    return sum;
}

static struct bias_row *add_row(struct bias *bias, uint32_t run, uint32_t way, enum bias_against against,
                                enum bias_estimate estimate)
{
    struct bias_row *row = must_add(bias->row, bias->rows);

    *row = (struct bias_row){.run = run, .way = way, .against = against, .estimate = estimate};
    return row;
}

static void against_counts(struct bias *bias, uint32_t run, uint32_t way, enum bias_against against)
{
    uint32_t cells = bias->exact.insns + 1;
    const double *samples = bias->run[run].way[way].samples;
    struct bias_row *row = add_row(bias, run, way, against, BIAS_PLAIN);
    double *share = must_alloc(cells, sizeof(*share));

    for (uint32_t i = 0; i + 1 < cells; i++)
        share[i] = against == BIAS_AGAINST_OPS ? bias->exact.insn[i].ops : bias->exact.insn[i].executions;
    if (stat_bias(samples, share, cells, SEED, &row->stat)) {
        row->worst_here = samples[row->stat.worst] / row->stat.n;
        row->worst_there = share[row->stat.worst] / sum_of(share, cells);
    }
    free(share);
}

/* Compares an estimate with the true time; 'estimate' ends with the shares of code that is never executed and of the
 * front end. */
static void against_time(struct bias *bias, uint32_t run, uint32_t way, enum bias_estimate kind, const double *estimate)
{
    uint32_t cells = bias->exact.insns + 2;
    struct bias_row *row = add_row(bias, run, way, BIAS_AGAINST_TIME, kind);

    if (kind == BIAS_PLAIN) {
        (void)stat_bias(estimate, bias->run[run].truth, cells, SEED, &row->stat);
    } else {
        row->stat.n = kind == BIAS_TIME_CSV ? 0 : sum_of(bias->run[run].way[way].samples, cells - 1);
        row->stat.tvd = stat_tvd(estimate, bias->run[run].truth, cells);
    }
    if (sum_of(estimate, cells) > 0 && (bias->nearest < 0 || row->stat.tvd < bias->row[bias->nearest].stat.tvd))
        bias->nearest = (int32_t)bias->rows - 1;
}

static void way_against_time(struct bias *bias, uint32_t run, uint32_t at)
{
    const struct bias_way *way = &bias->run[run].way[at];
    uint32_t insns = bias->exact.insns;
    double *values = must_alloc(insns + 2, sizeof(*values));

    memcpy(values, way->samples, (insns + 1) * sizeof(*values));
    against_time(bias, run, at, BIAS_PLAIN, values);
    if (way->by == BIAS_IBS_OPS && way->weighted) {
        memcpy(values, way->weighted, (insns + 1) * sizeof(*values));
        against_time(bias, run, at, BIAS_WEIGHTED, values);
    }
    if (way->by == BIAS_CYCLES || way->by == BIAS_TIMER) {
        memset(values, 0, (insns + 2) * sizeof(*values));
        for (uint32_t i = 0; i <= insns; i++)
            values[i < insns && bias->exact.insn[i].before >= 0 ? (uint32_t)bias->exact.insn[i].before : i] +=
                way->samples[i];
        against_time(bias, run, at, BIAS_MOVED_BACK, values);
    }
    free(values);
}

void bias_judge(struct bias *bias)
{
    for (uint32_t run = 0; run < bias->runs; run++)
        for (uint32_t way = 0; way < bias->run[run].ways; way++) {
            if (bias->run[run].way[way].by == BIAS_INSTRUCTIONS)
                against_counts(bias, run, way, BIAS_AGAINST_EXECUTIONS);
            against_counts(bias, run, way, BIAS_AGAINST_OPS);
        }
    for (uint32_t run = 0; run < bias->runs; run++) {
        if (!bias->run[run].truth)
            continue;
        for (uint32_t way = 0; way < bias->run[run].ways; way++)
            way_against_time(bias, run, way);
        if (bias->run[run].estimated)
            against_time(bias, run, 0, BIAS_TIME_CSV, bias->run[run].estimated);
    }
}

/* ---------------------------------------------------------------- words */

const char *bias_way_name(enum bias_by by)
{
    static const char *const names[BIAS_WAYS] = {
        "IBS ops, counted in ops",
        "IBS ops, counted in cycles",
        "counter 0C0, retired instructions",
        "counter 076, cycles",
        "timer",
    };

    return names[by];
}

const char *bias_estimate_name(enum bias_estimate estimate)
{
    static const char *const names[] = {"", "weighted by tag-to-retire cycles", "moved back one instruction",
                                        "estimated time (time.csv)"};

    return names[estimate];
}

const char *bias_against_name(enum bias_against against)
{
    static const char *const names[] = {"macro-ops", "instructions", "true time"};

    return names[against];
}

char *bias_place(const struct bias_exact *exact, uint32_t index)
{
    const struct bias_insn *insn = &exact->insn[index];

    if (index >= exact->insns)
        return must_copy("instructions that were never executed");
    return must_text("%s+0x%x %s", insn->function, insn->offset, insn->text);
}

char *bias_sentence(const struct bias_row *row)
{
    const struct stat_bias *stat = &row->stat;
    double surely = 100 * (stat->tvd - stat->floor_high);

    if (stat->n <= 0)
        return must_copy("no samples on the workload: nothing is shown");
    if (stat->never > 0 && surely < 0.05)
        return must_text("beyond chance: %.0f samples are where no executed instruction begins", stat->never);
    if (stat->beyond && surely >= 0.05)
        return must_text("beyond chance: %.1f %% of the samples, or more, are elsewhere", surely);
    if (stat->beyond)
        return must_text("just beyond chance: for the shares of some instructions, not for all together");
    if (stat->even)
        return must_text("more even than chance: intervals are not random, and may match the loop");
    return must_text("within chance of %.0f samples, which hides differences below %.1f %%", stat->n,
                     100 * stat->floor_high);
}
