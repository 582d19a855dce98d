#include "app/save_files.h"

#include "app/facts.h"
#include "app/kind.h"
#include "app/report.h"
#include "app/report_cores.h"
#include "app/report_nodes.h"
#include "core/version.h"

/* Settings first, so that the file can be used as ibsboot.ini to repeat the run; what came of them as "#: key = value".
 */
void save_ini(struct file_sink *sink, const struct run *run, const struct options *options)
{
    struct out *out = &sink->out;
    const struct machine *machine = run->machine;
    const struct session_result *result = &run->passes.result;
    const struct nmi_counts *counts = &run->passes.counts;
    const struct firmware_time *time = &run->started;

    out_printf(out, "# A run of ibsboot %s. Copied to \\ibsboot\\ibsboot.ini it is repeated.\n\n", IBSBOOT_VERSION);
    settings_write(&options->settings, out);
    out_printf(out, "\n# What it ran on and what came of it.\n");
    if (time->valid)
        out_printf(out, "#: started = %04u-%02u-%02uT%02u:%02u:%02u\n", time->year, time->month, time->day, time->hour,
                   time->minute, time->second);
    out_printf(out, "#: figures = %s", machine->hypervisor ? "" : "silicon\n");
    report_origin(out, machine);
    out_printf(out, "#: machine.vendor = %s\n#: machine.name = %s\n", machine->vendor, machine->name);
    save_fact(out, "machine.family", machine->family);
    save_fact(out, "machine.model", machine->model);
    save_fact(out, "machine.stepping", machine->stepping);
    out_printf(out, "#: machine.revision = %c\n", machine->revision ? machine->revision : '-');
    out_printf(out, "#: machine.ibs_caps = 0x%x\n", machine->ibs_caps);
    out_printf(out, "#: machine.hypervisor = %s\n", machine->hypervisor ? machine->hypervisor_signature : "none");
    out_printf(out, "#: machine.firmware = %s\n", run->fw->name);
    save_fact(out, "machine.nodes", machine->nodes.count);
    save_fact(out, "machine.cores", machine->cores);
    save_fact(out, "machine.tsc_khz", machine->tsc_khz);
    for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && run->workload->params[i].name; i++)
        out_printf(out, "#: workload.%s = %u\n", run->workload->params[i].name, run->params[i]);
    save_fact(out, "workload.work", run->workload->work(run->params));
    out_printf(out, "#: workload.unit = %s\n", run->workload->unit);
    save_fact(out, "workload.check", passes_right(&run->passes));
    out_printf(out, "#: image_base = 0x%llx\n#: arena.physical = 0x%llx\n#: arena.virtual = 0x%llx\n",
               (unsigned long long)run->image->base, (unsigned long long)run->passes.core[0].plan.place.paging.physical,
               (unsigned long long)result->arena);
    out_printf(out, "#: config = %s\n", run->task.name);
    save_fact(out, "passes", run->passes.run);
    save_fact(out, "passes.empty", run->passes.empty);
    save_core_facts(out, run);
    save_node_facts(out, run);
    for (EACH_KIND(kind, run))
        if ((*kind)->facts)
            (*kind)->facts(out, run);
    if (!run->task.kinds[0]->workload)
        save_certificate_facts(out, run);
    save_fact(out, "nmi.all", counts->nmi);
    save_fact(out, "nmi.empty", counts->empty);
    save_fact(out, "nmi.late", counts->late);
    save_fact(out, "nmi.foreign", counts->foreign);
    save_fact(out, "tsc.start", result->tsc_start);
    save_fact(out, "tsc.stop", result->tsc_stop);
    save_fact(out, "error", result->error);
    for (unsigned i = 0; i < result->restore.count; i++)
        out_printf(out, "#: restored.%u = %s, 0x%llx, 0x%llx, %s\n", i, result->restore.row[i].what,
                   (unsigned long long)result->restore.row[i].before, (unsigned long long)result->restore.row[i].after,
                   result->restore.row[i].ok ? "same" : "DIFFERENT");
}
