/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/events/event_groups.h"

static bool is_separator(char c)
{
    return c == ' ' || c == ',' || c == '\t' || c == '\r' || c == '\n';
}

unsigned event_list_parse(enum event_set set, const char *text, size_t length, struct event_list *list,
                          struct out *problems)
{
    unsigned wrong = 0;

    list->count = 0;
    list->set = set;
    list->counters = list->meant = list->missing = 0;
    for (size_t start = 0, end; start < length; start = end + 1) {
        struct event_spec spec;
        bool ok;

        for (end = start; end < length && !is_separator(text[end]); end++)
            ;
        if (end == start)
            continue;
        ok = event_parse(set, text + start, end - start, &spec, problems);
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

int event_list_find(const struct event_list *list, const struct event_spec *spec)
{
    for (unsigned i = 0; i < list->count; i++)
        if (event_same(&list->spec[i], spec))
            return (int)i;
    return -1;
}

static unsigned counters_of(const struct event_list *list)
{
    return list->counters ? list->counters : PMC_LEGACY;
}

static unsigned check_one(const struct event_request *request, unsigned index, struct out *problems)
{
    struct event_spec spec = request->list->spec[index];
    unsigned wrong = 0;

    if (!request->sampling)
        spec.period = 0; /* not used, so no error */
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
            out_printf(problems, "%03X: is counted once per node; %u cores of a node would share the count\n",
                       spec.event->select, request->cores_per_node);
        wrong++;
    }
    return wrong;
}

unsigned event_request_check(const struct event_request *request, struct out *problems)
{
    unsigned count = request->list->count, counters = counters_of(request->list), wrong = 0;

    if (count == 0) {
        if (problems)
            out_printf(problems, "no event to measure\n");
        return 1;
    }
    for (unsigned i = 0; i < count; i++)
        wrong += check_one(request, i, problems);
    if (count > counters && request->sharing == EVENT_SHARING_NONE) {
        if (problems)
            out_printf(problems, "%u events, but %u counters: allow re-runs or multiplexing\n", count, counters);
        wrong++;
    } else if (request->groups > 1 && request->sharing == EVENT_SHARING_NONE) {
        if (problems)
            out_printf(problems, "events that need the same counter: allow re-runs or multiplexing\n");
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

bool event_group_takes(const struct event_group *group, unsigned counters, unsigned counter, const struct event *event)
{
    unsigned last = counter + event->pair;

    return last < counters && (event_counters(event) >> counter & 1) && group->event[counter] == EVENT_GROUP_NONE &&
           group->event[last] == EVENT_GROUP_NONE;
}

static void put(struct event_group *group, unsigned counter, bool pair, uint8_t index, uint8_t partner)
{
    group->event[counter] = index;
    if (pair)
        group->event[counter + 1] = partner;
}

void event_group_put(struct event_group *group, unsigned counter, const struct event *event, uint8_t index)
{
    put(group, counter, event->pair, index, EVENT_GROUP_MERGE);
}

/* Gives each member a counter, the lowest that leaves one to all. */
static bool assign(const struct event_list *list, const uint8_t *member, unsigned members, struct event_group *group)
{
    if (!members)
        return true;
    for (unsigned counter = 0; counter < counters_of(list); counter++) {
        const struct event *event = list->spec[*member].event;

        if (!event_group_takes(group, counters_of(list), counter, event))
            continue;
        event_group_put(group, counter, event, *member);
        if (assign(list, member + 1, members - 1, group))
            return true;
        put(group, counter, event->pair, EVENT_GROUP_NONE, EVENT_GROUP_NONE);
    }
    return false;
}

static bool join(struct event_group *group, const struct event_list *list, unsigned event)
{
    uint8_t member[PMC_COUNTERS + 1];
    unsigned members = 0;
    struct event_group with = {0};

    for (unsigned counter = 0; counter < group->count; counter++)
        if (event_group_has(group, counter))
            member[members++] = group->event[counter];
    member[members++] = (uint8_t)event;
    for (unsigned counter = 0; counter < PMC_COUNTERS; counter++)
        with.event[counter] = EVENT_GROUP_NONE;
    if (members > counters_of(list) || !assign(list, member, members, &with))
        return false;
    for (unsigned counter = 0; counter < PMC_COUNTERS; counter++)
        if (with.event[counter] != EVENT_GROUP_NONE)
            with.count = (uint8_t)(counter + 1);
    *group = with;
    return true;
}

bool event_groups_make(struct event_groups *groups, const struct event_list *list, int sentinel)
{
    bool in_all = sentinel >= 0 && list->count > 1;

    groups->count = 0;
    for (unsigned i = 0; i < list->count; i++) {
        unsigned g = 0;

        if (in_all && (int)i == sentinel)
            continue;
        while (g < groups->count && !join(&groups->group[g], list, i))
            g++;
        if (g < groups->count)
            continue;
        if (g == EVENT_GROUPS_MAX)
            return false;
        groups->group[g].count = 0;
        if ((in_all && !join(&groups->group[g], list, (unsigned)sentinel)) || !join(&groups->group[g], list, i))
            return false; /* it needs the sentinel's only counter */
        groups->count++;
    }
    return true;
}

unsigned event_groups_with(const struct event_groups *groups, unsigned event)
{
    unsigned with = 0;

    for (unsigned g = 0; g < groups->count; g++)
        for (unsigned i = 0; i < groups->group[g].count; i++)
            with += groups->group[g].event[i] == event;
    return with;
}
