/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/run/run.h"

#include "app/run/code.h"
#include "app/run/kind.h"
#include "core/base/mem.h"
#include "core/base/str.h"

/* Returns the number of kinds that take samples; with two, as for 'skid', no figure belongs to one alone. */
static unsigned samplers(const struct run *run)
{
    unsigned number = 0;

    for (EACH_KIND(kind, run))
        number += (*kind)->samples != NULL;
    return number;
}

static bool prepare_kinds(struct run *run, const struct options *options, struct out *problems)
{
    run->reference = options->reference && samplers(run) == 1 && !kind_has_own_workload(run);
    for (EACH_KIND(kind, run))
        if ((*kind)->prepare && !(*kind)->prepare(run, options, problems))
            return false;
    return true;
}

/* Returns the setting 'cores'; a kind's own workload runs on the boot core, unless the kind needs all cores. */
static const char *cores_of(const struct kind *kind, const struct options *options)
{
    if (!kind || !(kind->workload || kind->uses))
        return options->cores;
    if (!kind->all_cores)
        return "0";
    return str_equal(options->cores, "0") ? "all" : options->cores;
}

bool run_prepare(struct run *run, struct firmware *fw, const struct machine *machine, const struct options *options,
                 const struct image *image, struct out *problems)
{
    const struct kind *kind = kind_find(options->config);
    const struct workload *own = !kind ? NULL : kind->uses ? params_find_workload(kind->uses) : kind->workload;

    *run = (struct run){.fw = fw,
                        .machine = machine,
                        .image = image,
                        .map = &image_codemap,
                        .map_base = image->base,
                        .seed = options->seed,
                        .pool = {.fw = fw}};
    run->workload = own ? own : params_find_workload(options->workload);
    if (!run->workload) {
        params_no_workload(problems, options->workload, "");
        return false;
    }
    if (kind && kind->uses)
        memcpy(run->params, kind->uses_params, sizeof(kind->uses_params));
    else if (!params_of(&options->params, run->workload, run->params, problems))
        return false;
    if (cores_read(&run->cores, cores_of(kind, options), fw, machine, &run->pool, problems) &&
        place_read(&run->place, options->memory, &machine->nodes, problems) &&
        task_read(&run->task, options, machine, cores_of_a_node(&run->cores), problems) &&
        code_prepare(run, problems) && passes_prepare(&run->passes, &run->pool, machine, run, options, problems) &&
        prepare_kinds(run, options, problems) &&
        (run->file_buffer = pool_take(&run->pool, RUN_FILE_BUFFER, POOL_PAGE, "the files", problems)) &&
        (run->options = pool_take(&run->pool, sizeof(*options), POOL_PAGE, "the settings", problems))) {
        options_copy(run->options, options);
        fw->now(fw, &run->started);
        return true;
    }
    run_release(run);
    return false;
}

void run_begins(struct out *out, const struct run *run)
{
    for (EACH_KIND(kind, run))
        if ((*kind)->begins)
            (*kind)->begins(out, run);
}

static unsigned passes_of(const struct kind *kind, const struct run *run)
{
    return kind->passes ? kind->passes(run) : 0;
}

/* Announces the number of passes of this kind and of the later ones. */
static void expect(struct run *run, const struct kind *const *from)
{
    run->passes.later = 0;
    for (const struct kind *const *after = from + 1; *after; after++)
        run->passes.later += passes_of(*after, run);
    passes_expect(&run->passes, passes_of(*from, run));
}

void run_measure(struct run *run)
{
    for (EACH_KIND(kind, run)) {
        expect(run, kind);
        if ((*kind)->measure)
            (*kind)->measure(run);
    }
    for (EACH_KIND(kind, run))
        if ((*kind)->conclude)
            (*kind)->conclude(run);
}

bool run_good(const struct run *run)
{
    for (EACH_KIND(kind, run))
        if ((*kind)->good && !(*kind)->good(run))
            return false;
    return passes_good(&run->passes);
}

void run_release(struct run *run)
{
    if (run->fw->rest_cores)
        run->fw->rest_cores(run->fw);
    /* A core that hangs may still use this memory, so it is not returned to the firmware. */
    if (passes_all_back(&run->passes))
        pool_release(&run->pool);
}
