#include "app/run.h"

#include "app/measure_count.h"
#include "app/measure_explore.h"
#include "app/measure_ibs.h"
#include "app/measure_noise.h"
#include "app/measure_pmc.h"
#include "core/str.h"

static bool prepare_parts(struct run *run, const struct options *options, struct out *problems)
{
    return (!run_has_counts(run) || measure_count_prepare(run, problems)) &&
           (!run_has_samples(run) || measure_pmc_prepare(run, options, problems)) &&
           (!run_has_ibs(run) || measure_ibs_prepare(run, options, problems)) &&
           (!run_has_noise(run) || measure_noise_prepare(run, options, problems));
}

bool run_prepare(struct run *run, struct firmware *fw, const struct machine *machine, const struct options *options,
                 const struct image *image, struct out *problems)
{
    bool noise = str_equal(options->config, "noise"); /* on the boot core, with no workload */

    *run = (struct run){.fw = fw, .machine = machine, .image = image, .seed = options->seed, .pool = {.fw = fw}};
    run->workload = noise ? &measure_noise_workload : params_find_workload(options->workload);
    if (!run->workload) {
        out_printf(problems, "workload = %s: there is none of that name; 'list' at the prompt names them all\n",
                   options->workload);
        return false;
    }
    if (!params_of(&options->params, run->workload, run->params, problems) ||
        !cores_read(&run->cores, noise ? "0" : options->cores, fw, machine, problems) ||
        !place_read(&run->place, options->memory, &machine->nodes, problems) ||
        !task_read(&run->task, options, machine, cores_of_a_node(&run->cores), problems))
        return false;
    if (passes_prepare(&run->passes, &run->pool, machine, run, options, problems) &&
        prepare_parts(run, options, problems))
        return true;
    run_release(run);
    return false;
}

void run_measure(struct run *run)
{
    run->fw->now(run->fw, &run->started);
    if (run_has_counts(run))
        measure_count(run);
    if (run_has_samples(run))
        measure_pmc(run);
    if (run_has_ibs(run))
        measure_ibs(run);
    if (run->task.kind == TASK_EXPLORE)
        measure_explore(run);
    if (run_has_noise(run))
        measure_noise(run);
}

static bool invariants_hold(const struct run *run)
{
    for (unsigned i = 0; run->task.kind == TASK_EXPLORE && i < EXPLORE_CHECKS; i++)
        if (run->explore.check[i].verdict == EXPLORE_FAIL)
            return false;
    return true;
}

bool run_good(const struct run *run)
{
    return passes_good(&run->passes) && !run->ibs.identities_failed && invariants_hold(run);
}

void run_release(struct run *run)
{
    /* A core that hangs still has its hands on this memory: then it is lost to the firmware. */
    if (passes_all_back(&run->passes))
        pool_release(&run->pool);
}
