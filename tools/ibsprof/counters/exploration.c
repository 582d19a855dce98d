/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/counters/exploration.h"

#include <stdlib.h>
#include <string.h>

#include "core/ibs_family.h"
#include "core/ibs_regs.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/run_ini.h"

/* The sums of app/kinds/explore.c, from derived events. They are shares of ops' time only when ops were counted. */
static void take_ibs(const struct exploration_run *run, struct explore_ibs *ibs)
{
    const char *control = run_fact(run->facts, FACT_IBS_OP_CTL);
    const uint64_t *totals = run->totals;

    if (!control || !(strtoull(control, NULL, 0) & IBS_OP_CNT_CTL) || run->op_samples == 0)
        return;
    ibs->state = COUNTS_COUNTED;
    ibs->retire_all = totals[DERIVED_F101_TAG_TO_RETIRE];
    ibs->retire_misses = totals[DERIVED_X203_DC_MISS_TAG_TO_RETIRE];
    ibs->complete_all = ibs->retire_all - totals[DERIVED_F102_COMP_TO_RETIRE];
    ibs->complete_misses = ibs->retire_misses - totals[DERIVED_X204_DC_MISS_COMP_TO_RETIRE];
}

bool exploration_worker(const struct input_setting *setting, uint32_t *ret_cpu)
{
    if (!setting->fact || fact_find(setting->key) != FACT_CORE_WORKS || strcmp(setting->value, "1") != 0)
        return false;
    *ret_cpu = (uint32_t)strtoul(setting->key + strlen("core."), NULL, 10);
    return true;
}

/* Cores that ran the workload; a run on one core says nothing of it. */
static uint64_t workers(const struct input_facts *facts)
{
    uint64_t count = 0;

    uint32_t cpu;

    for (uint32_t i = 0; i < facts->setting_count; i++)
        count += exploration_worker(&facts->settings[i], &cpu);
    return count ? count : 1;
}

/* By the slots that the run's processor counts, or Family 10h's. */
static const struct explore_method *method_of(const struct input_facts *facts)
{
    const struct ibs_family *row = ibs_family_of(facts->family, facts->model);
    const struct explore_method *method = row ? explore_by_slots(row->slots) : NULL;

    return method ? method : &explore_10h;
}

static bool compute(struct explore_result *ret, const struct exploration_run *run, const struct counts_csv *counts,
                    uint64_t cores)
{
    const char *config = run_fact(run->facts, FACT_CONFIG);
    struct explore_input input = {.method = method_of(run->facts)};

    if (!config || strcmp(config, "explore") != 0 || counts_csv_explore(counts, &input) == 0)
        return false;
    take_ibs(run, &input.ibs);
    if (run_fact(run->facts, FACT_EXPECTED, 0x0C0u, 0u))
        explore_expect(&input, run_number(run->facts, FACT_EXPECTED, 0x0C0u, 0u), cores);
    explore_compute(ret, &input);
    return true;
}

bool exploration_compute(struct explore_result *ret, const struct exploration_run *run, const struct counts_csv *counts)
{
    return compute(ret, run, counts, workers(run->facts));
}

bool exploration_read(struct explore_result *ret, const struct exploration_run *run)
{
    struct counts_csv *counts = must_alloc(1, sizeof(*counts));
    bool good = run->facts->format == INPUT_RUN && counts_csv_open(counts, run->facts->path) &&
                exploration_compute(ret, run, counts);

    free(counts);
    return good;
}

bool exploration_core_read(struct explore_result *ret, const struct exploration_run *run, uint32_t cpu)
{
    struct counts_csv *counts = must_alloc(1, sizeof(*counts));
    bool good = run->facts->format == INPUT_RUN && counts_csv_open_core(counts, run->facts->path, cpu) &&
                compute(ret, run, counts, 1);

    free(counts);
    return good;
}

void exploration_json_row(struct json *json, const struct explore_node_row *row)
{
    json_key_text(json, "name", row->name);
    json_key_text(json, "unit", row->unit_text);
    json_key_bool(json, "ratio", row->unit == EXPLORE_UNIT_RATIO);
    json_key_uint(json, "level", row->level);
    json_key_int(json, "parent", row->parent == EXPLORE_ROOT ? -1 : row->parent);
}
