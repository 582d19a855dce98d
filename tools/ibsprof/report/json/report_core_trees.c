/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/json/report_core_trees.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/counters/exploration.h"
#include "tools/ibsprof/report/json/report_parts.h"

bool core_trees_read(struct core_trees *ret, const struct run_profile *profile)
{
    *ret = (struct core_trees){0};
    for (uint32_t i = 0; i < profile->facts->setting_count; i++) {
        struct core_tree tree;

        if (!exploration_worker(&profile->facts->settings[i], &tree.cpu))
            continue;
        snprintf(tree.name, sizeof(tree.name), "core %u", tree.cpu);
        if (exploration_core_read(&tree.result, profile->facts, tree.cpu))
            *must_add(ret->core, ret->count) = tree;
    }
    return ret->count > 0;
}

void core_trees_free(struct core_trees *trees)
{
    free(trees->core);
}

void core_trees_text(struct out *out, const struct core_trees *trees)
{
    struct explore_of of[EXPLORE_BESIDE];
    unsigned count = 0;

    for (uint32_t i = 0; i < trees->count; i++) {
        of[count++] = (struct explore_of){trees->core[i].name, &trees->core[i].result};
        if (count == EXPLORE_BESIDE || i + 1 == trees->count) {
            explore_print_cores(out, of, count);
            count = 0;
        }
    }
}

void core_trees_json(struct json *json, const struct core_trees *trees)
{
    if (trees->count == 0)
        return;
    json_key_array(json, "core_trees");
    for (uint32_t i = 0; i < trees->count; i++) {
        json_object(json);
        json_key_uint(json, "core", trees->core[i].cpu);
        report_tree(json, &trees->core[i].result);
        json_end(json);
    }
    json_end(json);
}
