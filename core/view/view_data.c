/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/view/view_data.h"

#include "core/base/mem.h"
#include "core/base/stats.h"
#include "core/base/str.h"

enum { OFTEN_SHARE = 100 };

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

static uint64_t within_map(const struct profile *profile, unsigned operand)
{
    return profile->total[operand] - profile->outside[operand];
}

bool view_by_default(const struct view *view, const struct profile *profile)
{
    uint64_t often = view->if_often ? within_map(profile, view->if_often - 1u) : 0;

    return view->paper || (often > 0 && often * OFTEN_SHARE >= within_map(profile, view->population));
}

const struct view *view_find(const char *name)
{
    const struct view *view;

    for (unsigned i = 0; (view = view_at(i)); i++)
        if (str_equal(view->name, name))
            break;
    return view;
}

/* ---------------------------------------------------------------- operands */

/* Finds an operand's terms: those of one of the view's own, or 'one', which becomes the operand itself. Returns their
 * number; 0: there is no such operand. */
static unsigned terms_of(const struct view *view, uint16_t operand, uint32_t *one, const uint32_t **ret_terms)
{
    unsigned index = operand & VIEW_INDEX;

    *one = operand;
    *ret_terms = one;
    if ((operand & ~VIEW_INDEX) != VIEW_OWN)
        return 1;
    if (index >= view->own_count)
        return 0;
    *ret_terms = view->own[index].terms;
    return view->own[index].count;
}

static bool is_counter(uint32_t term)
{
    return term >= VIEW_COUNTER(0, 0);
}

/* Returns Family 10h's event: for a counter by its number, for a meaning by its row. */
static struct event_spec counter_of(uint32_t term)
{
    const struct event_meaning_row *row = event_meaning_of(EVENT_SET_10H, (enum event_meaning)(term & VIEW_INDEX));
    uint16_t select = is_counter(term) ? (uint16_t)(term >> 8 & 0xFFF) : row->select;

    return (struct event_spec){.event = event_by_select(EVENT_SET_10H, select),
                               .mask = is_counter(term) ? (uint8_t)term : row->mask};
}

/* Returns enum sample_kind, or SAMPLE_KINDS when there is no such term. */
static unsigned kind_of(uint32_t term)
{
    unsigned index = term & VIEW_INDEX;

    if (is_counter(term))
        return counter_of(term).event ? SAMPLE_PMC : SAMPLE_KINDS;
    switch (term & ~(uint32_t)VIEW_INDEX) {
    case 0:
        return index < DERIVED_COUNT ? derived_events[index].kind : SAMPLE_KINDS;
    case VIEW_PMC:
        return index < EVENT_MEANINGS ? SAMPLE_PMC : SAMPLE_KINDS;
    case VIEW_TIMER:
        return index == 0 ? SAMPLE_TIMER : SAMPLE_KINDS;
    default:
        return SAMPLE_KINDS;
    }
}

/* Returns the kinds of an operand's samples, one bit each. */
static unsigned kinds_of(const struct view *view, uint16_t operand)
{
    const uint32_t *terms;
    uint32_t one;
    unsigned count = terms_of(view, operand, &one, &terms), kinds = count == 0 ? 1u << SAMPLE_KINDS : 0;

    for (unsigned i = 0; i < count; i++)
        kinds |= 1u << kind_of(terms[i]);
    return kinds;
}

enum sample_kind view_kind(const struct view *view)
{
    return (enum sample_kind)__builtin_ctz(kinds_of(view, view->population));
}

/* ---------------------------------------------------------------- kinds of samples */

/* Returns the kinds of all operands of a column. */
static unsigned column_kinds(const struct view *view, const struct view_column *column)
{
    unsigned kinds = kinds_of(view, column->left);

    if (column->kind == VIEW_SUM)
        kinds |= kinds_of(view, column->plus);
    if (column->kind >= VIEW_RATIO)
        kinds |= kinds_of(view, column->right);
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
    unsigned kinds = kinds_of(view, view->population), all = kinds | kinds_of(view, view->mark);

    for (unsigned i = 0; i < view->column_count; i++)
        all |= column_kinds(view, &view->columns[i]);
    if (all & 1u << SAMPLE_KINDS) {
        if (problem)
            out_printf(problem, "%s: names an unknown event\n", view->title);
        return false;
    }
    for (unsigned i = 0; i < view->column_count; i++) {
        unsigned column = column_kinds(view, &view->columns[i]), first = column & -column;
        const char *title = view->columns[i].title;

        if (column != first)
            return refuse(view, problem, title, "must not be combined", first, column & ~first);
        if (column != kinds)
            return refuse(view, problem, title, "belong into separate tables", kinds, column);
    }
    return all == kinds || refuse(view, problem, "the mark", "must not be combined", kinds, all & ~kinds);
}

/* ---------------------------------------------------------------- values */

/* Returns the profile's event of a meaning, if it was counted; or -1. */
static int event_meant(const struct pmc_profile *pmc, enum event_meaning meaning)
{
    for (unsigned i = 0; i < pmc->event_count; i++)
        if (pmc->event[i].spec.event && event_means(&pmc->event[i].spec, meaning) &&
            pmc_profile_counted(&pmc->event[i]))
            return (int)i;
    return -1;
}

/* Returns the profile's event for a term, or -1. On revision B an event may have another mask by default. */
static int event_of(const struct pmc_profile *pmc, uint32_t term)
{
    struct event_spec wanted;
    int found;

    if (term == VIEW_TIMER)
        return pmc_profile_timer(pmc);
    if (!is_counter(term))
        return event_meant(pmc, (enum event_meaning)(term & VIEW_INDEX));
    wanted = counter_of(term);
    for (unsigned m = 0; m < EVENT_MEANINGS; m++)
        if (event_means(&wanted, (enum event_meaning)m))
            return event_meant(pmc, (enum event_meaning)m);
    found = pmc_profile_event(pmc, wanted.event->select, wanted.mask);
    if (found < 0 && wanted.mask == wanted.event->mask_default)
        found = pmc_profile_event(pmc, wanted.event->select, event_default_mask(wanted.event, 'B'));
    /* On a later family the number may be another event's. */
    return found >= 0 && event_is_first(pmc->event[found].spec.event) ? found : -1;
}

/* Returns whether it was measured; problem may be NULL. */
static bool measured(const struct view *view, const struct pmc_profile *pmc, uint16_t operand, struct out *problem)
{
    const uint32_t *terms;
    uint32_t one;
    unsigned count = terms_of(view, operand, &one, &terms);

    for (unsigned i = 0; i < count; i++) {
        if (event_of(pmc, terms[i]) >= 0)
            continue;
        if (problem && terms[i] == VIEW_TIMER)
            out_printf(problem, "%s: the timer was not used\n", view->title);
        else if (problem && !is_counter(terms[i]) && pmc->set > EVENT_SET_10H)
            out_printf(problem, "%s: %s were not measured\n", view->title,
                       event_meaning_name((enum event_meaning)(terms[i] & VIEW_INDEX)));
        else if (problem)
            out_printf(problem, "%s: event %03X:%02X was not measured\n", view->title,
                       counter_of(terms[i]).event->select, counter_of(terms[i]).mask);
        return false;
    }
    return true;
}

static bool all_measured(const struct view *view, const struct pmc_profile *pmc, struct out *problem)
{
    if (!measured(view, pmc, view->population, problem) || !measured(view, pmc, view->mark, problem))
        return false;
    for (unsigned i = 0; i < view->column_count; i++) {
        const struct view_column *c = &view->columns[i];

        if (!measured(view, pmc, c->left, problem) || (c->kind == VIEW_SUM && !measured(view, pmc, c->plus, problem)) ||
            (c->kind >= VIEW_RATIO && !measured(view, pmc, c->right, problem)))
            return false;
    }
    return true;
}

bool view_measured(const struct view *view, const struct pmc_profile *profile)
{
    enum sample_kind kind = view_kind(view);

    return (kind != SAMPLE_PMC && kind != SAMPLE_TIMER) || all_measured(view, profile, NULL);
}

static bool init_pmc(struct view_data *data, struct out *problem)
{
    if (!all_measured(data->view, data->pmc, problem))
        return false;
    for (unsigned i = 0; i < data->pmc->event_count; i++) {
        data->total[i] = data->pmc->event[i].samples;
        data->outside[i] = data->pmc->event[i].outside;
    }
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
        out_printf(problem, "%s: is a table of %s samples, but these samples are others\n", view->title,
                   kind_name(1u << kind));
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
    if (data->profile)
        profile_sum(data->profile, level, index, values);
    else
        pmc_profile_sum(data->pmc, level, index, values);
}

/* Adds up an operand. weighted: events that the samples stand for. */
static uint64_t operand_value(const struct view_data *data, uint16_t operand, const uint64_t *values, bool weighted)
{
    const uint32_t *terms;
    uint32_t one;
    unsigned count = terms_of(data->view, operand, &one, &terms);
    uint64_t sum = 0;

    for (unsigned i = 0; i < count; i++) {
        int index = data->pmc ? event_of(data->pmc, terms[i]) : (int)terms[i];

        sum += data->pmc && weighted ? pmc_profile_estimate(&data->pmc->event[index], values[index]) : values[index];
    }
    return sum;
}

uint64_t view_data_samples(const struct view_data *data, uint16_t operand, const uint64_t *values)
{
    return operand_value(data, operand, values, false);
}

/* Returns an operand's value for ratios: for IBS its samples. */
static uint64_t weighted(const struct view_data *data, uint16_t operand, const uint64_t *values)
{
    return operand_value(data, operand, values, true);
}

struct view_figure view_data_figure(const struct view_data *data, unsigned column, const uint64_t *values)
{
    const struct view_column *c = &data->view->columns[column];

    if (c->kind == VIEW_COUNT)
        return (struct view_figure){view_data_samples(data, c->left, values), 1};
    if (c->kind == VIEW_SHARE)
        return (struct view_figure){view_data_samples(data, c->left, values),
                                    view_data_samples(data, c->left, data->total)};
    return (struct view_figure){weighted(data, c->left, values) +
                                    (c->kind == VIEW_SUM ? weighted(data, c->plus, values) : 0),
                                weighted(data, c->right, values)};
}

const char *view_data_name(const struct view_data *data, uint16_t operand)
{
    if ((operand & ~VIEW_INDEX) == VIEW_OWN)
        return data->view->own[operand & VIEW_INDEX].name;
    if (!data->pmc)
        return derived_events[operand].name;
    if (operand & VIEW_TIMER)
        return "Timer samples";
    if (data->pmc->set > EVENT_SET_10H) /* there one event has several meanings, by its mask */
        return event_meaning_name((enum event_meaning)(operand & VIEW_INDEX));
    return data->pmc->event[event_of(data->pmc, operand)].spec.event->name;
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

static bool is_cycles(uint16_t operand)
{
    return operand < DERIVED_COUNT && derived_events[operand].unit == DERIVED_CYCLES;
}

bool view_data_hot(const struct view_data *data, uint16_t operand, uint64_t most, const uint64_t *values)
{
    uint64_t samples = view_data_samples(data, operand, values);

    return samples == most || (samples && !is_cycles(operand) && stats_alike(samples, most));
}

uint32_t view_data_hot_rows(const struct view_data *data, enum profile_level level, uint16_t operand, uint64_t most)
{
    uint64_t values[VIEW_VALUES];
    uint32_t rows = 0;

    for (uint32_t i = 0; i < levels_count(data->levels, level); i++) {
        if (view_data_empty(data, level, i))
            continue;
        view_data_sum(data, level, i, values);
        rows += view_data_hot(data, operand, most, values);
    }
    return rows;
}

int32_t view_hottest(const struct profile *profile, enum profile_level level, enum derived event)
{
    struct view_data data = {.profile = profile, .levels = &profile->levels};

    return view_data_hottest(&data, level, (uint16_t)event);
}
