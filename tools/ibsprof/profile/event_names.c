/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/event_names.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/events/events.h"
#include "core/view/view.h"
#include "tools/ibsprof/base/must.h"

enum { NAME_SIZE = 160, LIST_WIDTH = 79 };

/* ---------------------------------------------------------------- which counter event a file's event is */

enum { TYPE_RAW = 4 };

/* perf_event_attr.config of an AMD counter (Linux arch/x86/events/amd/core.c, format): EventSelect in 35:32 and 7:0,
 * unit mask in 15:8, edge in 18, invert in 23, count mask from 24 on. */
static bool spec_of_config(enum event_set set, uint64_t config, struct event_spec *spec)
{
    uint32_t select = (uint32_t)(config & 0xFF) | (uint32_t)(config >> 24 & 0xF00);

    *spec = (struct event_spec){.event = event_by_select(set, select),
                                .mask = (uint8_t)(config >> 8),
                                .count_mask = config >> 24 & 0xFF,
                                .edge = config >> 18 & 1,
                                .invert = config >> 23 & 1};
    return spec->event != NULL;
}

/* Our own files name events as core/events/events.h writes them, which also says at which level they count. */
bool event_names_spec(const struct input_facts *facts, uint32_t index, struct event_spec *spec)
{
    const struct input_event *event = &facts->events[index];

    enum event_set set = input_event_set(facts);

    if (event->kind != SAMPLE_PMC || set == EVENT_SET_NONE)
        return false;
    if (event_parse(set, event->name, strlen(event->name), spec, NULL))
        return true;
    return event->type == TYPE_RAW && spec_of_config(set, event->config, spec);
}

static bool has_modifiers(const struct event_spec *spec)
{
    return spec->user != spec->kernel || spec->edge || spec->invert || spec->count_mask;
}

/* Returns whether this event is meant, ignoring parts that the user left open. */
static bool is_meant(const struct event_spec *wanted, const struct event_spec *spec)
{
    if (wanted->event != spec->event || (wanted->mask_given && wanted->mask != spec->mask))
        return false;
    return !has_modifiers(wanted) ||
           (wanted->user == spec->user && wanted->kernel == spec->kernel && wanted->edge == spec->edge &&
            wanted->invert == spec->invert && wanted->count_mask == spec->count_mask);
}

/* ---------------------------------------------------------------- one event, one name */

static bool has_kind(const struct input_facts *facts, enum sample_kind kind)
{
    for (uint32_t i = 0; i < facts->event_count; i++)
        if (facts->events[i].kind == kind)
            return true;
    return false;
}

static bool is_counter_name(const struct input_facts *facts, uint32_t index, const char *text)
{
    struct event_spec spec, wanted;
    char column[NAME_SIZE];
    struct out_memory out;

    if (strcasecmp(text, facts->events[index].name) == 0)
        return true;
    if (facts->events[index].kind == SAMPLE_TIMER)
        return strcasecmp(text, "timer") == 0;
    if (!event_names_spec(facts, index, &spec))
        return false;
    if (event_parse(input_event_set(facts), text, strlen(text), &wanted, NULL))
        return is_meant(&wanted, &spec);
    out_memory_init(&out, column, sizeof(column));
    event_write(&spec, false, &out.out);
    out_printf(&out.out, " %s", spec.event->symbol);
    return strcasecmp(text, spec.event->name) == 0 || strcasecmp(text, spec.event->abbreviation) == 0 ||
           strcasecmp(text, column) == 0;
}

static bool is_derived_name(const struct derived_event *event, const char *text)
{
    char column[NAME_SIZE];

    snprintf(column, sizeof(column), "%s %s", event->code, event->abbreviation);
    return strcasecmp(text, event->code) == 0 || strcasecmp(text, event->abbreviation) == 0 ||
           strcasecmp(text, event->name) == 0 || strcasecmp(text, column) == 0 ||
           (event->symbol[0] && strcasecmp(text, event->symbol) == 0) ||
           (event == &derived_events[DERIVED_F000_FETCH_ALL] && /* in CodeAnalyst's help */
            (strcasecmp(text, "IBS fetch") == 0 || strcasecmp(text, "IBS fetch samples") == 0));
}

/* Returns a heading as one line: "Mispre-
 * dicted" is "Mispredicted", "DC
 * miss" is "DC miss". */
static const char *heading(const char *title, char text[NAME_SIZE])
{
    char *to = text;

    for (; *title && to < text + NAME_SIZE - 1; title++)
        if (title[0] == '-' && title[1] == '\n')
            title++;
        else
            *to++ = *title == '\n' ? ' ' : *title;
    *to = '\0';
    return text;
}

static bool is_operand(const struct input_facts *facts, uint32_t event, uint16_t operand)
{
    struct event_spec spec;

    if (event >= facts->event_count)
        return operand == event - facts->event_count;
    if (operand == VIEW_TIMER)
        return facts->events[event].kind == SAMPLE_TIMER;
    return operand >= VIEW_PMC && operand < VIEW_PMC_END && event_names_spec(facts, event, &spec) &&
           !has_modifiers(&spec) && event_means(&spec, (enum event_meaning)(operand - VIEW_PMC));
}

static bool is_heading_of(const struct input_facts *facts, uint32_t event, const char *text)
{
    const struct view *view;
    char line[NAME_SIZE];

    for (unsigned v = 0; (view = view_at(v)); v++)
        for (unsigned c = 0; c < view->column_count; c++)
            if (view->columns[c].kind == VIEW_COUNT && is_operand(facts, event, view->columns[c].left) &&
                strcasecmp(text, heading(view->columns[c].title, line)) == 0)
                return true;
    return false;
}

/* ---------------------------------------------------------------- all events */

/* From the most certain to the least; the first rank with a match decides. */
enum rank { RANK_EXACT, RANK_NAME, RANK_HEADING, RANKS };

static bool is_named(const struct input_facts *facts, uint32_t event, enum rank rank, const char *text)
{
    bool derived = event >= facts->event_count;

    switch (rank) {
    case RANK_EXACT:
        return !derived && strcmp(facts->events[event].name, text) == 0;
    case RANK_NAME:
        return derived ? is_derived_name(&derived_events[event - facts->event_count], text)
                       : is_counter_name(facts, event, text);
    default:
        return is_heading_of(facts, event, text);
    }
}

/* Returns whether a derived event exists: the file has samples of its kind, and its processor a source for it. */
static bool is_there(const struct input_facts *facts, const struct ibs_machine *machine, uint32_t event)
{
    const struct derived_event *derived = &derived_events[event >= facts->event_count ? event - facts->event_count : 0];

    return event < facts->event_count ||
           (has_kind(facts, (enum sample_kind)derived->kind) && derived_has_source(derived, machine));
}

static struct ibs_machine machine_of(const struct input_facts *facts)
{
    return ibs_machine_of(facts->family, facts->model, facts->ibs_caps);
}

/* Removes the unit after a name, as in columns of CSV files. */
static char *without_unit(const char *text)
{
    static const char *const units[] = {" [samples]", " [cycles]"};
    char *copy = must_copy(text);
    size_t length = strlen(copy);

    for (unsigned i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (length > strlen(units[i]) && strcmp(copy + length - strlen(units[i]), units[i]) == 0)
            copy[length - strlen(units[i])] = '\0';
    return copy;
}

unsigned event_names_find(const struct input_facts *facts, const char *text, uint32_t found[EVENT_NAMES_MAX])
{
    struct ibs_machine machine = machine_of(facts);
    char *name = without_unit(text);
    unsigned count = 0;

    for (int rank = RANK_EXACT; rank < RANKS && count == 0; rank++)
        for (uint32_t event = 0; event < facts->event_count + DERIVED_COUNT; event++) {
            if (!is_there(facts, &machine, event) || !is_named(facts, event, (enum rank)rank, name))
                continue;
            if (count < EVENT_NAMES_MAX)
                found[count] = event;
            count++;
            if (rank == RANK_EXACT) /* a file may have an event twice, under the same name */
                break;
        }
    free(name);
    return count < EVENT_NAMES_MAX ? count : EVENT_NAMES_MAX;
}

/* ---------------------------------------------------------------- for messages */

const char *event_names_say(const struct input_facts *facts, uint32_t event, char *text, size_t size)
{
    struct event_spec spec;

    if (event >= facts->event_count)
        snprintf(text, size, "%s %s", derived_events[event - facts->event_count].code,
                 derived_events[event - facts->event_count].abbreviation);
    else if (event_names_spec(facts, event, &spec))
        snprintf(text, size, "%s (%03X %s)", facts->events[event].name, spec.event->select, spec.event->abbreviation);
    else
        snprintf(text, size, "%s", facts->events[event].name);
    return text;
}

const char *event_names_code(const struct input_facts *facts, uint32_t event, char *text, size_t size)
{
    struct event_spec spec;

    if (event >= facts->event_count)
        snprintf(text, size, "%s", derived_events[event - facts->event_count].code);
    else if (event_names_spec(facts, event, &spec))
        snprintf(text, size, "%03X", spec.event->select);
    else
        snprintf(text, size, "%s", facts->events[event].name);
    return text;
}

void event_names_list(const struct input_facts *facts, const uint32_t *events, unsigned count)
{
    char text[NAME_SIZE];
    unsigned column = 0;

    for (unsigned i = 0; i < count; i++) {
        unsigned length = (unsigned)strlen(event_names_say(facts, events[i], text, sizeof(text))) + 1;

        if (column > 0 && column + 1 + length > LIST_WIDTH) {
            fputc('\n', stderr);
            column = 0;
        }
        column += (unsigned)fprintf(stderr, column > 0 ? " %s%s" : "  %s%s", text, i + 1 < count ? "," : "");
    }
    fputc('\n', stderr);
}

void event_names_list_all(const struct input_facts *facts)
{
    uint32_t *events = must_alloc(facts->event_count + DERIVED_COUNT, sizeof(*events));
    struct ibs_machine machine = machine_of(facts);
    unsigned count = 0;

    for (uint32_t event = 0; event < facts->event_count + DERIVED_COUNT; event++)
        if (is_there(facts, &machine, event))
            events[count++] = event;
    event_names_list(facts, events, count);
    free(events);
}
