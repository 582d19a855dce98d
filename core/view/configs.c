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

static struct event_spec spec_of(const struct config_event *event)
{
    struct event_spec spec = {.event = event_by_select(EVENT_SET_10H, event->select),
                              .mask = event->mask,
                              .user = true,
                              .kernel = true,
                              .period = event->period};

    /* A mask that equals the default may be fitted to the revision. */
    spec.mask_given = spec.mask != spec.event->mask_default;
    return spec;
}

void config_events(const struct config *config, struct event_list *list, struct event_groups *groups)
{
    list->count = config->event_count;
    for (unsigned i = 0; i < config->event_count; i++)
        list->spec[i] = spec_of(&config->events[i]);
    groups->count = config->group_count;
    for (unsigned g = 0; g < config->group_count; g++)
        groups->group[g] = config->groups[g];
}

/* ---------------------------------------------------------------- for people */

void configs_list(struct out *out)
{
    for (unsigned i = 0; i < config_count; i++)
        out_printf(out, "%-18s %s\n", config_table[i].name, config_table[i].title);
}

static void explain_groups(struct out *out, const struct config *config)
{
    for (unsigned g = 0; g < config->group_count; g++) {
        const struct event_group *group = &config->groups[g];

        out_printf(out, "  group %u  ", g + 1);
        for (unsigned i = 0; i < group->count; i++) {
            struct event_spec spec = spec_of(&config->events[group->event[i]]);

            out_printf(out, "%s", i ? ", " : " ");
            event_write(&spec, false, out);
        }
        out_printf(out, "\n");
    }
    for (unsigned i = 0; i < config->event_count; i++) {
        struct event_spec spec = spec_of(&config->events[i]);

        out_printf(out, "  event     ");
        event_write(&spec, true, out);
        out_printf(out, "\n");
    }
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

void config_explain(struct out *out, const struct config *config)
{
    const struct view *view;
    char names[128];
    struct out_memory views;

    out_printf(out, "%s: %s\n", config->name, config->title);
    if (config->kind == CONFIG_PMC)
        explain_groups(out, config);
    else if (config->kind == CONFIG_TIMER)
        out_printf(out, "  timer     one sample per %u us\n", config->timer_us);
    else
        explain_ibs(out, config);
    out_memory_init(&views, names, sizeof(names));
    for (unsigned i = 0; (view = view_at(i)); i++)
        if (config_prints(config, view))
            out_printf(&views.out, "%s ", view->name);
    out_printf(out, "  views     ");
    wrap_text(out, names, INDENT, INDENT, LINE);
    if (config->remark) {
        out_printf(out, "  remark    ");
        wrap_text(out, config->remark, INDENT, INDENT, LINE);
    }
}
