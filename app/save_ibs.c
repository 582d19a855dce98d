#include "app/save_files.h"

#include "core/csv.h"
#include "core/ibs_regs.h"

void save_ibs_facts(struct out *out, const struct run *run)
{
    const struct ibs_plan *plan = &run->ibs.plan;
    const struct session_result *result = &run->passes.result;
    const struct nmi_counts *counts = &run->passes.counts;

    out_printf(out, "#: ibs.op_ctl = 0x%llx\n#: ibs.fetch_ctl = 0x%llx\n", (unsigned long long)run->ibs.settings.op_ctl,
               (unsigned long long)run->ibs.settings.fetch_ctl);
    save_fact(out, "ibs.op_period", plan->op_period);
    save_fact(out, "ibs.op_random_range", run->ibs.settings.op_random_range);
    save_fact(out, "ibs.fetch_period", plan->fetch_period);
    save_fact(out, "ibs.lvt_offset", result->lvt_offset);
    save_fact(out, "samples.op", counts->recorded[SAMPLE_OP]);
    save_fact(out, "samples.fetch", counts->recorded[SAMPLE_FETCH]);
    save_fact(out, "samples.op_lost", counts->lost[SAMPLE_OP]);
    save_fact(out, "samples.fetch_lost", counts->lost[SAMPLE_FETCH]);
    save_fact(out, "samples.op_outside", run->ibs.profile.outside_records[SAMPLE_OP]);
    save_fact(out, "samples.fetch_outside", run->ibs.profile.outside_records[SAMPLE_FETCH]);
    save_fact(out, "samples.op_in_handler", run->ibs.in_handler[SAMPLE_OP]);
    save_fact(out, "samples.fetch_in_handler", run->ibs.in_handler[SAMPLE_FETCH]);
}

void save_ibs_profile(struct file_sink *sink, const struct run *run, const struct options *options)
{
    (void)options;
    csv_write_profile(&sink->out, &run->ibs.profile);
}
