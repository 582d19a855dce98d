#include "app/run.h"

#include "app/measure_ibs.h"

bool run_prepare(struct run *run, struct firmware *fw, const struct machine *machine, const struct options *options,
                 const struct image *image, struct out *problems)
{
    *run = (struct run){.fw = fw, .machine = machine, .image = image, .pool = {.fw = fw}};
    run->workload = options_find_workload(options->workload);
    if (!run->workload) {
        out_printf(problems, "workload = %s: there is none of that name; 'list' at the prompt names them all\n",
                   options->workload);
        return false;
    }
    if (!options_params(options, run->workload, run->params, problems))
        return false;
    if (passes_prepare(&run->passes, &run->pool, machine, run->workload, run->params, options, problems) &&
        measure_ibs_prepare(run, options, problems))
        return true;
    run_release(run);
    return false;
}

void run_measure(struct run *run)
{
    run->fw->now(run->fw, &run->started);
    measure_ibs(run);
}

bool run_good(const struct run *run)
{
    return passes_good(&run->passes) && !run->ibs.identities_failed;
}

void run_release(struct run *run)
{
    pool_release(&run->pool);
}
