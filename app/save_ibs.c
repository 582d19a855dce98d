#include "app/save_files.h"

#include "app/version.h"
#include "core/csv.h"
#include "core/ibs_regs.h"
#include "core/perfdata.h"

enum { COMMAND_MAX = 512 };

void save_ibs_facts(struct out *out, const struct run *run)
{
    const struct ibs_plan *plan = &run->ibs.plan;
    const struct session_result *result = &run->passes.result;
    const struct ibs_counts *counts = &run->passes.counts;

    out_printf(out, "#: ibs.op_ctl = 0x%llx\n#: ibs.fetch_ctl = 0x%llx\n", (unsigned long long)run->ibs.settings.op_ctl,
               (unsigned long long)run->ibs.settings.fetch_ctl);
    save_fact(out, "ibs.op_period", plan->op_period);
    save_fact(out, "ibs.op_random_range", run->ibs.settings.op_random_range);
    save_fact(out, "ibs.fetch_period", plan->fetch_period);
    save_fact(out, "ibs.lvt_offset", result->lvt_offset);
    save_fact(out, "samples.op", counts->op);
    save_fact(out, "samples.fetch", counts->fetch);
    save_fact(out, "samples.op_lost", counts->lost_op);
    save_fact(out, "samples.fetch_lost", counts->lost_fetch);
    save_fact(out, "samples.op_outside", run->ibs.profile.outside_records[IBS_KIND_OP]);
    save_fact(out, "samples.fetch_outside", run->ibs.profile.outside_records[IBS_KIND_FETCH]);
    save_fact(out, "samples.op_in_handler", run->ibs.in_handler[IBS_KIND_OP]);
    save_fact(out, "samples.fetch_in_handler", run->ibs.in_handler[IBS_KIND_FETCH]);
}

void save_ibs_profile(struct file_sink *sink, const struct run *run, const struct options *options)
{
    (void)options;
    csv_write_profile(&sink->out, &run->ibs.profile);
}

static int write_bytes(void *context, const void *data, size_t size)
{
    return file_sink_bytes(context, data, size);
}

void save_perfdata(struct file_sink *sink, const struct run *run, const struct options *options)
{
    const struct machine *machine = run->machine;
    const struct session_plan *plan = &run->passes.plan;
    const struct session_result *result = &run->passes.result;
    char command[COMMAND_MAX];
    struct out_memory text;
    const struct perfdata_info info = {
        .vendor = machine->vendor,
        .cpu_name = machine->name,
        .family = machine->family,
        .model = machine->model,
        .stepping = machine->stepping,
        .caps = machine->ibs_caps,
        .cores = 1, /* that were sampled */
        .tsc_khz = (uint32_t)machine->tsc_khz,
        .tsc0 = result->tsc_start,
        .image_base = run->image->base,
        .text_rva = run->image->text_rva,
        .text_size = run->image->text_size,
        .text_offset = run->image->text_rva,
        .build_id = run->image->build_id,
        .elf_name = "ibsboot.elf",
        .version = IBSBOOT_VERSION,
        .command = command,
        .comm = run->workload->name,
        .event = {[IBS_KIND_FETCH] = {.sampled = run->ibs.plan.fetch,
                                      .variant = run->ibs.settings.fetch_ctl & IBS_FETCH_RAND_EN,
                                      .period = run->ibs.plan.fetch_period,
                                      .lost = result->counts.lost_fetch},
                  [IBS_KIND_OP] = {.sampled = run->ibs.plan.op,
                                   .variant = run->ibs.plan.count_ops,
                                   .period = run->ibs.plan.op_period,
                                   .lost = result->counts.lost_op}},
    };

    out_memory_init(&text, command, sizeof(command));
    for (unsigned i = 0; i < options->settings.count; i++) {
        out_printf(&text.out, "%s%s=", i ? " " : "", options->settings.rows[i].key);
        settings_write_value(&options->settings.rows[i], &text.out);
    }
    (void)perfdata_write(&info, plan->records, (size_t)result->samples, write_bytes, sink); /* kept in sink->error */
}
