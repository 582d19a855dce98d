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

/* What the call of an empty workload does, which is subtracted from totals: its ret, an instruction, branch and load.
 * The virtual PMU takes code outside of the map for instructions alone. */
static uint64_t empty_has(const struct run *run, const struct workload_expected *expected)
{
    static const uint16_t rets[] = {0x0C2, 0x0C4, 0x0C8, 0x040};

    if (expected->select == 0x0C0)
        return PASSES_EMPTY_INSTRUCTIONS;
    for (unsigned i = 0; i < sizeof(rets) / sizeof(rets[0]); i++)
        if (expected->select == rets[i] && !run->machine->hypervisor)
            return PASSES_EMPTY_INSTRUCTIONS;
    return 0;
}

static void report_expected_row(struct out *out, const struct run *run, const struct workload_expected *expected)
{
    for (unsigned i = 0; i < run->task.list.count; i++) {
        const struct event_spec *spec = &run->task.list.spec[i];
        uint64_t known = expected->count(run->params) - empty_has(run, expected);
        struct counts_result result;

        counts_result(&run->counts, i, &result);
        if (spec->event->select != expected->select || spec->mask != expected->mask || !task_counts_all(spec) ||
            result.state != COUNTS_COUNTED)
            continue;
        out_printf(out, "%s %03X:%02X known beforehand %llu, counted %llu\n", result.mean == known ? "same" : "OTHER",
                   spec->event->select, spec->mask, (unsigned long long)known, (unsigned long long)result.mean);
    }
}

/* Not a check that fails a run: silicon has errata, and counts interrupts. */
static void report_expected(struct out *out, const struct run *run)
{
    const struct workload *workload = run->workload;
    const struct workload_expected instructions = {0x0C0, 0, workload->instructions};

    if (workload->instructions || workload->expected[0].select)
        out_printf(out, "\nCounts that are known beforehand, less those of an empty workload\n");
    if (workload->instructions)
        report_expected_row(out, run, &instructions);
    for (unsigned i = 0; i < WORKLOAD_EXPECTED_MAX && workload->expected[i].select; i++)
        report_expected_row(out, run, &workload->expected[i]);
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
    if (run->task.kind == TASK_COUNT)
        report_expected(out, run);
}
