/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/event_groups.h"

static bool is_separator(char c)
{
    return c == ' ' || c == ',' || c == '\t' || c == '\r' || c == '\n';
}

unsigned event_set_list_parse(enum event_set set, const char *text, size_t length, struct event_list *list,
                              struct out *problems)
{
    unsigned wrong = 0;

    list->count = 0;
    for (size_t start = 0, end; start < length; start = end + 1) {
        struct event_spec spec;
        bool ok;

        for (end = start; end < length && !is_separator(text[end]); end++)
            ;
        if (end == start)
            continue;
        ok = event_set_parse(set, text + start, end - start, &spec, problems);
        if (ok && list->count == EVENT_LIST_MAX) {
            if (problems)
                out_printf(problems, "more than %d events", EVENT_LIST_MAX);
            ok = false;
            end = length; /* once is enough */
        }
        if (ok)
            list->spec[list->count++] = spec;
        else if (problems)
            out_printf(problems, "\n");
        wrong += !ok;
    }
    return wrong;
}

unsigned event_list_parse(const char *text, size_t length, struct event_list *list, struct out *problems)
{
    return event_set_list_parse(EVENT_SET_10H, text, length, list, problems);
}

int event_list_find(const struct event_list *list, const struct event_spec *spec)
{
    for (unsigned i = 0; i < list->count; i++)
        if (event_same(&list->spec[i], spec))
            return (int)i;
    return -1;
}

static unsigned check_one(const struct event_request *request, unsigned index, struct out *problems)
{
    struct event_spec spec = request->list->spec[index];
    unsigned wrong = 0;

    if (!request->sampling)
        spec.period = 0; /* not used, so not to be found fault with */
    if (!event_check(&spec, request->revision, problems)) {
        if (problems)
            out_printf(problems, "\n");
        wrong++;
    }
    if (event_list_find(request->list, &spec) < (int)index) {
        if (problems) {
            event_write(&spec, false, problems);
            out_printf(problems, ": is listed twice\n");
        }
        wrong++;
    }
    if ((spec.event->flags & EVENT_NODE) && request->cores_per_node > 1) {
        if (problems)
            out_printf(problems, "%03X: is counted once per node; %u cores of a node would share it\n",
                       spec.event->select, request->cores_per_node);
        wrong++;
    }
    return wrong;
}

unsigned event_request_check(const struct event_request *request, struct out *problems)
{
    unsigned count = request->list->count, wrong = 0;

    if (count == 0) {
        if (problems)
            out_printf(problems, "no event to measure\n");
        return 1;
    }
    for (unsigned i = 0; i < count; i++)
        wrong += check_one(request, i, problems);
    if (count > PMC_COUNTERS && request->sharing == EVENT_SHARING_NONE) {
        if (problems)
            out_printf(problems, "%u events, but %d counters: allow re-runs or multiplexing\n", count, PMC_COUNTERS);
        wrong++;
    }
    if (request->sampling && request->sharing == EVENT_SHARING_MULTIPLEX && request->groups > request->turns_max) {
        if (problems)
            out_printf(problems, "%u events are %u groups, but at most %u take turns: name fewer, or allow re-runs\n",
                       count, request->groups, request->turns_max);
        wrong++;
    }
    return wrong;
}

void event_groups_make(struct event_groups *groups, const struct event_list *list, int sentinel)
{
    struct event_group *group = NULL;

    groups->count = 0;
    for (unsigned i = 0; i < list->count; i++) {
        if ((int)i == sentinel && list->count > 1)
            continue; /* it is in all groups anyway */
        if (!group || group->count == PMC_COUNTERS) {
            group = &groups->group[groups->count++];
            group->count = 0;
            if (sentinel >= 0 && list->count > 1)
                group->event[group->count++] = (uint8_t)sentinel;
        }
        group->event[group->count++] = (uint8_t)i;
    }
}

unsigned event_groups_with(const struct event_groups *groups, unsigned event)
{
    unsigned with = 0;

    for (unsigned g = 0; g < groups->count; g++)
        for (unsigned i = 0; i < groups->group[g].count; i++)
            with += groups->group[g].event[i] == event;
    return with;
}
