#include "app/report_count.h"

#include "app/report_pmc.h"

void report_count_settings(struct out *out, const struct run *run)
{
    const struct task *task = &run->task;
    unsigned counted = 0;

    for (unsigned i = 0; i < task->list.count; i++)
        counted += task->counted[i];
    out_printf(out, "Counted       %u events in %u pass%s, each over the workload and over nothing\n", counted,
               task->groups.count, task->groups.count == 1 ? "" : "es");
    if (task->left_out)
        out_printf(out, "Left out      %u events and mask bits that are not modelled\n", task->left_out);
    out_printf(out, "Repeats       %u%s\n", task->repeats,
               task->repeats * task->groups.count > 1 ? ", after one pass to warm up" : "");
}

void report_count_tables(struct out *out, const struct run *run)
{
    if (run->task.kind == TASK_EXPLORE) {
        out_printf(out, "\n");
        explore_print(out, &run->explore);
    }
    out_printf(out, "\n");
    report_event_notes(out, &run->task, false);
    counts_print(out, &run->counts);
}
