/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/counters/exploration.h"

#include <stdlib.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/run_ini.h"

enum { ALL_CORES = -1 };

static void read_samples(struct held *held, const struct input_facts *facts, int64_t cpu)
{
    char error[200];
    struct input *input = input_open(facts->path, error, sizeof(error));
    struct perfdata_item item;

    while (input && input_next(input, &item) && item.kind != PERFDATA_ITEM_END)
        if (item.kind == PERFDATA_ITEM_SAMPLE && (cpu == ALL_CORES || item.cpu == cpu))
            held_add(held, &item.record);
    input_close(input);
}

/* Takes the same samples as app/kinds/counters/explore.c. */
static void take_ibs(struct explore_ibs *ibs, const struct input_facts *facts, int64_t cpu)
{
    const char *control = run_fact(facts, FACT_IBS_OP_CTL);
    struct held held = {0};

    if (!control || !(strtoull(control, NULL, 0) & IBS_OP_CNT_CTL))
        return;
    read_samples(&held, facts, cpu);
    if (held.ops)
        ibs->state = COUNTS_COUNTED;
    held_work_out(&ibs->held, &held);
}

bool exploration_worker(const struct input_setting *setting, uint32_t *ret_cpu)
{
    if (!setting->fact || fact_find(setting->key) != FACT_CORE_WORKS || strcmp(setting->value, "1") != 0)
        return false;
    *ret_cpu = (uint32_t)strtoul(setting->key + strlen("core."), NULL, 10);
    return true;
}

/* Returns the number of cores that ran the workload; a run on one core has no fact on it. */
static uint64_t workers(const struct input_facts *facts)
{
    uint64_t count = 0;

    uint32_t cpu;

    for (uint32_t i = 0; i < facts->setting_count; i++)
        count += exploration_worker(&facts->settings[i], &cpu);
    return count ? count : 1;
}

static const struct explore_method *method_of(const struct input_facts *facts)
{
    return explore_of(input_event_set(facts));
}

static bool compute(struct explore_result *ret, const struct input_facts *facts, const struct counts_csv *counts,
                    uint64_t cores, int64_t cpu)
{
    const char *config = run_fact(facts, FACT_CONFIG);
    struct explore_input input = {.method = method_of(facts), .model = facts->is_model};

    if (!config || strcmp(config, "explore") != 0 || !input.method || counts_csv_explore(counts, &input) == 0)
        return false;
    for (unsigned i = EXPLORE_COSTS_MEASURED; i < EXPLORE_COSTS; i++)
        input.costs.of[i] = (uint32_t)run_number(facts, explore_cost_rows[i].fact);
    take_ibs(&input.ibs, facts, cpu);
    if (run_fact(facts, FACT_EXPECTED, 0x0C0u, 0u))
        explore_expect(&input, run_number(facts, FACT_EXPECTED, 0x0C0u, 0u), cores);
    explore_compute(ret, &input);
    return true;
}

bool exploration_compute(struct explore_result *ret, const struct input_facts *facts, const struct counts_csv *counts)
{
    return compute(ret, facts, counts, workers(facts), ALL_CORES);
}

bool exploration_read(struct explore_result *ret, const struct input_facts *facts)
{
    struct counts_csv *counts = must_new(counts);
    bool good =
        facts->format == INPUT_RUN && counts_csv_open(counts, facts->path) && exploration_compute(ret, facts, counts);

    free(counts);
    return good;
}

bool exploration_core_read(struct explore_result *ret, const struct input_facts *facts, uint32_t cpu)
{
    struct counts_csv *counts = must_new(counts);
    bool good = facts->format == INPUT_RUN && counts_csv_open_core(counts, facts->path, cpu) &&
                compute(ret, facts, counts, 1, cpu);

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
