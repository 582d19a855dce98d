/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/run/task.h"

#include "app/run/kind.h"
#include "core/base/mem.h"
#include "core/base/str.h"
#include "core/explore/explore.h"
#include "drivers/pmu/pmc.h"
#include "drivers/machine/vpmu_query.h"

enum {
    CLOCKS = 0x076, /* CPU clocks not halted: the sentinel */
    REPEATS_SILICON = 5,
};

/* Finds the kind, its parts, name and title. Returns false if there is no such configuration. */
static bool find_config(struct task *task, const char *name)
{
    const struct kind *kind = kind_find(name);

    if (!kind)
        return false;
    task->config = config_find(name);
    task->name = task->config ? task->config->name : kind->name;
    task->title = task->config ? task->config->title : kind->title;
    task->kinds[0] = kind;
    for (unsigned i = 0; i < TASK_KINDS_MAX - 1; i++)
        task->kinds[i + 1] = kind->parts[i];
    return true;
}

enum event_set task_event_set(const struct machine *machine)
{
    return machine->row ? (enum event_set)machine->row->events : EVENT_SET_NONE;
}

/* Returns the revision; an unknown model gets the events that all have. Only Family 10h has revisions; for others the
 * set decides. */
static char revision_of(const struct machine *machine)
{
    if (task_event_set(machine) > EVENT_SET_10H)
        return 'E';
    return machine->revision >= 'B' && machine->revision <= 'E' ? machine->revision : 'B';
}

void task_add_event_of(struct event_list *list, enum event_set set, uint32_t select, uint8_t mask)
{
    struct event_spec spec = {.event = event_by_select(set, select), .mask = mask, .user = true, .kernel = true};

    if (spec.event)
        spec.mask_given = mask != spec.event->mask_default; /* a default one is fitted to the revision */
    if (spec.event && list->count < EVENT_LIST_MAX && event_list_find(list, &spec) < 0)
        list->spec[list->count++] = spec;
}

static bool of_absent_l3(const struct machine *machine, const struct event_spec *spec)
{
    return spec->event->unit == EVENT_L3 && !machine_has_l3(machine);
}

static bool countable(void *machine, const struct event_spec *spec)
{
    return vpmu_counts(machine, spec->event->select, spec->mask) && !of_absent_l3(machine, spec);
}

/* Returns the unit of "all:DC"; EVENT_UNITS for "all"; -1: neither. */
static int unit_of(const char *events)
{
    int unit = EVENT_UNITS;

    if (str_equal(events, "all"))
        return unit;
    if (strlen(events) < 4 || !str_is(events, 4, "all:"))
        return -1;
    while (--unit >= 0 && !str_is(events + 4, strlen(events + 4), event_units[unit].name))
        ;
    return unit;
}

/* Reads the events named in 'events'. */
static bool read_list(struct task *task, const char *events, const struct machine *machine, struct out *problems)
{
    int unit = task->kinds[0]->all_events ? unit_of(events) : -1;
    const struct event_all all = {.revision = revision_of(machine),
                                  .unit = (uint8_t)unit,
                                  .counts = countable,
                                  .context = (void *)machine,
                                  .set = task_event_set(machine)};

    if (unit == EVENT_L3 && !machine_has_l3(machine)) {
        out_printf(problems, "events = %s: this processor has no L3 (CPUID 8000_0006h)\n", events);
        return false;
    }
    if (unit < 0)
        return event_list_parse(task_event_set(machine), events, strlen(events), &task->list, problems) == 0;
    if (!event_list_all(&task->list, &all, &task->left_out)) {
        out_printf(problems, "events = %s: more than %d; name a unit: events=all:DC\n", events, EVENT_LIST_MAX);
        return false;
    }
    return true;
}

/* Finds the events of a row of core's table, by meaning. */
static bool find_meant(struct task *task, enum event_set set, struct out *problems)
{
    if (config_events(task->config, set, &task->list, &task->groups))
        return true;
    out_printf(problems, "config = %s: this processor has too few of its events\n", task->name);
    event_list_notes(problems, &task->list, "");
    return false;
}

/* Finds the list, and the groups that the configuration itself prescribes (none: groups->count = 0). */
static bool find_events(struct task *task, const char *events, const struct machine *machine, struct out *problems)
{
    const struct kind *kind = task->kinds[0];
    bool given = events[0] && kind->names_events;
    enum event_set set = task_event_set(machine);

    if (events[0] && !given) {
        out_printf(problems,
                   "config = %s: its events cannot be chosen; config=events samples those of\n"
                   "'events', config=count counts them\n",
                   task->name);
        return false;
    }
    task->events_chosen = given || !task->config;
    if (given)
        return read_list(task, events, machine, problems);
    if (task->config)
        return find_meant(task, set, problems);
    if (!kind->list_events) {
        out_printf(problems, "config = %s: name the events, for example events=0C0,%s\n", task->name,
                   set == EVENT_SET_10H ? "041" : "0C1");
        return false;
    }
    task->list.set = set;
    kind->list_events(&task->list, machine->row, revision_of(machine));
    return true;
}

/* Drops events of the node that the kind has chosen, if several cores of a node would share them. */
static void drop_node_events(struct event_list *list)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < list->count; i++)
        if (!(list->spec[i].event->flags & EVENT_NODE))
            list->spec[kept++] = list->spec[i];
    list->count = kept;
}

/* Appends the sentinel unless the list has it already. False when the list is full. */
static bool find_sentinel(struct task *task, enum event_set set)
{
    const struct event_list *list = &task->list;

    for (unsigned i = 0; i < list->count; i++) {
        if (list->spec[i].event->select == CLOCKS && task_counts_all(&list->spec[i])) {
            task->sentinel = i;
            return true;
        }
    }
    task->sentinel = list->count;
    task_add_event_of(&task->list, set, CLOCKS, 0);
    return list->count > task->sentinel;
}

static void find_counted(struct task *task, const struct machine *machine)
{
    for (unsigned i = 0; i < task->list.count; i++) {
        task->counted[i] = countable((void *)machine, &task->list.spec[i]);
        task->no_l3[i] = of_absent_l3(machine, &task->list.spec[i]);
    }
}

/* Refuses named events of a missing cache, which would all read 0. */
static bool check_l3(const struct task *task, const struct options *options, struct out *problems)
{
    for (unsigned i = 0; options->events[0] && i < task->list.count; i++) {
        if (!task->no_l3[i])
            continue;
        out_printf(problems, "events: %03X %s: this processor has no L3 (CPUID 8000_0006h), the event would read 0\n",
                   task->list.spec[i].event->select, task->list.spec[i].event->symbol);
        return false;
    }
    return true;
}

/* Removes events that are not counted from a configuration's groups. */
static void thin_groups(struct task *task)
{
    struct event_groups thin = {0};

    for (unsigned g = 0; g < task->groups.count; g++) {
        struct event_group *group = &thin.group[thin.count];
        for (unsigned i = 0; i < task->groups.group[g].count; i++)
            if (task->counted[task->groups.group[g].event[i]])
                group->event[group->count++] = task->groups.group[g].event[i];
        thin.count += group->count != 0;
    }
    task->groups = thin;
}

/* Makes groups of the counted events, in the list's order. */
static bool make_groups(struct task *task, bool sentinel)
{
    struct event_list some = {.counters = task->list.counters};
    uint8_t index[EVENT_LIST_MAX];
    int place = -1;

    for (unsigned i = 0; i < task->list.count; i++) {
        if (!task->counted[i])
            continue;
        if (sentinel && i == task->sentinel)
            place = (int)some.count;
        index[some.count] = (uint8_t)i;
        some.spec[some.count++] = task->list.spec[i];
    }
    if (!event_groups_make(&task->groups, &some, place))
        return false;
    for (unsigned g = 0; g < task->groups.count; g++)
        for (unsigned i = 0; i < task->groups.group[g].count; i++)
            if (event_group_has(&task->groups.group[g], i))
                task->groups.group[g].event[i] = index[task->groups.group[g].event[i]];
    return true;
}

/* Given periods must not be below the table's minimum. Those that a run measures under a hypervisor may be, because
 * interrupts take thousands of cycles only on silicon; the report has a note on them. */
static bool check(const struct task *task, const struct machine *machine, unsigned cores, struct out *problems)
{
    const struct event_request request = {
        .list = &task->list,
        .revision = revision_of(machine),
        .sharing = task->sharing,
        .sampling = task->kinds[0]->events == KIND_SAMPLES_EVENTS,
        .cores_per_node = cores,
        .groups = task->groups.count,
        .turns_max = PMC_GROUPS_MAX,
    };

    if (event_request_check(&request, problems))
        return false;
    if (!task->groups.count) {
        out_printf(problems, "the virtual PMU models none of these events: there is nothing to measure\n");
        return false;
    }
    return true;
}

/* Finds the periods that the user has not given. */
static void find_periods(struct task *task, const struct options *options, const struct machine *machine)
{
    bool measured = options->periods == OPTIONS_PERIODS_MEASURED ||
                    (options->periods == OPTIONS_PERIODS_AUTO && machine->hypervisor);

    for (unsigned i = 0; i < task->list.count; i++) {
        struct event_spec *spec = &task->list.spec[i];
        bool own = options->events[0] && spec->period;

        task->measure_period[i] = measured && !own && task->counted[i];
        if (!spec->period)
            spec->period = event_default_period(spec->event);
    }
}

static bool read_events(struct task *task, const struct options *options, const struct machine *machine, unsigned cores,
                        struct out *problems)
{
    bool counting = task->kinds[0]->events == KIND_COUNTS_EVENTS;

    if (counting && task->sharing == EVENT_SHARING_MULTIPLEX) {
        out_printf(problems, "sharing = multiplex: config=%s counts whole runs; set rerun or none\n", task->name);
        if (task->kinds[0]->list_events && !task->kinds[0]->names_events)
            out_printf(problems, "config = explore_deep: groups take turns in a run, for work that never repeats\n");
        return false;
    }
    if (task->kinds[0]->slots && machine->row && !explore_of(task_event_set(machine))) {
        out_printf(problems, "config = %s: this program has no tree of the events of\n%s\n", task->name,
                   machine->row->name);
        return false;
    }
    if (!task_event_set(machine)) {
        out_printf(problems, "config = %s: this program has no table of the counter events of %s;\n", task->name,
                   machine->row ? machine->row->name : "this processor");
        out_printf(problems, "config=ibs, tbp, noise and selftest need none\n");
        return false;
    }
    if (!find_events(task, options->events, machine, problems))
        return false;
    task->list.counters = machine->pmc.count;
    if (cores > 1 && !options->events[0] && !task->groups.count)
        drop_node_events(&task->list);
    for (unsigned i = 0; i < task->list.count; i++)
        event_fit(&task->list.spec[i], revision_of(machine));
    if (counting && !find_sentinel(task, task_event_set(machine))) {
        out_printf(problems, "config = %s: %u events are too many: one counter is for the sentinel\n", task->name,
                   task->list.count);
        return false;
    }
    find_counted(task, machine);
    if (!check_l3(task, options, problems))
        return false;
    if (task->groups.count) {
        thin_groups(task);
    } else if (!make_groups(task, counting || task->config)) { /* a configuration's first event is in every group */
        out_printf(problems, "events: more than %d groups, because many need the same counter: name fewer\n",
                   EVENT_GROUPS_MAX);
        return false;
    }
    if (!check(task, machine, cores, problems))
        return false;
    if (!counting)
        find_periods(task, options, machine);
    return true;
}

bool task_read(struct task *task, const struct options *options, const struct machine *machine, unsigned cores,
               struct out *problems)
{
    *task = (struct task){.sharing = (enum event_sharing)options->sharing, .timer_us = (uint32_t)options->timer_us};
    if (!find_config(task, options->config)) {
        kind_not_found(problems, options->config);
        return false;
    }
    if (options->repeats > COUNTS_REPEATS_MAX && !options->once) {
        out_printf(problems, "repeats = %lu: more than %u are possible with once=yes alone\n", options->repeats,
                   COUNTS_REPEATS_MAX);
        return false;
    }
    task->repeats = (uint32_t)options->repeats;
    if (!task->repeats)
        task->repeats = !machine->hypervisor && task->kinds[0]->events == KIND_COUNTS_EVENTS ? REPEATS_SILICON : 1;
    if (task->kinds[0]->events == KIND_NO_EVENTS) {
        if (!options->events[0])
            return true;
        return find_events(task, options->events, machine, problems);
    }
    return read_events(task, options, machine, cores, problems);
}
