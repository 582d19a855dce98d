/* SPDX-License-Identifier: BSD-2-Clause */
/* The image's tables as data, so that a page shows the same columns with the same formulas. */
#include "tools/ibsprof/report/json/report_parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/view/view.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/views/views.h"
#include "tools/ibsprof/profile/no_source.h"

/* perf_event_attr.config of an AMD counter (Linux arch/x86/events/amd/core.c, format): EventSelect in 35:32 and 7:0,
 * unit mask in 15:8; edge, invert and count mask above make it another event. */
enum { TYPE_RAW = 4 };
#define CONFIG_MODIFIERS ((1ull << 18) | (1ull << 23) | (0xFFull << 24))

/* Writes "E041" for the meaning of Family 10h's event of that number, whatever the event in the set; another event with
 * its mask: "E041:03". Uses Family 10h's numbers if events have no names. */
static void counter_name(char text[REPORT_OPERAND_SIZE], enum event_set set, uint32_t select, uint32_t mask)
{
    snprintf(text, REPORT_OPERAND_SIZE, "E%03X:%02X", select, mask);
    for (unsigned i = 0; i < EVENT_MEANINGS; i++) {
        const struct event_meaning_row *row = event_meaning_of(set ? set : EVENT_SET_10H, (enum event_meaning)i);

        if (row->select == select && row->mask == mask)
            snprintf(text, REPORT_OPERAND_SIZE, "E%03X",
                     event_meaning_of(EVENT_SET_10H, (enum event_meaning)i)->select);
    }
}

void report_operand(char text[REPORT_OPERAND_SIZE], enum event_set set, const struct input_event *event)
{
    uint32_t select = (uint32_t)(event->config & 0xFF) | (uint32_t)((event->config >> 24) & 0xF00);
    uint32_t mask = (uint32_t)(event->config >> 8) & 0xFF;

    text[0] = '\0';
    if (event->kind == SAMPLE_TIMER)
        snprintf(text, REPORT_OPERAND_SIZE, "timer");
    if (event->kind == SAMPLE_PMC && event->type == TYPE_RAW && !(event->config & CONFIG_MODIFIERS))
        counter_name(text, set, select, mask);
}

static void term_name(char text[REPORT_OPERAND_SIZE], uint32_t term)
{
    if (term < DERIVED_COUNT)
        snprintf(text, REPORT_OPERAND_SIZE, "%s", derived_events[term].code);
    else if (term >= VIEW_COUNTER(0, 0))
        counter_name(text, EVENT_SET_10H, term >> 8 & 0xFFF, term & 0xFF);
    else if (term >= VIEW_PMC && term < VIEW_PMC_END)
        snprintf(text, REPORT_OPERAND_SIZE, "E%03X",
                 event_meaning_of(EVENT_SET_10H, (enum event_meaning)(term - VIEW_PMC))->select);
    else
        snprintf(text, REPORT_OPERAND_SIZE, "timer");
}

/* Returns the terms of an operand's sum. */
static const uint32_t *terms_of(const struct view *view, const uint16_t *operand, uint32_t *one, unsigned *ret_count)
{
    if ((*operand & ~VIEW_INDEX) == VIEW_OWN) {
        *ret_count = view->own[*operand & VIEW_INDEX].count;
        return view->own[*operand & VIEW_INDEX].terms;
    }
    *one = *operand;
    *ret_count = 1;
    return one;
}

/* Returns the samples of a term; -1: the file has no such event, which differs from 0 samples. */
static int64_t samples_of_term(const struct run_profile *profile, uint32_t term)
{
    char wanted[REPORT_OPERAND_SIZE], have[REPORT_OPERAND_SIZE];

    if (term < DERIVED_COUNT)
        return profile_has(profile, term) ? (int64_t)profile->totals[term] : -1;
    term_name(wanted, term);
    for (uint32_t i = 0; i < profile->facts->event_count; i++) {
        report_operand(have, input_event_set(profile->facts), &profile->facts->events[i]);
        if (have[0] != '\0' && strcmp(wanted, have) == 0 && !profile->facts->events[i].not_measured)
            return (int64_t)profile->event_samples[i];
    }
    return -1;
}

static int64_t samples_of(const struct run_profile *profile, const struct view *view, uint16_t operand)
{
    unsigned count;
    uint32_t one;
    const uint32_t *terms = terms_of(view, &operand, &one, &count);
    int64_t sum = 0;

    for (unsigned i = 0; i < count; i++) {
        int64_t samples = samples_of_term(profile, terms[i]);

        if (samples < 0)
            return -1;
        sum += samples;
    }
    return sum;
}

/* Returns whether something was sampled, and all events of every column were counted. */
static bool is_whole(const struct run_profile *profile, const struct view *view)
{
    for (unsigned c = 0; c < view->column_count; c++) {
        const struct view_column *column = &view->columns[c];

        if (samples_of(profile, view, column->left) < 0 ||
            (column->kind == VIEW_SUM && samples_of(profile, view, column->plus) < 0) ||
            (column->kind >= VIEW_RATIO && samples_of(profile, view, column->right) < 0))
            return false;
    }
    return samples_of(profile, view, view->population) > 0;
}

/* "F206"; of a sum "F203+F204". */
static void key_operand(struct json *json, const char *key, const struct view *view, uint16_t operand)
{
    char *text = must_copy(""), term[REPORT_OPERAND_SIZE], *longer;
    unsigned count;
    uint32_t one;
    const uint32_t *terms = terms_of(view, &operand, &one, &count);

    for (unsigned i = 0; i < count; i++) {
        term_name(term, terms[i]);
        longer = must_text("%s%s%s", text, i > 0 ? "+" : "", term);
        free(text);
        text = longer;
    }
    json_key_text(json, key, text);
    free(text);
}

static void write_column(struct json *json, const struct view *view, const struct view_column *column)
{
    static const char *const kinds[] = {
        [VIEW_COUNT] = "count", [VIEW_SHARE] = "share", [VIEW_RATIO] = "ratio", [VIEW_SUM] = "sum"};

    json_object(json);
    json_key_text(json, "title", column->title);
    json_key_text(json, "kind", kinds[column->kind]);
    json_key_uint(json, "decimals", column->decimals);
    json_key_uint(json, "scale", column->scale);
    key_operand(json, "left", view, column->left);
    if (column->kind == VIEW_SUM)
        key_operand(json, "plus", view, column->plus);
    if (column->kind == VIEW_RATIO || column->kind == VIEW_SUM)
        key_operand(json, "right", view, column->right);
    json_end(json);
}

void report_views(struct json *json, const struct run_profile *profile, const struct views *views)
{
    const struct view *view;

    json_key_array(json, "views");
    for (unsigned i = 0; (view = views_at(views, i)); i++) {
        struct view part;

        if (!no_source_view(profile, view, &part) || !is_whole(profile, &part))
            continue;
        view = &part;
        json_object(json);
        json_key_text(json, "name", view->name);
        json_key_text(json, "title", view->title);
        json_key_text(json, "what", view->what);
        key_operand(json, "population", view, view->population);
        key_operand(json, "mark", view, view->mark);
        json_key_array(json, "columns");
        for (unsigned c = 0; c < view->column_count; c++)
            write_column(json, view, &view->columns[c]);
        json_end(json);
        json_key_text(json, "footnote", view->footnote);
        json_end(json);
    }
    json_end(json);
}
