/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/profile/csv.h"
#include "tools/ibsprof/archive/contrast.h"
#include "tools/ibsprof/base/must.h"

enum { CONTRAST_JSON_VERSION = 1, NAMED_MAX = 20, TREND_CELLS = 4 };

static const char *group_of(const struct contrast *contrast, const struct contrast_item *item)
{
    const char *name = contrast->subject[item->subject].group[item->group];

    return name[0] ? name : "(not known)";
}

static bool is_different(const struct contrast_item *item)
{
    return item->verdict == VERDICT_DIFFERENT;
}

static int by_distance(const void *a, const void *b)
{
    const struct contrast_item *first = *(const struct contrast_item *const *)a,
                               *second = *(const struct contrast_item *const *)b;
    double one = fabs(first->difference.value), other = fabs(second->difference.value);

    if (one != other)
        return one < other ? 1 : -1;
    return (first > second) - (first < second);
}

/* Returns the items that differ, the largest difference first; to be freed. */
static const struct contrast_item **different(const struct contrast *contrast, uint32_t *ret_count)
{
    const struct contrast_item **found = must_alloc(contrast->item_count, sizeof(*found));

    *ret_count = 0;
    for (uint32_t i = 0; i < contrast->item_count; i++)
        if (is_different(&contrast->item[i]))
            found[(*ret_count)++] = &contrast->item[i];
    qsort(found, *ret_count, sizeof(*found), by_distance);
    return found;
}

/* Returns whether it is the group's first one among these. */
static bool is_first(const struct contrast *contrast, const struct contrast_item *const *items, uint32_t number)
{
    for (uint32_t i = 0; i < number; i++)
        if (strcmp(group_of(contrast, items[i]), group_of(contrast, items[number])) == 0)
            return false;
    return true;
}

static void write_text(struct out_file *out, const void *what)
{
    const struct contrast *contrast = what;
    uint32_t count, named = 0;
    const struct contrast_item **items = different(contrast, &count);

    for (uint32_t i = 0; i < contrast->subject_count; i++) {
        const struct contrast_subject *subject = &contrast->subject[i];

        fprintf(out->file, "%s, %s: %u runs; by %s: %u groups; %u places%s\n", subject->workload, subject->event,
                subject->run_count, contrast->by, subject->group_count, subject->cell_count,
                subject->left_out ? ", without those with the fewest counts" : "");
    }
    fprintf(out->file, "%u comparisons of a group with all other groups; false discovery rate over all of them: 5 %%\n",
            contrast->item_count);
    fprintf(out->file, "Outliers: ");
    for (uint32_t i = 0; i < count; i++)
        if (is_first(contrast, items, i) && ++named <= NAMED_MAX)
            fprintf(out->file, "%s%s", named > 1 ? ", " : "", group_of(contrast, items[i]));
    fprintf(out->file, "%s\n", named == 0 ? "none" : named > NAMED_MAX ? ", ..." : "");
    if (count > 0)
        fprintf(out->file, "\n%-20s %6s %8s %8s  %-22s %8s  %s\n", contrast->by, "runs", "others", "own",
                "difference (95 %)", "q", "where");
    for (uint32_t i = 0; i < count; i++) {
        const struct contrast_subject *subject = &contrast->subject[items[i]->subject];
        char interval[60];

        snprintf(interval, sizeof(interval), "%+.2f (%+.2f..%+.2f)", 100 * items[i]->difference.value,
                 100 * items[i]->difference.low, 100 * items[i]->difference.high);
        fprintf(out->file, "%-20s %6u %6.2f %% %6.2f %%  %-22s %8.2g  %s of %s, %s\n", group_of(contrast, items[i]),
                items[i]->runs, 100 * items[i]->others.p, 100 * items[i]->own.p, interval, items[i]->q,
                subject->cell[items[i]->cell].name, subject->workload, subject->event);
    }
    free(items);
}

static void write_csv(struct out_file *out, const void *what)
{
    const struct contrast *contrast = what;

    fprintf(out->file, "%s,runs,workload,event,where,others,own,difference,low,high,q,verdict\n", contrast->by);
    for (uint32_t i = 0; i < contrast->item_count; i++) {
        const struct contrast_item *item = &contrast->item[i];
        const struct contrast_subject *subject = &contrast->subject[item->subject];
        const char *texts[] = {subject->workload, subject->event, subject->cell[item->cell].name};
        const double numbers[] = {item->others.p,       item->own.p,           item->difference.value,
                                  item->difference.low, item->difference.high, item->q};

        csv_field(&out->out, subject->group[item->group]);
        fprintf(out->file, ",%u", item->runs);
        for (unsigned n = 0; n < sizeof(texts) / sizeof(texts[0]); n++) {
            fputc(',', out->file);
            csv_field(&out->out, texts[n]);
        }
        for (unsigned n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++)
            csv_real(out->file, 6, numbers[n]);
        fprintf(out->file, ",%s\n", stat_verdict_name(item->verdict));
    }
}

/* ---------------------------------------------------------------- JSON */

static void json_item(struct json *json, const struct contrast *contrast, const struct contrast_item *item)
{
    json_object(json);
    json_key_text(json, "value", group_of(contrast, item));
    json_key_uint(json, "runs", item->runs);
    json_key_uint(json, "subject", item->subject);
    json_key_text(json, "where", contrast->subject[item->subject].cell[item->cell].name);
    json_key_real(json, "others", item->others.p);
    json_key_real(json, "own", item->own.p);
    json_key_interval(json, "difference", item->difference.value, item->difference.low, item->difference.high);
    json_key_real(json, "q", item->q);
    json_key_text(json, "verdict", stat_verdict_name(item->verdict));
    json_end(json);
}

/* The share of a cell by month: of all runs, or of one group's (group below group_count). */
static void json_points(struct json *json, const struct contrast_subject *subject, uint32_t cell, uint32_t group)
{
    const char *month = "";

    json_key_array(json, "points");
    for (;;) {
        const char *next = NULL;
        double x = 0, n = 0;
        uint64_t runs = 0;

        for (uint32_t i = 0; i < subject->run_count; i++)
            if (strcmp(subject->run[i].month, month) > 0 && (!next || strcmp(subject->run[i].month, next) < 0))
                next = subject->run[i].month;
        if (!next)
            break;
        month = next;
        for (uint32_t i = 0; i < subject->run_count; i++) {
            if (strcmp(subject->run[i].month, month) != 0 ||
                (group < subject->group_count && subject->run[i].group != group))
                continue;
            x += subject->x[(size_t)i * subject->cell_count + cell];
            n += subject->run[i].total;
            runs++;
        }
        if (runs == 0)
            continue;
        json_object(json);
        json_key_text(json, "month", month);
        json_key_uint(json, "runs", runs);
        json_key_real(json, "share", x / n);
        json_end(json);
    }
    json_end(json);
}

static void json_trend(struct json *json, const struct contrast *contrast, uint32_t number, uint32_t cell,
                       uint32_t group)
{
    const struct contrast_subject *subject = &contrast->subject[number];

    json_object(json);
    json_key_uint(json, "subject", number);
    json_key_text(json, "where", subject->cell[cell].name);
    json_key_text(json, "value", group < subject->group_count ? subject->group[group] : NULL);
    json_points(json, subject, cell, group);
    json_end(json);
}

/* Writes trends: over all runs, the places with most counts; for outliers, where each differs most from the others. */
static void json_trends(struct json *json, const struct contrast *contrast, const struct contrast_item *const *items,
                        uint32_t count)
{
    uint32_t named = 0;

    json_key_array(json, "trends");
    for (uint32_t i = 0; i < contrast->subject_count; i++)
        for (uint32_t cell = 0; cell < TREND_CELLS && cell < contrast->subject[i].cell_count; cell++)
            json_trend(json, contrast, i, cell, UINT32_MAX);
    for (uint32_t i = 0; i < count; i++)
        if (is_first(contrast, items, i) && ++named <= NAMED_MAX) {
            json_trend(json, contrast, items[i]->subject, items[i]->cell, UINT32_MAX);
            json_trend(json, contrast, items[i]->subject, items[i]->cell, items[i]->group);
        }
    json_end(json);
}

static void write_json(struct json *json, const void *what)
{
    const struct contrast *contrast = what;
    uint32_t count;
    const struct contrast_item **items = different(contrast, &count);

    json_head(json, "ibsprof archive compare", CONTRAST_JSON_VERSION);
    json_key_text(json, "by", contrast->by);
    json_key_array(json, "subjects");
    for (uint32_t i = 0; i < contrast->subject_count; i++) {
        json_object(json);
        json_key_text(json, "workload", contrast->subject[i].workload);
        json_key_text(json, "event", contrast->subject[i].event);
        json_key_uint(json, "runs", contrast->subject[i].run_count);
        json_key_uint(json, "groups", contrast->subject[i].group_count);
        json_key_uint(json, "left_out", contrast->subject[i].left_out);
        json_end(json);
    }
    json_end(json);
    json_key_array(json, "outliers");
    for (uint32_t i = 0; i < count; i++)
        if (is_first(contrast, items, i))
            json_text(json, group_of(contrast, items[i]));
    json_end(json);
    json_key_array(json, "items");
    for (uint32_t i = 0; i < contrast->item_count; i++)
        json_item(json, contrast, &contrast->item[i]);
    json_end(json);
    json_trends(json, contrast, items, count);
    json_end(json);
    free(items);
}

const struct document contrast_document = {.text = write_text,
                                           .csv = write_csv,
                                           .json = write_json,
                                           .title = "ibsprof archive compare",
                                           .script = "archive.js",
                                           .id = "archive"};
