/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/view/configs.h"

#include "core/base/str.h"
#include "core/base/wrap.h"

enum { LINE = 79, INDENT = 12 };

const struct config *config_find(const char *name)
{
    for (unsigned i = 0; i < config_count; i++)
        if (str_equal(config_table[i].name, name))
            return &config_table[i];
    return NULL;
}

bool config_prints(const struct config *config, const struct view *view)
{
    const char *at = view->configs ? view->configs : view->name;

    while (*at) {
        const char *end = at;

        while (*end && *end != ' ')
            end++;
        if (str_is(at, (size_t)(end - at), config->name))
            return true;
        at = end + (*end != 0);
    }
    return false;
}

/* Returns whether some view that the configuration prints has its events. */
static bool prints_some(const struct config *config, enum event_set set)
{
    const struct view *view;
    struct view part;

    for (unsigned i = 0; (view = view_at(i)); i++)
        if (config_prints(config, view) && view_with_events(view, set, &part))
            return true;
    return false;
}

/* Adds a group of the existing events; returns false if the counter of its place cannot count one of them. */
static bool add_group(struct event_groups *groups, const struct event_group *wanted, const struct event_list *list,
                      const uint8_t at[CONFIG_EVENTS])
{
    struct event_group group = {0};

    for (unsigned i = 0; i < wanted->count; i++) {
        if (at[wanted->event[i]] == EVENT_GROUP_NONE)
            continue;
        if (!(event_counters(list->spec[at[wanted->event[i]]].event) >> group.count & 1))
            return false;
        group.event[group.count++] = at[wanted->event[i]];
    }
    if (group.count > 1 || !groups->count)
        groups->group[groups->count++] = group;
    return true;
}

bool config_events(const struct config *config, enum event_set set, struct event_list *list,
                   struct event_groups *groups)
{
    uint8_t at[CONFIG_EVENTS]; /* where in the list the row's events are */

    *list = (struct event_list){.set = set};
    for (unsigned i = 0; i < config->event_count; i++) {
        unsigned count = list->count;

        event_list_add(list, (enum event_meaning)config->events[i].meaning, config->events[i].period);
        at[i] = list->count > count ? (uint8_t)count : EVENT_GROUP_NONE;
    }
    groups->count = 0;
    for (unsigned g = 0; g < config->group_count; g++)
        if (!add_group(groups, &config->groups[g], list, at)) {
            groups->count = 0;
            break;
        }
    return prints_some(config, set);
}

/* ---------------------------------------------------------------- for people */

void configs_list(struct out *out)
{
    for (unsigned i = 0; i < config_count; i++)
        out_printf(out, "%-18s %s\n", config_table[i].name, config_table[i].title);
}

static void explain_groups(struct out *out, const struct config *config, enum event_set set)
{
    struct event_groups groups;
    struct event_list list;

    if (!config_events(config, set, &list, &groups))
        out_printf(out, "  not possible here: the events below are not enough for any of its views\n");
    for (unsigned g = 0; g < groups.count; g++) {
        out_printf(out, "  group %u  ", g + 1);
        for (unsigned i = 0; i < groups.group[g].count; i++) {
            out_printf(out, "%s", i ? ", " : " ");
            event_write(&list.spec[groups.group[g].event[i]], false, out);
        }
        out_printf(out, "\n");
    }
    for (unsigned i = 0; i < list.count; i++) {
        out_printf(out, "  event     ");
        event_write(&list.spec[i], true, out);
        out_printf(out, "\n");
    }
    event_list_notes(out, &list, "  note      ");
}

static void explain_ibs(struct out *out, const struct config *config)
{
    if (config->fetch_period)
        out_printf(out, "  fetch     one sample per %u fetches\n", config->fetch_period);
    if (config->op_period)
        out_printf(out, "  op        one sample per %u dispatched ops (revision B: cycles)\n", config->op_period);
    for (unsigned i = 0; i < config->derived_count; i++) {
        const struct derived_event *event = &derived_events[config->derived[i]];

        out_printf(out, "  event     %s %s\n", event->code, event->name);
    }
}

void config_explain(struct out *out, const struct config *config, enum event_set set)
{
    const struct view *view;
    struct view part;
    char names[128];
    struct out_memory views;

    out_printf(out, "%s: %s\n", config->name, config->title);
    if (config->kind == CONFIG_PMC)
        explain_groups(out, config, set);
    else if (config->kind == CONFIG_TIMER)
        out_printf(out, "  timer     one sample per %u us\n", config->timer_us);
    else
        explain_ibs(out, config);
    out_memory_init(&views, names, sizeof(names));
    for (unsigned i = 0; (view = view_at(i)); i++)
        if (config_prints(config, view) && (config->kind != CONFIG_PMC || view_with_events(view, set, &part)))
            out_printf(&views.out, "%s ", view->name);
    out_printf(out, "  views     ");
    wrap_text(out, names, INDENT, INDENT, LINE);
    if (config->remark && (set == EVENT_SET_10H || config->kind != CONFIG_PMC)) {
        out_printf(out, "  remark    ");
        wrap_text(out, config->remark, INDENT, INDENT, LINE);
    }
}
