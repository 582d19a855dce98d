/* SPDX-License-Identifier: BSD-2-Clause */
/* Cores whose data is missing, and what became of them. */
#include "app/cores/core_start.h"
#include "app/report/report_cores.h"
#include "app/report/report_groups.h"
#include "app/base/sentence.h"

/* Returns whether one text describes both cores. */
static bool missing_alike(const struct passes_core *first, const struct passes_core *other)
{
    if (first->start_error || other->start_error)
        return first->start_error == other->start_error && first->start.status == other->start.status;
    if (first->lost || other->lost)
        return first->lost == other->lost && first->lost_at == other->lost_at && first->start.kept == other->start.kept;
    return first->result.error == other->result.error;
}

static void report_not_started(struct out *out, const struct passes_core *core, const struct cores_set *set,
                               unsigned count)
{
    out_printf(out, "LOST: ");
    report_core_names(out, set, count);
    out_printf(out, " %s not started: %s", count == 1 ? "was" : "were", firmware_error_text(core->start_error));
    if (core->start.status)
        out_printf(out, "\n      (MP Services: EFI_STATUS %lx)", core->start.status);
    out_printf(out, ".\n");
    report_long_list(out, set);
    out_printf(out, "      The results of the others are kept.\n");
}

static void report_missing(struct out *out, const struct passes_core *core, const struct cores_set *set, unsigned count)
{
    if (core->start_error) {
        report_not_started(out, core, set, count);
    } else if (core->lost) {
        out_printf(out, "LOST: ");
        report_core_names(out, set, count);
        out_printf(out, " did not answer: %s.\n", gang_step_text(core->lost_at));
        report_long_list(out, set);
        out_printf(out, "      The results of the others are kept.%s\n",
                   core->start.kept ? " The next run starts it by INIT and STARTUP." : "");
    } else if (count == 1) {
        sentence(out, "Core %u: %s (%lx).", core->cpu, session_error_text(core->result.error),
                 core->result.error_detail);
    } else {
        sentence(out, "%u cores, the first of them core %u: %s (%lx).", count, core->cpu,
                 session_error_text(core->result.error), core->result.error_detail);
    }
}

void report_lost_cores(struct out *out, const struct run *run)
{
    for (unsigned i = 0; i < run->passes.cores; i++) {
        const struct passes_core *core = &run->passes.core[i];
        struct cores_set set = {0};
        unsigned count = 1;

        if (!core->start_error && !core->lost && (run->passes.cores < 2 || !core->result.error))
            continue;
        cores_set_add(&set, core->cpu);
        if (report_grouped(run))
            count = report_group(run, i, missing_alike, &set);
        if (count)
            report_missing(out, core, &set, count);
    }
    if (!passes_all_back(&run->passes))
        out_printf(out, "A core is still running: switch the machine off before you start anything else.\n");
}
