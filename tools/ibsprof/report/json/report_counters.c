/* SPDX-License-Identifier: BSD-2-Clause */
/* Totals of events of a run that counted, and General Exploration's tree of them. */
#include "tools/ibsprof/report/json/report_parts.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/counters/exploration.h"
#include "tools/ibsprof/report/json/report_core_trees.h"

static void write_counts(struct json *json, const struct counts_csv *counts)
{
    json_key_array(json, "counts");
    for (unsigned i = 0; i < counts->count; i++) {
        const struct counts_csv_row *row = &counts->row[i];

        json_object(json);
        json_key_uint(json, "select", row->select);
        json_key_uint(json, "mask", row->mask);
        json_key_uint(json, "count_mask", row->count_mask);
        json_key_text(json, "event", row->event);
        json_key_text(json, "state", counts_state_name(row->result.state));
        if (row->result.state == COUNTS_COUNTED) {
            json_key_uint(json, "repeats", row->result.repeats);
            json_key_uint(json, "mean", row->result.mean);
            json_key_uint(json, "min", row->result.min);
            json_key_uint(json, "max", row->result.max);
            json_key_uint(json, "cv_ppm", row->result.cv_ppm);
            json_key_uint(json, "overhead", row->result.overhead);
            json_key_uint(json, "residue", row->result.residue);
            json_key_uint(json, "reliability_ppm", row->result.reliability_ppm);
        }
        json_end(json);
    }
    json_end(json);
}

static void write_node(struct json *json, const struct explore_result *result, unsigned index)
{
    const struct explore_node_row *row = &result->method->row[index];
    const struct explore_node *node = &result->node[index];
    char text[200];
    struct out_memory but;

    out_memory_init(&but, text, sizeof(text));
    json_object(json);
    exploration_json_row(json, row);
    json_key_uint(json, "limit_ppm", row->limit_ppm);
    json_key_text(json, "state", explore_state_name(row, node));
    json_key_int(json, "value_ppm", node->value);
    if (row->raw != EXPLORE_EVENTS) {
        json_key_text(json, "raw_state", explore_state_name(row, &(struct explore_node){.state = node->raw_state}));
        json_key_int(json, "raw_ppm", node->raw);
    }
    json_key_bool(json, "flagged", node->flagged);
    json_key_bool(json, "greyed", node->greyed);
    json_key_bool(json, "unreliable", node->unreliable);
    json_key_uint(json, "reliability_ppm", node->reliability_ppm);
    json_key_uint(json, "cv_ppm", node->cv_ppm);
    json_key_text(json, "means", row->means);
    if (node->flagged && explore_but(&but.out, result, index))
        json_key_text(json, "but", text);
    if (node->flagged) {
        json_key_text(json, "try", row->try_this);
        json_key_text(json, "proof", row->proof);
    }
    json_end(json);
}

/* Writes the sentences below the tree, without the ends of lines. */
static void write_legend(struct json *json, const struct explore_result *result)
{
    char text[4096], *end = text;
    struct out_memory says;

    out_memory_init(&says, text, sizeof(text));
    result->method->legend(&says.out, result);
    while ((end = strchr(end, '\n')) != NULL)
        *end = end[1] ? ' ' : '\0';
    json_key_text(json, "says", text);
}

void report_tree(struct json *json, const struct explore_result *result)
{
    static const char *const verdicts[] = {
        [EXPLORE_NOT_CHECKED] = "not checked", [EXPLORE_PASS] = "pass", [EXPLORE_FAIL] = "fail"};

    json_key_uint(json, "cycles", result->cycles);
    if (result->method != &explore_10h)
        json_key_uint(json, "slots", result->method->slots);
    json_key_array(json, "tree");
    for (unsigned i = 0; i < result->method->rows; i++)
        write_node(json, result, i);
    json_end(json);
    write_legend(json, result);
    json_key_array(json, "checks");
    for (unsigned i = 0; i < result->method->checks; i++) {
        json_object(json);
        json_key_text(json, "says", result->method->check[i].says);
        json_key_text(json, "verdict", verdicts[result->check[i].verdict]);
        json_key_uint(json, "left", result->check[i].left);
        json_key_uint(json, "right", result->check[i].right);
        if (result->check[i].spread_ppm)
            json_key_uint(json, "cycles_spread_ppm", result->check[i].spread_ppm);
        json_end(json);
    }
    json_end(json);
}

void report_counters(struct json *json, const struct run_profile *profile)
{
    struct counts_csv *counts = must_new(counts);
    struct core_trees trees;
    struct explore_result result;

    if (profile->facts->format == INPUT_RUN && counts_csv_open(counts, profile->facts->path)) {
        json_key_object(json, "counters");
        write_counts(json, counts);
        if (exploration_compute(&result, profile->facts, counts))
            report_tree(json, &result);
        (void)core_trees_read(&trees, profile);
        core_trees_json(json, &trees);
        core_trees_free(&trees);
        json_end(json);
    }
    free(counts);
}
