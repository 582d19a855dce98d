/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples by process or thread; the contract is in report_text.h. A profile's places do not know their processes: the
 * input is read once more, and a row is a number and the name that the process had when the sample came (a program
 * started by exec is another row than the shell that started it).
 */
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/table.h"
#include "tools/ibsprof/profile/profile_count.h"
#include "tools/ibsprof/read/input_samples.h"
#include "tools/ibsprof/report/lists/report_lists.h"

/* A process or thread at present: its name, and the index of its row plus one; 0: none yet. */
struct task {
    uint32_t pid, row; /* a thread's own number */
    const char *name;
};

struct tasks {
    struct table table;
    struct task *task;
    uint32_t count;
};

static bool is_task(const void *context, uint32_t number, const void *pid)
{
    return ((const struct tasks *)context)->task[number - 1].pid == *(const uint32_t *)pid;
}

static struct task *task_of(struct tasks *tasks, uint32_t pid)
{
    uint32_t *number = table_find(&tasks->table, table_hash(pid), is_task, tasks, &pid);

    if (*number == 0) {
        *must_add(tasks->task, tasks->count) = (struct task){.pid = pid};
        *number = tasks->count;
    }
    return &tasks->task[*number - 1];
}

static void rename_task(struct tasks *tasks, uint32_t pid, const char *name)
{
    struct task *task = task_of(tasks, pid);

    if (!task->name || !name || strcmp(task->name, name) != 0)
        task->row = 0;
    task->name = name;
}

static const char *name_of(const struct task *task)
{
    return task->name ? task->name : task->pid == 0 ? "swapper" : "(not known)";
}

/* Returns the index of the row of this number and name: a process may have had the name before. */
static uint32_t row_of(struct list *list, const struct run_profile *profile, struct task *task)
{
    for (uint32_t i = 0; task->row == 0 && i < list->count; i++)
        if (list->rows[i].pid == task->pid && strcmp(list->rows[i].name, name_of(task)) == 0)
            task->row = i + 1;
    if (task->row == 0) {
        list_add(list, profile, name_of(task))->pid = task->pid;
        task->row = list->count;
    }
    return task->row - 1;
}

/* The tally's offsets are indices of rows. */
static void add_tally(struct list *list, const struct run_profile *profile, const struct tally *tally)
{
    for (size_t i = 0; i < tally->room; i++) {
        const struct tally_row *from = &tally->rows[i];
        struct list_row *row;

        if (from->count == 0)
            continue;
        row = &list->rows[from->key.offset];
        if (sample_is_ibs(from->key.origin.kind))
            tally_expand(tally, from, &profile->set, row->counts);
        row->events[from->key.origin.event] += from->count;
        row->events[profile->facts->event_count + from->key.origin.event] += from->weight;
    }
}

/* A forked thread inherits the name, as a process does; an exec renames both. */
static void follow(struct tasks *tasks, const struct perfdata_item *item, bool threads)
{
    uint32_t id = threads ? item->tid : item->pid, parent = threads ? item->parent_tid : item->parent_pid;

    if (item->kind == PERFDATA_ITEM_COMM && (threads || item->pid == item->tid))
        rename_task(tasks, id, item->text);
    if (item->kind == PERFDATA_ITEM_FORK && id != parent)
        rename_task(tasks, id, task_of(tasks, parent)->name);
}

struct list report_process_list(const struct run_profile *profile, const struct report_options *options, bool threads)
{
    struct input *input = options->input;
    struct list list = {.processes = true, .threads = threads};
    struct count_place place = {.facts = profile->facts};
    struct input_samples items = {0};
    struct tasks tasks = {0};
    struct core_nodes nodes;
    struct count count;

    count_place_machine(&place, &profile->set.machine);
    count_init(&count, &place);
    core_nodes_read(&nodes, profile->facts);
    input_rewind(input);
    while (input_samples_next(input, &items)) {
        const struct perfdata_plain *sample = items.sample;

        if (!sample)
            follow(&tasks, &items.item, threads);
        else if (core_sample_chosen(profile->only, &nodes, profile->facts, sample->event, sample->cpu))
            count_as(&count, row_of(&list, profile, task_of(&tasks, threads ? sample->tid : sample->pid)), sample);
    }
    add_tally(&list, profile, &count.tally);
    count_free(&count);
    table_free(&tasks.table);
    free(tasks.task);
    list_sort(&list, options);
    return list;
}

void report_processes(struct out *out, const struct run_profile *profile, const struct report_options *options)
{
    struct list list = report_process_list(profile, options, options->list == REPORT_THREADS);

    list_text(out, profile, &list, options);
    list_free(&list);
}

void report_processes_csv(struct out *out, const struct run_profile *profile, const struct report_options *options)
{
    struct list list = report_process_list(profile, options, options->list == REPORT_THREADS);

    list_csv(out, profile, &list);
    list_free(&list);
}
