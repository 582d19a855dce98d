/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/kinds/shared/events.h"

#include "core/profile/counts.h"
#include "core/run/facts.h"
#include "workloads/workload.h"

void events_name(struct out *out, const struct event_spec *spec)
{
    struct out_memory text;
    char name[EVENTS_NAME_COLUMNS + 1];

    out_memory_init(&text, name, sizeof(name));
    event_write(spec, false, &text.out);
    out_printf(&text.out, " %s", spec->event->abbreviation);
    out_printf(out, "%-*s", EVENTS_NAME_COLUMNS, name);
}

static void note(struct out *out, const struct event_spec *spec, const char *what)
{
    out_printf(out, "NOTE: ");
    events_name(out, spec);
    out_printf(out, " %s\n", what);
}

void events_notes(struct out *out, const struct task *task, bool sampled)
{
    unsigned short_periods = 0;

    for (unsigned i = 0; i < task->list.count; i++) {
        const struct event_spec *spec = &task->list.spec[i];

        if (!task->counted[i]) {
            note(out, spec, task->no_l3[i] ? "counts an L3, but there is none" : "is not modelled");
            continue;
        }
        if (spec->event->flags & EVENT_NODE)
            note(out, spec, "counts once per node");
        if (spec->event->flags & EVENT_DOUBTFUL)
            note(out, spec, "is not reliable");
        short_periods += sampled && spec->period < spec->event->period_min;
    }
    event_list_notes(out, &task->list, "NOTE: ");
    if (short_periods)
        out_printf(out, "NOTE: %u period%s shorter than silicon allows; the model accepts them.\n", short_periods,
                   short_periods == 1 ? " is" : "s are");
}

void events_fact(struct out *out, const struct task *task, unsigned event)
{
    fact_begin(out, FACT_EVENT, event);
    out_printf(out, " ");
    event_write(&task->list.spec[event], true, out);
    out_printf(out, "\n");
    fact_begin(out, FACT_EVENT_GROUPS, event);
    for (unsigned g = 0; g < task->groups.count; g++)
        for (unsigned c = 0; c < task->groups.group[g].count; c++)
            if (task->groups.group[g].event[c] == event)
                out_printf(out, " %u", g);
    out_printf(out, "\n");
}

uint64_t events_of_nothing(const struct machine *machine, uint32_t select)
{
    static const uint16_t rets[] = {0x0C2, 0x0C4, 0x0C8, 0x040};

    if (select == WORKLOAD_INSTRUCTIONS)
        return COUNTS_EMPTY_INSTRUCTIONS;
    for (unsigned i = 0; i < sizeof(rets) / sizeof(rets[0]); i++)
        if (select == rets[i] && !machine->hypervisor)
            return COUNTS_EMPTY_INSTRUCTIONS;
    return 0;
}
