/* SPDX-License-Identifier: BSD-2-Clause */
/* A comparison as JSON; the HTML page draws the same. */
#include <math.h>
#include <string.h>

#include "tools/ibsprof/compare/compare_explore.h"
#include "tools/ibsprof/compare/compare_time.h"
#include "tools/ibsprof/base/shown.h"

static void distance(struct json *json, const char *key, const struct stat_interval *of, bool with_interval)
{
    json_key_object(json, key);
    json_key_real(json, "value", of->value);
    if (with_interval) {
        json_key_real(json, "low", of->low);
        json_key_real(json, "high", of->high);
    }
    json_key_real(json, "by_chance", of->floor);
    json_end(json);
}

static void write_whole(struct json *json, const char *key, const struct stat_whole *of, bool with_interval)
{
    json_key_object(json, key);
    json_key_uint(json, "cells", of->cells);
    json_key_real(json, "g", of->g);
    json_key_real(json, "williams", of->williams);
    json_key_real(json, "phi", of->phi);
    json_key_real(json, "df", of->df1);
    json_key_real(json, "p_model", of->p_model);
    json_key_real(json, "p_permutation", of->p_permutation);
    json_key_uint(json, "permutations", of->permutations);
    json_key_bool(json, "all_permutations", of->exact);
    json_key_real(json, "p", of->p_value);
    distance(json, "total_variation", &of->tvd, with_interval);
    distance(json, "jensen_shannon_bits", &of->jsd, with_interval);
    distance(json, "cramer_v", &of->cramer, with_interval);
    json_end(json);
}

static void write_side(struct json *json, const struct comparison *c, uint32_t s)
{
    json_object(json);
    json_key_array(json, "runs");
    for (uint32_t run = 0; run < c->run_count[s]; run++) {
        json_object(json);
        json_key_text(json, "path", shown(c->runs[s][run].path));
        json_key_real(json, "samples", c->n[s][run]);
        json_end(json);
    }
    json_end(json);
    json_key_text(json, "figures", c->figures[s]);
    json_key_real(json, "samples", c->estimates[s][0].n);
    json_key_uint(json, "lost", c->lost[s]);
    json_key_uint(json, "throttled", c->throttled[s]);
    json_key_real(json, "work", c->work_unit ? c->work[s] : NAN);
    json_end(json);
}

static void write_item(struct json *json, const struct comparison *c, const struct compare_item *item)
{
    json_object(json);
    json_key_text(json, "column", compare_columns[item->column].key);
    json_key_known(json, "place", item->place != COMPARE_WHOLE, item->place);
    json_key_interval(json, "a", item->a, item->low_a, item->high_a);
    json_key_interval(json, "b", item->b, item->low_b, item->high_b);
    json_key_interval(json, "difference", item->difference, item->low, item->high);
    json_key_interval(json, "log2_ratio", item->log2_ratio, item->log2_low, item->log2_high);
    json_key_real(json, "n_a", item->n_a);
    json_key_real(json, "n_b", item->n_b);
    json_key_real(json, "phi_a", item->phi_a);
    json_key_real(json, "phi_b", item->phi_b);
    json_key_real(json, "p", item->p_value);
    json_key_real(json, "q", item->q);
    json_key_real(json, "margin", item->margin);
    json_key_text(json, "verdict", stat_verdict_name(item->verdict));
    if (item->verdict == VERDICT_INCONCLUSIVE && isfinite(item->factor)) {
        json_key_real(json, "needed_a", compare_needed(c, item, SIDE_A));
        json_key_real(json, "needed_b", compare_needed(c, item, SIDE_B));
    }
    json_end(json);
}

static void write_place(struct json *json, const struct comparison *c, uint32_t i)
{
    const struct compare_place *place = &c->places[i];
    char name[300];

    compare_place_name(c, i, name, sizeof(name));
    json_object(json);
    json_key_text(json, "name", name);
    json_key_text(json, "function", place->function);
    json_key_hex(json, "offset", place->offset);
    json_key_text(json, "instruction", place->text);
    json_key_text(json, "object", place->object);
    json_key_text(json, "file", place->file);
    json_key_uint(json, "line", place->line);
    json_end(json);
}

static void write_lists(struct json *json, const struct comparison *c)
{
    json_key_array(json, "warnings");
    for (uint32_t i = 0; i < c->note_count; i++)
        if (c->notes[i].warning)
            json_text(json, c->notes[i].text);
    json_end(json);
    json_key_array(json, "notes");
    for (uint32_t i = 0; i < c->note_count; i++)
        if (!c->notes[i].warning)
            json_text(json, c->notes[i].text);
    json_end(json);
    json_key_array(json, "settings_that_differ");
    for (uint32_t i = 0; i < c->setting_count; i++) {
        json_object(json);
        json_key_text(json, "name", c->settings[i].name);
        json_key_text(json, "a", c->settings[i].a);
        json_key_text(json, "b", c->settings[i].b);
        json_end(json);
    }
    json_end(json);
    json_key_array(json, "on_one_side_only");
    for (uint32_t i = 0; i < c->one_sided_count; i++) {
        json_object(json);
        json_key_text(json, "function", c->one_sided[i].function);
        json_key_text(json, "side", c->one_sided[i].side == SIDE_A ? "A" : "B");
        json_key_real(json, "samples", c->one_sided[i].samples);
        json_end(json);
    }
    json_end(json);
}

static void write_outside(struct json *json, const struct comparison *c)
{
    json_key_object(json, "outside_of_workload");
    json_key_real(json, "a", c->outside_share[SIDE_A].p);
    json_key_real(json, "b", c->outside_share[SIDE_B].p);
    json_key_interval(json, "difference", c->outside_difference.value, c->outside_difference.low,
                      c->outside_difference.high);
    json_key_array(json, "parts");
    for (uint32_t i = 0; i < c->outside_count; i++) {
        json_object(json);
        json_key_text(json, "name", c->outside[i].label);
        json_key_real(json, "samples_a", c->outside[i].samples[SIDE_A]);
        json_key_real(json, "samples_b", c->outside[i].samples[SIDE_B]);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

void compare_json(struct json *json, const void *what)
{
    const struct comparison *c = what;

    json_object(json);
    json_key_text(json, "verdict", stat_verdict_name(c->verdict));
    json_key_text(json, "of_runs", stat_verdict_name(c->of_runs));
    json_key_text(json, "sentence", c->sentence);
    json_key_text(json, "event", c->event);
    json_key_text(json, "work_unit", c->work_unit);
    json_key_real(json, "level", c->options->level);
    json_key_real(json, "margin_points", 100 * c->options->margin.absolute);
    json_key_real(json, "margin_percent", 100 * c->options->margin.relative);
    json_key(json, "margin_points_of_rates");
    if (c->options->rate_margin < 0)
        json_null(json);
    else
        json_real(json, 100 * c->options->rate_margin);
    write_lists(json, c);
    json_key(json, "a");
    write_side(json, c, SIDE_A);
    json_key(json, "b");
    write_side(json, c, SIDE_B);
    compare_time_json(json, c);
    write_outside(json, c);
    write_whole(json, "a_against_b", &c->whole, true);
    if (c->within_n[SIDE_A][0] > 0)
        write_whole(json, "a_against_a", &c->within[SIDE_A], false);
    if (c->within_n[SIDE_B][0] > 0)
        write_whole(json, "b_against_b", &c->within[SIDE_B], false);
    json_key_real(json, "q", c->whole_q);
    json_key_array(json, "columns");
    for (uint32_t i = 0; i < compare_column_count; i++) {
        if (!compare_has(c, i))
            continue;
        json_object(json);
        json_key_text(json, "key", compare_columns[i].key);
        json_key_text(json, "title", compare_columns[i].title);
        json_key_text(json, "unit",
                      compare_columns[i].kind == COLUMN_WORK       ? "ops"
                      : compare_columns[i].kind == COLUMN_QUANTILE ? "cycles"
                                                                   : "fraction");
        json_end(json);
    }
    json_end(json);
    json_key_array(json, "places");
    for (uint32_t i = 0; i < c->place_count; i++)
        write_place(json, c, i);
    json_end(json);
    json_key_array(json, "items");
    for (uint32_t i = 0; i < c->item_count; i++)
        write_item(json, c, &c->items[i]);
    json_end(json);
    compare_explore_json(json, c);
    json_end(json);
}
