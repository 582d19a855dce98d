/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a comparison of noise runs as text, CSV, JSON and HTML. */
#include <math.h>
#include <string.h>

#include "core/base/wrap.h"
#include "tools/ibsprof/noise/noise_compare.h"

enum { NOISE_COMPARE_VERSION = 1, WIDTH = 79 };

/* Formats a figure of an item for people: "1.11 %", "250.30", "375.6 us". */
static const char *shown(const struct noise_item *item, double value, char text[24])
{
    if (isnan(value))
        snprintf(text, 24, "-");
    else if (strcmp(item->unit, "fraction") == 0)
        snprintf(text, 24, "%.4f %%", 100 * value);
    else if (strcmp(item->unit, "ns") == 0)
        snprintf(text, 24, "%.1f us", value / 1e3);
    else
        snprintf(text, 24, "%.2f", value);
    return text;
}

static void put_interval(FILE *to, const struct noise_item *item, const char *name, const struct noise_value *value)
{
    char a[24], b[24], d[24];

    fprintf(to, "    %-6s%14s", name, shown(item, value->value, a));
    if (isnan(value->value) || (isnan(value->low) && isnan(value->high)))
        fprintf(to, "\n");
    else if (isnan(value->high))
        fprintf(to, "   (%s or more)\n", shown(item, value->low, b));
    else
        fprintf(to, "   (%s to %s)\n", shown(item, value->low, b), shown(item, value->high, d));
}

static void put_set_up(FILE *to, const struct run_silicon *silicon)
{
    if (silicon->count)
        fprintf(to, "\nHow the processors were set up\n");
    for (uint32_t i = 0; i < silicon->count; i++)
        fprintf(to, "  %-32s A: %-20s B: %s\n", silicon->row[i].key, silicon->row[i].value[0],
                silicon->row[i].value[1]);
}

static void write_text(struct out_file *out, const void *what)
{
    const struct noise_comparison *c = what;
    FILE *to = out->file;

    wrap_text(&out->out, c->sentence, 0, 0, WIDTH);
    for (unsigned i = 0; i < 4 && c->warnings[i]; i++) {
        fprintf(to, "WARNING: ");
        wrap_text(&out->out, c->warnings[i], sizeof("WARNING: ") - 1, 4, WIDTH);
    }
    for (unsigned side = 0; side < NOISE_SIDES; side++) {
        const struct noise_side *s = &c->side[side];

        fprintf(to, "\n%c: %s, %u run%s, %.4g s, %.0f detours", 'A' + (int)side, s->label, s->runs,
                s->runs == 1 ? "" : "s", s->seconds, s->detours);
        if (s->tick_hz)
            fprintf(to, ", ticks at HZ=%u", s->tick_hz);
        fprintf(to, "\n");
        for (uint32_t i = 0; i < s->files.count; i++)
            fprintf(to, "     %s\n", s->files.file[i].path);
        if (s->detours == 0)
            fprintf(to, "     none, so fewer than %.3g per second (%.0f %% interval)\n", s->fewer,
                    100 * c->options.level);
        if (!isnan(s->spread_relative))
            fprintf(to, "     time lost, (most - least) / mean of the runs: %.2f %%\n", 100 * s->spread_relative);
        fprintf(to, "     longest quantum of fixed work: %.3f %% more than the shortest\n", 100 * s->longest_quantum);
    }
    put_set_up(to, &c->silicon);
    fprintf(to, "\nValue (%.0f %% interval)\n", 100 * c->options.level);
    for (unsigned i = 0; i < NOISE_ITEMS; i++) {
        const struct noise_item *item = &c->item[i];

        fprintf(to, "  %s%s%s: ", item->title, strcmp(item->unit, "a second") == 0 ? ", " : "",
                strcmp(item->unit, "a second") == 0 ? item->unit : "");
        if (item->judged)
            fprintf(to, "%s (q %s%.2g)\n", stat_verdict_name(item->verdict), item->q < 1e-99 ? "< " : "",
                    fmax(item->q, 1e-99));
        else
            fprintf(to, "not judged\n");
        put_interval(to, item, "A", &item->side[0]);
        put_interval(to, item, "B", &item->side[1]);
        put_interval(to, item, "B - A", &item->difference);
    }
    fprintf(to,
            "\nEquivalent: within 1 detour per second, %g points of time, or %g %% of A,\nwhichever is more. "
            "docs/compare.md explains it.\n",
            100 * c->options.margin_fraction, 100 * c->options.margin_relative);
}

static void write_csv(struct out_file *out, const void *what)
{
    const struct noise_comparison *c = what;
    FILE *to = out->file;

    if (c->is_model)
        fprintf(to, "# MODEL: figures of ibsboot come from a virtual machine, not from silicon.\n");
    fprintf(to, "figure,unit,a,a_low,a_high,b,b_low,b_high,difference,low,high,p,q,margin,verdict\n");
    for (unsigned i = 0; i < NOISE_ITEMS; i++) {
        const struct noise_item *item = &c->item[i];
        const struct noise_value *const values[] = {&item->side[0], &item->side[1], &item->difference};

        fprintf(to, "%s,%s", item->key, item->unit);
        for (unsigned v = 0; v < 3; v++) {
            csv_real(to, 9, values[v]->value);
            csv_real(to, 9, values[v]->low);
            csv_real(to, 9, values[v]->high);
        }
        csv_real(to, 9, item->p_value);
        csv_real(to, 9, item->q);
        csv_real(to, 9, item->margin);
        fprintf(to, ",%s\n", item->judged ? stat_verdict_name(item->verdict) : "");
    }
}

static void json_side(struct json *json, const char *key, const struct noise_side *side)
{
    json_key_object(json, key);
    json_key_text(json, "label", side->label);
    json_key_real(json, "seconds", side->seconds);
    json_key_real(json, "detours", side->detours);
    json_key_real(json, "phi", side->phi);
    json_key_real(json, "fewer_per_second", side->fewer);
    json_key_real(json, "spread_relative", side->spread_relative);
    json_key_real(json, "longest_quantum", side->longest_quantum);
    json_key_uint(json, "tick_hz", side->tick_hz);
    json_key_array(json, "runs");
    for (uint32_t i = 0; i < side->files.count; i++)
        noise_file_json(json, &side->files.file[i]);
    json_end(json);
    json_end(json);
}

static void write_comparison(struct json *json, const void *what)
{
    const struct noise_comparison *c = what;

    json_head(json, "ibsprof compare noise", NOISE_COMPARE_VERSION);
    json_key_text(json, "verdict", stat_verdict_name(c->verdict));
    json_key_text(json, "sentence", c->sentence);
    json_key_array(json, "warnings");
    for (unsigned i = 0; i < 4 && c->warnings[i]; i++)
        json_text(json, c->warnings[i]);
    json_end(json);
    json_key_array(json, "set_up");
    for (uint32_t i = 0; i < c->silicon.count; i++) {
        json_object(json);
        json_key_text(json, "key", c->silicon.row[i].key);
        json_key_text(json, "a", c->silicon.row[i].value[0]);
        json_key_text(json, "b", c->silicon.row[i].value[1]);
        json_end(json);
    }
    json_end(json);
    json_key_real(json, "level", c->options.level);
    json_key_text(json, "regime_a", c->options.regime[0]);
    json_key_text(json, "regime_b", c->options.regime[1]);
    json_key_array(json, "items");
    for (unsigned i = 0; i < NOISE_ITEMS; i++) {
        const struct noise_item *item = &c->item[i];

        json_object(json);
        json_key_text(json, "key", item->key);
        json_key_text(json, "title", item->title);
        json_key_text(json, "unit", item->unit);
        json_key_interval(json, "a", item->side[0].value, item->side[0].low, item->side[0].high);
        json_key_interval(json, "b", item->side[1].value, item->side[1].low, item->side[1].high);
        json_key_interval(json, "difference", item->difference.value, item->difference.low, item->difference.high);
        json_key_real(json, "p", item->p_value);
        json_key_real(json, "q", item->q);
        json_key_real(json, "margin", item->margin);
        json_key_text(json, "verdict", item->judged ? stat_verdict_name(item->verdict) : NULL);
        json_end(json);
    }
    json_end(json);
    noise_causes_json(json);
    json_side(json, "a", &c->side[0]);
    json_side(json, "b", &c->side[1]);
    json_end(json);
}

const struct document noise_compare_document = {.text = write_text,
                                                .csv = write_csv,
                                                .json = write_comparison,
                                                .title = "Noise: ibsprof compare",
                                                .script = "compare_noise.js",
                                                .id = "comparison"};
