/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/view_data.h"

#include "core/mem.h"
#include "core/str.h"

/* ---------------------------------------------------------------- the tables */

const struct view *view_at(unsigned index)
{
    if (index < view_count)
        return &view_table[index];
    index -= view_count;
    if (index < view_count_ibs)
        return &view_table_ibs[index];
    index -= view_count_ibs;
    return index < view_count_pmc ? &view_table_pmc[index] : NULL;
}

const struct view *view_find(const char *name)
{
    const struct view *view;

    for (unsigned i = 0; (view = view_at(i)); i++)
        if (str_equal(view->name, name))
            break;
    return view;
}

/* ---------------------------------------------------------------- kinds of samples */

/* enum sample_kind, or SAMPLE_KINDS when there is no such operand. */
static unsigned kind_of(uint16_t operand)
{
    unsigned index = operand & VIEW_INDEX;

    switch (operand & ~VIEW_INDEX) {
    case 0:
        return index < DERIVED_COUNT ? derived_events[index].kind : SAMPLE_KINDS;
    case VIEW_PMC:
        return index < VIEW_EVENTS ? SAMPLE_PMC : SAMPLE_KINDS;
    case VIEW_TIMER:
        return index == 0 ? SAMPLE_TIMER : SAMPLE_KINDS;
    default:
        return SAMPLE_KINDS;
    }
}

enum sample_kind view_kind(const struct view *view)
{
    return (enum sample_kind)kind_of(view->population);
}

/* The kinds of all operands of a column, one bit each. */
static unsigned column_kinds(const struct view_column *column)
{
    unsigned kinds = 1u << kind_of(column->left);

    if (column->kind == VIEW_SUM)
        kinds |= 1u << kind_of(column->plus);
    if (column->kind >= VIEW_RATIO)
        kinds |= 1u << kind_of(column->right);
    return kinds;
}

static const char *kind_name(unsigned kinds)
{
    static const char *const names[] = {"IBS fetch", "IBS op", "counter", "timer"};

    for (unsigned kind = 0; kind < SAMPLE_KINDS; kind++)
        if (kinds & 1u << kind)
            return names[kind];
    return "unknown";
}

static bool refuse(const struct view *view, struct out *problem, const char *what, const char *why, unsigned kinds,
                   unsigned others)
{
    if (problem)
        out_printf(problem, "%s: %s and %s samples %s: %s\n", view->title, kind_name(kinds), kind_name(others), why,
                   what);
    return false;
}

bool view_check(const struct view *view, struct out *problem)
{
    unsigned kinds = 1u << kind_of(view->population), all = kinds | 1u << kind_of(view->mark);

    for (unsigned i = 0; i < view->column_count; i++)
        all |= column_kinds(&view->columns[i]);
    if (all & 1u << SAMPLE_KINDS) {
        if (problem)
            out_printf(problem, "%s: names an event that there is not\n", view->title);
        return false;
    }
    for (unsigned i = 0; i < view->column_count; i++) {
        unsigned column = column_kinds(&view->columns[i]), first = column & -column;
        const char *title = view->columns[i].title;

        if (column != first)
            return refuse(view, problem, title, "must not be combined", first, column & ~first);
        if (column != kinds)
            return refuse(view, problem, title, "belong into tables of their own", kinds, column);
    }
    return all == kinds || refuse(view, problem, "the mark", "must not be combined", kinds, all & ~kinds);
}

/* ---------------------------------------------------------------- values */

/* Where an operand's samples are among the values. */
static unsigned slot_of(uint16_t operand)
{
    return operand & VIEW_TIMER ? VIEW_EVENTS : operand & VIEW_INDEX;
}

static void pmc_values(const struct view_data *data, const uint64_t *samples, uint64_t values[VIEW_VALUES])
{
    memset(values, 0, VIEW_VALUES * sizeof(values[0]));
    for (unsigned slot = 0; slot < VIEW_SLOTS; slot++) {
        int event = data->event[slot];

        if (event < 0)
            continue;
        values[slot] = samples[event];
        values[VIEW_SLOTS + slot] = pmc_profile_estimate(&data->pmc->event[event], samples[event]);
    }
}

/* The profile's event for a slot, or -1. */
static int find_event(const struct pmc_profile *pmc, unsigned slot)
{
    const struct view_event *wanted = &view_events[slot];
    const struct event *event = event_by_select(wanted->select);
    int found = pmc_profile_event(pmc, wanted->select, wanted->mask);

    if (found < 0 && wanted->mask == event->mask_default)
        found = pmc_profile_event(pmc, wanted->select, event_default_mask(event, 'B'));
    return found;
}

static bool measured(const struct view_data *data, uint16_t operand, struct out *problem)
{
    unsigned slot = slot_of(operand);

    if (data->event[slot] >= 0)
        return true;
    if (operand & VIEW_TIMER)
        out_printf(problem, "%s: the timer was not used\n", data->view->title);
    else
        out_printf(problem, "%s: event %03X:%02X was not measured\n", data->view->title, view_events[slot].select,
                   view_events[slot].mask);
    return false;
}

static bool init_pmc(struct view_data *data, struct out *problem)
{
    const struct view *view = data->view;
    uint64_t samples[PMC_PROFILE_EVENTS];

    for (unsigned slot = 0; slot < VIEW_EVENTS; slot++)
        data->event[slot] = find_event(data->pmc, slot);
    data->event[VIEW_EVENTS] = pmc_profile_timer(data->pmc);
    if (!measured(data, view->population, problem) || !measured(data, view->mark, problem))
        return false;
    for (unsigned i = 0; i < view->column_count; i++) {
        const struct view_column *c = &view->columns[i];

        if (!measured(data, c->left, problem) || (c->kind == VIEW_SUM && !measured(data, c->plus, problem)) ||
            (c->kind >= VIEW_RATIO && !measured(data, c->right, problem)))
            return false;
    }
    for (unsigned i = 0; i < data->pmc->event_count; i++)
        samples[i] = data->pmc->event[i].samples;
    pmc_values(data, samples, data->total);
    for (unsigned i = 0; i < data->pmc->event_count; i++)
        samples[i] = data->pmc->event[i].outside;
    pmc_values(data, samples, data->outside);
    return true;
}

bool view_data_init(struct view_data *data, const struct view *view, const struct profile *profile,
                    const struct pmc_profile *pmc, struct out *problem)
{
    enum sample_kind kind = view_kind(view);

    if (!view_check(view, problem))
        return false;
    *data = (struct view_data){.view = view, .profile = profile, .pmc = pmc};
    if ((kind == SAMPLE_FETCH || kind == SAMPLE_OP) != (profile != NULL)) {
        out_printf(problem, "%s: is a table of %s samples, and these are others\n", view->title, kind_name(1u << kind));
        return false;
    }
    if (pmc) {
        data->levels = &pmc->levels;
        return init_pmc(data, problem);
    }
    data->levels = &profile->levels;
    memcpy(data->total, profile->total, sizeof(profile->total));
    memcpy(data->outside, profile->outside, sizeof(profile->outside));
    return true;
}

bool view_data_empty(const struct view_data *data, enum profile_level level, uint32_t index)
{
    uint32_t i = levels_first(data->levels, level, index);

    while (i != LEVELS_END && (data->profile ? profile_empty(data->profile, i) : pmc_profile_empty(data->pmc, i)))
        i = levels_next(data->levels, level, i);
    return i == LEVELS_END;
}

void view_data_sum(const struct view_data *data, enum profile_level level, uint32_t index, uint64_t values[VIEW_VALUES])
{
    uint64_t samples[PMC_PROFILE_EVENTS];

    if (data->profile) {
        profile_sum(data->profile, level, index, values);
        return;
    }
    pmc_profile_sum(data->pmc, level, index, samples);
    pmc_values(data, samples, values);
}

uint64_t view_data_samples(const struct view_data *data, uint16_t operand, const uint64_t *values)
{
    return values[slot_of(operand)];
}

uint64_t view_data_weighted(const struct view_data *data, uint16_t operand, const uint64_t *values)
{
    return values[slot_of(operand) + (data->pmc ? VIEW_SLOTS : 0)];
}

struct view_figure view_data_figure(const struct view_data *data, unsigned column, const uint64_t *values)
{
    const struct view_column *c = &data->view->columns[column];

    if (c->kind == VIEW_COUNT)
        return (struct view_figure){view_data_samples(data, c->left, values), 1};
    if (c->kind == VIEW_SHARE)
        return (struct view_figure){view_data_samples(data, c->left, values),
                                    view_data_samples(data, c->left, data->total)};
    return (struct view_figure){view_data_weighted(data, c->left, values) +
                                    (c->kind == VIEW_SUM ? view_data_weighted(data, c->plus, values) : 0),
                                view_data_weighted(data, c->right, values)};
}

const char *view_data_name(const struct view_data *data, uint16_t operand)
{
    if (!data->pmc)
        return derived_events[operand].name;
    if (operand & VIEW_TIMER)
        return "Timer samples";
    return event_by_select(view_events[operand & VIEW_INDEX].select)->name;
}

int32_t view_data_hottest(const struct view_data *data, enum profile_level level, uint16_t operand)
{
    uint64_t most = 0, values[VIEW_VALUES];
    int32_t hottest = -1;

    for (uint32_t i = 0; i < levels_count(data->levels, level); i++) {
        if (view_data_empty(data, level, i))
            continue;
        view_data_sum(data, level, i, values);
        if (view_data_samples(data, operand, values) > most) {
            most = view_data_samples(data, operand, values);
            hottest = (int32_t)i;
        }
    }
    return hottest;
}

int32_t view_hottest(const struct profile *profile, enum profile_level level, enum derived event)
{
    struct view_data data = {.profile = profile, .levels = &profile->levels};

    return view_data_hottest(&data, level, (uint16_t)event);
}
