/* SPDX-License-Identifier: BSD-2-Clause */
/* The image's tables as data, so that a page shows the same columns with the same formulas. */
#include "tools/ibsprof/report/report_parts.h"

#include <string.h>

#include "core/view.h"

/* perf_event_attr.config of an AMD counter (Linux arch/x86/events/amd/core.c, format): EventSelect in 35:32 and 7:0,
 * unit mask in 15:8; edge, invert and count mask above make it another event. */
enum { TYPE_RAW = 4 };
#define CONFIG_MODIFIERS ((1ull << 18) | (1ull << 23) | (0xFFull << 24))

void report_operand(char text[8], const struct input_event *event)
{
    uint32_t select = (uint32_t)(event->config & 0xFF) | (uint32_t)((event->config >> 24) & 0xF00);
    uint32_t mask = (uint32_t)(event->config >> 8) & 0xFF;

    text[0] = '\0';
    if (event->kind == SAMPLE_TIMER)
        snprintf(text, 8, "timer");
    if (event->kind != SAMPLE_PMC || event->type != TYPE_RAW || (event->config & CONFIG_MODIFIERS))
        return;
    for (unsigned i = 0; i < VIEW_EVENTS; i++)
        if (view_events[i].select == select && view_events[i].mask == mask)
            snprintf(text, 8, "E%03X", select);
}

static void operand_name(char text[8], uint16_t operand)
{
    if (operand < DERIVED_COUNT)
        snprintf(text, 8, "%s", derived_events[operand].code);
    else if (operand >= VIEW_PMC && operand < VIEW_PMC_END)
        snprintf(text, 8, "E%03X", view_events[operand - VIEW_PMC].select);
    else
        snprintf(text, 8, "timer");
}

/* Samples of an operand; -1: the file has no such event, which is not 0 of it. */
static int64_t samples_of(const struct run_profile *profile, uint16_t operand)
{
    char wanted[8], have[8];

    if (operand < DERIVED_COUNT)
        return (int64_t)profile->totals[operand];
    operand_name(wanted, operand);
    for (uint32_t i = 0; i < profile->facts->event_count; i++) {
        report_operand(have, &profile->facts->events[i]);
        if (have[0] != '\0' && strcmp(wanted, have) == 0)
            return (int64_t)profile->event_samples[i];
    }
    return -1;
}

/* Something was sampled, and each column is made of events that were counted. */
static bool is_whole(const struct run_profile *profile, const struct view *view)
{
    for (unsigned c = 0; c < view->column_count; c++) {
        const struct view_column *column = &view->columns[c];

        if (samples_of(profile, column->left) < 0 ||
            (column->kind == VIEW_SUM && samples_of(profile, column->plus) < 0) ||
            (column->kind >= VIEW_RATIO && samples_of(profile, column->right) < 0))
            return false;
    }
    return samples_of(profile, view->population) > 0;
}

static void key_operand(struct json *json, const char *key, uint16_t operand)
{
    char text[8];

    operand_name(text, operand);
    json_key_text(json, key, text);
}

static void write_column(struct json *json, const struct view_column *column)
{
    static const char *const kinds[] = {
        [VIEW_COUNT] = "count", [VIEW_SHARE] = "share", [VIEW_RATIO] = "ratio", [VIEW_SUM] = "sum"};

    json_object(json);
    json_key_text(json, "title", column->title);
    json_key_text(json, "kind", kinds[column->kind]);
    json_key_uint(json, "decimals", column->decimals);
    json_key_uint(json, "scale", column->scale);
    key_operand(json, "left", column->left);
    if (column->kind == VIEW_SUM)
        key_operand(json, "plus", column->plus);
    if (column->kind == VIEW_RATIO || column->kind == VIEW_SUM)
        key_operand(json, "right", column->right);
    json_end(json);
}

void report_views(struct json *json, const struct run_profile *profile)
{
    const struct view *view;

    json_key_array(json, "views");
    for (unsigned i = 0; (view = view_at(i)); i++) {
        if (!is_whole(profile, view))
            continue;
        json_object(json);
        json_key_text(json, "name", view->name);
        json_key_text(json, "title", view->title);
        json_key_text(json, "what", view->what);
        key_operand(json, "population", view->population);
        key_operand(json, "mark", view->mark);
        json_key_array(json, "columns");
        for (unsigned c = 0; c < view->column_count; c++)
            write_column(json, &view->columns[c]);
        json_end(json);
        json_key_text(json, "footnote", view->footnote);
        json_end(json);
    }
    json_end(json);
}
