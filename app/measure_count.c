#include "app/measure_count.h"

#include "app/counter_plan.h"

static struct session_program program(const struct run *run, unsigned group)
{
    struct session_program program = {0};

    counter_plan(&program.pmc, &run->task.list, &run->task.groups.group[group], 1);
    program.pmc.mode = PMC_COUNTING;
    return program;
}

bool measure_count_prepare(struct run *run, struct out *problems)
{
    const struct task *task = &run->task;
    size_t size = counts_memory_size(&task->list, &task->groups, task->repeats);
    void *memory = pool_take(&run->pool, size, POOL_PAGE, "the counts", problems);

    if (!memory || !counts_init(&run->counts, &task->list, &task->groups, task->sentinel, task->repeats, memory, size))
        return false;
    for (unsigned i = 0; i < task->list.count; i++)
        if (!task->counted[i])
            counts_not_modelled(&run->counts, i);
    for (unsigned g = 0; g < task->groups.count; g++) {
        const struct session_program counting = program(run, g);

        if (!passes_possible(&run->passes, &counting, problems))
            return false;
    }
    return true;
}

/* The counters of the last pass, in the order of its group. */
static void totals(const struct run *run, uint64_t value[PMC_COUNTERS])
{
    for (unsigned c = 0; c < PMC_COUNTERS; c++)
        value[c] = run->passes.result.pmc.group[0].counter[c].total;
}

static bool count_group(struct run *run, unsigned repeat, unsigned group)
{
    const struct session_program counting = program(run, group);
    uint64_t value[PMC_COUNTERS];

    /* Nothing, twice: the first one finds what the workload before left in the caches, the second what the one before
     * it left, as the workload does then. So that is the overhead, and the first shows what may be left of it. */
    if (!passes_run_empty(&run->passes, &counting))
        return false;
    totals(run, value);
    counts_add_again(&run->counts, repeat, group, value);
    if (!passes_run_empty(&run->passes, &counting))
        return false;
    totals(run, value);
    counts_add_empty(&run->counts, repeat, group, value);
    if (!passes_run(&run->passes, &counting))
        return false;
    totals(run, value);
    counts_add(&run->counts, repeat, group, value);
    return true;
}

/* The first passes find caches and predictors cold, the others do not: they are run, and nothing is made of them. */
static bool warm_up(struct run *run)
{
    const struct session_program counting = program(run, 0);

    if (run->task.repeats * run->task.groups.count == 1)
        return true;
    return passes_run_empty(&run->passes, &counting) && passes_run(&run->passes, &counting);
}

void measure_count(struct run *run)
{
    bool good = warm_up(run);

    for (unsigned r = 0; good && r < run->task.repeats; r++)
        for (unsigned g = 0; good && g < run->task.groups.count; g++)
            good = count_group(run, r, g);
}
